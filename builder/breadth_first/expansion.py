"""Breadth-first search with `expand` alone: along edges that are written down."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.journal import Journal
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Graph, Indices, Successors
from puzzlebase.sentinels import UNVISITED
from puzzlebase.threads import in_order, ranges

Ints = npt.NDArray[np.signedinteger[Any]]

_CHUNK = 1 << 14  # vertices looked at at a time


def adjacency_bytes(graph: Graph) -> int:
    """Bytes of all edges of a graph, written down as they lead away from the goal; too many above 2^31 vertices."""
    assert graph.backwards
    edges: int = graph.backwards(graph.goal_states[:1]).shape[1]
    return 4 * edges * graph.size << 32 * (graph.size >> 31 > 0)


def _predecessors(graph: Graph, vertices: Indices) -> Successors:
    """The vertices that lead to some, without gaps."""
    assert graph.backwards
    return Successors.of(graph.backwards(vertices))


def by_adjacency(graph: Graph, journal: Journal, threads: int) -> Iterator[None]:
    """Find all layers with one queue; threads make the edges."""
    to = np.empty(adjacency_bytes(graph) // 4, np.int32)  # what gaps would take stays untouched
    ends: Ints = np.zeros(graph.size + 1, np.int32 if len(to) < 1 << 31 else np.int64)
    distances = np.full(graph.size, UNVISITED, np.uint32)
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
