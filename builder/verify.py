"""Verify a table's file before a reader may rely on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from typing import NamedTuple

import numpy as np
import psutil

from puzzlebase.builder.breadth_first.directed import walk
from puzzlebase.builder.certificate import RowCheck, StateMakingCheck, VerificationError, certify
from puzzlebase.builder.job import Job
from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.proofs import StateDistances, proof_of
from puzzlebase.db.block_cache import PackedBlocks, blocks_within
from puzzlebase.db.blocks import BLOCK_SIZE, unpack_blocks
from puzzlebase.db.histograms import Histograms
from puzzlebase.db.limits import ANTIPODES_KEPT
from puzzlebase.db.table_file import Certificate, TableFile
from puzzlebase.errors import shorten
from puzzlebase.machine import spare_memory
from puzzlebase.puzzles import UNREACHED, Graph, Indices, Published, Space
from puzzlebase.puzzles.contract.errors import no_way_back
from puzzlebase.puzzles.contract.space import ProductForm, Read
from puzzlebase.puzzles.machinery.any_goal import numbered
from puzzlebase.puzzles.machinery.reversible import one_way
from puzzlebase.sorted_arrays import is_among

_ROWS_CACHED = (
    8  # rows of orbits that each thread caches unpacked: consecutive states need the same rows
)
# blocks of states, or layers, in which a move without one back is looked for
_LOOKED_THROUGH = 1 << 10


class TableFindings(NamedTuple):
    """The findings in the stored distances, all of them read from the file and checked."""

    histograms: Histograms
    layers: tuple[int, ...]
    antipodes: list[int]
    stored_layers: tuple[int, ...]
    certificates: list[Certificate]
    start_distance: int


def examine_graph(job: Job, graph: Graph, stored: PackedBlocks) -> TableFindings:
    """Count all states and certify the distances of the stored `graph`;
    raises VerificationError and DamagedTable.
    """
    space = job.space
    rows = lru_cache(_ROWS_CACHED * job.threads)(stored.range)
    if space.start >= 0:
        first = job.puzzle.goals[0]
        agree("index of the start", job.puzzle.index(first.start, first), space.start)
    verify_found_space(space, job.threads, job.report)
    states = (
        np.arange(first, min(first + BLOCK_SIZE, space.size))
        for first in range(0, space.size, BLOCK_SIZE)
    )
    with verify_reversible(job, states):
        proof = proof_of(space.storage)(space, graph, stored, rows, job.threads, job.report)
        stored_layers, histograms = proof.run()
        layers = histograms.layers
        start = job.puzzle.index(job.goal.start, job.goal)
        from_start = (
            int(space.distance_range(start, start + 1, rows)[0]) if start >= 0 else UNREACHED
        )
        antipodes = _antipodes_of(space, rows, histograms, len(layers) - 1)
    return TableFindings(
        histograms, layers, antipodes, stored_layers, proof.certificates, from_start
    )


def verify_found_space(space: Space, threads: int, report: Reporter) -> None:
    """Verify that a space found from a start holds the states that it leads to and no more,
    each under its own index.

    Its moves lead to states that have an index. Raises VerificationError.
    """
    if space.start < 0:
        return

    def visit(states: Indices, successors: Indices) -> None:
        if (successors < UNREACHED).any():
            raise VerificationError("a move leads to a state that is not among those found")
        if (space.rank(space.unrank(states)) != states).any():
            raise VerificationError("the index of a state is not that of its board")
        if (space.solved(states) != is_among(states, space.goal_states)).any():
            raise VerificationError(
                "a solved state is no goal state, or a goal state is not solved"
            )
        phase.advance(len(states))

    with report.phase("walk from the start", space.size, "states") as phase:
        led_to = sum(walk(space, threads, visit).layers)
    agree("states that the start leads to", space.size, led_to)


@contextmanager
def verify_reversible(job: Job, states: Iterable[Indices]) -> Iterator[None]:
    """Have a VerificationError of the block name a move that no move takes back,
    if these states have one.

    The block checks the moves of these states.
    """
    space = job.space
    if space.directed:
        yield
        return
    if problem := space.storage.problem(space.goal_states):
        raise VerificationError(problem)
    try:
        yield
    except VerificationError:
        if space.stored() is space and (
            found := one_way(space.expand, islice(states, _LOOKED_THROUGH))
        ):
            before, after = job.texts([found.state, found.to])
            leads = f"{job.puzzle.moves[found.move].name} leads from {before!r} to {after!r}"
            error = no_way_back(job.puzzle.name, f"{leads}, and no move leads back")
            raise VerificationError(f"{error}; {error.hint}") from None
        raise


def _antipodes_of(space: Space, read: Read, histograms: Histograms, gods_number: int) -> list[int]:
    """The states at the max distance, lowest index first, as many as a table stores."""
    numbers = np.flatnonzero(histograms.between(gods_number, gods_number)).tolist()
    found: list[int] = []
    for first in (histograms.length * number for number in numbers):
        distances = space.distance_range(first, min(first + histograms.length, space.size), read)
        found += (first + np.flatnonzero(distances == gods_number)).tolist()
        if len(found) >= ANTIPODES_KEPT:
            break
    return found[:ANTIPODES_KEPT]


def verify_table(job: Job) -> list[Certificate]:
    """Check every block of a table's file;
    raises VerificationError, or DamagedTable as reading does.

    Histograms, layers and antipodes are computed again and compared, also with published numbers.
    The certificate runs over the stored graph and, if they fit into memory, over all states.
    """
    with TableFile(job.path) as file:
        job = _numbered_as(job, file)
        findings = examine_graph(
            job, job.space.stored(), blocks_within(file, memory_of_verification())
        )
        agree_with_published(job.goal.published, findings.layers, findings.start_distance)
        check_file(job, file, findings)
    return findings.certificates


def _numbered_as(job: Job, file: TableFile) -> Job:
    """The same job with its states numbered as in a table's file, if a build found them.

    Raises DamagedTable, and VerificationError for the file of another table.
    """
    if found := job.puzzle.found:
        if not (ranking := file.ranking()):
            raise file.damaged(f"does not number the states of {job.puzzle.name}")
        with file.damage():
            space = found.space(ranking)
        job = replace(job, puzzle=numbered(job.puzzle, lambda: space))
    info, wanted = file.info, job.space
    stated = (info.puzzle, info.goal, info.states, info.stored, info.stored_size)
    expected = (job.puzzle.name, job.goal.key, wanted.size, wanted.storage.name, wanted.stored_size)
    if stated != expected:
        raise VerificationError(f"{str(file.path)!r} is the table of {stated}, not of {expected}")
    return job


def check_file(job: Job, file: TableFile, findings: TableFindings) -> None:
    """Compare a file's statements, except its build log,
    with the findings in its blocks; raises VerificationError.
    """
    info = file.info
    agree("layers", info.layers, findings.layers)
    agree("God's number", info.gods_number, len(findings.layers) - 1)
    agree("states reached", info.reachable, sum(findings.layers))
    if job.space.connected:
        agree("states that can reach the goal", job.space.size, info.reachable)
    agree("histograms", file.histograms(), findings.histograms)
    antipodes = file.antipodes()
    agree("antipodes", [index for index, _ in antipodes], findings.antipodes)
    agree(
        "texts of the antipodes",
        [text for _, text in antipodes],
        job.texts(findings.antipodes),
    )
    agree("certificates", file.certificates(), sorted(findings.certificates))


def agree_with_published(
    published: Published | None, layers: tuple[int, ...], from_start: int
) -> None:
    """Compare with published numbers; raises VerificationError."""
    if published is None:
        return
    if published.layers:
        agree(f"layers published in {published.source}", published.layers, layers)
    for what, expected, found in (
        ("states", published.states, sum(layers)),
        ("God's number", published.gods_number, len(layers) - 1),
        ("distance from the start", published.start_distance, from_start),
    ):
        if expected is not None:
            agree(f"{what} published in {published.source}", expected, found)


def agree(what: str, expected: object, found: object) -> None:
    """Raise VerificationError if the two differ."""
    if expected != found:
        brief, other = (shorten(repr(each), 200) for each in (expected, found))
        raise VerificationError(f"{what}: expected {brief}, found {other}")


def compile_verification() -> None:
    """Compile the kernels that verify rows; beside it, a first build is shorter."""
    row, distances = np.zeros((1, 1), np.int32), np.zeros(1, np.int8)
    one = ProductForm(row, row, row.astype(np.uint32))
    space = Space.of_tables(one, np.zeros(1, np.int64), rank=len, unrank=len)  # type: ignore[arg-type]  # neither is called
    stored = StateDistances(space, np.int8)
    stored.take(0, distances)
    for check in (partial(StateMakingCheck, to_states=one, take=lambda *_: None), RowCheck):
        certify("states", space, stored, 1, of_rows=check)
    unpack_blocks(0, *stored.packed().arrays, distances)


def memory_of_verification() -> int:
    """The bytes of packed distances that a verification may hold now:
    three quarters of the memory left.
    """
    return max(spare_memory() - psutil.Process().memory_info().rss, 0) * 3 // 4
