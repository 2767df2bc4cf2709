"""What the shell completes: names of puzzles, goals, moves, tables and stored queries. No kernel is called for it."""

from __future__ import annotations

import os
from contextlib import suppress

import click
from click.shell_completion import split_arg_string

from puzzlebase.db.data_folder import DataFolder
from puzzlebase.puzzles import Puzzle, UnknownPuzzle, all_families, find


def puzzles(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The names worth listing, and those of every file in the data folder."""
    listed = [name for family in all_families() for name in family.listed]
    stored = [name.partition(".")[0].partition("@")[0] for name in _stored(context)]
    return _beginning(incomplete, [*listed, *stored])


def goals(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The goals that have names, of the puzzle that was given."""
    puzzle = _puzzle(context)
    return _beginning(incomplete, [goal.name for goal in puzzle.goals]) if puzzle else []


def moves(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The moves of the puzzle that was given."""
    puzzle = _puzzle(context)
    return _beginning(incomplete, [move.name for move in puzzle.moves]) if puzzle else []


def tables(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The tables in the data folder."""
    return _beginning(incomplete, [name for name in _stored(context) if "." not in name])


def queries(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The stored queries."""
    from puzzlebase.service.sql.statements import stored_queries

    return _beginning(incomplete, list(stored_queries()))


def _puzzle(context: click.Context) -> Puzzle | None:
    """The puzzle that was given. Behind an option that lacks its value click reads no arguments, so we look for it."""
    given = context.params.get("puzzle")
    if isinstance(given, Puzzle):
        return given
    for word in split_arg_string(os.environ.get("COMP_WORDS", ""))[1:]:
        with suppress(UnknownPuzzle):
            return find(word)
    return None


def _stored(context: click.Context) -> list[str]:
    """The names of all files in the data folder, without their ending."""
    folder = context.obj if isinstance(context.obj, DataFolder) else DataFolder.choose()
    return sorted(path.stem for path in folder.path.glob("*.duckdb"))


def _beginning(incomplete: str, names: list[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]
