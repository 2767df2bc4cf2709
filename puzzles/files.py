"""The files of puzzles in a folder,
such as definitions and levels, and the families that they give.

They are of strangers: regular, of bounded size, and read once. Plugins say which files they read.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

from puzzlebase import hooks, system
from puzzlebase.puzzles.contract.errors import UnknownPuzzle
from puzzlebase.puzzles.contract.puzzle import Family

MOST_BYTES = 1 << 20  # the 20x20x20 cube takes 194,069
MOST_FILES = 1000
DRAWING = ".svg"

_FIRST_OF_NAME = re.compile("[A-Za-z0-9_-]*")
"""The file's part of a puzzle's name, and perhaps -1 or -quarter."""


class InvalidDefinition(UnknownPuzzle):
    """A definition cannot be read, or asks for something unsupported."""


class FormatError(Exception):
    """A text is no definition: `what` is wrong, `expected` is the remedy, and `line` is where."""

    def __init__(self, what: str, expected: str, line: int | None = None) -> None:
        super().__init__(what)
        self.what, self.expected, self.line = what, expected, line


class PuzzleFile(Protocol):
    """A file of puzzles in a folder."""

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


def content_of_puzzle_file(path: Path) -> bytes:
    """The content of a file; raises OSError,
    at once for a pipe or a device, and beyond MOST_BYTES.
    """
    with system.open_regular_file(path, follow=True) as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {MOST_BYTES:,} bytes", str(path))
    return content


def drawing_of_puzzle_file(path: Path) -> Path:
    """The drawing beside a file of puzzles."""
    return path.with_name(path.name.partition(".")[0] + DRAWING)


class Listing(NamedTuple):
    """The files of puzzles in folders, and by their names the errors of those that are not read."""

    files: list[PuzzleFile]
    skipped: dict[str, UnknownPuzzle]
    version: int  # differs if a file or its drawing does


def list_files(folders: Sequence[Path]) -> Listing:
    """List the files that plugins read; one is read again when it or its drawing changes."""
    every = [path for folder in folders for path in sorted(folder.iterdir())]
    files = [path for path in every if _kind(path.suffix)]
    skipped: dict[str, UnknownPuzzle] = {}
    if others := files[MOST_FILES:]:
        what = (
            f"{others[0]} and later files are not read: at most {MOST_FILES:,} of the "
            f"{len(files):,} are"
        )
        skipped = dict.fromkeys(
            (path.name for path in others), InvalidDefinition(what, "move some of them away")
        )
    versions = [
        (path, _version_of(path), _version_of(drawing_of_puzzle_file(path)))
        for path in files[:MOST_FILES]
    ]
    read = [file for each in versions if (file := _file(*each))]
    return Listing(read, skipped, hash((*versions, *skipped)))


def families_of_puzzle_files(
    listed: Listing, ours: Sequence[Family], name: str | None = None
) -> tuple[list[Family], dict[str, UnknownPuzzle]]:
    """Return the family of each file, and the errors of the others by name.

    A name is wrong if two files share it, or if one of `ours` has it. With the name of a puzzle,
    only files that may have it are read.
    """
    files = listed.files
    if name and (first := _FIRST_OF_NAME.match(name)):
        files = [file for file in files if file.name in (first[0], first[0].rpartition("-")[0])]
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
    return next(
        ((each, known) for each in names for known in ours if known.pattern.fullmatch(each)), None
    )


def _version_of(path: Path) -> tuple[int, int]:
    """The time and the size of a file, which change with its content; zeros if there is none."""
    try:
        found = path.stat()
    except OSError:  # no drawing, or a link that leads nowhere; reading it says so
        return 0, 0
    return found.st_mtime_ns, found.st_size


@cache
def _kind(ending: str) -> Callable[[Path], PuzzleFile | None] | None:
    """The reader of files with an ending, in any case,
    if there is one; it may find that a file has no puzzles.
    """
    ending = ending.lower()
    if ending == DRAWING:
        return None
    return hooks.find("files", "definition" if hooks.find("readers", ending) else ending)


@lru_cache(maxsize=MOST_FILES)
def _file(path: Path, *_versions: tuple[int, int]) -> PuzzleFile | None:
    kind = _kind(path.suffix)
    assert kind
    return kind(path)
