"""Fetch a table that others have built."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlebase.builder import TableJob
from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.command_line.sources import headers
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers import catalog, text
from puzzlebase.tools.release.fetching import fetch_table
from puzzlebase.version import VERSION


@click.command()
@options.puzzle
@options.goal
@click.option("--from", "where", required=True, help="Folder that `release` wrote, or the address where it is served.")
@options.as_json
@options.data_to_make
def verb(data: Path, puzzle: Puzzle, goal: str | None, where: str, as_json: bool) -> None:
    """Fetch a puzzle's table from a folder or an address, check it, and put it in place.

    A transfer that was stopped goes on when the same command is run again. The file is compared with the manifest that
    lies beside it, and random states of it are checked by the rules of the puzzle.
    """
    job = TableJob(puzzle, puzzle.goal(goal), data, VERSION)
    done = fetch_table(job, where)
    about = catalog.about(headers(data), puzzle, job.goal)
    show(Shown(about, lambda known: [done, *text.puzzle(known), text.fact("file", job.path)]), as_json)
