"""Puzzles from definition files, as ksolve, twsearch and cubing.js have them: docs/your-own-puzzle.md.

Their readers are loaded only where there is a folder of such files.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from puzzlebase.puzzles.contract.errors import PuzzleError, UnknownPuzzle
from puzzlebase.puzzles.contract.puzzle import Family

VARIABLE = "PUZZLEBASE_PUZZLES"
"""Of the environment: the folder, where no option names one."""

_HERE = Path("puzzles.d")


class NoPuzzlesFolder(PuzzleError):
    """A folder was named that is not there."""


def families(ours: Sequence[Family]) -> list[Family]:
    """A family for each definition file that can be read and has no name of `ours`; raises NoPuzzlesFolder."""
    found = _folder()
    if found is None:
        return []
    from puzzlebase.puzzles.definitions import folder  # noqa: PLC0415

    return folder.families(found, ours)


def family_of(name: str, ours: Sequence[Family]) -> Family | None:
    """The family of one puzzle, if a file is called like it; raises what is wrong with that, or NoPuzzlesFolder."""
    found = _folder()
    if found is None:
        return None
    from puzzlebase.puzzles.definitions import folder  # noqa: PLC0415

    return folder.family_of(name, found, ours)


def unreadable(ours: Sequence[Family]) -> dict[str, UnknownPuzzle]:
    """By name, what is wrong with the other files; raises NoPuzzlesFolder."""
    found = _folder()
    if found is None:
        return {}
    from puzzlebase.puzzles.definitions import folder  # noqa: PLC0415

    return folder.unreadable(found, ours)


def searched() -> str:
    """Where definition files are looked for, for people."""
    if found := _folder():
        return f"definition files are those in {found.absolute()}"
    return f"there are no definition files, since there is no folder {_HERE.absolute()}"


def _folder() -> Path | None:
    """The folder of PUZZLEBASE_PUZZLES, else ./puzzles.d if it is there; raises NoPuzzlesFolder."""
    if named := os.environ.get(VARIABLE):
        path = Path(named)
        if not path.is_dir():
            raise NoPuzzlesFolder(
                f"there is no folder {named!r}, which should hold definitions of puzzles",
                f"correct --puzzles or {VARIABLE}, or make the folder",
            )
        return path
    return _HERE if _HERE.is_dir() else None
