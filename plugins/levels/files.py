"""Files of levels as families of puzzles: NAME for a file of one level,
NAME-1, NAME-2 ... for a file of several.
"""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import islice
from pathlib import Path

from puzzlebase.plugins.levels import FORMATS
from puzzlebase.plugins.levels.game import Format, LevelGame
from puzzlebase.plugins.levels.puzzle import game_puzzle
from puzzlebase.plugins.levels.text import MEND, BadLevel, LevelText, bad_level, levels_of_text
from puzzlebase.puzzles import Family, Goal, Published, Puzzle
from puzzlebase.puzzles.contract.errors import BrokenPuzzle, UnknownPuzzle
from puzzlebase.puzzles.files import (
    Listing,
    content_of_puzzle_file,
    families_of_puzzle_files,
    list_files,
)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")
_PLACE = 210  # after definitions
_MOST_UNUSED = 20
_MANY = 20  # levels of a file; more are listed without being made


@dataclass(frozen=True)
class Level:
    """A level by its name."""

    name: str
    path: Path
    text: LevelText

    @property
    def title(self) -> str:
        """Its title, else its name."""
        return self.text.words.title or self.name

    @property
    def game(self) -> LevelGame:
        """The game of the level; raises BadLevel."""
        form = _format(self.path)
        self.text.refuse_others(("par", *form.values), goal=form.has_goal)
        return form.game(self.text)

    def puzzle(self) -> Puzzle:
        """The puzzle of the level; raises BadLevel."""
        game, par = self.game, self.text.par
        published = None if par is None else Published(str(self.path), start_distance=par)
        goal = Goal("solved", (), game.start, published, key=f"solved-{self._digest}")
        return game_puzzle(self.name, self.title, goal, game, self.text.words.author)

    @property
    def _digest(self) -> str:
        """12 hexadecimal digits, equal for levels with equal rules and cells;
        comments and titles do not count.
        """
        stated = {
            name: value for name, (value, _) in self.text.words.values.items() if name != "par"
        }
        ending = f".{_format_name(self.path)}"
        rows = [grid and grid.rows for grid in (self.text.start, self.text.goal)]
        return hashlib.blake2b(repr((ending, stated, rows)).encode(), digest_size=6).hexdigest()


@dataclass(frozen=True)
class LevelFile:
    """A file of levels, in a folder of puzzles."""

    path: Path

    @property
    def name(self) -> str:
        """Its name without the ending, - for what puzzles' names do not have."""
        return _NOT_IN_NAMES.sub("-", self.path.stem).strip("-_") or self.path.stem

    @cached_property
    def _content(self) -> bytes:
        return content_of_puzzle_file(self.path)

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """Its levels; raises BadLevel and OSError."""
        texts = levels_of_text(self.path, self._content, _format(self.path).rows_of)
        if not texts:
            raise bad_level(self.path, 1, "there is no level in the file")
        if not _NAME.fullmatch(self.name):
            raise bad_level(
                self.path,
                1,
                "rename the file: it begins with a letter or a digit, and has at most 60",
            )
        numbers = [f"-{at}" for at in range(1, len(texts) + 1)] if len(texts) > 1 else [""]
        return tuple(
            Level(self.name + number, self.path, text)
            for number, text in zip(numbers, texts, strict=True)
        )

    @cached_property
    def error(self) -> UnknownPuzzle | None:
        """The error of a file that cannot be read."""
        try:
            _ = self.levels
        except BadLevel as error:
            return error
        except OSError as error:
            return BrokenPuzzle(str(error), MEND)
        return None

    @cached_property
    def family(self) -> Family:
        """The family of its levels; raises as `levels`."""
        levels = {level.name: level for level in self.levels}
        unused = (each for level in self.levels for each in level.text.words.unused)
        template = self.name if len(levels) == 1 else f"{self.name}-1 to {self.name}-{len(levels)}"

        def make(name: str) -> Puzzle:
            if name not in levels:
                raise UnknownPuzzle(
                    f"there is no puzzle {name!r}", f"the levels of {self.path} are {template}"
                )
            return levels[name].puzzle()

        return Family(
            name=self.name,
            pattern=re.compile(re.escape(self.name) + ("" if len(levels) == 1 else "-[1-9][0-9]*")),
            members=tuple(levels),
            make=make,
            template=template,
            titles={level.name: level.title for level in self.levels}
            if len(levels) > _MANY
            else {},
            place=_PLACE,
            extra=_format(self.path).extra,
            unused=tuple(islice(unused, _MOST_UNUSED)),
            rules=hashlib.blake2b(self._content, digest_size=8).hexdigest(),
        )


def level_file(path: Path) -> LevelFile | None:
    """A file of levels among all kinds of text; None if it can be read, and no level is in it."""
    with suppress(BadLevel, OSError):
        if not levels_of_text(path, content_of_puzzle_file(path), _format(path).rows_of):
            return None
    return LevelFile(path)


def _format_name(path: Path) -> str | None:
    """The name of a file's format, by its ending in any case; None if it has none."""
    return FORMATS.get(path.suffix[1:].lower())


def _format(path: Path) -> Format:
    """The format of a file."""
    form: Format = import_module(f"puzzlebase.plugins.levels.formats.{_format_name(path)}").FORMAT
    return form


def levels_of_files(path: Path) -> tuple[list[Level], list[tuple[str, str]]]:
    """The levels of a file or of a folder's files,
    and the problems of what is not read, each after its name.
    """
    listed = (
        list_files([path])
        if path.is_dir()
        else Listing([LevelFile(path)] if _format_name(path) else [], {}, 0)
    )
    files = [file for file in listed.files if isinstance(file, LevelFile)]
    _, wrong = families_of_puzzle_files(listed._replace(files=[*files]), ())
    levels = [level for file in files if file.name not in wrong for level in file.levels]
    return levels, [(name, str(error)) for name, error in wrong.items()]
