"""Bidirectional search, breadth-first from a state and from the goal until the two sides meet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from puzzlebase.puzzles import UNREACHED, Graph, Indices, Shortest, Spend, TooManyStates
from puzzlebase.puzzles.machinery.frontier import neighbours_of_frontier, next_layer
from puzzlebase.sorted_arrays import common_vertices

_BYTES_PER_VERTEX = 8
_COPIES_WHILE_SORTING = 3  # of the successors of a layer
# vertices that are followed from a start, to see that none leads to a goal not met
_FOLLOWED = 1 << 14


class OneWayMoves(Exception):
    """Moves are not closed under inversion;
    the message gives the proof, with {!r} for the start.
    """


class _GaveUp(Exception):
    """The budget or the memory is spent."""


def bidirectional_search(
    graph: Graph, starts: Indices, goal_layers: Sequence[Indices], spend: Spend, memory: int
) -> Shortest:
    """Find the distance from the nearest start vertex to the goal,
    and all vertices of shortest paths.

    Vertices are int64, sorted; `goal_layers` are the goal's first layers, at least the goal states.
    The search expands the smaller side. From the vertices where the sides meet it follows all
    shortest paths through the layers of both. The search gives up when `spend` says so or `memory`
    bytes are too few, with a proven lower bound.
    """
    return _Search(graph, spend, memory).run(starts, goal_layers)


class _Side:
    """The layers of one side of a search."""

    def __init__(self, layers: Sequence[Indices]) -> None:
        self.layers = [*layers]
        self.vertices = sum(map(len, layers))  # kept up to date: there may be 30,000 layers of ten

    @property
    def depth(self) -> int:
        return len(self.layers) - 1

    @property
    def last(self) -> Indices:
        return self.layers[-1]

    def add_layer(self, vertices: Indices) -> None:
        self.layers.append(vertices)
        self.vertices += len(vertices)


class _Search:
    def __init__(self, graph: Graph, spend: Spend, memory: int) -> None:
        self.graph = graph
        self.spend = spend
        self.max_vertices = memory // _BYTES_PER_VERTEX
        self.lower_bound = 0

    def run(self, starts: Indices, goal_layers: Sequence[Indices]) -> Shortest:
        start_side, goal_side = _Side([starts]), _Side(goal_layers)
        try:
            layers = (
                (level, common_vertices(starts, layer))
                for level, layer in enumerate(goal_side.layers)
            )
            meeting = next((found for found in layers if len(found[1])), None) or self._meet(
                start_side, goal_side
            )
            if meeting is None:
                return Shortest(UNREACHED, 0)
            level, vertices = meeting
            levels = [*goal_side.layers[:level], vertices, *start_side.layers[-2::-1]]
            distance = self.lower_bound = len(levels) - 1
            for below in range(level - 1, -1, -1):
                levels[below] = common_vertices(
                    neighbours_of_frontier(self.graph, levels[below + 1]), levels[below]
                )
            for above in range(level + 1, distance + 1):
                levels[above] = common_vertices(
                    neighbours_of_frontier(self.graph, levels[above - 1]), levels[above]
                )
        except (_GaveUp, TooManyStates):
            return Shortest(None, self.lower_bound)
        return Shortest(distance, distance, tuple(levels))

    def _meet(self, start_side: _Side, goal_side: _Side) -> tuple[int, Indices] | None:
        """Grow the sides until they meet: the level and vertices there,
        or None if a side cannot grow any more.
        """
        self.lower_bound = goal_side.depth + 1
        self._spend(0)
        while len(start_side.last) and len(goal_side.last):
            self._grow(start_side, goal_side)
            if len(vertices := common_vertices(start_side.last, goal_side.last)):
                return goal_side.depth, vertices
            self.lower_bound = start_side.depth + goal_side.depth + 1
        self._follow_on(start_side.layers[0], goal_side.layers[0])
        return None

    def _follow_on(self, starts: Indices, goal_states: Indices) -> None:
        """Raise OneWayMoves if moves lead from the start to the goal
        although the sides have not met.
        """
        passed, layer = {*starts.tolist()}, starts
        while len(layer) and len(passed) <= _FOLLOWED:
            self._spend(len(layer))
            layer = np.array(
                [
                    each
                    for each in neighbours_of_frontier(self.graph, layer).tolist()
                    if each not in passed
                ],
                np.int64,
            )
            passed.update(layer.tolist())
        if not passed.isdisjoint(goal_states.tolist()):
            raise OneWayMoves("they lead from {!r} to the goal, and none lead back")

    def _grow(self, one: _Side, other: _Side) -> None:
        """Add a layer to the side whose last layer is smaller."""
        side = min(one, other, key=lambda side: len(side.last))
        free = self.max_vertices - one.vertices - other.vertices

        def expanded(vertices: int, found: int) -> None:
            nonlocal free
            free -= _COPIES_WHILE_SORTING * found
            if free < 0:
                raise _GaveUp
            self._spend(vertices)

        before = side.layers[-2] if side.depth else side.last[:0]
        side.add_layer(next_layer(self.graph, side.last, before, expanded))
        # no two layers share a vertex if moves are closed under inversion
        if side.vertices > self.graph.size:
            raise OneWayMoves("a search from {!r} passes more states than there are")

    def _spend(self, vertices: int) -> None:
        if not self.spend(vertices, self.lower_bound):
            raise _GaveUp
