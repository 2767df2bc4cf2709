"""What is known of a puzzle."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import show
from puzzlebase.command_line.sources import headers
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers import catalog, text


@click.command()
@options.puzzle
@options.goal
@options.as_json
@click.pass_obj
def verb(data: Path, puzzle: Puzzle, goal: str | None, as_json: bool) -> None:
    """Show the moves, goals, notation and table of a puzzle."""
    show(catalog.about(headers(data), puzzle, puzzle.goal(goal)), text.puzzle, as_json)
