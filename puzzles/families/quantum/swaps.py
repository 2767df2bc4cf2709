"""Paths by swaps of two units: they solve every board of two or more units a place, and are long.

With a unit of space beside them, two units of adjacent places change places. The space walks there
and then back along its path, which restores everything else. Places are filled one after another,
the farthest from the space's home first.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.families.quantum.graph import FAR, Ints, PositionGraph


def swap_all(graph: PositionGraph, units: Ints) -> Ints:
    """Bring all units home: int64[moves, 4] of tile, from,
    to, amount. A place must hold two units or more.
    """
    swaps = _Swaps(graph, units.copy())
    order = [place for place in range(graph.size) if swaps.beside[place]]
    order.sort(key=lambda place: (-graph.distances[place, graph.home], place))
    for number, place in enumerate(order[:-1]):  # the last one is the space's home
        swaps.fill(place, frozenset(order[number:]))
    return np.array(swaps.path, np.int64).reshape(-1, 4)


class _Swaps:
    def __init__(self, graph: PositionGraph, units: Ints) -> None:
        self.graph, self.home, self.units = graph, graph.home, units
        self.path: list[tuple[int, int, int, int]] = []
        self.beside = [[place for place in row if place >= 0] for row in graph.neighbours.tolist()]

    def fill(self, place: int, left: frozenset[int]) -> None:
        """Bring all units of a place's tile there, through the places that are left to fill."""
        filled = frozenset(range(self.graph.size)) - left
        away = replace(self.graph, blocked=filled).distances[place].tolist()
        while sources := [p for p in left if p != place and self.units[p, place]]:
            here = min(sources, key=away.__getitem__)
            while here != place:
                there = min(self.beside[here], key=away.__getitem__)
                self._exchange(place, here, there)
                here = there

    def _exchange(self, tile: int, here: int, there: int) -> None:
        """Bring a unit of a tile to an adjacent place, in exchange for another unit."""
        if self.units[there, self.home]:
            self._move(tile, here, there)
            return
        before = len(self.path)
        self._bring_space(here, there, tile)
        walked = self.path[before:]
        held = [t for t in self._tiles(there) if t != tile]
        swap = [(tile, here, there), (min(held, key=lambda t: t == there), there, here)]
        for move in swap if self.units[there, self.home] else swap[::-1]:
            self._move(*move)
        for moved, source, target, _ in reversed(walked):
            self._move(moved, target, source)

    def _tiles(self, place: int) -> list[int]:
        """The tiles in a place, without the space."""
        return [tile for tile in np.flatnonzero(self.units[place]).tolist() if tile != self.home]

    def _bring_space(self, here: int, there: int, tile: int) -> None:
        """Walk a unit of space to the nearer of two places.

        The first must keep a unit of the tile for the exchange,
        and the second a unit of another one.
        """
        distances = self.graph.distances
        with_space = [
            p for p in range(self.graph.size) if self.units[p, self.home] and self.beside[p]
        ]
        at, end = min(
            ((p, q) for p in with_space for q in {here, there}), key=lambda pair: distances[pair]
        )
        assert distances[at, end] < FAR
        while at != end:
            step = min(p for p in self.beside[at] if distances[p, end] < distances[at, end])
            self._move(
                min(self._tiles(step), key=lambda t: (t == tile) == (step == here)), step, at
            )
            at = step

    def _move(self, tile: int, source: int, target: int) -> None:
        self.units[[source, target], tile] += -1, 1
        self.units[[target, source], self.home] += -1, 1
        self.path.append((tile, source, target, 1))


@kernel
def swap_units(units, home, tile, source, target, amount):  # type: ignore[no-untyped-def]
    """Move units of a tile to an adjacent place, and as much space back; changes `units`."""
    units[source, tile] -= amount
    units[target, tile] += amount
    units[target, home] -= amount
    units[source, home] += amount
