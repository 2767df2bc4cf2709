"""How many states lie at each distance."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.command_line.sources import table
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers import text, whole_tables


@click.command()
@options.puzzle
@options.goal
@options.as_json
@options.data
def verb(data: Path, puzzle: Puzzle, goal: str | None, as_json: bool) -> None:
    """Show how many states lie at each distance."""
    show(Shown(whole_tables.histogram(table(data, puzzle, goal)), text.histogram), as_json)
