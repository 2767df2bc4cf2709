"""Lines by swaps of two units: they solve every board of two or more units a place, and are long.

With one unit of space beside it, a unit of a tile changes places with any unit of an adjacent place: one goes, the
other comes, and the space is back. The space walks there, and back the way that it came, which puts all else back.
Places are filled one after another, the farthest from the space's home first.
"""

from __future__ import annotations

import numpy as np

from puzzlebase.puzzles.families.quantum.graph import FAR, Ints, PositionGraph

Move = tuple[int, int, int, int]


def swap_all(graph: PositionGraph, units: Ints) -> Ints:
    """Moves that bring all units home: int64[moves, 4], tile, from, to, amount. A place must hold two units or more."""
    return _Swaps(graph, units.copy()).run()


class _Swaps:
    def __init__(self, graph: PositionGraph, units: Ints) -> None:
        self.graph = graph
        self.units = units
        self.line: list[Move] = []
        self.beside = [[place for place in row if place >= 0] for row in graph.neighbours.tolist()]

    def run(self) -> Ints:
        """Fill one place after another."""
        home = self.graph.home
        order = [place for place in range(self.graph.size) if self.beside[place]]
        order.sort(key=lambda place: (-self.graph.distances[place, home], place))
        for number, place in enumerate(order):
            self._fill(place, frozenset(order[number:]))
        return np.array(self.line, np.int64).reshape(-1, 4)

    def _fill(self, place: int, left: frozenset[int]) -> None:
        """Bring all units of a place's tile there, by way of places that are not filled yet."""
        if place == self.graph.home:
            return
        away = self._away(place, left)
        while sources := [p for p in left if p != place and self.units[p, place]]:
            here = min(sources, key=away.__getitem__)
            while here != place:
                there = min((p for p in self.beside[here] if p in away), key=away.__getitem__)
                self._exchange(place, here, there)
                here = there

    def _away(self, place: int, left: frozenset[int]) -> dict[int, int]:
        """How far places are from one, by way of those that are left."""
        away, layer, steps = {place: 0}, [place], 0
        while layer:
            steps += 1
            layer = [*{q for p in layer for q in self.beside[p] if q in left and q not in away}]
            away |= dict.fromkeys(layer, steps)
        return away

    def _exchange(self, tile: int, here: int, there: int) -> None:
        """Bring a unit of a tile to an adjacent place, in exchange for a unit of something else."""
        home = self.graph.home
        if self.units[there, home]:
            self._move(tile, here, there)
            return
        before = len(self.line)
        self._bring_space(here, there, tile)
        walked = self.line[before:]
        if self.units[there, home]:
            other = self._another(there, tile)
            self._move(tile, here, there)
            self._move(other, there, here)
        else:
            other = self._another(there, tile)
            self._move(other, there, here)
            self._move(tile, here, there)
        for moved, source, target, _ in reversed(walked):
            self._move(moved, target, source)

    def _another(self, place: int, tile: int) -> int:
        """A tile, not this one nor the space, that a place holds units of; if possible one not at home there."""
        held = [t for t in np.flatnonzero(self.units[place]).tolist() if t not in (tile, self.graph.home)]
        return min(held, key=lambda t: t == place)

    def _bring_space(self, here: int, there: int, tile: int) -> None:
        """Walk a unit of space to one of two places, without moving the last unit that the exchange is about."""
        home = self.graph.home
        ends = {here, there}
        with_space = [p for p in range(self.graph.size) if self.units[p, home] and self.beside[p]]
        distances = self.graph.distances
        at, end = min(((p, q) for p in with_space for q in ends), key=lambda pair: distances[pair])
        assert distances[at, end] < FAR
        while at != end:
            step = min(p for p in self.beside[at] if distances[p, end] < distances[at, end])
            self._move(self._to_displace(step, here, there, tile), step, at)
            at = step

    def _to_displace(self, place: int, here: int, there: int, tile: int) -> int:
        """A tile that makes way for the space; the exchange must keep a unit of its tile, and another for it."""
        held = [t for t in np.flatnonzero(self.units[place]).tolist() if t != self.graph.home]
        if place == here:
            return max(held, key=lambda t: self.units[place, t] - (t == tile))
        if place == there:
            others = sum(int(self.units[place, t]) for t in held if t != tile)
            return next(t for t in held if (t == tile) == (others == 1 and tile in held))
        return held[0]

    def _move(self, tile: int, source: int, target: int) -> None:
        home = self.graph.home
        self.units[source, tile] -= 1
        self.units[target, tile] += 1
        self.units[target, home] -= 1
        self.units[source, home] += 1
        self.line.append((tile, source, target, 1))
