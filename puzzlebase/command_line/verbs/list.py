"""The puzzles there are."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, say_unreadable, show
from puzzlebase.command_line.sources import headers
from puzzlebase.service.answers import catalog, text


@click.command()
@options.as_json
@options.data
def verb(data: Path, as_json: bool) -> None:
    """List the puzzles that have a table, and some that have none."""
    say_unreadable()
    show(Shown(catalog.puzzle_list(headers(data)), text.puzzles), as_json)
