"""The verb solve. Tools add options to it. It has its own file, so that other verbs do not load them."""

from __future__ import annotations

from typing import Any

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown
from puzzlebase.command_line.sources import searching
from puzzlebase.service.answers import solutions, text
from puzzlebase.service.answers.limits import MAX_BATCH, MAX_OFFSET, MAX_SOLUTIONS
from puzzlebase.service.sources.source import Source


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@options.state
@click.option("--states", is_flag=True, help="Show the state after each move.")
@click.option(
    "--all", "every", type=click.IntRange(1, MAX_SOLUTIONS), help="Show this many solutions, and how many there are."
)
@click.option("--offset", type=click.IntRange(0, MAX_OFFSET), default=0, show_default=True, help="Moves to skip.")
@click.option("--limit", type=click.IntRange(1, MAX_BATCH), default=MAX_BATCH, show_default=True, help="Moves to show.")
@options.added("solve")
@searching
def solve(source: Source, state: str, **given: Any) -> Shown:
    """Find a shortest solution of a state."""
    return Shown(solutions.solve(source, state, **given), text.solution, text.solution_notes)
