"""Jobs of the command line: a table or layers,
or what plugins build in their place, built or verified.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

import click

from puzzlebase.builder import CONTINUES, Job, LayersJob, TableJob
from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, say_unused, show
from puzzlebase.command_line.verb_sources import header_sources_of_verb
from puzzlebase.db.mapped import MappedFiles
from puzzlebase.paths import DataFolder, cache_folder
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers import catalog, text, whole_tables
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.sources import Sources
from puzzlebase.terminal_text import fact_line
from puzzlebase.version import VERSION


def build(
    folder: DataFolder,
    puzzle: Puzzle,
    goal: str | None,
    threads: int,
    *,
    added: Iterable[Any],
    depth: int | None,
    dry_run: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Build and verify a file, and show what it has; or only show its needs."""
    say_unused(puzzle.about.unused)
    make = _maker_of(puzzle, added, layers=depth is not None)
    data = folder.path  # which a build makes
    mapped = MappedFiles(cache_folder(data))
    sources = Sources(Folder(data, memory=0, mapped=mapped))
    given = options.given_options(force=force, depth=depth)
    job = make(puzzle, puzzle.goal(goal), data, VERSION, threads, mapped=mapped, **given)
    if dry_run:
        needed = job.estimate()
        if needed is None:
            raise click.UsageError(
                "--dry-run goes with tables alone: nothing else tells its needs before it is built"
            )
        show(Shown(asdict(needed), lambda _: [needed.describe()]), as_json)
        needed.check(puzzle.name)
        return
    if job.resumes:
        _stop_at_signals(job.path.stem)
    built = job.build()
    if built.is_dir():
        show(Shown({"folder": str(built)}, lambda _: [f"{built} has the published table"]), as_json)
        return
    show(
        Shown(catalog.about(sources.folder, puzzle, job.goal), partial(_lines, job, sources)),
        as_json,
    )


def verify(
    data: DataFolder,
    puzzle: Puzzle,
    goal: str | None,
    threads: int,
    *,
    added: Iterable[Any],
    layers: bool,
    as_json: bool,
) -> None:
    """Check a file, and show what it has."""
    make = _maker_of(puzzle, added, layers=layers)
    folder = data.existing()
    job = make(puzzle, puzzle.goal(goal), folder, VERSION, threads)
    shown = job.verify()
    show(
        Shown(
            catalog.about(header_sources_of_verb(folder).folder, puzzle, job.goal),
            lambda _: [shown],
        ),
        as_json,
    )


def _maker_of(puzzle: Puzzle, added: Iterable[Any], *, layers: bool) -> Callable[..., Job]:
    """The maker of a job: of layers, of what plugins' options ask for, or of a table.

    Raises UsageError for options that this kind of job does not have.
    """
    make: Callable[..., Job] = LayersJob if layers else TableJob
    for each in added:
        make = each.instead_of(make, puzzle)
    if make is LayersJob:
        options.refuse({"force": "layers, which are found as far as memory goes"}, puzzle)
    return make


def _lines(job: Job, sources: Sources, known: catalog.PuzzleAnswer) -> Iterator[str]:
    if isinstance(job, TableJob):
        yield from text.histogram(
            whole_tables.histogram(sources.table(job.puzzle.name, job.goal.name))
        )
        yield ""
    yield from text.puzzle(known)
    for path in job.paths:
        if path.exists():  # an oracle has none
            yield fact_line("file", path)


def _stop_at_signals(name: str) -> None:
    """Make Ctrl-C and SIGTERM end a build at once, with a message that tells how to continue it.

    Finished layers are on disk, so nothing needs unwinding.
    An exception could leave a lock held and a thread waiting.
    """
    word = f"\nthe build of {name} was stopped; {CONTINUES}\n"

    def stop(number: int, _frame: object) -> None:
        os.write(2, word.encode())
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # a job in the background ignores Ctrl-C
            signal.signal(number, stop)
