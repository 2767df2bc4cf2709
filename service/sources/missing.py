"""Where only a whole table can answer and there is none: the error, with the remedy that there is."""

from __future__ import annotations

from pathlib import Path

from puzzlebase.db.errors import MissingTable
from puzzlebase.db.paths import remedy, table_path
from puzzlebase.puzzles import Goal, Puzzle, WholeTable


def missing_table(puzzle: Puzzle, goal: Goal, data: Path) -> MissingTable:
    """The error to raise; raises NoSpace for a puzzle without any table."""
    name = puzzle.table_name(goal)
    if puzzle.engine(WholeTable):
        return MissingTable(f"there is no table of {name} yet", remedy(table_path(data, name)))
    return MissingTable(
        f"{puzzle.name} has no table of all its states: there are too many",
        "ask about single states, which a search answers, or about a smaller puzzle",
    )
