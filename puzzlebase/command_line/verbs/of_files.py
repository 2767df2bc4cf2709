"""Verbs that build a table, layers, the tables of patterns or an oracle's data, and check them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from puzzlebase.builder import CONTINUES, Job, LayersJob, PatternsJob, TableJob
from puzzlebase.command_line import options
from puzzlebase.command_line.jobs import given, kind_of
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.command_line.sources import headers
from puzzlebase.db.cache_folder import cache_folder
from puzzlebase.db.data_folder import DataFolder
from puzzlebase.db.mapped import MappedFiles
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers import catalog, text, whole_tables
from puzzlebase.service.sources.folder import Tables
from puzzlebase.version import VERSION


@click.command()
@options.puzzle
@options.goal
@options.threads
@click.option("--depth", type=click.IntRange(0, 10**6), help="Build only the layers up to this distance, for searches.")
@click.option("--oracle", is_flag=True, help="Build the data of the puzzle's oracle, if it has one, not the table.")
@click.option(
    "--dry-run", is_flag=True, help="Only print what memory, disk and time it needs, and refuse what does not fit."
)
@click.option("--force", is_flag=True, help="Build although memory or disk seem too small.")
@options.added("build")
@options.as_json
@options.data_to_make
def build(
    data: Path,
    puzzle: Puzzle,
    goal: str | None,
    threads: int,
    depth: int | None,
    dry_run: bool,
    force: bool,
    oracle: bool,
    as_json: bool,
    added: list[Any],
) -> None:
    """Build the table of a puzzle, verify it and print its histogram.

    A build that was stopped continues after its last complete layer when it is run again.

    With --depth, build only the layers around the goal, from which searches start where there is no table. With
    --oracle, build the data of the puzzle's oracle; where a puzzle is too large for a table, this is what is built
    without --oracle too.

    Where a puzzle is searched with patterns, build those of the patterns' tables that are not there yet.

    ADDED

    At the end the distances of a table are put into the folder of --cache, where there is room, for programs to map.
    """
    kind = kind_of(puzzle, layers=depth is not None, oracle=oracle)
    make: Callable[..., Job] = kind
    for each in added:
        make = each.instead_of(make, puzzle)
    mapped = MappedFiles(cache_folder(data), always=True)
    more = given(force=force, depth=depth, mapped=mapped if issubclass(kind, TableJob) else None)
    job = make(puzzle, puzzle.goal(goal), data, VERSION, threads, **more)
    if dry_run:
        needed = job.estimate()
        show(Shown(asdict(needed), lambda _: [needed.describe()]), as_json)
        needed.check(puzzle.name)
        return
    if job.resumes:
        _stop_at_signals(job.path.stem)
    job.build()
    tables = Tables(data, memory=0, mapped=mapped)
    if issubclass(kind, TableJob):
        tables.get(puzzle.name, job.goal.name).table.load()
    show(Shown(catalog.about(tables, puzzle, job.goal), partial(_lines, kind, job, tables)), as_json)


def _lines(kind: type[Job], job: Job, tables: Tables, known: catalog.PuzzleAnswer) -> Iterator[str]:
    """Lines about what was built."""
    if issubclass(kind, LayersJob):
        yield from text.layers(known, job.path)
        return
    if issubclass(kind, TableJob):
        yield from text.histogram(whole_tables.histogram(tables.get(job.puzzle.name, job.goal.name)))
        yield ""
    yield from text.puzzle(known)
    if not issubclass(kind, PatternsJob) and job.path.exists():  # an oracle that needs no data has none
        yield text.fact("file", job.path)


def _stop_at_signals(name: str) -> None:
    """Make Ctrl-C and SIGTERM end a build at once, with a message that tells how to continue it.

    Finished layers are on disk, so there is nothing to unwind. An exception raised wherever a signal finds the program
    could leave a lock held and a thread waiting.
    """
    word = f"\nthe build of {name} was stopped; {CONTINUES}\n"

    def stop(number: int, _frame: object) -> None:
        os.write(2, word.encode())
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # a job in the background ignores Ctrl-C
            signal.signal(number, stop)


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
def verify(
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
