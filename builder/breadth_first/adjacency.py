"""Breadth-first search along links that are written down, for graphs whose links fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.journal import NONE, Journal
from puzzlebase.builder.threads import for_all, ranges
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Graph

_CHUNK = 1 << 14  # nodes expanded at a time: with ten links, about a core's cache


def adjacency_bytes(graph: Graph) -> int:
    """Bytes that all links of a graph take, written down."""
    links: int = graph.expand(graph.goal_states[:1]).shape[1]
    return 4 * links * graph.size


def by_adjacency(graph: Graph, journal: Journal, threads: int) -> Iterator[None]:
    """Find all layers with one queue, for links that are closed under inversion; threads write the links down."""
    with ThreadPoolExecutor(threads) as pool:
        successors = _successors(graph, pool)
        distances = np.full(graph.size, NONE)
        queue = np.empty(graph.size, np.int32)
        queue[: len(graph.goal_states)] = graph.goal_states
        distances[graph.goal_states] = 0
        reached = _walk(successors, distances, NONE, queue, len(graph.goal_states))
        counts = np.bincount(distances[queue[:reached]])
        distances[graph.goal_states] = NONE  # the journal has them
        _journal(distances, journal, pool)
    journal.end_layers(np.append(counts[1:], 0))
    yield


def _successors(graph: Graph, pool: ThreadPoolExecutor) -> npt.NDArray[np.int32]:
    """Where each link of each node leads, int32[size, links]."""
    successors = np.empty((graph.size, adjacency_bytes(graph) // (4 * graph.size)), np.int32)

    def write_down(chunk: tuple[int, int]) -> None:
        successors[slice(*chunk)] = graph.expand(np.arange(*chunk))

    for_all(pool, write_down, ranges(graph.size, -(-graph.size // _CHUNK)))
    return successors


def _journal(distances: npt.NDArray[np.uint32], journal: Journal, pool: ThreadPoolExecutor) -> None:
    def write(piece: int) -> None:
        journal.add_distances(piece, distances[slice(*journal.layout.nodes(journal.pieces[piece]))])

    for_all(pool, write, range(len(journal.pieces)))


@kernel
def _walk(successors, distances, none, queue, tail):  # type: ignore[no-untyped-def]
    """Give distances to all that can be reached from the nodes in the queue, append them to it, return its length."""
    head = 0
    while head < tail:
        node = queue[head]
        head += 1
        for m in range(successors.shape[1]):
            successor = successors[node, m]
            if successor >= 0 and distances[successor] == none:
                distances[successor] = distances[node] + np.uint32(1)
                queue[tail] = successor
                tail += 1
    return tail
