"""A puzzle and a goal -> a verified table, moved into place when it is complete."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

import numpy as np

from builder.breadth_first import find_layers, layout_of
from builder.certificate import VerificationError
from builder.preflight import describe, estimate, memory_for_distances
from builder.progress import Reporter
from builder.publishing import GOES_ON, failures, in_use, leftovers, unpublished
from builder.spill import Codes, Spill, SpillInUse
from builder.threads import default_threads
from builder.verify import agree, check_file, examine, stored_name
from db import (
    BLOCK_SIZE,
    Block,
    BuildStep,
    Distances,
    StoredDistances,
    TableFile,
    TableInfo,
    TableWriter,
    encode,
    table_path,
)
from puzzles import Goal, Graph, Puzzle, Space

_LAYERS_SAID = 40
"""Of more layers than these, one is said each second."""


def build(
    puzzle: Puzzle,
    goal: Goal,
    data: Path,
    version: str,
    threads: int | None = None,
    report: Reporter | None = None,
    *,
    force: bool = False,
) -> Path:
    """Build, verify and publish the table of a goal, and return its file.

    The file is written beside its final name and takes that name only when all of it has been
    verified, so a reader sees the former table or the new one. Finished layers are spilled: a build
    that was stopped goes on behind its last complete layer. A build that memory or disk seem too
    small for is refused, unless by `force`. Raises Shortage, VerificationError, BuildError.
    """
    threads = threads or default_threads()
    report = report or Reporter()
    path = table_path(data, puzzle.table_name(goal))
    with failures(path, report, GOES_ON):
        data.mkdir(parents=True, exist_ok=True)
    with report.phase("space", len(puzzle.moves), "moves"):
        space = puzzle.space(goal)
    needed = estimate(space, path, threads)
    report.say(describe(needed))
    if not force:
        needed.check(puzzle.name)
    with failures(path, report, GOES_ON):
        graph = space.stored()
        what: dict[str, object] = {"version": version, "puzzle": puzzle.name, "goal": goal.key}
        with _spill(path, what, graph) as spill:
            _search(graph, spill, stored_name(space), threads, report)
            with unpublished(path) as unfinished:
                _write(unfinished, puzzle, goal, space, graph, spill, threads, report, version)
    return path


def _search(graph: Graph, spill: Spill, stored: str, threads: int, report: Reporter) -> None:
    if spill.dropped:
        report.say("layers of another version or goal were there, and are dropped")
    if spill.complete:
        report.say("all layers are there from an earlier run")
    elif spill.layers:
        report.say(f"going on behind layer {len(spill.layers) - 1} of an earlier run")
    with report.phase("breadth-first search", graph.size, stored) as phase:
        said, began, before = 0.0, monotonic(), sum(spill.layers)

        def layer(distance: int, nodes: int, found: int) -> None:
            nonlocal said
            if distance < _LAYERS_SAID or monotonic() > said + 1:
                phase.reached(found)
                rate = (found - before) / max(monotonic() - began, 1e-3) / 1e6
                share = f"{found / graph.size:7.2%}, {rate:.1f} million/s"
                phase.say(f"  layer {distance:3}: {nodes:15,} {stored}, {share}")
                said = monotonic()

        find_layers(graph, spill, threads, layer)


def _write(
    path: Path,
    puzzle: Puzzle,
    goal: Goal,
    space: Space,
    graph: Graph,
    spill: Spill,
    threads: int,
    report: Reporter,
    version: str,
) -> None:
    """Write the blocks, examine what lies in the file, and add what was found."""
    with TableWriter(path) as writer:
        with report.phase("write", graph.size, "distances") as phase:
            _write_blocks(writer, spill, threads, phase.advance)
        with StoredDistances(writer.written(graph.size), memory_for_distances()) as stored:
            findings = examine(puzzle, goal, graph, stored, threads, report)
        agree("layers found and stored", tuple(spill.layers[:-1]), findings.stored_layers)
        findings.agree_with(goal.published)
        info = TableInfo(
            puzzle=puzzle.name,
            goal=goal.key,
            states=space.size,
            reachable=sum(findings.layers),
            gods_number=len(findings.layers) - 1,
            stored=stored_name(space),
            stored_size=graph.size,
            layers=findings.layers,
        )
        texts = (puzzle.text(index, goal) for index in findings.antipodes)
        built = datetime.now(UTC)
        machine = f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
        steps = [BuildStep(built, version, machine, threads, *step) for step in report.seconds.items()]
        antipodes = zip(findings.antipodes, texts, strict=True)
        writer.finish(info, findings.census, antipodes, findings.certificates, steps)
    with TableFile(path) as file:
        check_file(file, findings)


def _write_blocks(writer: TableWriter, spill: Spill, threads: int, advance: Callable[[int], None]) -> None:
    """Put distances together from the layers, encode them on all threads and write them in order, some at a time."""
    rest: Codes = np.empty(0, spill.dtype)
    with ThreadPoolExecutor(threads) as pool:
        for first in range(0, len(spill.pieces), threads):
            some = range(first, min(first + threads, len(spill.pieces)))
            codes: Codes = np.concatenate([rest, *pool.map(spill.codes, some)])
            start = spill.layout.nodes(spill.pieces[first])[0] - len(rest)
            whole = len(codes) if some.stop == len(spill.pieces) else len(codes) // BLOCK_SIZE * BLOCK_SIZE
            rest = codes[whole:]

            def block(at: int, codes: Codes = codes[:whole], start: int = start) -> Block:
                return encode(start + at, _signed(codes[at : at + BLOCK_SIZE]))

            writer.add(list(pool.map(block, range(0, whole, BLOCK_SIZE))))
            advance(whole)


def _signed(codes: Codes) -> Distances:
    signed = codes.astype(np.int32)
    signed[codes == np.iinfo(codes.dtype).max] = -1
    return signed


@contextmanager
def _spill(path: Path, what: dict[str, object], graph: Graph) -> Iterator[Spill]:
    """The finished layers beside a table, this process's alone: they stay when it is stopped, and go when they served.

    They go too when the table does not pass its verification: they could not make a better one.
    """
    try:
        spill = Spill(leftovers(path)[0], what, layout_of(graph))
    except SpillInUse:
        raise in_use(path) from None
    with spill:
        try:
            yield spill
        except VerificationError:
            spill.close(remove=True)
            raise
        spill.close(remove=True)
