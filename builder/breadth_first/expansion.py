"""Breadth-first search with `expand` alone: along edges that are written down, where they fit into memory, or not."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.journal import Journal
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Graph, Indices, Signed, Successors
from puzzlebase.sentinels import UNVISITED
from puzzlebase.threads import for_all, in_order, ranges

Ints = npt.NDArray[np.signedinteger[Any]]

_CHUNK = 1 << 14  # vertices looked at at a time
_EDGES = 1 << 17  # of vertices expanded at a time: a core's cache holds the successors
_THIN = 1 / 64  # share of all vertices below which a layer is a list


def adjacency_bytes(graph: Graph) -> int:
    """Bytes that all edges of a graph take, written down as they lead away from the goal."""
    return 4 * _edges_of(graph) * graph.size


def _edges_of(graph: Graph) -> int:
    """The most edges that lead to a vertex."""
    assert graph.backwards
    edges: int = graph.backwards(graph.goal_states[:1]).shape[1]
    return edges


def _predecessors(graph: Graph, vertices: Indices) -> Successors:
    """The vertices that lead to some, without gaps."""
    assert graph.backwards
    return Successors.of(graph.backwards(vertices))


def by_adjacency(graph: Graph, journal: Journal, threads: int) -> Iterator[None]:
    """Find all layers with one queue; threads make the edges."""
    to = np.empty(adjacency_bytes(graph) // 4, np.int32)  # what gaps would take stays untouched
    ends, distances = np.zeros(graph.size + 1, np.int32), np.full(graph.size, UNVISITED, np.uint32)
    chunks = ranges(graph.size, -(-graph.size // _CHUNK))
    written = 0
    with ThreadPoolExecutor(threads) as pool:
        made = in_order(pool, lambda chunk: _predecessors(graph, np.arange(*chunk)), chunks, 2 * threads)
        for (first, last), (some, counts) in zip(chunks, made, strict=True):
            to[written : written + len(some)] = some
            written += len(some)
            ends[first + 1 : last + 1] = counts
        np.cumsum(ends, out=ends)
        follow(graph.goal_states, ends, to, distances)
        journal_all(graph, journal, distances, pool)
    yield


def follow(goal_states: Indices, ends: Ints, to: Ints, distances: npt.NDArray[np.uint32]) -> None:
    """Find the distances of all vertices that edges lead to from the goal: `to[ends[v] : ends[v + 1]]` from v."""
    queue = np.empty(len(distances), np.int32)
    queue[: len(goal_states)] = goal_states
    distances[goal_states] = 0
    _follow(queue, len(goal_states), ends, to, distances)


def journal_all(graph: Graph, journal: Journal, distances: npt.NDArray[np.uint32], pool: ThreadPoolExecutor) -> None:
    """Journal all layers beyond the goal's at once, from the distances of all vertices; overwrites some."""
    distances[graph.goal_states] = UNVISITED  # the journal has them

    def write(piece: int) -> npt.NDArray[np.int64]:
        some = distances[slice(*journal.layout.vertices(journal.pieces[piece]))]
        journal.add_distances(piece, some)
        return np.bincount(some[some != UNVISITED], minlength=1)

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
        self._graph = graph
        self._chunk = _EDGES // _edges_of(graph) + 1
        self._journal = journal
        self._pieces = range(len(journal.pieces))
        self._ends = [journal.layout.vertices(piece) for piece in journal.pieces]
        self._distance = len(journal.layers) - 1
        self._distances: Signed = np.concatenate([journal.distances(piece) for piece in self._pieces])
        self._layer = self._last_layer() if self._thin(journal.layers[-1]) else None

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
        for_all(pool, self._expand_piece, self._pieces)
        if self._thin(sum(pool.map(self._write_piece, self._pieces))):
            self._layer = self._last_layer()

    def _follow_thin(self, pool: ThreadPoolExecutor, last_layer: Indices) -> None:
        chunks = [last_layer[first:last] for first, last in ranges(len(last_layer), -(-len(last_layer) // self._chunk))]
        layer = np.sort(np.concatenate(list(pool.map(self._expand, chunks))))
        layer = layer[np.diff(layer, prepend=-1) > 0]
        for piece, some in enumerate(np.split(layer, np.searchsorted(layer, [first for first, _ in self._ends[1:]]))):
            self._journal.add_vertices(piece, some)
        self._layer = layer if self._thin(len(layer)) else None

    def _expand(self, vertices: Indices) -> Indices:
        """Give the layer's distance to the successors without one; returns them in any order, perhaps repeated."""
        to = _predecessors(self._graph, vertices).to
        new = np.empty(len(to), np.int64)
        return new[: _claim(to, self._distances, self._distance, new)].copy()

    def _expand_piece(self, piece: int) -> None:
        vertices = self._at(piece, self._distance - 1)
        for first in range(0, len(vertices), self._chunk):
            self._expand(vertices[first : first + self._chunk])

    def _write_piece(self, piece: int) -> int:
        vertices = self._at(piece, self._distance)
        self._journal.add_vertices(piece, vertices)
        return len(vertices)

    def _at(self, piece: int, distance: int) -> Indices:
        first, last = self._ends[piece]
        return first + np.flatnonzero(self._distances[first:last] == distance)

    def _last_layer(self) -> Indices:
        return np.concatenate([self._at(piece, self._distance) for piece in self._pieces])

    def _thin(self, vertices: int) -> bool:
        return vertices < self._graph.size * _THIN


@kernel
def _claim(successors, distances, distance, new):  # type: ignore[no-untyped-def]
    """Give `distance` to the successors that have none, list them in `new`, and return how many they are."""
    count = 0
    for vertex in successors:
        if distances[np.uint64(vertex)] < 0:
            distances[np.uint64(vertex)] = distance
            new[count] = vertex
            count += 1
    return count


@kernel
def _follow(queue, tail, ends, to, distances):  # type: ignore[no-untyped-def]
    first = 0
    while first < tail:
        vertex = queue[first]
        first += 1
        for k in range(ends[vertex], ends[vertex + 1]):
            if distances[to[k]] == UNVISITED:
                distances[to[k]] = distances[vertex] + np.uint32(1)
                queue[tail] = to[k]
                tail += 1
