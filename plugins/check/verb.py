"""The verb check."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from puzzlebase.command_line import options


@click.command()
@click.argument("file", type=options.FILE)
@options.moves
@options.goal
@options.threads
@options.as_json
def verb(
    file: Path, words: Sequence[str] | None, goal: str | None, threads: int, as_json: bool
) -> None:
    """Show how a definition of a puzzle is understood.

    These are its pieces, moves and states, and the needs of a table of its goal.
    """
    from puzzlebase.plugins.check.report import show_report

    show_report(file, words or (), goal, threads, as_json=as_json)
