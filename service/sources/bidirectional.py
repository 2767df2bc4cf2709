"""Search: the distance of a state where there is no table, from the state and from the goal until the two meet."""

from __future__ import annotations

from collections.abc import Sequence

from puzzles import UNREACHED, Graph, Indices, Shortest, Spend, common, neighbours, next_layer

_BYTES_OF_A_NODE = 8
_COPIES = 3  # of what a layer leads to, while it is sorted
_KEPT = 1 / 2  # of the memory: layers that are not needed to go on


class _Stopped(Exception):
    """What may be spent is spent."""


def shortest(graph: Graph, sources: Indices, near: Sequence[Indices], spend: Spend, memory: int) -> Shortest:
    """Breadth-first search from the sources and from the goal, the smaller side first; int64 nodes, sorted.

    `near` are the goal's first layers, at least the goal states: where the goal's side begins. The nodes in which
    the sides meet are all those of shortest ways that lie there. From them the ways are followed back
    through the layers of both sides. These stay in memory while they take no more than half of `memory`
    bytes; then only the last two of each side do, and the nodes of ways between are found by search between
    those that are known, and so on. Memory that does not do ends the search as `spend` does.
    """
    return _Search(graph, spend, memory).run(sources, near)


class _Side:
    """One side of a search: its layers, those let go of being empty."""

    def __init__(self, layers: Sequence[Indices]) -> None:
        self.layers = [*layers]
        self.kept = 0  # the first of the layers behind which all are there

    @property
    def depth(self) -> int:
        """How far the last layer is from the first."""
        return len(self.layers) - 1

    @property
    def last(self) -> Indices:
        """The last layer."""
        return self.layers[-1]

    @property
    def held(self) -> int:
        """Nodes in memory."""
        return sum(map(len, self.layers))

    def let_go(self) -> None:
        """Keep the first layer, which is where the side began, and the last two."""
        for depth in range(1, self.depth - 1):
            self.layers[depth] = self.last[:0]
        self.kept = max(self.depth - 1, 0)


class _Search:
    def __init__(self, graph: Graph, spend: Spend, memory: int) -> None:
        self.graph = graph
        self.spend = spend
        self.room = memory // _BYTES_OF_A_NODE
        self.bound = 0

    def run(self, sources: Indices, near: Sequence[Indices]) -> Shortest:
        here, there = _Side([sources]), _Side(near)
        try:
            met = self._within(here, there) or self._meet(here, there)
            if met is None:
                return Shortest(UNREACHED, 0)
            at, nodes = met
            self.bound = at + here.depth
            levels = [sources] * (self.bound + 1)
            levels[0], levels[at] = near[0], nodes
            self._follow(levels, (0, self.bound), at, there, here)
        except _Stopped:
            return Shortest(None, self.bound)
        if self.bound:  # not every zero, nor every source, need be on a shortest way
            levels[0] = common(neighbours(self.graph, levels[1]), levels[0])
            levels[-1] = common(neighbours(self.graph, levels[-2]), levels[-1])
        return Shortest(self.bound, self.bound, tuple(levels))

    def _within(self, here: _Side, there: _Side) -> tuple[int, Indices] | None:
        """The level in which a source lies in the goal's layers, and the sources that do."""
        for level, layer in enumerate(there.layers):
            if len(nodes := common(here.last, layer)):
                return level, nodes
        return None

    def _meet(self, here: _Side, there: _Side) -> tuple[int, Indices] | None:
        """The level in which the sides meet, and the nodes; None where one of them cannot grow any more."""
        self.bound = there.depth + 1
        self._spent(0)
        while len(here.last) and len(there.last):
            self._grow(here, there)
            if len(nodes := common(here.last, there.last)):
                return there.depth, nodes
            self.bound = here.depth + there.depth + 1
        return None

    def _grow(self, one: _Side, other: _Side, most: int | None = None) -> None:
        """Let the side with the smaller last layer grow, or the one that is not yet `most` deep."""
        side, _ = sorted((one, other), key=lambda side: (side.depth == most, len(side.last)))
        if one.held + other.held > self.room * _KEPT:
            one.let_go()
            other.let_go()
        left = self.room - one.held - other.held

        def expanded(nodes: int, found: int) -> None:
            nonlocal left
            left -= _COPIES * found
            if left < 0:
                raise _Stopped
            self._spent(nodes)

        before = side.layers[-2] if side.depth else side.last[:0]
        side.layers.append(next_layer(self.graph, side.last, before, expanded))

    def _spent(self, nodes: int) -> None:
        if not self.spend(nodes, self.bound):
            raise _Stopped

    def _follow(self, levels: list[Indices], ends: tuple[int, int], at: int, near: _Side, far: _Side) -> None:
        """All nodes of shortest ways between two levels, `ends`, from those in the level where the sides met."""
        low, high = ends
        below = above = at
        while below - 1 > low and below - 1 - low >= near.kept:
            below -= 1
            levels[below] = common(neighbours(self.graph, levels[below + 1]), near.layers[below - low])
        while above + 1 < high and high - above - 1 >= far.kept:
            above += 1
            levels[above] = common(neighbours(self.graph, levels[above - 1]), far.layers[high - above])
        near.layers.clear()
        far.layers.clear()
        self._fill(levels, low, below)
        self._fill(levels, above, high)

    def _fill(self, levels: list[Indices], low: int, high: int) -> None:
        """The levels between two that are known, by search between them."""
        length = high - low
        if length < 2:
            return
        near, far = _Side([levels[low]]), _Side([levels[high]])
        while near.depth + far.depth < length:
            self._grow(near, far, length - 1)
        at = low + near.depth
        levels[at] = common(near.last, far.last)
        self._follow(levels, (low, high), at, near, far)
