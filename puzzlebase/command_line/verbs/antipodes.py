"""The states farthest from solved."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.command_line.sources import table
from puzzlebase.db.table_file import ANTIPODES_KEPT
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers import text, whole_tables


@click.command()
@options.puzzle
@options.goal
@click.option("--offset", type=options.OFFSET, default=0, show_default=True, help="States to skip.")
@click.option("--limit", type=click.IntRange(1, ANTIPODES_KEPT), default=100, show_default=True, help="States to list.")
@options.as_json
@options.data
def verb(data: Path, puzzle: Puzzle, goal: str | None, offset: int, limit: int, as_json: bool) -> None:
    """List the states farthest from solved."""
    found = whole_tables.antipodes(table(data, puzzle, goal), offset, limit)
    show(Shown(found, text.antipodes, text.antipodes_notes), as_json)
