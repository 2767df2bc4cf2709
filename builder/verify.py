"""Verification: what must be true of a table's file before anyone may rely on it."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from builder.certificate import VerificationError, certify
from builder.enumerated import Enumerated, unreached
from builder.progress import Reporter
from db import ANTIPODES_KEPT, BLOCK_SIZE, CensusRow, Certificate, Table
from puzzles import Goal, Probe, Published, Puzzle, Space

_STATES_IN_MEMORY = 1 << 30
"""Above so many states only the stored graph is certified, which implies the certificate of the states."""


class Census(NamedTuple):
    """Counts of every range of states, their sums by distance, and the states farthest from the goal."""

    rows: list[CensusRow]
    layers: tuple[int, ...]
    antipodes: list[int]


def take_census(
    title: str, space: Space, probe: Probe, threads: int, report: Reporter, keep: Enumerated | None = None
) -> Census:
    """Count states by range and distance; `keep` is filled with their distances on the way."""
    with report.phase(title, space.size, "states") as phase:

        def count(first: int) -> CensusRow:
            last = min(first + BLOCK_SIZE, space.size)
            distances = space.distances(np.arange(first, last), probe)
            if keep is not None:
                keep.distances[first:last] = distances.astype(keep.distances.dtype)
            phase.advance(last - first)
            return CensusRow(first, last - first, tuple(np.bincount(distances[distances >= 0]).tolist()))

        with ThreadPoolExecutor(threads) as pool:
            rows = list(pool.map(count, range(0, space.size, BLOCK_SIZE)))
    greatest = max(len(row.counts) for row in rows)
    totals = np.zeros(greatest, np.int64)
    for row in rows:
        totals[: len(row.counts)] += row.counts
    antipodes: list[int] = []
    for row in rows:
        if len(row.counts) == greatest and len(antipodes) < ANTIPODES_KEPT:
            distances = space.distances(np.arange(row.first_index, row.first_index + row.n), probe)
            antipodes.extend((row.first_index + np.flatnonzero(distances == greatest - 1)).tolist())
    return Census(rows, tuple(totals.tolist()), antipodes[:ANTIPODES_KEPT])


def verify(puzzle: Puzzle, goal: Goal, path: Path, threads: int, report: Reporter) -> list[Certificate]:
    """Check a table's file in full; raises VerificationError, or DamagedTable as reading does.

    Every block and checksum is read, the census, the layers and the antipodes are taken anew from
    the stored distances, published numbers are compared, and the certificate runs over all nodes of
    the stored graph and all states.
    """
    space = puzzle.space(goal)
    graph = space.stored()
    with Table(path, memory=graph.size * 2) as table:
        info = table.info
        found = (info.puzzle, info.goal, info.states, info.stored, info.stored_size)
        expected = (puzzle.name, goal.key, space.size, stored_name(space), graph.size)
        if found != expected:
            raise VerificationError(f"{str(path)!r} is the table of {found}, not of {expected}")
        stored = Enumerated(unreached(graph.size, info.gods_number))
        for first in range(0, graph.size, BLOCK_SIZE):
            last = min(first + BLOCK_SIZE, graph.size)
            block = table.probe(np.arange(first, last))
            if block.max() > info.gods_number:
                raise VerificationError(f"a distance of {block.max()} is stored, God's number is {info.gods_number}")
            stored.distances[first:last] = block.astype(stored.distances.dtype)
        several = space.orbits is not None and space.size <= _STATES_IN_MEMORY
        states = Enumerated(unreached(space.size, info.gods_number)) if several else None
        census = take_census("recount", space, stored.probe, threads, report, keep=states)
        _agree("layers", info.layers, census.layers)
        _agree("God's number", info.gods_number, len(census.layers) - 1)
        _agree("states reached", info.reachable, sum(census.layers))
        _agree("census", list(table.file.census()), census.rows)
        _agree("antipodes", [index for index, _ in table.file.antipodes()], census.antipodes)
        if goal.published:
            agree_with_published(goal.published, census.layers, start_distance(puzzle, goal, stored.probe))
    certificates = []
    for name, checked, distances in ((stored_name(space), graph, stored), ("states", space, states)):
        if distances is not None:
            with report.phase(f"certificate of the {name}", checked.size, name):
                certificates.append(certify(name, checked, distances, threads))
    return certificates


def stored_name(space: Space) -> str:
    """What a table of this space stores distances of."""
    return "orbits" if space.orbits else "states"


def start_distance(puzzle: Puzzle, goal: Goal, probe: Probe) -> int:
    """The distance of a goal's start; `probe` reads those of the stored graph's nodes."""
    start = np.array([puzzle.index(goal.start, goal)])
    return int(puzzle.space(goal).distances(start, probe)[0])


def agree_with_published(published: Published, layers: Iterable[int], from_start: int) -> None:
    """Compare with what others have published; raises VerificationError."""
    layers = tuple(layers)
    if published.layers:
        _agree(f"layers published in {published.source}", published.layers, layers)
    for what, expected, found in (
        ("states", published.states, sum(layers)),
        ("God's number", published.gods_number, len(layers) - 1),
        ("distance from the start", published.start_distance, from_start),
    ):
        if expected is not None:
            _agree(f"{what} published in {published.source}", expected, found)


def _agree(what: str, expected: object, found: object) -> None:
    if expected != found:
        raise VerificationError(f"{what}: expected {_brief(expected)}, found {_brief(found)}")


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) < 200 else text[:199] + "…"
