"""A state as SVG."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlebase.command_line import options
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers import pictures


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@options.state
@click.option("--style", help="Style of the picture. The default is the puzzle's first.")
@click.option("--output", type=options.FILE, help="File to write. The default is standard output.")
def verb(puzzle: Puzzle, state: str, style: str | None, output: Path | None) -> None:
    """Draw a state as SVG."""
    drawn = pictures.drawn(puzzle, state, style)
    if output:
        output.write_text(drawn, "utf-8")
    else:
        click.echo(drawn)
