"""Bidirectional search, breadth-first from a state and from the goal until the two sides meet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from puzzlebase.puzzles import UNREACHED, Graph, Indices, Shortest, Spend, TooManyStates
from puzzlebase.puzzles.machinery.frontier import common, neighbours, next_layer

_BYTES_PER_VERTEX = 8
_COPIES_WHILE_SORTING = 3  # of the successors of a layer
_LAYERS_SHARE = 1 / 2  # of the memory, for layers that the search itself no longer needs
_FOLLOWED = 1 << 14  # vertices that are followed from a start, to see that none leads to a goal not met


class OneWayMoves(Exception):
    """Moves are not closed under inversion; the message gives the proof, with {!r} for the start."""


class _GaveUp(Exception):
    """The budget or the memory is spent."""


def shortest(graph: Graph, starts: Indices, goal_layers: Sequence[Indices], spend: Spend, memory: int) -> Shortest:
    """Find the distance from the nearest start vertex to the goal, and all vertices of shortest paths.

    Vertices are int64, sorted; `goal_layers` are the goal's first layers, at least the goal states. The search expands
    the smaller side. From the vertices where the sides meet it follows all shortest paths through the layers of both.
    If layers take more than half of `memory` bytes, each side keeps its last two, and searches between known vertices
    find the others. The search gives up when `spend` says so or `memory` is too small, with a proven lower bound.
    """
    return _Search(graph, spend, memory).run(starts, goal_layers)


class _Side:
    """The layers of one side of a search; dropped layers are empty."""

    def __init__(self, layers: Sequence[Indices]) -> None:
        self.layers = [*layers]
        self.first_in_memory = 0  # this layer and all behind it are in memory
        self.vertices = sum(map(len, layers))  # in memory, kept up to date: there may be 30,000 layers of ten
        self.passed = self.vertices  # of all layers, no two of which share a vertex if moves are closed under inversion

    @property
    def depth(self) -> int:
        return len(self.layers) - 1

    @property
    def last(self) -> Indices:
        return self.layers[-1]

    def add_layer(self, vertices: Indices) -> None:
        self.layers.append(vertices)
        self.vertices += len(vertices)
        self.passed += len(vertices)

    def drop_layers(self) -> None:
        """Drop all layers but the first, where the side began, and the last two."""
        for depth in range(max(self.first_in_memory, 1), self.depth - 1):
            self.vertices -= len(self.layers[depth])
            self.layers[depth] = self.last[:0]
        self.first_in_memory = max(self.depth - 1, 0)


class _Search:
    def __init__(self, graph: Graph, spend: Spend, memory: int) -> None:
        self.graph = graph
        self.spend = spend
        self.max_vertices = memory // _BYTES_PER_VERTEX
        self.lower_bound = 0

    def run(self, starts: Indices, goal_layers: Sequence[Indices]) -> Shortest:
        start_side, goal_side = _Side([starts]), _Side(goal_layers)
        try:
            layers = ((level, common(starts, layer)) for level, layer in enumerate(goal_side.layers))
            meeting = next((found for found in layers if len(found[1])), None) or self._meet(start_side, goal_side)
            if meeting is None:
                return Shortest(UNREACHED, 0)
            level, vertices = meeting
            distance = self.lower_bound = level + start_side.depth
            levels = [starts] * (distance + 1)
            levels[0], levels[level] = goal_layers[0], vertices
            self._follow(levels, (0, distance), level, goal_side, start_side)
        except (_GaveUp, TooManyStates):
            return Shortest(None, self.lower_bound)
        if distance:  # a shortest path need not pass through every goal state, nor through every start
            levels[0] = common(neighbours(self.graph, levels[1]), levels[0])
            levels[-1] = common(neighbours(self.graph, levels[-2]), levels[-1])
        return Shortest(distance, distance, tuple(levels))

    def _meet(self, start_side: _Side, goal_side: _Side) -> tuple[int, Indices] | None:
        """Grow the sides until they meet: the level and vertices there, or None if a side cannot grow any more."""
        self.lower_bound = goal_side.depth + 1
        self._spend(0)
        while len(start_side.last) and len(goal_side.last):
            self._grow(start_side, goal_side)
            if len(vertices := common(start_side.last, goal_side.last)):
                return goal_side.depth, vertices
            self.lower_bound = start_side.depth + goal_side.depth + 1
        self._follow_on(start_side.layers[0], goal_side.layers[0])
        return None

    def _follow_on(self, starts: Indices, goal_states: Indices) -> None:
        """Raise OneWayMoves if moves lead from the start to the goal although the sides have not met."""
        passed, layer = {*starts.tolist()}, starts
        while len(layer) and len(passed) <= _FOLLOWED:
            self._spend(len(layer))
            layer = np.array([each for each in neighbours(self.graph, layer).tolist() if each not in passed], np.int64)
            passed.update(layer.tolist())
        if not passed.isdisjoint(goal_states.tolist()):
            raise OneWayMoves("they lead from {!r} to the goal, and none lead back")

    def _grow(self, one: _Side, other: _Side, max_depth: int | None = None) -> None:
        """Add a layer to the side whose last layer is smaller, unless that side is `max_depth` deep."""
        side, _ = sorted((one, other), key=lambda side: (side.depth == max_depth, len(side.last)))
        if one.vertices + other.vertices > self.max_vertices * _LAYERS_SHARE:
            one.drop_layers()
            other.drop_layers()
        free = self.max_vertices - one.vertices - other.vertices

        def expanded(vertices: int, found: int) -> None:
            nonlocal free
            free -= _COPIES_WHILE_SORTING * found
            if free < 0:
                raise _GaveUp
            self._spend(vertices)

        before = side.layers[-2] if side.depth else side.last[:0]
        side.add_layer(next_layer(self.graph, side.last, before, expanded))
        if side.passed > self.graph.size:
            raise OneWayMoves("a search from {!r} passes more states than there are")

    def _spend(self, vertices: int) -> None:
        if not self.spend(vertices, self.lower_bound):
            raise _GaveUp

    def _follow(self, levels: list[Indices], ends: tuple[int, int], level: int, low: _Side, high: _Side) -> None:
        """Fill the levels between `ends` with shortest paths, outwards from the level where the sides have met."""
        first, last = ends
        below = above = level
        while below - 1 > first and below - 1 - first >= low.first_in_memory:
            below -= 1
            levels[below] = common(neighbours(self.graph, levels[below + 1]), low.layers[below - first])
        while above + 1 < last and last - above - 1 >= high.first_in_memory:
            above += 1
            levels[above] = common(neighbours(self.graph, levels[above - 1]), high.layers[last - above])
        low.layers.clear()
        high.layers.clear()
        self._fill(levels, first, below)
        self._fill(levels, above, last)

    def _fill(self, levels: list[Indices], first: int, last: int) -> None:
        """Fill the levels between two known ones by a search."""
        length = last - first
        if length < 2:
            return
        low, high = _Side([levels[first]]), _Side([levels[last]])
        while low.depth + high.depth < length:
            self._grow(low, high, length - 1)
        level = first + low.depth
        levels[level] = common(low.last, high.last)
        self._follow(levels, (first, last), level, low, high)
