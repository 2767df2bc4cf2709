"""All states of a game with their distances in memory, and the proof of both."""

from __future__ import annotations

from time import monotonic
from typing import NamedTuple

import numpy as np

from puzzlebase.builder.breadth_first.directed import distances_backwards
from puzzlebase.builder.certificate import certify
from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.table import FoundReport
from puzzlebase.builder.verify import check_set
from puzzlebase.machine import spare_memory
from puzzlebase.puzzles import UNREACHED, Distances, Indices, Space
from puzzlebase.tools.levels.states.numbered import found_states
from puzzlebase.tools.levels.states.packed import PackedRules

_SHORT = 3  # seconds of work that need no report


class LateReporter(Reporter):
    """A reporter that is silent about short work: most levels take milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self._speaks = monotonic() + _SHORT

    def say(self, line: str) -> None:
        """Print a line if the work has already taken some seconds."""
        if monotonic() > self._speaks:
            super().say(line)


class DistancesInMemory(NamedTuple):
    """The distances of all states, int32[size]."""

    all: Distances

    def probe(self, indices: Indices) -> Distances:
        """Distances of states, int64[n] -> int32[n]; -1 for -1."""
        return np.where(indices < 0, UNREACHED, self.all[indices]).astype(np.int32, copy=False)

    def packed(self) -> None:
        """None: they are not packed."""


def found(rules: PackedRules, threads: int, most: int | None, report: Reporter) -> tuple[Space, DistancesInMemory]:
    """Find all states of a game and their distances; at most `most` states, by default what fits into memory.

    Raises TooManyStates.
    """
    states = found_states(rules)
    space, _ = states.find(most or spare_memory() // states.bytes_of_a_state, threads, FoundReport(report.say))
    report.say(f"{space.size:,} states found")
    return space, DistancesInMemory(distances_backwards(space, threads).view(np.int32))


def prove(space: Space, distances: DistancesInMemory, threads: int, report: Reporter) -> int:
    """Check the set of states and their distances, and return the number of moves; raises VerificationError."""
    check_set(space, threads, report)
    with report.phase("certificate of the states", space.size, "states") as phase:
        return certify("states", space, distances, threads, phase.advance)[0].edges
