"""How many states lie at each distance."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import show
from puzzlebase.command_line.sources import table
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers import text, whole_tables


@click.command()
@options.puzzle
@options.goal
@options.as_json
@click.pass_obj
def verb(data: Path, puzzle: Puzzle, goal: str | None, as_json: bool) -> None:
    """Show how many states lie at each distance."""
    show(whole_tables.histogram(table(data, puzzle, goal)), text.histogram, as_json)
