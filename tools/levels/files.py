"""Files of levels as families of puzzles: NAME for a file of one level, NAME-1, NAME-2 ... for a file of several."""

from __future__ import annotations

import hashlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path

from puzzlebase.puzzles import Family, Goal, Published, Puzzle
from puzzlebase.puzzles.contract.errors import BrokenPuzzle, UnknownPuzzle
from puzzlebase.tools.levels import formats
from puzzlebase.tools.levels.game import LevelGame
from puzzlebase.tools.levels.puzzle import game_puzzle
from puzzlebase.tools.levels.text import BadLevel, LevelText, read_levels

FORMATS = frozenset(module.name for module in pkgutil.iter_modules(formats.__path__))
"""The endings of files of levels."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
_PLACE = 210  # after definitions


@dataclass(frozen=True)
class Level:
    """A level by its name."""

    name: str
    path: Path
    text: LevelText

    @cached_property
    def game(self) -> LevelGame:
        """The game of the level; raises BadLevel."""
        game: LevelGame = import_module(f"{formats.__name__}.{self.path.suffix[1:]}").game(self.text)
        return game

    def puzzle(self) -> Puzzle:
        """The puzzle of the level; raises BrokenPuzzle."""
        try:
            game, par = self.game, self.text.par
        except BadLevel as error:
            raise BrokenPuzzle(str(error), "mend the level in its file; no other puzzle is harmed") from None
        published = None if par is None else Published(str(self.path), start_distance=par)
        goal = Goal("solved", (), game.start, published, key=f"solved-{self._digest}")
        return game_puzzle(self.name, self.text.title or self.name, goal, game)

    @property
    def _digest(self) -> str:
        """12 hexadecimal digits, equal for levels with equal rules and cells; comments and titles do not count."""
        stated = {name: value for name, (value, _) in self.text.values.items() if name != "par"}
        rows = [grid and grid.rows for grid in (self.text.start, self.text.goal)]
        return hashlib.blake2b(repr((self.path.suffix, stated, rows)).encode(), digest_size=6).hexdigest()


@dataclass(frozen=True)
class LevelFile:
    """A file of levels, in a folder of puzzles."""

    path: Path

    @property
    def name(self) -> str:
        """Its name without the ending."""
        return self.path.stem

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """Its levels; raises BadLevel and OSError."""
        texts = read_levels(self.path)
        if not _NAME.fullmatch(self.name):
            raise BadLevel(self.path, 1, 1, "rename the file: letters, digits, - and _, at most 60")
        names = [self.name] if len(texts) == 1 else [f"{self.name}-{number}" for number in range(1, len(texts) + 1)]
        return tuple(Level(name, self.path, text) for name, text in zip(names, texts, strict=True))

    @cached_property
    def error(self) -> UnknownPuzzle | None:
        """The error of a file that cannot be read."""
        try:
            _ = self.levels
        except BadLevel as error:
            return BrokenPuzzle(str(error), "mend the file or move it away; no other puzzle is harmed")
        except OSError as error:
            return BrokenPuzzle(f"{self.path}: {error.strerror}", "make the file readable")
        return None

    def family(self) -> Family:
        """The family of its levels; raises as `levels`."""
        levels = {level.name: level for level in self.levels}
        return Family(
            name=self.name,
            pattern=re.compile("|".join(map(re.escape, levels))),
            members=tuple(levels),
            make=lambda name: levels[name].puzzle(),
            template=self.name if len(levels) == 1 else f"{self.name}-1 to {self.name}-{len(levels)}",
            place=_PLACE,
            rules=hashlib.blake2b(self.path.read_bytes(), digest_size=8).hexdigest(),
        )


def levels_of(path: Path) -> Iterator[Level]:
    """The levels of a file or of a folder's files; raises BadLevel."""
    files = [path] if path.is_file() else sorted(each for each in path.iterdir() if each.is_file())
    named: dict[str, Level] = {}
    for file in files:
        for level in LevelFile(file).levels if file.suffix[1:] in FORMATS else ():
            if (former := named.setdefault(level.name, level)) is not level:
                message = f"this level is called {level.name!r}, as one in {former.path}; rename a file"
                raise level.text.start.fault(0, 0, message)
            yield level
