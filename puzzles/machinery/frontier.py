"""Breadth-first search in a graph too large to mark its states:
layers as sorted lists, two in memory at a time.

The moves must be closed under inversion, so that they lead to the layer before, the same layer, or
the next one. The builder makes stored layers with this, and the service searches with it.
builder/breadth_first/ makes whole tables.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.space import Graph, Indices

NO_VERTICES: Indices = np.empty(0, np.int64)

_CHUNK = 1 << 15  # vertices expanded at a time: with ten edges they fill about a core's cache
_SHORT = 1 << 31  # indices below it are sorted as 32 bits, in half the time


def next_layer(
    graph: Graph, last: Indices, before: Indices, expanded: Callable[[int, int], None]
) -> Indices:
    """The layer after `last`, which follows `before`: int64, each sorted and without repeats.

    `expanded` gets two numbers of each chunk: expanded indices, and neighbours, known ones too. Its
    errors end the search.
    """
    chunks = []
    for first in range(0, len(last), _CHUNK):
        chunk = last[first : first + _CHUNK]
        found = _successors(graph, chunk)
        expanded(len(chunk), len(found))
        chunks.append(found)
    if len(chunks) == 1:
        found = chunks[0]
    else:
        found = np.concatenate([NO_VERTICES, *chunks])
        del chunks
        found.sort()
    return found[: _without(found, last, before)].copy()


def neighbours_of_frontier(graph: Graph, vertices: Indices) -> Indices:
    """The vertices next to a frontier, without these: sorted and without repeats."""
    return (
        next_layer(graph, vertices, NO_VERTICES, lambda *_: None) if len(vertices) else NO_VERTICES
    )


def _successors(graph: Graph, vertices: Indices) -> Indices:
    """The successors of vertices, sorted and without repeats."""
    found = graph.successors(vertices).to
    if graph.size < _SHORT:
        short = found.astype(np.int32)
        short.sort()
        found = short.astype(np.int64)
    else:
        found.sort()
    return found[: _without(found, NO_VERTICES, NO_VERTICES)].copy()


@kernel
def _without(vertices, last, before):  # type: ignore[no-untyped-def]
    """Move the vertices in neither layer to the front, without repeats; return their number."""
    count = 0
    a = b = 0
    previous = np.int64(-1)
    for i in range(vertices.shape[0]):
        vertex = vertices[i]
        if vertex == previous:
            continue
        previous = vertex
        while a < last.shape[0] and last[a] < vertex:
            a += 1
        if a < last.shape[0] and last[a] == vertex:
            continue
        while b < before.shape[0] and before[b] < vertex:
            b += 1
        if b < before.shape[0] and before[b] == vertex:
            continue
        vertices[count] = vertex
        count += 1
    return count
