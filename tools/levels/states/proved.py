"""All states of a game with their distances in memory, and the proof of both."""

from __future__ import annotations

from io import StringIO
from typing import NamedTuple

import numpy as np
from rich.console import Console

from puzzlebase.builder.breadth_first.directed import distances_backwards
from puzzlebase.builder.certificate import certify
from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.verify import check_set
from puzzlebase.db.machine import spare_memory
from puzzlebase.puzzles import UNREACHED, Distances, Indices, Space
from puzzlebase.tools.levels.states.numbered import found_states
from puzzlebase.tools.levels.states.packed import PackedRules


class DistancesInMemory(NamedTuple):
    """The distances of all states, int32[size]."""

    all: Distances

    def probe(self, indices: Indices) -> Distances:
        """Distances of states, int64[n] -> int32[n]; -1 for -1."""
        return np.where(indices < 0, UNREACHED, self.all[indices]).astype(np.int32, copy=False)

    def packed(self) -> None:
        """None: they are not packed."""


def found(rules: PackedRules, threads: int, most: int | None = None) -> tuple[Space, DistancesInMemory]:
    """Find all states of a game and their distances; at most `most` states, by default what fits into memory.

    Raises TooManyStates.
    """
    states = found_states(rules)
    space, _ = states.find(most or spare_memory() // states.bytes_of_a_state, threads, lambda _states, _found: None)
    return space, DistancesInMemory(distances_backwards(space, threads).view(np.int32))


def prove(space: Space, distances: DistancesInMemory, threads: int) -> int:
    """Check the set of states and their distances, and return how many moves there are; raises VerificationError."""
    check_set(space, threads, Reporter(Console(file=StringIO())))
    return certify("states", space, distances, threads)[0].edges
