"""Breadth-first search with `expand` alone: along edges that are written down, where they fit into memory, or not."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.journal import NONE, Journal
from puzzlebase.builder.threads import for_all, ranges
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Graph, Indices, Signed

_CHUNK = 1 << 14  # vertices looked at at a time
_EDGES = 1 << 17  # of vertices expanded at a time: a core's cache holds the successors
_THIN = 1 / 64  # share of all vertices below which a layer is a list


def adjacency_bytes(graph: Graph) -> int:
    """Bytes that all edges of a graph take, written down as they lead away from the goal."""
    assert graph.from_goal
    edges: int = graph.from_goal(graph.goal_states[:1]).shape[1]
    return 4 * edges * graph.size


def by_adjacency(graph: Graph, journal: Journal, threads: int) -> Iterator[None]:
    """Find all layers with one queue; threads write the edges down."""
    assert graph.from_goal
    expand = graph.from_goal
    edges_each = adjacency_bytes(graph) // (4 * graph.size)
    successors = np.empty((graph.size, edges_each), np.int32)
    distances = np.full(graph.size, NONE)

    def write_down(chunk: tuple[int, int]) -> None:
        successors[slice(*chunk)] = expand(np.arange(*chunk))

    with ThreadPoolExecutor(threads) as pool:
        for_all(pool, write_down, ranges(graph.size, -(-graph.size // _CHUNK)))
        queue = np.empty(graph.size, np.int32)
        queue[: len(graph.goal_states)] = graph.goal_states
        distances[graph.goal_states] = 0
        _walk(successors, distances, NONE, queue, len(graph.goal_states))
        journal_all(graph, journal, distances, pool)
    yield


def journal_all(graph: Graph, journal: Journal, distances: npt.NDArray[np.uint32], pool: ThreadPoolExecutor) -> None:
    """Journal all layers beyond the goal's at once, from the distances of all vertices; overwrites some."""
    distances[graph.goal_states] = NONE  # the journal has them

    def write(piece: int) -> npt.NDArray[np.int64]:
        some = distances[slice(*journal.layout.vertices(journal.pieces[piece]))]
        journal.add_distances(piece, some)
        return np.bincount(some[some != NONE], minlength=1)

    counts = [*pool.map(write, range(len(journal.pieces)))]
    layers = np.zeros(max(map(len, counts)) + 1, np.int64)  # the last one is empty
    for each in counts:
        layers[: len(each)] += each
    journal.end_layers(layers[1:])


def by_expansion(graph: Graph, journal: Journal, threads: int) -> Iterator[None]:
    """Find a layer by expanding the vertices of the last one."""
    search = _Expansion(graph, journal)
    with ThreadPoolExecutor(threads) as pool:
        while not journal.complete:
            search.find_layer(pool)
            yield


class _Expansion:
    """The distances that a search has found and, while layers are thin, the last layer as a sorted list."""

    # Threads may find a vertex at the same time and write the same distance: only a complete layer is counted.

    def __init__(self, graph: Graph, journal: Journal) -> None:
        assert graph.from_goal
        self._graph = graph
        self._from_goal = graph.from_goal
        self._chunk = _EDGES // graph.from_goal(graph.goal_states[:1]).shape[1] + 1
        self._journal = journal
        self._pieces = range(len(journal.pieces))
        self._ends = [journal.layout.vertices(piece) for piece in journal.pieces]
        self._distance = len(journal.layers) - 1
        self._distances: Signed = np.concatenate([journal.distances(piece) for piece in self._pieces])
        self._layer = self._written() if self._thin(journal.layers[-1]) else None

    def find_layer(self, pool: ThreadPoolExecutor) -> None:
        """Find and write the next layer."""
        self._distance += 1
        if self._distance > np.iinfo(self._distances.dtype).max:
            self._distances = self._distances.astype(np.int16 if self._distances.dtype == np.int8 else np.int32)
        if self._layer is None:
            self._follow_wide(pool)
        else:
            self._follow_thin(pool, self._layer)
        self._journal.end_layer()

    def _follow_wide(self, pool: ThreadPoolExecutor) -> None:
        size = self._graph.size
        for_all(pool, self._expand_range, ranges(size, -(-size // (4 * _CHUNK))))
        if self._thin(sum(pool.map(self._write_piece, self._pieces))):
            self._layer = self._written()

    def _follow_thin(self, pool: ThreadPoolExecutor, last_layer: Indices) -> None:
        chunks = [last_layer[first:last] for first, last in ranges(len(last_layer), -(-len(last_layer) // self._chunk))]
        layer = np.unique(np.concatenate(list(pool.map(self._expand, chunks))))
        ends = np.searchsorted(layer, [last for _, last in self._ends]).tolist()
        for piece, (first, last) in enumerate(pairwise([0, *ends])):
            self._journal.add_vertices(piece, layer[first:last])
        self._layer = layer if self._thin(len(layer)) else None

    def _expand(self, vertices: Indices) -> Indices:
        """Give the layer's distance to the successors without one; returns them in any order, perhaps repeated."""
        successors = self._from_goal(vertices)
        new = np.empty(successors.size, np.int64)
        return new[: _claim(successors, self._distances, self._distance, new)].copy()

    def _expand_range(self, chunk: tuple[int, int]) -> None:
        """Expand the vertices of the last layer among these."""
        vertices = chunk[0] + np.flatnonzero(self._distances[slice(*chunk)] == self._distance - 1)
        for first in range(0, len(vertices), self._chunk):
            self._expand(vertices[first : first + self._chunk])

    def _write_piece(self, piece: int) -> int:
        first, last = self._ends[piece]
        vertices = first + np.flatnonzero(self._distances[first:last] == self._distance)
        self._journal.add_vertices(piece, vertices)
        return len(vertices)

    def _written(self) -> Indices:
        return np.concatenate([self._journal.vertices(piece, self._distance) for piece in self._pieces])

    def _thin(self, vertices: int) -> bool:
        return vertices < self._graph.size * _THIN


@kernel
def _claim(successors, distances, distance, new):  # type: ignore[no-untyped-def]
    """Give `distance` to the successors that have none, list them in `new`, and return how many they are."""
    count = 0
    for i in range(successors.shape[0]):
        for m in range(successors.shape[1]):
            vertex = successors[i, m]
            if vertex >= 0 and distances[vertex] < 0:
                distances[vertex] = distance
                new[count] = vertex
                count += 1
    return count


@kernel
def _walk(successors, distances, none, queue, tail):  # type: ignore[no-untyped-def]
    """Give distances to all that can be reached from vertices in the queue, and append them to it."""
    first = 0
    while first < tail:
        vertex = queue[first]
        first += 1
        for m in range(successors.shape[1]):
            successor = successors[vertex, m]
            if successor >= 0 and distances[successor] == none:
                distances[successor] = distances[vertex] + np.uint32(1)
                queue[tail] = successor
                tail += 1
