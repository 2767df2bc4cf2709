"""The places of a board as a graph: adjacent places, distances, and the places that no path needs.

Without blocked places the distances are Manhattan distances;
a path around a blocked place counts in full.
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
    """Places row by row, `height` by `width`; `home` is the space's,
    and nothing enters or leaves a blocked place.
    """

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
        beside = [[b for a, b in self.edges if a == place] for place in range(self.size)]
        return np.array([places + [-1] * (5 - len(places)) for places in beside], np.int64)

    @property
    def tables(self) -> tuple[int, Ints, Ints]:
        """The home, the neighbours and the distances, for kernels."""
        return self.home, self.neighbours, self.distances

    @cached_property
    def distances(self) -> Ints:
        """The moves that take a unit from one place to another:
        int64[places, places], FAR where no path leads.
        """
        return self._distances(frozenset(range(self.size)))

    @cached_property
    def connected(self) -> bool:
        """True if a path joins every two places that are not blocked."""
        free = [place for place in range(self.size) if place not in self.blocked]
        return bool((self.distances[np.ix_(free, free)] < FAR).all())

    @cached_property
    def bypassed(self) -> npt.NDArray[np.bool_]:
        """Places that no path needs, bool[places]:
        some shortest path between any two others avoids all of them.

        The space's home is none of them. On a board of 3×3 they are the corners.
        """
        needed = frozenset(range(self.size))
        beside = (self.neighbours >= 0).sum(axis=1)
        for place in sorted(
            needed, key=lambda place: (beside[place], -self.distances[place, self.home])
        ):
            if place != self.home and np.array_equal(
                self._distances(needed - {place}), self.distances
            ):
                needed -= {place}
        return np.array([place not in needed for place in range(self.size)])

    def distance_home(self, units: Ints) -> int:
        """The sum of the distances of all units from home, without the space."""
        away = units * self.distances
        away[:, self.home] = 0
        return int(away[units > 0].sum())

    @property
    def corners(self) -> tuple[int, ...]:
        """The corners, clockwise, without the space's home and blocked ones."""
        last, width = self.size - 1, self.width
        return self.homes(0, width - 1, last, last - width + 1)

    @property
    def others(self) -> tuple[int, ...]:
        """The homes of tiles that are no corners, in order."""
        return self.homes(*sorted({*range(self.size)} - {*self.corners}))

    def homes(self, *places: int) -> tuple[int, ...]:
        """Those of some places that are homes of tiles, without the space's and blocked ones."""
        return tuple(place for place in places if place != self.home and place not in self.blocked)

    def _distances(self, between: AbstractSet[int]) -> Ints:
        """Distances along paths that pass these places alone (Floyd and Warshall)."""
        steps = np.full((self.size, self.size), FAR, np.int64)
        np.fill_diagonal(steps, 0)
        for a, b in self.edges:
            steps[a, b] = 1
        for place in between:
            steps = np.minimum(steps, steps[:, [place]] + steps[[place], :])
        return np.minimum(steps, FAR)
