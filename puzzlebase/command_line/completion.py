"""Names that the shell completes: of puzzles, goals, moves and tables. They need no kernel."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import split_arg_string

from puzzlebase.paths import DataFolder
from puzzlebase.puzzles.contract.errors import UnknownPuzzle

if TYPE_CHECKING:
    from puzzlebase.puzzles import Puzzle


def completing(
    names_for: Callable[[click.Context], Iterable[str]],
) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """The names that begin with the typed letters."""

    def begun(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        return [name for name in dict.fromkeys(names_for(context)) if name.startswith(incomplete)]

    return begun


@completing
def puzzles(context: click.Context) -> list[str]:
    """The names worth listing, and those of every file in the data folder."""
    from puzzlebase.puzzles import all_families

    listed = [name for family in all_families() for name in family.listed]
    return [*listed, *(name.partition(".")[0].partition("@")[0] for name in _stored(context))]


@completing
def goals(context: click.Context) -> list[str]:
    """The named goals of the puzzle on the command line."""
    return [goal.name for puzzle in _puzzle(context) for goal in puzzle.goals]


@completing
def moves(context: click.Context) -> list[str]:
    """The moves of the puzzle on the command line."""
    return [move.name for puzzle in _puzzle(context) for move in puzzle.moves_of(puzzle.goal().start)]


@completing
def tables(context: click.Context) -> list[str]:
    """The tables in the data folder."""
    return [name for name in _stored(context) if "." not in name]


def _puzzle(context: click.Context) -> list[Puzzle]:
    """The puzzle on the command line, if any. click reads no arguments behind an option without a value: we look."""
    from puzzlebase.puzzles import Puzzle, find

    given = context.params.get("puzzle")
    if isinstance(given, Puzzle):
        return [given]
    for word in split_arg_string(os.environ.get("COMP_WORDS", ""))[1:]:
        with suppress(UnknownPuzzle):
            return [find(word)]
    return []


def _stored(context: click.Context) -> list[str]:
    """The names of all files in the data folder, without their ending."""
    folder = context.obj if isinstance(context.obj, DataFolder) else DataFolder.choose()
    return sorted(path.stem for path in Path(folder.place).glob("*.duckdb"))
