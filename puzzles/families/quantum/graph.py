"""The places of a board as a graph: what is adjacent, how far places are, and which places no path needs.

Manhattan distances are the distances of a board without blocked places; a path around a blocked one counts in full.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

FAR = 1 << 20
"""The distance of places that no path joins."""


@dataclass(frozen=True)
class PositionGraph:
    """Places row by row, `height` by `width`; `home` is the space's, and nothing enters or leaves a blocked place."""

    height: int
    width: int
    home: int
    blocked: frozenset[int] = frozenset()

    @property
    def size(self) -> int:
        """The number of places."""
        return self.height * self.width

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The pairs of adjacent places that are not blocked, in both directions, in order."""
        places = [divmod(place, self.width) for place in range(self.size)]
        return tuple(
            (a, b)
            for a, (row, column) in enumerate(places)
            for b, (other_row, other_column) in enumerate(places)
            if abs(row - other_row) + abs(column - other_column) == 1 and not {a, b} & self.blocked
        )

    @cached_property
    def neighbours(self) -> Ints:
        """The places adjacent to each, filled up with -1: int64[places, 5]."""
        rows = np.full((self.size, 5), -1, np.int64)
        for place in range(self.size):
            beside = [b for a, b in self.edges if a == place]
            rows[place, : len(beside)] = beside
        return rows

    @property
    def tables(self) -> tuple[int, Ints, Ints]:
        """The home, the neighbours and the distances, for kernels."""
        return self.home, self.neighbours, self.distances

    @cached_property
    def distances(self) -> Ints:
        """The moves that take a unit from one place to another: int64[places, places], FAR where no path leads."""
        return self._distances(frozenset(range(self.size)))

    @cached_property
    def connected(self) -> bool:
        """True if a path joins every two places that are not blocked."""
        free = [place for place in range(self.size) if place not in self.blocked]
        return bool((self.distances[np.ix_(free, free)] < FAR).all())

    @cached_property
    def bypassed(self) -> npt.NDArray[np.bool_]:
        """Places that no path needs: every two places have a shortest path that passes none of these. Bool[places].

        The space's home is none of them. On a board of 3×3 they are the corners.
        """
        needed = frozenset(range(self.size))
        beside = (self.neighbours >= 0).sum(axis=1)
        for place in sorted(needed, key=lambda place: (beside[place], -self.distances[place, self.home])):
            if place != self.home and np.array_equal(self._distances(needed - {place}), self.distances):
                needed -= {place}
        return np.array([place not in needed for place in range(self.size)])

    def _distances(self, between: AbstractSet[int]) -> Ints:
        """Distances along paths that pass these places alone."""
        steps = np.full((self.size, self.size), FAR, np.int64)
        np.fill_diagonal(steps, 0)
        for a, b in self.edges:
            steps[a, b] = 1
        for place in between:  # Floyd and Warshall
            steps = np.minimum(steps, steps[:, [place]] + steps[[place], :])
        return np.minimum(steps, FAR)
