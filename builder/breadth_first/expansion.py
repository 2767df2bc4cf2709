"""Breadth-first search with `expand` alone:
along edges that are written down, where they fit into memory, or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.journal import Journal, journal_all
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Graph, Indices, Signed, Successors
from puzzlebase.sentinels import UNVISITED
from puzzlebase.threads import cut_ranges, in_order

Ints = npt.NDArray[np.signedinteger[Any]]

_CHUNK = 1 << 14  # vertices looked at at a time
# share of all vertices below which a layer is sorted; else all distances are looked through
_THIN = 1 / 64
_EDGES = 1 << 17  # of vertices expanded at a time: a core's cache holds the successors


def stored_expansion_bytes(graph: Graph) -> int:
    """Bytes that all edges of a graph take, stored as they lead away from the goal."""
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


def by_stored_expansion(graph: Graph, journal: Journal, threads: int) -> Iterator[None]:
    """Find all layers with one queue, along edges that threads store first."""
    to = np.empty(
        stored_expansion_bytes(graph) // 4, np.int32
    )  # what gaps would take stays untouched
    ends, distances = np.zeros(graph.size + 1, np.int32), np.full(graph.size, UNVISITED, np.uint32)
    chunks = cut_ranges(graph.size, -(-graph.size // _CHUNK))
    written = 0
    with ThreadPoolExecutor(threads) as pool:
        made = in_order(
            pool, lambda chunk: _predecessors(graph, np.arange(*chunk)), chunks, 2 * threads
        )
        for (first, last), (some, counts) in zip(chunks, made, strict=True):
            to[written : written + len(some)] = some
            written += len(some)
            ends[first + 1 : last + 1] = counts
        np.cumsum(ends, out=ends)
        follow(graph.goal_states, ends, to, distances)
        journal_all(graph, journal, distances, pool)
    yield


def follow(goal_states: Indices, ends: Ints, to: Ints, distances: npt.NDArray[np.uint32]) -> None:
    """Find the distances of all vertices that edges lead to from the goal:
    `to[ends[v] : ends[v + 1]]` from v.
    """
    queue = np.empty(len(distances), np.int32)
    queue[: len(goal_states)] = goal_states
    distances[goal_states] = 0
    _follow(queue, len(goal_states), ends, to, distances)


def by_expansion(graph: Graph, journal: Journal, threads: int) -> Iterator[None]:
    """Find a layer by expanding the vertices of the last one, a sorted list.

    Threads may find a vertex at the same time and write the same distance.
    """
    ends = [journal.layout.vertices(piece) for piece in journal.pieces]
    distances: Signed = np.concatenate([journal.distances(piece) for piece in range(len(ends))])
    layer = np.flatnonzero(distances == len(journal.layers) - 1)
    chunk = _EDGES // _edges_of(graph) + 1
    with ThreadPoolExecutor(threads) as pool:
        while not journal.complete:
            distance = len(journal.layers)
            if distance > np.iinfo(distances.dtype).max:
                distances = distances.astype(np.min_scalar_type(-distance - 1))
            chunks = [layer[first : first + chunk] for first in range(0, len(layer), chunk)]
            found = pool.map(lambda some: _claimed(graph, some, distances, distance), chunks)  # noqa: B023
            # a wide layer takes as much as all distances: one is in memory at a time
            del layer, chunks
            count, claimed = 0, list[Indices]()
            for some in found:
                count += len(some)
                claimed = [*claimed, some] if count < graph.size * _THIN else []
            layer = (
                np.unique(np.concatenate(claimed))
                if claimed
                else np.flatnonzero(distances == distance)
            )
            for piece, some in enumerate(
                np.split(layer, np.searchsorted(layer, [first for first, _ in ends[1:]]))
            ):
                journal.add_vertices(piece, some)
            journal.end_layer()
            yield


def _claimed(graph: Graph, vertices: Indices, distances: Signed, distance: int) -> Indices:
    """Give `distance` to the predecessors of vertices that have none;
    returns them in any order, perhaps repeated.
    """
    to = _predecessors(graph, vertices).to
    new = np.empty(len(to), np.int64)
    return new[: _claim(to, distances, distance, new)].copy()


@kernel
def _claim(successors, distances, distance, new):  # type: ignore[no-untyped-def]
    """Give `distance` to the successors that have none,
    list them in `new`, and return how many they are.
    """
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
