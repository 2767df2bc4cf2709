"""Walks on the states themselves, for puzzles of any kind.

The moves of a puzzle are closed under inversion. So the ways into a state are those out of it, and what comes from a
neighbour is the neighbour's probability, divided among the neighbour's moves.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from puzzlebase.puzzles import Indices, PuzzleError, Signed, Space
from puzzlebase.puzzles.machinery.reversible import inverse_moves
from puzzlebase.tools.mixing.walk import Probabilities, Result, Walk

_CHUNK = 1 << 15


class UnknownWalk(PuzzleError):
    """A puzzle has no such walk."""


class StatesWalk(Walk):
    """Each legal move of a state is equally likely."""

    def __init__(self, space: Space, distances: Signed, layers: tuple[int, ...], threads: int) -> None:
        """`distances` are those of all states, [states], -1 where the goal cannot be reached."""
        super().__init__(layers, threads)
        self._space = space
        self._distances = distances
        self._ways = np.empty(space.size, np.uint8)
        self._p, self._next = np.zeros((2, space.size))
        self._p[space.goal_states] = 1 / len(space.goal_states)
        self._in_chunks(self._count_ways)

    def step(self) -> None:
        """Make one random turn."""
        self._in_chunks(self._take)
        self._p, self._next = self._next, self._p
        self.turn += 1

    def _count_ways(self, some: slice) -> None:
        self._ways[some] = (self._neighbours(some) >= 0).sum(axis=1)

    def _take(self, some: slice) -> None:
        neighbours = self._neighbours(some)
        there = neighbours >= 0
        self._next[some] = np.where(there, self._p[neighbours] / np.maximum(self._ways[neighbours], 1), 0).sum(axis=1)

    def _neighbours(self, some: slice) -> Indices:
        return self._space.expand(np.arange(some.start, some.stop))

    def _in_chunks(self, work: Callable[[slice], Result]) -> list[Result]:
        """Have threads work on chunks that do not depend on how many they are, so that sums do not either."""
        size = self._space.size
        chunks = [(first, min(first + _CHUNK, size)) for first in range(0, size, _CHUNK)]
        return self._shared(lambda first, last: work(slice(first, last)), chunks)

    def _sums(self) -> tuple[Probabilities, float, int]:
        parts = self._in_chunks(self._sums_of)
        by_distance = np.sum([part[0] for part in parts], axis=0)
        return by_distance, float(sum(part[1] for part in parts)), sum(part[2] for part in parts)

    def _sums_of(self, some: slice) -> tuple[Probabilities, float, int]:
        p, distances = self._p[some], self._distances[some]
        can = distances >= 0
        by_distance = np.bincount(distances[can], p[can], len(self.layers)).astype(np.float64)
        return by_distance, float(np.abs(p[can] - self.uniform).sum()), int(np.count_nonzero(p))


class NoUndoWalk(StatesWalk):
    """Each legal move is equally likely but the one that leads back, which is made only where there is no other.

    `_by_way` is the distribution divided by the link that leads back, float64[links, states]. Nothing has a way back
    before the first turn.
    """

    def __init__(self, space: Space, distances: Signed, layers: tuple[int, ...], threads: int) -> None:
        super().__init__(space, distances, layers, threads)
        inverse = inverse_moves(space)
        if inverse is None:
            raise UnknownWalk(
                "some moves are undone now by one move and now by another, so no-undo means nothing here", "take any"
            )
        self._inverse = inverse
        self._by_way, self._next_by_way = np.zeros((2, len(inverse), space.size))

    def step(self) -> None:
        """Make one random turn."""
        super().step()
        self._by_way, self._next_by_way = self._next_by_way, self._by_way

    def _take(self, some: slice) -> None:
        neighbours = self._neighbours(some)
        for link, back in enumerate(self._inverse.tolist()):
            others = neighbours[:, link]
            came_from_here = self._by_way[back, others]
            ways = self._ways[others].astype(np.float64) - (self.turn > 0)
            forth = (self._p[others] - came_from_here) / np.maximum(ways, 1)
            self._next_by_way[link, some] = np.where(others < 0, 0, np.where(ways > 0, forth, came_from_here))
        self._next[some] = self._next_by_way[:, some].sum(axis=0)
