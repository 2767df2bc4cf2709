"""The places of a board as a graph: what is adjacent, how far places are, and which places no way needs.

Manhattan distances are the distances of a board without blocked places; a way around a blocked one counts in full.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

FAR = 1 << 20
"""The distance of places that no way joins."""


@dataclass(frozen=True)
class Graph:
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

    @cached_property
    def distances(self) -> Ints:
        """How many moves take a unit from one place to another: int64[places, places], FAR where no way leads."""
        return self._distances(frozenset(range(self.size)))

    @cached_property
    def connected(self) -> bool:
        """Whether a way joins every two places that are not blocked."""
        free = [place for place in range(self.size) if place not in self.blocked]
        return bool((self.distances[np.ix_(free, free)] < FAR).all())

    @cached_property
    def bypassed(self) -> npt.NDArray[np.bool_]:
        """Places that no way needs: every two places have a shortest way that passes none of these. Bool[places].

        The space's home is none of them. On a board of 3×3 they are the corners.
        """
        kept = frozenset(range(self.size))
        beside = (self.neighbours >= 0).sum(axis=1)
        for place in sorted(kept, key=lambda place: (beside[place], -self.distances[place, self.home])):
            fewer = kept - {place}
            if place != self.home and np.array_equal(self._distances(fewer), self.distances):
                kept = fewer
        return np.array([place not in kept for place in range(self.size)])

    def _distances(self, between: AbstractSet[int]) -> Ints:
        """Distances along ways that pass these places alone."""
        found = np.full((self.size, self.size), FAR, np.int64)
        beside = [[b for a, b in self.edges if a == place] for place in range(self.size)]
        for start in range(self.size):
            found[start, start] = 0
            layer = [start]
            while layer:
                reached = []
                for place in layer:
                    for other in beside[place] if place == start or place in between else ():
                        if found[start, other] == FAR:
                            found[start, other] = found[start, place] + 1
                            reached.append(other)
                layer = reached
        return found
