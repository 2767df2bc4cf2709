"""Help in steps."""

from __future__ import annotations

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown
from puzzlebase.command_line.sources import searching
from puzzlebase.service.answers import hints, text
from puzzlebase.service.sources.source import Source


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@options.state
@click.option("--level", type=click.IntRange(1, 4), default=1, show_default=True, help="How much help to give.")
@searching
def verb(source: Source, state: str, level: int) -> Shown:
    """Give help in steps: 1 the distance, 2 also what to move, 3 also a move, 4 also the solution."""
    return Shown(hints.hint(source, state, level), text.hint)
