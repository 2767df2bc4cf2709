"""What is known of a puzzle."""

from __future__ import annotations

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.command_line.sources import headers
from puzzlebase.data_folder import DataFolder
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers import catalog, text


@click.command()
@options.puzzle
@options.goal
@options.as_json
@click.pass_obj
def verb(data: DataFolder, puzzle: Puzzle, goal: str | None, as_json: bool) -> None:
    """Show the moves, goals, notation and table of a puzzle."""
    known = catalog.about(headers(data.existing()), puzzle, puzzle.goal(goal))
    show(Shown(known, lambda _: [*text.puzzle(known), text.fact("data folder", data)]), as_json)
