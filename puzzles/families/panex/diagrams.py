"""Functions of bits to integers as edge-valued decision diagrams,
and shortest paths whose lengths are such functions.

Sources: Lai and Sastry's edge-valued binary decision diagrams, Bryant's tables of earlier results
(the memo).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.plugins.hash_tables import fill_hash_slots, first_hash_slot, hash_slot

EMPTY, ZERO = 0, 1
"""The nodes of the function without values, and of the function of no bits with value 0."""

NO_PATH = 1 << 60
"""The length of a path that does not exist: greater than any distance."""

_LOW, _HIGH, _LOW_COST, _HIGH_COST, _MAX = range(5)
_CONVOLVED = NO_PATH
"""In place of the difference of two functions, for results of convolution."""

Ints = npt.NDArray[np.int64]
SmallInts = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]

Function = tuple[int, int]
"""A node and an offset."""

Functions = tuple[Ints, Ints]
"""Nodes and offsets, int64[m] each."""


class Diagrams(NamedTuple):
    """The nodes with their hash table `slots`, and earlier results. Kernels take them whole.

    `nodes` is int64[capacity, 5]: low, high, low cost, high cost and maximum, NO_PATH where a value
    is missing. `memo`, int64[size, 3], has results of minimum and convolution; newer ones replace
    older ones. `counts` has the number of nodes in use, and then 1 if a node did not fit: all
    results since that moment are wrong.
    """

    nodes: Ints
    slots: SmallInts
    memo: Ints
    counts: Ints

    @property
    def full(self) -> bool:
        """True once a node did not fit."""
        return bool(self.counts[1])

    def join(self, low: Function, high: Function) -> Function:
        """The function that is `low` where its top bit is 0 and `high` where it is 1."""
        node, offset = _join(*low, *high, self)
        return int(node), int(offset)

    def minimum(self, one: Function, two: Function) -> Function:
        """The minimum of two functions, value by value."""
        node, offset = _minimum(*one, *two, self)
        return int(node), int(offset)

    def extended(self, function: Function, k: int, more: int, bits: int) -> Function:
        """The function of `more` bits that has the values of a function of k
        bits if the bits above k equal `bits`.
        """
        for at in range(k, more):
            function = (
                self.join((EMPTY, 0), function)
                if bits >> at & 1
                else self.join(function, (EMPTY, 0))
            )
        return function

    def restrict(self, functions: Functions, k: Ints, fewer: int, bits: Ints) -> None:
        """Fix the bits above `fewer` of functions of k[i] bits as in bits[i], in place."""
        _restrict(*functions, k, fewer, bits, self.nodes)


def function_arrays(functions: Iterable[Function]) -> Functions:
    """Functions as arrays of nodes and of offsets."""
    node, offset = np.array([*functions], np.int64).reshape(-1, 2).T.copy()
    return node, offset


def new_diagrams(capacity: int, memo: int, nodes: Ints | None = None) -> Diagrams:
    """Diagrams that begin with the given nodes,
    by default EMPTY and ZERO; capacity and memo are powers of two.
    """
    slots, results = np.full(2 * capacity, -1, np.int32), np.full((memo, 3), -1, np.int64)
    made = Diagrams(np.zeros((capacity, 5), np.int64), slots, results, np.array([2, 0]))
    made.nodes[EMPTY, _MAX] = NO_PATH
    if nodes is not None:
        made.nodes[: len(nodes)] = nodes
        made.counts[0] = len(nodes)
        fill_hash_slots(nodes[:, :_MAX], slots)
    return made


@kernel
def _join(low, low_cost, high, high_cost, diagrams):  # type: ignore[no-untyped-def]
    """The node and offset of the function with these halves, for the top bit being 0 and 1."""
    nodes, slots, _, counts = diagrams
    if low == EMPTY and high == EMPTY:
        return np.int64(EMPTY), np.int64(0)
    if low == EMPTY:
        low_cost = high_cost
    elif high == EMPTY:
        high_cost = low_cost
    offset = min(low_cost, high_cost)
    low_cost -= offset
    high_cost -= offset
    at = hash_slot((low, high, low_cost, high_cost), nodes, slots)
    if slots[at] >= 0:
        return np.int64(slots[at]), np.int64(offset)
    node = np.int64(counts[0])
    if node == len(nodes):
        counts[1] = 1
        return np.int64(low if low != EMPTY else high), np.int64(offset)
    counts[0] = node + 1
    slots[at] = node
    nodes[node, _LOW] = low
    nodes[node, _HIGH] = high
    nodes[node, _LOW_COST] = low_cost
    nodes[node, _HIGH_COST] = high_cost
    nodes[node, _MAX] = min(
        max(nodes[low, _MAX] + low_cost, nodes[high, _MAX] + high_cost), NO_PATH
    )
    return node, np.int64(offset)


@kernel
def _minimum(a, a_cost, b, b_cost, diagrams):  # type: ignore[no-untyped-def]
    """The node and offset of the minimum of two functions."""
    nodes, _, memo, counts = diagrams
    if a == EMPTY or (b != EMPTY and b_cost < a_cost):
        a, a_cost, b, b_cost = b, b_cost, a, a_cost
    more = b_cost - a_cost
    if b == EMPTY or a == b or more >= nodes[a, _MAX]:  # noqa: PLR1714 -- numba compiles it to two tests
        return np.int64(a), np.int64(a_cost)
    if more == 0 and (nodes[b, _MAX] == 0 or a > b):
        a, b = b, a
    if nodes[a, _MAX] == 0 or counts[1]:
        return np.int64(a), np.int64(a_cost)
    key = a << 32 | b
    at = first_hash_slot((key, more), memo)
    if memo[at, 0] != key or memo[at, 1] != more:
        low, low_cost = _minimum(
            nodes[a, _LOW],
            nodes[a, _LOW_COST],
            nodes[b, _LOW],
            nodes[b, _LOW_COST] + more,
            diagrams,
        )
        high, high_cost = _minimum(
            nodes[a, _HIGH],
            nodes[a, _HIGH_COST],
            nodes[b, _HIGH],
            nodes[b, _HIGH_COST] + more,
            diagrams,
        )
        found, _ = _join(low, low_cost, high, high_cost, diagrams)
        memo[at, 0] = key
        memo[at, 1] = more
        memo[at, 2] = found
    return memo[at, 2], np.int64(a_cost)


@kernel
def _convolve(a, b, diagrams):  # type: ignore[no-untyped-def]
    """The node of the convolution of two nodes; it has minimum 0 as they have."""
    nodes, _, memo, counts = diagrams
    if a == EMPTY or b == EMPTY:  # noqa: PLR1714 -- numba compiles it to two tests
        return np.int64(EMPTY)
    if a == ZERO or b == ZERO or counts[1]:  # noqa: PLR1714
        return np.int64(ZERO)
    if a > b:
        a, b = b, a
    key = a << 32 | b
    at = first_hash_slot((key, _CONVOLVED), memo)
    if memo[at, 0] == key and memo[at, 1] == _CONVOLVED:
        return memo[at, 2]
    low = low_cost = high = high_cost = np.int64(0)
    for top in range(2):
        one = _convolve(nodes[a, _LOW], nodes[b, _LOW + top], diagrams)
        two = _convolve(nodes[a, _HIGH], nodes[b, _HIGH - top], diagrams)
        one_cost = nodes[a, _LOW_COST] + nodes[b, _LOW_COST + top]
        two_cost = nodes[a, _HIGH_COST] + nodes[b, _HIGH_COST - top]
        low, low_cost = high, high_cost
        high, high_cost = _minimum(one, one_cost, two, two_cost, diagrams)
    found, _ = _join(low, low_cost, high, high_cost, diagrams)
    memo[at, 0] = key
    memo[at, 1] = _CONVOLVED
    memo[at, 2] = found
    return found


@kernel
def shortest_diagram_paths(begin, target, length, length_offset, stop, label, offset, diagrams):  # type: ignore[no-untyped-def]
    """Lower the labels of places, in place, until no step improves any.

    The steps from place x are begin[x] .. begin[x + 1] - 1; they lead to `target`. Their lengths
    and the labels are functions, EMPTY where there is no path. No path goes on where `stop` is set.
    Of the places with lowered labels the one with the lowest offset is next.
    """
    nodes, _, _, counts = diagrams
    places = len(label)
    queue = np.empty(places, np.int64)
    queued = np.zeros(places, np.bool_)
    waiting = 0
    for x in range(places):
        if label[x] != EMPTY and not stop[x]:
            queued[x] = True
            queue[waiting] = x
            waiting += 1
    while waiting and not counts[1]:
        first = 0
        for j in range(1, waiting):
            if offset[queue[j]] < offset[queue[first]]:
                first = j
        x = queue[first]
        waiting -= 1
        queue[first] = queue[waiting]
        queued[x] = False
        for j in range(begin[x], begin[x + 1]):
            to = target[j]
            reached = offset[x] + length_offset[j]
            if length[j] == EMPTY or (
                label[to] != EMPTY and reached >= offset[to] + nodes[label[to], _MAX]
            ):
                continue
            path = _convolve(length[j], label[x], diagrams)
            node, cost = _minimum(label[to], offset[to], path, reached, diagrams)
            if node != label[to] or cost != offset[to]:
                label[to] = node
                offset[to] = cost
                if not stop[to] and not queued[to]:
                    queued[to] = True
                    queue[waiting] = to
                    waiting += 1


@kernel
def _restrict(node, offset, k, fewer, bits, nodes):  # type: ignore[no-untyped-def]
    for i in range(len(node)):
        for at in range(k[i] - 1, fewer - 1, -1):
            if node[i] != EMPTY:
                bit = bits[i] >> at & 1
                offset[i] += nodes[node[i], _LOW_COST + bit]
                node[i] = nodes[node[i], _LOW + bit]
