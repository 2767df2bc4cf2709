"""A state as SVG."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlebase.command_line import completion, options
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers import pictures


@click.command(context_settings=options.TAKES_STATES)
@options.puzzle
@options.state
@options.goal
@options.style
@click.option("--highlight", shell_complete=completion.moves, help="Legal move that the picture should show.")
@click.option("--output", type=options.FILE, help="File to write. The default is standard output.")
def verb(
    puzzle: Puzzle, state: str, goal: str | None, style: str | None, highlight: str | None, output: Path | None
) -> None:
    """Draw a state as SVG."""
    drawn = pictures.drawn(puzzle, puzzle.goal(goal), state, style=style, highlight=highlight)
    if output:
        output.write_text(drawn, "utf-8")
    else:
        click.echo(drawn)
