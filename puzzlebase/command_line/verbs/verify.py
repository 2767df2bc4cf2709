"""Check a stored table, layers, the tables of patterns or an oracle's data."""

from __future__ import annotations

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.jobs import given, kind_of
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
@click.option("--oracle", is_flag=True, help="Check the data of the puzzle's oracle, not the table.")
@click.option("--certificate", is_flag=True, help="Also write the oracle's own certificate, and have it checked.")
@options.as_json
@click.pass_obj
def verb(
    data: DataFolder,
    puzzle: Puzzle,
    goal: str | None,
    threads: int,
    sample: bool,
    layers: bool,
    oracle: bool,
    certificate: bool,
    as_json: bool,
) -> None:
    """Check a stored table again: every checksum, every count, the certificate of every state."""
    if sample + layers + oracle > 1:
        raise click.UsageError("--sample, --layers and --oracle exclude one another; give one of them")
    kind = kind_of(puzzle, layers=layers, oracle=oracle or certificate)
    options_of_job = given(sample=sample, certificate=certificate)
    folder = data.existing()
    job = kind(puzzle, puzzle.goal(goal), folder, VERSION, threads, **options_of_job)
    shown = job.verify()
    show(Shown(catalog.about(headers(folder), puzzle, job.goal), lambda _: [shown]), as_json)
