"""Breadth-first search of graphs small enough to hold:
of any hashable vertices, and of numbered ones in arrays.

Kernels search with the list and the hash table of hash_tables.py. Graphs of millions of vertices
are searched by frontier.py and builder/breadth_first/.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.space import Indices

Vertex = TypeVar("Vertex", bound=Hashable)
Numbers = npt.NDArray[np.integer[Any]]


def small_graph_search(
    starts: Iterable[Vertex], successors: Callable[[Vertex], Iterable[Vertex]]
) -> Iterator[tuple[Vertex, Vertex]]:
    """Search a small graph: yield the vertices that edges lead to, nearest first,
    each with the one before it on a shortest path.

    A start comes with itself. The search goes on only as far as it is asked,
    so that its caller can end it.
    """
    queue = [*dict.fromkeys(starts)]
    met = {*queue}
    yield from zip(queue[:], queue[:], strict=True)
    for vertex in queue:  # which grows meanwhile
        for after in successors(vertex):
            if after not in met:
                met.add(after)
                queue.append(after)
                yield after, vertex


def small_graph_path(vertex: Vertex, before: Mapping[Vertex, Vertex]) -> list[Vertex]:
    """The vertices from one back to the start,
    by the vertices before each, as `small_graph_search` gives them.
    """
    path = [vertex]
    while (nearer := before[path[-1]]) != path[-1]:
        path.append(nearer)
    return path


def small_graph_layers(
    size: int, starts: Indices, successors: Callable[[Indices], Numbers]
) -> Iterator[tuple[Indices, Indices]]:
    """Yield the vertices at each distance, int64[n], sorted, with an edge to each.

    Vertices are numbers below `size`. `successors` maps int64[n] to int[edges]; it gives -1 where
    there is no edge. An edge is a place in the successors of the layer before; starts have -1.
    """
    reached = np.zeros(size + 1, np.bool_)
    reached[-1] = True  # found by -1
    edge_to = np.full(size, -1)
    layer = np.unique(starts)
    while len(layer):
        reached[layer] = True
        yield layer, edge_to[layer]
        after = successors(layer)
        new = np.flatnonzero(~reached[after])
        edge_to[after[new]] = new
        layer = np.unique(after[new]).astype(np.int64)
