"""A puzzle and a goal -> a verified table, moved into place when it is complete."""

from __future__ import annotations

import fcntl
import os
import platform
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from builder.breadth_first import enumerate_graph
from builder.enumerated import Enumerated, default_threads
from builder.progress import Reporter
from builder.verify import agree_with_published, start_distance, stored_name, take_census, verify
from db import BLOCK_SIZE, BuildStep, TableInfo, TableWriter, annotate, encode, table_path
from puzzles import Goal, Puzzle


class BuildError(Exception):
    """A build that could not start or finish; `hint` names the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def build(
    puzzle: Puzzle, goal: Goal, data: Path, version: str, threads: int | None = None, report: Reporter | None = None
) -> Path:
    """Build, verify and publish the table of a goal, and return its file.

    The file is written beside its final name and takes that name only when all of it has been
    verified, so a reader sees the former table or the new one. Raises VerificationError, BuildError.
    """
    threads = threads or default_threads()
    report = report or Reporter()
    path = table_path(data, puzzle.table_name(goal))
    data.mkdir(parents=True, exist_ok=True)
    with _alone(path), _unpublished(path) as unfinished:
        with report.phase("space", len(puzzle.moves), "moves"):
            space = puzzle.space(goal)
            graph = space.stored()
        stored = stored_name(space)
        with report.phase("breadth-first search", graph.size, stored) as phase:

            def layer(distance: int, nodes: int, found: int) -> None:
                phase.reached(found)
                phase.say(f"  layer {distance:3}: {nodes:15,} {stored}, {found / graph.size:7.2%}")

            try:
                enumerated = enumerate_graph(graph, threads, layer)
            except OverflowError as error:
                message = f"{puzzle.name} cannot be a table: {error}"
                raise BuildError(message, "tables hold distances to 65,534") from error
        census = take_census("census", space, enumerated.probe, threads, report)
        if goal.published:
            agree_with_published(goal.published, census.layers, start_distance(puzzle, goal, enumerated.probe))
        with report.phase("write", graph.size, "distances") as phase:
            writer = TableWriter(unfinished)
            try:
                _write_blocks(writer, enumerated, graph.size, threads, phase.advance)
                info = TableInfo(
                    puzzle=puzzle.name,
                    goal=goal.key,
                    states=space.size,
                    reachable=sum(census.layers),
                    gods_number=len(census.layers) - 1,
                    stored=stored,
                    stored_size=graph.size,
                    layers=census.layers,
                )
                texts = (puzzle.text(index, goal) for index in census.antipodes)
                writer.finish(info, census.rows, zip(census.antipodes, texts, strict=True))
            finally:
                writer.close()
        del enumerated
        certificates = verify(puzzle, goal, unfinished, threads, report)
        built = datetime.now(UTC)
        machine = f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
        steps = [BuildStep(built, version, machine, threads, *step) for step in report.seconds.items()]
        annotate(unfinished, certificates, steps)
    return path


def _write_blocks(writer: TableWriter, enumerated: Enumerated, size: int, threads: int, advance) -> None:  # type: ignore[no-untyped-def]
    """Encode on all threads and write in order, some blocks at a time."""
    firsts = range(0, size, BLOCK_SIZE)
    batch = 64 * threads
    with ThreadPoolExecutor(threads) as pool:
        for start in range(0, len(firsts), batch):
            some = firsts[start : start + batch]
            blocks = list(pool.map(lambda first: encode(first, enumerated.range(first, first + BLOCK_SIZE)), some))
            writer.add(blocks)
            advance(sum(block.n for block in blocks))


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold the table's lock, so that two builds of it never run at once; the system lets go of it at a kill."""
    with path.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BuildError(
                f"another build of {path.stem!r} is running in {str(path.parent)!r}",
                "wait for it to end, or build into another folder with --data",
            ) from None
        yield


@contextmanager
def _unpublished(path: Path) -> Iterator[Path]:
    """A name beside the final one; what lies there at the end takes the final name, or goes if there was an error."""
    unfinished = path.with_suffix(".building")
    try:
        yield unfinished
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    finally:
        unfinished.unlink(missing_ok=True)
