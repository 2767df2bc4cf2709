"""The index side of a puzzle: its states as integers, and the moves between them.

Everything that enumerates, searches or looks up knows a puzzle through these records alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kernels import kernel

Boards = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.int64]
Distances = npt.NDArray[np.int32]
Signed = npt.NDArray[np.signedinteger[Any]]
Probe = Callable[[Indices], Distances]
Read = Callable[[int, int], Signed]
Spend = Callable[[int, int], bool]
"""Tells of a search how many states it has visited since it last told, and the lower bound it has proven;
False when it must stop."""

UNREACHED = -1
"""The distance of a state from which the goal cannot be reached."""


class Shortest(NamedTuple):
    """What a search found: the distance, and the nodes of all shortest ways; or, where it had to stop, a bound.

    `levels[k]` are the nodes, sorted, that are k links from the goal and on a shortest way to it, for k =
    0 .. distance: the last level is where the search began. `distance` is UNREACHED where there is no way,
    None where the search had to stop; there are no levels then.
    """

    distance: int | None
    lower_bound: int
    levels: tuple[Indices, ...] = ()


@dataclass(frozen=True)
class ProductForm:
    """Links of a graph whose index is row * width + column, as tables alone.

    Link m takes (row, column) to row `row_move[m, row]` (-1: no such link) and column
    `column_map[kind[m, row], column]`. Every column map is a permutation of the columns; kind 0 is
    the identity. `row_move` and `kind` are int32[links, rows], `column_map` uint32[kinds, width].
    """

    row_move: npt.NDArray[np.int32]
    kind: npt.NDArray[np.int32]
    column_map: npt.NDArray[np.uint32]

    @property
    def tables(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint32]]:
        """All of it, for kernels."""
        return self.row_move, self.kind, self.column_map

    @property
    def links(self) -> int:
        """Links of a node, those counted that a row may lack."""
        return len(self.row_move)

    @property
    def rows(self) -> int:
        """Rows that links leave from."""
        return int(self.row_move.shape[1])

    @property
    def width(self) -> int:
        """Columns of a row."""
        return int(self.column_map.shape[1])

    def expand(self, indices: Indices) -> Indices:
        """Where each link leads: int64[n] -> int64[n, links], -1 where there is none or the index is -1."""
        successors = np.empty((len(indices), self.links), np.int64)
        _follow(indices, self.row_move, self.kind, self.column_map, successors)
        return successors


@kernel
def _follow(indices, row_move, kind, column_map, successors):  # type: ignore[no-untyped-def]
    width = column_map.shape[1]
    for i in range(indices.shape[0]):
        row = indices[i] // width
        column = indices[i] - row * width
        for m in range(row_move.shape[0]):
            target = row_move[m, row] if row >= 0 else -1
            if target < 0:
                successors[i, m] = -1
            else:
                to = column_map[kind[m, row], column]
                successors[i, m] = np.int64(target) * width + np.int64(to)


@dataclass(frozen=True, kw_only=True)
class Graph:
    """What a breadth-first search enumerates: nodes 0 .. size-1, their links, and where it starts.

    `expand` maps int64[n] to int64[n, links] with -1 for a missing link and is safe to call from
    several threads at once. `goal_states` are the nodes at distance 0, sorted. Distances are counted
    *to* the goal states along the links. `product` makes the same links as tables, where they have that form;
    it may take time and memory, and is asked for by whoever needs it.
    """

    size: int
    expand: Callable[[Indices], Indices]
    goal_states: Indices
    product: Callable[[], ProductForm] | None = None


@dataclass(frozen=True, kw_only=True)
class Orbits:
    """A smaller graph whose distances give those of the states: d = 1 + the least of its nodes', 0 at the goal.

    `nodes` leads from states to the nodes they belong to, a link for each. An orbit may have several
    nodes, of equal distances; `least` makes what takes a node to the least of its orbit. Each of the two,
    and the graph, is made when it is asked for: only builders and searches need them.
    """

    size: int
    nodes: ProductForm
    graph: Callable[[], Graph]
    least: Callable[[], Callable[[Indices], Indices]]


class SearchGraph(NamedTuple):
    """A graph whose links are closed under inversion, its goal states sorted; and what leads to its nodes.

    `nodes` gives those that states belong to, sorted, each once; `least` the one of an orbit from any of it.
    """

    graph: Graph
    nodes: Callable[[Indices], Indices]
    least: Callable[[Indices], Indices]


@dataclass(frozen=True, kw_only=True)
class Space(Graph):
    """All states of a puzzle as indices relative to one goal.

    `rank` maps boards uint8[n, places] to int64[n], -1 where a board is no state of this space;
    `unrank` is its inverse. The links are the puzzle's moves in their order. `connected` says that every
    state can reach the goal. `shortest` is the puzzle's own search from a state to the goal, where it has
    one that is better than the general one.
    """

    rank: Callable[[Boards], Indices]
    unrank: Callable[[Indices], Boards]
    orbits: Orbits | None = None
    connected: bool = False
    shortest: Callable[[int, Spend], Shortest] | None = None

    def stored(self) -> Graph:
        """The graph that is enumerated, and whose distances a table holds."""
        return self if self.orbits is None else self.orbits.graph()

    def searched(self) -> SearchGraph:
        """The stored graph for who walks it from node to node: each orbit is its least node, so links lead back too."""
        if self.orbits is None:
            goal_states = np.unique(self.goal_states)
            return SearchGraph(
                Graph(size=self.size, expand=self.expand, goal_states=goal_states), np.unique, lambda nodes: nodes
            )
        graph, least, to_nodes = self.orbits.graph(), self.orbits.least(), self.orbits.nodes

        def expand(nodes: Indices) -> Indices:
            successors = graph.expand(nodes)
            return least(successors.reshape(-1)).reshape(successors.shape)

        whole = Graph(size=graph.size, expand=expand, goal_states=np.unique(least(graph.goal_states)))
        return SearchGraph(whole, lambda states: np.unique(least(to_nodes.expand(states).reshape(-1))), least)

    @property
    def stored_size(self) -> int:
        """Nodes of `stored`, known without making it."""
        return self.size if self.orbits is None else self.orbits.size

    def distances(self, indices: Indices, probe: Probe) -> Distances:
        """Distances of states, int64[n] -> int32[n]; `probe` reads those of the stored graph's nodes."""
        if self.orbits is None:
            return probe(indices)
        return self._nearest(indices, self.orbits.nodes.expand(indices), probe)

    def between(self, first: int, last: int, read: Read) -> Signed:
        """Distances of states first .. last-1; `read(first, last)` gives those of the stored graph's nodes.

        Of orbits whole rows of nodes are read, the same ones for many states that follow one another.
        """
        if self.orbits is None:
            return read(first, last)
        to_nodes = self.orbits.nodes
        width = to_nodes.width
        parts = []
        for row in range(first // width, -(-last // width)):
            columns = slice(max(first - row * width, 0), min(last - row * width, width))
            nearest: Signed | None = None
            for k in range(to_nodes.links):
                at = int(to_nodes.row_move[k, row])
                values = read(at * width, (at + 1) * width)
                nearest = np.full(columns.stop - columns.start, -1, values.dtype) if nearest is None else nearest
                _nearer(values, to_nodes.column_map[to_nodes.kind[k, row], columns], nearest)
            assert nearest is not None
            parts.append(nearest)
        distances = np.concatenate(parts) if len(parts) > 1 else parts[0]
        _one_farther(distances)
        distances[self.goal_states[(self.goal_states >= first) & (self.goal_states < last)] - first] = 0
        return distances

    def neighbours(self, index: int, probe: Probe) -> tuple[Indices, Distances]:
        """Where each move of a state leads, -1 if it is not legal, and last the state itself; and all their distances.

        The same as `expand` and `distances`, with one compiled call fewer where moves are tables.
        """
        if self.orbits is None or self.product is None:
            state = np.array([index])
            indices = np.append(self.expand(state), state)
            return indices, self.distances(indices, probe)
        states, to_nodes = self.product(), self.orbits.nodes
        indices = np.empty(states.links + 1, np.int64)
        nodes = np.empty((states.links + 1, to_nodes.links), np.int64)
        _around(index, *states.tables, *to_nodes.tables, indices, nodes)
        return indices, self._nearest(indices, nodes, probe)

    def _nearest(self, indices: Indices, nodes: Indices, probe: Probe) -> Distances:
        values = probe(nodes.reshape(-1))
        distances = np.empty(len(indices), np.int32)
        _least(indices, values.reshape(nodes.shape), self.goal_states, distances)
        return distances


@kernel
def _nearer(values, columns, nearest):  # type: ignore[no-untyped-def]
    """Lower each of `nearest` to the value at its column, where there is one and it is less."""
    for i in range(columns.shape[0]):
        value = values[columns[i]]
        if value >= 0 and (nearest[i] < 0 or value < nearest[i]):
            nearest[i] = value


@kernel
def _one_farther(distances):  # type: ignore[no-untyped-def]
    for i in range(distances.shape[0]):
        if distances[i] >= 0:
            distances[i] += 1


@kernel
def _around(index, row_move, kind, column_map, node_row, node_kind, node_column_map, indices, nodes):  # type: ignore[no-untyped-def]
    width = column_map.shape[1]
    moves = row_move.shape[0]
    row = index // width
    column = index - row * width
    for m in range(moves + 1):
        at, to = row, np.int64(column)
        if index < 0:
            at = -1
        elif m < moves:
            at = np.int64(row_move[m, row])
            to = np.int64(column_map[kind[m, row], column])
        indices[m] = at * width + to if at >= 0 else -1
        for k in range(node_row.shape[0]):
            if at >= 0:
                nodes[m, k] = np.int64(node_row[k, at]) * width + np.int64(node_column_map[node_kind[k, at], to])
            else:
                nodes[m, k] = -1


@kernel
def _least(indices, values, goal_states, distances):  # type: ignore[no-untyped-def]
    for i in range(indices.shape[0]):
        least = np.int32(-1)
        for k in range(values.shape[1]):
            value = values[i, k]
            if value >= 0 and (least < 0 or value < least):
                least = value
        if least >= 0:
            least += np.int32(1)
        if least == 1:
            for zero in goal_states:
                if indices[i] == zero:
                    least = np.int32(0)
        distances[i] = least
