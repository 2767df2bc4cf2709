"""Breadth-first search in a graph too large to mark its nodes: layers as sorted lists, two in memory at a time.

The links must be closed under inversion. What a layer leads to then lies in the layer before it, in
itself, or in the next one.

Stored layers and searches are made by this loop, which lies where builder and service both may import
it. Whole tables are not: builder/breadth_first/ marks every node, and says what either costs.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from kernels import kernel
from puzzles._space import Graph, Indices

NO_NODES: Indices = np.empty(0, np.int64)

_CHUNK = 1 << 15  # nodes expanded at a time: with ten links, about what a core's cache holds
_SHORT = 1 << 31  # indices below it are sorted as 32 bits, in half the time
_FEWER = 32  # so many times fewer nodes are looked for one by one


def next_layer(graph: Graph, last: Indices, before: Indices, expanded: Callable[[int, int], None]) -> Indices:
    """The layer behind `last`, whose own former layer is `before`: int64, sorted, as these are.

    `expanded(nodes, found)` is called after each chunk of nodes with how many were expanded and how many
    found since it was last called, some of them more than once; what it raises ends the search.
    """
    chunks = []
    for first in range(0, len(last), _CHUNK):
        chunk = last[first : first + _CHUNK]
        found = _led_to(graph, chunk)
        expanded(len(chunk), len(found))
        chunks.append(found)
    if len(chunks) == 1:
        found = chunks[0]
    else:
        found = np.concatenate([NO_NODES, *chunks])
        del chunks
        found.sort()
    return found[: _without(found, last, before)].copy()


def neighbours(graph: Graph, nodes: Indices) -> Indices:
    """All that these nodes lead to but themselves, sorted, each once."""
    return next_layer(graph, nodes, NO_NODES, lambda *_: None) if len(nodes) else NO_NODES


def common(some: Indices, others: Indices) -> Indices:
    """The nodes that are in both; all sorted, each once."""
    if len(some) > len(others):
        some, others = others, some
    if len(some) * _FEWER > len(others):
        both = np.empty(len(some), np.int64)
        return both[: _merge(some, others, both)].copy()
    return some[among(some, others)] if len(some) else NO_NODES


def among(nodes: Indices, others: Indices) -> npt.NDArray[np.bool_]:
    """Which nodes, in any order, are among others that are sorted: bool[nodes]."""
    if not len(others):
        return np.zeros(len(nodes), np.bool_)
    found: npt.NDArray[np.bool_] = others[np.minimum(np.searchsorted(others, nodes), len(others) - 1)] == nodes
    return found


def _led_to(graph: Graph, nodes: Indices) -> Indices:
    """Where the links of the nodes lead, sorted, each once."""
    found = graph.expand(nodes).reshape(-1)
    if graph.size < _SHORT:
        short = found.astype(np.int32)
        short.sort()
        found = short.astype(np.int64)
    else:
        found.sort()
    return found[: _without(found, NO_NODES, NO_NODES)].copy()


@kernel
def _without(nodes, last, before):  # type: ignore[no-untyped-def]
    """Move those that are in neither layer, each once and no -1, to the front; how many. All are sorted."""
    count = 0
    a = b = 0
    former = np.int64(-1)
    for i in range(nodes.shape[0]):
        node = nodes[i]
        if node == former:
            continue
        former = node
        while a < last.shape[0] and last[a] < node:
            a += 1
        if a < last.shape[0] and last[a] == node:
            continue
        while b < before.shape[0] and before[b] < node:
            b += 1
        if b < before.shape[0] and before[b] == node:
            continue
        nodes[count] = node
        count += 1
    return count


@kernel
def _merge(some, others, both):  # type: ignore[no-untyped-def]
    count = 0
    a = b = 0
    while a < some.shape[0] and b < others.shape[0]:
        if some[a] < others[b]:
            a += 1
        elif some[a] > others[b]:
            b += 1
        else:
            both[count] = some[a]
            count += 1
            a += 1
            b += 1
    return count
