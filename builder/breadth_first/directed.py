"""Distances in graphs whose edges need not lead back: from the goal states backwards.

If all edges fit into memory, each vertex's predecessors are listed, and one queue goes through
them. Otherwise there are passes until none lowers a distance, the vertices farthest from the start
first. One pass is enough if all edges lead one layer on from the start, as in peg solitaire.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.breadth_first.expansion import follow
from puzzlebase.builder.journal import Journal, journal_all
from puzzlebase.kernels import kernel
from puzzlebase.machine import spare_memory
from puzzlebase.puzzles import Graph, Indices
from puzzlebase.sentinels import UNVISITED
from puzzlebase.threads import cut_ranges, for_all

Numbers = npt.NDArray[np.uint32]
# gets some vertices and their successors; from several threads
Visit = Callable[[Indices, Indices], None]

BYTES_OF_A_VERTEX, _BYTES_LISTED, _BYTES_OF_AN_EDGE = 12, 24, 8
_CHUNK = 1 << 12  # vertices expanded at a time, whose successors stay in a core's cache
_PIECE = 1 << 18  # vertices that a thread looks through at a time
_SAMPLE = 1 << 14


class ByDepth(NamedTuple):
    """A walk through all vertices: from the start if there is one,
    else in the order of their numbers.
    """

    depths: Numbers  # of all vertices, UNVISITED if the start does not lead there
    layers: list[int]  # the number of vertices at each depth
    layered: bool  # True if each edge leads to the next depth


def walk(graph: Graph, threads: int, visit: Visit, *, layered_alone: bool = False) -> ByDepth:
    """Visit each vertex that the start leads to once, in the order of a breadth-first search.

    With `layered_alone` the walk ends as soon as an edge leads elsewhere than to the next depth.
    """
    start = graph.start
    depths = np.full(graph.size, UNVISITED if start >= 0 else 0, np.uint32)
    depths[max(start, 0)] = 0
    pieces = _pieces(graph)
    layers: list[int] = []
    other_edges = 0

    def visit_piece(piece: tuple[int, int]) -> tuple[int, int]:
        vertices = np.flatnonzero(depths[slice(*piece)] == len(layers)) + piece[0]
        others = 0
        for first in range(0, len(vertices), _CHUNK):
            some = vertices[first : first + _CHUNK]
            successors = graph.expand(some)
            visit(some, successors)
            others += _deepen(successors, depths, np.uint32(len(layers) + 1))
        return len(vertices), others

    with ThreadPoolExecutor(threads) as pool:
        while True:
            count, others = map(sum, zip(*pool.map(visit_piece, pieces), strict=True))
            if not count or (layered_alone and others):
                return ByDepth(depths, layers, layered=not other_edges + others)
            layers.append(count)
            other_edges += others


def bytes_backwards(graph: Graph) -> int:
    """The bytes that a search backwards takes."""
    return BYTES_OF_A_VERTEX * graph.size + (_listed_bytes(graph) if is_listed(graph) else 0)


def _listed_bytes(graph: Graph) -> int:
    """The bytes of lists of all predecessors,
    by the edges of some vertices; too many above 2^31 vertices.
    """
    vertices = np.random.default_rng(0).integers(0, graph.size, _SAMPLE)
    edges = len(graph.successors(vertices).to) / len(vertices)
    return int(graph.size * (_BYTES_LISTED + _BYTES_OF_AN_EDGE * 1.1 * edges)) << 32 * (
        graph.size >> 31 > 0
    )


def is_listed(graph: Graph) -> bool:
    """True if lists of all predecessors take at most half of the free memory."""
    return _listed_bytes(graph) <= spare_memory() // 2


def backwards(graph: Graph, journal: Journal, threads: int) -> Iterator[None]:
    """Find all layers at once, in memory."""
    distances = distances_backwards(graph, threads)
    with ThreadPoolExecutor(threads) as pool:
        journal_all(graph, journal, distances, pool)
    yield


def distances_backwards(graph: Graph, threads: int) -> Numbers:
    """Find the distance of every vertex, uint32[size]; UNVISITED if the goal cannot be reached."""
    distances = np.full(graph.size, UNVISITED, np.uint32)
    distances[graph.goal_states] = 0
    walked = walk(graph, threads, lambda *_: None, layered_alone=True)
    if walked.layered:
        _by_passes(graph, walked, distances, threads)
        return distances
    del walked
    if is_listed(graph):
        _by_predecessors(graph, distances, threads)
    else:
        _by_passes(graph, walk(graph, threads, lambda *_: None), distances, threads)
    return distances


def _pieces(graph: Graph) -> list[tuple[int, int]]:
    return cut_ranges(graph.size, -(-graph.size // _PIECE))


def _by_predecessors(graph: Graph, distances: Numbers, threads: int) -> None:
    """Go back from the goal states through a list of all vertices' predecessors;
    each vertex is expanded once.
    """
    edges_to = np.zeros(graph.size + 1, np.int64)
    chunks = cut_ranges(graph.size, -(-graph.size // _CHUNK))
    together = 8 * threads  # chunks that may wait in memory to be written down
    edges: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]] = []
    with ThreadPoolExecutor(threads) as pool:
        for at in range(0, len(chunks), together):
            some = chunks[at : at + together]
            for to, counts in pool.map(lambda chunk: graph.successors(np.arange(*chunk)), some):
                _count(to, edges_to)
                edges.append((to.astype(np.int32), counts))
    ends = np.cumsum(edges_to)
    begins = ends - edges_to
    predecessors = np.empty(ends[-1], np.int32)
    edges.reverse()
    for first, _ in chunks:
        _list(first, *edges.pop(), begins, predecessors)
    ends = np.append(np.int64(0), begins)
    follow(graph.goal_states, ends, predecessors, distances)


def _by_passes(graph: Graph, walked: ByDepth, distances: Numbers, threads: int) -> None:
    """Lower distances until none is more than one above the least of its successors'."""
    lowered = [True]

    def lower(depth: int, piece: tuple[int, int]) -> None:
        vertices = np.flatnonzero(walked.depths[slice(*piece)] == depth) + piece[0]
        for first in range(0, len(vertices), _CHUNK):
            some = vertices[first : first + _CHUNK]
            if _lower(some, *graph.successors(some), distances):
                lowered.append(True)

    with ThreadPoolExecutor(threads) as pool:
        while lowered:
            lowered.clear()
            for depth in reversed(range(len(walked.layers))):
                for_all(pool, partial(lower, depth), _pieces(graph))
            if walked.layered:
                return


@kernel
def _deepen(successors, depths, depth):  # type: ignore[no-untyped-def]
    """Give a depth to the vertices that have none;
    several threads may, since they write the same depth.

    Returns the number that have another depth.
    """
    others = 0
    for i in range(successors.shape[0]):
        for k in range(successors.shape[1]):
            to = successors[i, k]
            if to == -1:
                break
            if to >= 0:
                if depths[to] == UNVISITED:
                    depths[to] = depth
                others += depths[to] != depth
    return others


@kernel
def _count(successors, edges_to):  # type: ignore[no-untyped-def]
    """Count the edges to each vertex."""
    for to in successors:
        edges_to[to] += 1


@kernel
def _list(first, targets, counts, begins, predecessors):  # type: ignore[no-untyped-def]
    """Enter vertices among the predecessors of those that their edges lead to."""
    at = 0
    for i in range(counts.shape[0]):
        for _ in range(counts[i]):
            predecessors[begins[targets[at]]] = first + i
            begins[targets[at]] += 1
            at += 1


@kernel
def _lower(vertices, successors, counts, distances):  # type: ignore[no-untyped-def]
    """Lower the distances of vertices to one more than the least of their successors';
    return how many changed.
    """
    lowered = at = 0
    for i in range(vertices.shape[0]):
        least = np.int64(UNVISITED)
        for _ in range(counts[i]):
            least = min(least, np.int64(distances[successors[at]]))
            at += 1
        if least + 1 < np.int64(distances[vertices[i]]):
            distances[vertices[i]] = least + 1
            lowered += 1
    return lowered
