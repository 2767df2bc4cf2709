"""An examination of every move of every state, in memory: a byte of flags and a distance for each state.

A distance takes a byte if none is above 127. A state's own moves show if it has only one optimal move. A state has one
shortest solution if it has one optimal move, and the state after it has one shortest solution. So these states are
found layer by layer from the goal outwards, and only they are examined again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.progress import Reporter
from puzzlebase.db.table_file import ANTIPODES_KEPT
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Indices, Signed, Space
from puzzlebase.puzzles.contract.space import Read
from puzzlebase.tools.hardest.file import KindName

_CHUNK = 1 << 15
# Flags of a state: it has one optimal move; it has one, and others are legal; no move leads farther; it is not solved,
# and has one shortest solution.
_ONE_OPTIMAL, _OTHERS, _MAXIMUM, _ONE_SOLUTION = 1, 2, 4, 8
_MOST_LISTED = 1 << 24  # states of a layer that are stored as a list, eight bytes each

Result = TypeVar("Result")
Counts = npt.NDArray[np.int64]


class Looked:
    """The distances and the flags of all states; `read` gives distances of stored vertices."""

    def __init__(self, space: Space, read: Read, gods_number: int, threads: int, report: Reporter) -> None:
        self.space = space
        self.gods_number = gods_number
        self.distances: Signed = np.empty(space.size, np.min_scalar_type(-max(gods_number, 1) - 1))
        self._flags = np.empty(space.size, np.uint8)
        self._threads = threads
        self._report = report
        with report.phase("distances", space.size, "states") as phase:

            def take(first: int) -> None:
                last = min(first + _CHUNK, space.size)
                self.distances[first:last] = space.distance_range(first, last, read)
                phase.advance(last - first)

            self._in_chunks(take)
        with report.phase("moves", space.size, "states") as phase:

            def look(first: int) -> Counts:
                last = min(first + _CHUNK, space.size)
                counts = np.zeros((2, gods_number + 1), np.int64)
                successors = space.expand(np.arange(first, last))
                _look(first, successors, self.distances, self._flags, _ONE_OPTIMAL, _OTHERS, _MAXIMUM, counts)
                phase.advance(last - first)
                return counts

            self._counts = sum(self._in_chunks(look), np.zeros((2, gods_number + 1), np.int64))

    def found(self) -> dict[KindName, tuple[Counts, int | None, Indices]]:
        """The number of states of each kind at each distance, and some states of one distance by name."""
        good, maxima = self._counts
        antipodes = np.zeros_like(good)
        antipodes[-1] = sum(self._in_chunks(lambda first: len(self._marked(self.gods_number, 0, first, _CHUNK))))
        single = self._one_solution()
        farthest, deepest = (max(np.flatnonzero(counts).tolist(), default=None) for counts in (single, good))
        nearest = min(np.flatnonzero(maxima).tolist(), default=None)
        return {
            "antipodes": (antipodes, self.gods_number, self._at(self.gods_number, 0)),
            "one-solution": (single, farthest, self._at(farthest, _ONE_SOLUTION)),
            "one-good-move": (good, deepest, self._at(deepest, _ONE_OPTIMAL | _OTHERS)),
            "local-maxima": (maxima, nearest, self._at(nearest, _MAXIMUM)),
        }

    def _one_solution(self) -> Counts:
        """Flag the states with one shortest solution, layer by layer, and count them at each distance.

        A short layer is stored as a list, and the next one is found beside it. After a long one, and where moves may be
        one-way, the next is found among all states.
        """
        counts = np.zeros(self.gods_number + 1, np.int64)
        directed = self.space.directed is not None
        layer: Indices | None = None if directed else np.unique(self.space.goal_states)
        for distance in range(1, self.gods_number + 1):
            find = partial(self._ahead, distance) if layer is None else partial(self._behind, distance, layer)
            parts = []
            for found in self._shared(find, range(0, self.space.size if layer is None else len(layer), _CHUNK)):
                counts[distance] += len(found)
                if counts[distance] <= _MOST_LISTED:
                    parts.append(found)
            if not counts[distance]:
                break
            layer = None if directed or counts[distance] > _MOST_LISTED else np.concatenate(parts)
        return counts

    def _behind(self, distance: int, layer: Indices, first: int) -> Indices:
        """Flag the states at `distance` whose one optimal move leads to a chunk of the layer before, and return them.

        Moves can be taken back, so each such state is a neighbour of the state after its optimal move, over one edge.
        So none is found twice, and no two threads flag the same state.
        """
        beside = self.space.expand(layer[first : first + _CHUNK]).reshape(-1)
        found = np.zeros(len(beside), np.bool_)
        _choose(beside, distance, self.distances, self._flags, _ONE_OPTIMAL, _ONE_SOLUTION, found)
        return beside[found]

    def _ahead(self, distance: int, first: int) -> Indices:
        """Flag the states of a chunk at `distance` whose one optimal move leads to one such state, and return them.

        Moves may be one-way.
        """
        states = self._marked(distance, _ONE_OPTIMAL, first, _CHUNK)
        successors = self.space.expand(states)
        optimal = (successors >= 0) & (self.distances[successors] == distance - 1)
        single = optimal & ((distance == 1) | (self._flags[successors] & _ONE_SOLUTION > 0))
        found: Indices = states[single.any(axis=1)]
        self._flags[found] |= _ONE_SOLUTION
        return found

    def _at(self, distance: int | None, flags: int) -> Indices:
        """The states at a distance that have all of these flags, lowest index first, at most ANTIPODES_KEPT."""
        if distance is None:
            return np.empty(0, np.int64)
        parts: list[Indices] = []
        for first in range(0, self.space.size, 1 << 22):
            parts.append(self._marked(distance, flags, first, 1 << 22))
            if sum(map(len, parts)) >= ANTIPODES_KEPT:
                break
        return np.concatenate(parts)[:ANTIPODES_KEPT]

    def _marked(self, distance: int, flags: int, first: int, count: int) -> Indices:
        """The states among `count` from `first` on that are at a distance and have all of these flags."""
        some = slice(first, first + count)
        return first + np.flatnonzero((self.distances[some] == distance) & ((self._flags[some] & flags) == flags))

    def _in_chunks(self, work: Callable[[int], Result]) -> list[Result]:
        return [*self._shared(work, range(0, self.space.size, _CHUNK))]

    def _shared(self, work: Callable[[int], Result], firsts: Sequence[int]) -> Iterator[Result]:
        """Share work among threads. A single piece needs none, and most layers of a deep puzzle are one piece."""
        if len(firsts) == 1:
            yield work(firsts[0])
            return
        with ThreadPoolExecutor(self._threads) as pool:
            yield from pool.map(work, firsts)


@kernel
def _look(first, successors, distances, flags, one_optimal, others, maximum, counts):  # type: ignore[no-untyped-def]
    """Set the flags of the states from `first` on; count those with one good move, and the local maxima."""
    for i in range(successors.shape[0]):
        distance = distances[first + i]
        flags[first + i] = 0
        if distance < 0:
            continue
        optimal, legal, farther = 0, 0, False
        for m in range(successors.shape[1]):
            to = successors[i, m]
            if to >= 0:
                beyond = distances[to]
                legal += 1
                optimal += beyond == distance - 1
                farther |= beyond > distance or beyond < 0
        if optimal == 1:
            flags[first + i] |= one_optimal
        if optimal == 1 and legal > 1:
            flags[first + i] |= others
            counts[0, distance] += 1
        if legal > 0 and not farther:
            flags[first + i] |= maximum
            counts[1, distance] += 1


@kernel
def _choose(states, distance, distances, flags, one_optimal, one_solution, found):  # type: ignore[no-untyped-def]
    """Find the states at a distance that have one optimal move, and flag them."""
    for i in range(states.shape[0]):
        state = states[i]
        found[i] = state >= 0 and distances[state] == distance and (flags[state] & one_optimal) != 0
        if found[i]:
            flags[state] |= one_solution
