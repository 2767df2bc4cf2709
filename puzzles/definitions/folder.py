"""The definition files of a folder, and the families that they give."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

from puzzlebase import hooks
from puzzlebase.puzzles.contract.errors import UnknownPuzzle, shorten
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.puzzle import Family, Puzzle
from puzzlebase.puzzles.definitions.definition import PATTERN, Definition, FormatError, InvalidDefinition
from puzzlebase.puzzles.definitions.files import content_of, text_of
from puzzlebase.puzzles.definitions.goal_sets import GoalSets
from puzzlebase.puzzles.definitions.ksolve import read_ksolve
from puzzlebase.puzzles.definitions.puzzle import Draw, patterns_of, puzzle_of
from puzzlebase.puzzles.definitions.sequences import all_moves, some_moves
from puzzlebase.puzzles.definitions.text import Texts

QUARTER = "-quarter"  # after a file's name: only a generator and its inverse are moves
MOVES = "+"  # before each move of a puzzle that has only some
MOST_FILES = 1000

_READERS = {".tws": read_ksolve, ".def": read_ksolve}
_DRAWING = ".svg"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
_PLACE = 200  # after ours
_LONGEST_NAME = 150  # of a puzzle with some moves: a file's name has its goal besides


@cache
def _reader(ending: str) -> Callable[[str], Definition] | None:
    """The reader of files with an ending, in any case: ours, or a plugin's; None if there is none."""
    ending = ending.lower()
    return _READERS.get(ending) or (None if ending == _DRAWING else hooks.find("readers", ending))


class PuzzleFile(Protocol):
    """A file of puzzles in a folder: a definition, or a file of a plugin."""

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def name(self) -> str:
        """The beginning of its puzzles' names, up to a -."""

    @property
    def error(self) -> UnknownPuzzle | None:
        """The error of a file that cannot be read."""

    @property
    def family(self) -> Family:
        """The family of its puzzles; it raises `error`."""


@dataclass(frozen=True)
class DefinitionFile:
    """A file of a definition."""

    path: Path

    @property
    def name(self) -> str:
        """The puzzle's name: the file's without its ending."""
        return self.path.stem.removesuffix(".kpuzzle")

    @property
    def definition(self) -> Definition:
        """The definition; raises InvalidDefinition, also for a wrong drawing."""
        return self._content[0]

    @property
    def error(self) -> InvalidDefinition | None:
        """The error of a file that cannot be read."""
        return self._found if isinstance(self._found, InvalidDefinition) else None

    @property
    def _content(self) -> tuple[Definition, Draw | None]:
        if isinstance(self._found, InvalidDefinition):
            raise self._found.again()
        return self._found

    @cached_property
    def _found(self) -> tuple[Definition, Draw | None] | InvalidDefinition:
        """The definition and the maker of its drawing, or their error: a file is read once, right or wrong."""
        path = self.path
        try:
            definition = self._read()
            path = _beside(self.path)
            drawing = self._drawing
            return definition, None if drawing is None else _drawing_of(drawing, definition)
        except FormatError as refused:
            where = f", line {refused.line}" if refused.line else ""
            return InvalidDefinition(f"{path}{where}: {refused.what}", f"expected: {refused.expected}")
        except OSError as error:
            return InvalidDefinition(f"{path}: {error.strerror}", "take a text file that is shorter and may be read")
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 -- whatever the reader of a plugin does
            what = f"{path}: {type(error).__name__}: {shorten(str(error))}"
            return InvalidDefinition(what, "mend the plugin that reads it")

    def _read(self) -> Definition:
        if not _NAME.fullmatch(self.name) or self.name.endswith(QUARTER):
            raise FormatError(
                f"{self.name!r} is no name of a puzzle",
                f"a file named with letters, digits, - and _, at most 60, that does not end in {QUARTER}",
            )
        if not (read := _reader(self.path.suffix)):
            endings = ", ".join([*_READERS, *hooks.references("readers")])
            raise FormatError("this is no definition by its name", f"a name that ends in {endings}")
        found = read(self._text)
        GoalSets(Texts(found), all_moves(found), Goal("solved", ())).check()
        return found

    @property
    def rules(self) -> str:
        """A digest of both texts, 16 hexadecimal digits; raises FormatError and OSError."""
        return hashlib.blake2b(repr((self._text, self._drawing)).encode(), digest_size=8).hexdigest()

    @cached_property
    def _text(self) -> str:
        return text_of(content_of(self.path))

    @cached_property
    def _drawing(self) -> str | None:
        beside = _beside(self.path)
        return text_of(content_of(beside)) if beside.exists() else None

    @cached_property
    def has_quarters(self) -> bool:
        """True if some move has powers beside itself and its inverse."""
        return len(all_moves(self.definition)) > len(all_moves(self.definition.quarter))

    def puzzle(self, name: str) -> Puzzle:
        """Make the puzzle of a name; raise UnknownPuzzle for a missing move or pattern.

        The name of the puzzle has its moves in the order of the file.
        """
        if len(name) > _LONGEST_NAME:
            raise UnknownPuzzle(f"{shorten(name)!r} is no name of a puzzle", f"at most {_LONGEST_NAME} characters")
        whole, _, number = name.partition(PATTERN)
        whole, title, definition = self.with_moves(whole)
        if not number:
            return replace(puzzle_of(whole, definition, self._content[1]), title=title)
        patterns = patterns_of(whole, definition)
        coarse: Definition | None = patterns.numbered(number) if patterns else None
        if coarse is None:
            raise UnknownPuzzle(f"there is no puzzle {name!r}", f"puzzlebase check {self.path} names its patterns")
        return puzzle_of(f"{whole}{PATTERN}{number}", coarse)

    def with_moves(self, name: str) -> tuple[str, str, Definition]:
        """The name, the title and the definition of a puzzle by its metric and moves; raises UnknownPuzzle."""
        metric, *words = name.split(MOVES)
        title, definition = self.definition.title or self.name, self.definition
        if metric.endswith(QUARTER):
            title, definition = f"{title}, turned step by step", definition.quarter
        if words:
            words, definition = some_moves(definition, words)
            title += f", only with {', '.join(words)}" if words else ""
        return MOVES.join([metric, *words]), title, definition

    @cached_property
    def family(self) -> Family:
        """The family of the puzzle in both metrics, with all or some moves; raises InvalidDefinition."""
        names = (self.name, self.name + QUARTER) if self.has_quarters else (self.name,)
        return Family(
            name=self.name,
            title=self.definition.title or self.name,
            pattern=re.compile(f"(?:{'|'.join(map(re.escape, names))})(?:[{MOVES}][^{PATTERN}]*)?(?:{PATTERN}p[1-9])?"),
            template=" or ".join(names),
            members=names,
            make=self.puzzle,
            place=_PLACE,
            rules=self.rules,
        )


def _drawing_of(text: str, definition: Definition) -> Draw | None:
    """The maker of a drawing of a file's text, by a plugin; raises FormatError."""
    read: Callable[[str, Definition], Draw] | None = hooks.find("drawings", _DRAWING)
    return read(text, definition) if read else None


def _beside(path: Path) -> Path:
    """The drawing beside a definition."""
    return path.with_name(path.stem.removesuffix(".kpuzzle") + _DRAWING)


class Listing(NamedTuple):
    """The files of puzzles in folders, and by their names the errors of those that are not read."""

    files: list[PuzzleFile]
    skipped: dict[str, UnknownPuzzle]
    version: int  # differs if a file or its drawing does


def listing(folders: Sequence[Path]) -> Listing:
    """List files with the ending of a definition or of a plugin; one is read again when it or its drawing changes."""
    every = [path for folder in folders for path in sorted(folder.iterdir())]
    files = [path for path in every if _kind(path.suffix)]
    skipped: dict[str, UnknownPuzzle] = {
        path.name: InvalidDefinition(
            f"{path} is not read, since its name ends in {path.suffix}", f"rename it: {path.suffix.lower()}"
        )
        for path in every
        if path.suffix != _DRAWING and path.suffix.lower() == _DRAWING
    }
    if files[MOST_FILES:]:
        what = f"{files[MOST_FILES]} and later files are not read: at most {MOST_FILES:,} of the {len(files):,} are"
        skipped |= dict.fromkeys(
            (path.name for path in files[MOST_FILES:]), InvalidDefinition(what, "move some of them away")
        )
    versions = [(path, _version_of(path), _version_of(_beside(path))) for path in files[:MOST_FILES]]
    read = [file for each in versions if (file := _file(*each))]
    return Listing(read, skipped, hash((*versions, *skipped)))


def found_in(
    listed: Listing, ours: Sequence[Family], name: str | None = None
) -> tuple[list[Family], dict[str, UnknownPuzzle]]:
    """Return the family of each file, and the errors of the others by name.

    A name is wrong if two files share it, or if one of `ours` has it. With the name of a puzzle, only files that may
    have it are read.
    """
    whole = name and name.partition(PATTERN)[0].partition(MOVES)[0]
    files = [file for file in listed.files if not whole or file.name in (whole, whole.rpartition("-")[0])]
    wrong = dict(listed.skipped)
    families: dict[str, Family] = {}
    seen: dict[str, PuzzleFile] = {}
    for file in files:
        names = (file.name,) if file.error else file.family.members
        if clash := _clash(names, tuple(ours)):
            what = f"{file.path} and {clash[1].title} are both called {clash[0]!r}"
            wrong[file.name] = InvalidDefinition(what, "rename the file")
        elif former := next((each for each in names if each in seen), None):
            what = f"{seen[former].path} and {file.path} both define {former!r}"
            wrong[file.name] = InvalidDefinition(what, "rename one of them")
        elif file.error:
            wrong[file.name] = file.error
        else:
            families[file.name] = file.family
        for each in names:
            seen.setdefault(each, file)
    return [family for name, family in families.items() if name not in wrong], wrong


@lru_cache(maxsize=MOST_FILES)
def _clash(names: tuple[str, ...], ours: tuple[Family, ...]) -> tuple[str, Family] | None:
    """The first of some names that a family of ours has, with that family."""
    return next(((each, known) for each in names for known in ours if known.pattern.fullmatch(each)), None)


def named_in(folders: Iterable[Path], family: str) -> list[Path]:
    """The files of a family in folders, its drawing among them; tables may lie there too."""
    listed = listing([*folders]).files
    return [path for file in listed if file.name == family for path in (file.path, _beside(file.path)) if path.exists()]


def _version_of(path: Path) -> tuple[int, int]:
    """The time and the size of a file, which change with its content; zeros if there is none."""
    try:
        found = path.stat()
    except OSError:  # no drawing, or a link that leads nowhere; reading it says so
        return 0, 0
    return found.st_mtime_ns, found.st_size


@cache
def _kind(ending: str) -> Callable[[Path], PuzzleFile | None] | None:
    """The reader of files with an ending, in any case, if there is one; it may find that a file has no puzzles."""
    ending = ending.lower()
    return DefinitionFile if _reader(ending) else None if ending == _DRAWING else hooks.find("files", ending)


@lru_cache(maxsize=MOST_FILES)
def _file(path: Path, *_versions: tuple[int, int]) -> PuzzleFile | None:
    kind = _kind(path.suffix)
    assert kind
    return kind(path)
