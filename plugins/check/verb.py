"""The verb check."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, complain, show


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

    The exit status is 1 if the file cannot be read, if its name is taken, or if something in it is
    not used, which is told.
    """
    from puzzlebase.plugins.check.report import report, report_lines
    from puzzlebase.plugins.definitions.definition_file import DefinitionFile
    from puzzlebase.puzzles import PuzzleError

    try:
        answer = report(DefinitionFile(file), threads, words or (), goal)
    except PuzzleError as error:
        complain(error)
        sys.exit(1)
    show(Shown(answer, report_lines), as_json)
    if answer["unused"] or answer["clash"]:
        sys.exit(1)
