"""Breadth-first search in a graph too large to mark its states: layers as sorted lists, two in memory at a time.

The moves must be closed under inversion, so that they lead to the layer before, the same layer, or the next one. The
builder makes stored layers with this, and the service searches with it. Whole tables are made by
builder/breadth_first/, which marks every state.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.space import Graph, Indices

NO_NODES: Indices = np.empty(0, np.int64)

_CHUNK = 1 << 15  # nodes expanded at a time: with ten links, about what a core's cache holds
_SHORT = 1 << 31  # indices below it are sorted as 32 bits, in half the time
_FEWER = 32  # so many times fewer nodes are looked for one by one


def next_layer(graph: Graph, last: Indices, before: Indices, expanded: Callable[[int, int], None]) -> Indices:
    """The layer that follows `last`, which itself followed `before`: int64, each sorted and without repeats.

    After each chunk `expanded` is told how many indices were expanded and how many neighbours were found, some of which
    are known already. What it raises ends the search.
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
        found = np.concatenate([NO_NODES, *chunks])
        del chunks
        found.sort()
    return found[: _without(found, last, before)].copy()


def neighbours(graph: Graph, nodes: Indices) -> Indices:
    """The neighbours of nodes that are not among them, sorted and without repeats."""
    return next_layer(graph, nodes, NO_NODES, lambda *_: None) if len(nodes) else NO_NODES


def common(some: Indices, others: Indices) -> Indices:
    """The nodes that are in both arrays; all are sorted and without repeats."""
    if len(some) > len(others):
        some, others = others, some
    if len(some) * _FEWER > len(others):
        both = np.empty(len(some), np.int64)
        return both[: _merge(some, others, both)].copy()
    return some[among(some, others)] if len(some) else NO_NODES


def among(nodes: Indices, others: Indices) -> npt.NDArray[np.bool_]:
    """True for each node that is among others: bool[nodes]. The nodes are in any order, the others sorted."""
    if not len(others):
        return np.zeros(len(nodes), np.bool_)
    found: npt.NDArray[np.bool_] = others[np.minimum(np.searchsorted(others, nodes), len(others) - 1)] == nodes
    return found


def _successors(graph: Graph, nodes: Indices) -> Indices:
    """The successors of nodes, sorted and without repeats."""
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
    """Move the nodes that are in neither layer to the front, without repeats and -1; return how many they are."""
    count = 0
    a = b = 0
    previous = np.int64(-1)
    for i in range(nodes.shape[0]):
        node = nodes[i]
        if node == previous:
            continue
        previous = node
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
    """Write the nodes that are in both sorted arrays; return how many."""
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
