"""Check a stored table, layers or the tables of patterns."""

from __future__ import annotations

from typing import Any

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.jobs import given, maker_of
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.command_line.sources import headers
from puzzlebase.db.data_folder import DataFolder
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers import catalog
from puzzlebase.version import VERSION


@click.command()
@options.puzzle
@options.goal
@options.threads
@click.option("--sample", is_flag=True, help="Take a quick look: check the header and random states, not every state.")
@click.option("--layers", is_flag=True, help="Check the stored layers, not the table.")
@options.added("verify")
@options.as_json
@click.pass_obj
def verb(
    data: DataFolder,
    puzzle: Puzzle,
    goal: str | None,
    threads: int,
    sample: bool,
    layers: bool,
    as_json: bool,
    added: list[Any],
) -> None:
    """Check a stored table again: every checksum, every count, the certificate of every state."""
    if sample and layers:
        raise click.UsageError("--sample and --layers exclude one another; give one of them")
    make = maker_of(puzzle, added, layers=layers)
    folder = data.existing()
    job = make(puzzle, puzzle.goal(goal), folder, VERSION, threads, **given(sample=sample))
    shown = job.verify()
    show(Shown(catalog.about(headers(folder), puzzle, job.goal), lambda _: [shown]), as_json)
