"""Functions of bits to integers as edge-valued decision diagrams, and shortest paths whose lengths are such functions.

Glossary
    function    of k bits, to integers; some values may be missing (there is no way). It is a node and an offset.
    node        a function of k bits with least value 0: a low and a high node of k - 1 bits, for bit k being 0
                and 1, each with a cost that is added, the lesser of which is 0. Equal functions are one node.
                Node NOTHING has no values at all, node ZERO is the function of no bits.
    least       the lesser of two functions, value by value.
    convolve    (A * B)(v) = the least A(v ^ u) + B(u) of all u: one way after another, where each way
                flips bits. It has least value 0 like A and B.
    memo        what `least` and `convolve` found before; a newer result takes an older one's place.

The lengths of Panex ways are almost sums over the bits, so that functions of 26 bits have some hundred nodes.
Sources: Lai and Sastry's edge-valued binary decision diagrams, Bryant's memo tables; here for minima.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kernels import kernel

NOTHING = 0
ZERO = 1
NONE = 1 << 60
"""The cost of what has no way: more than any distance."""

_LOW, _HIGH, _LOW_COST, _HIGH_COST, _MOST = range(5)
_CONVOLVED = -1

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]


class Diagrams(NamedTuple):
    """The nodes and what finds them; every kernel takes all of it.

    `nodes` are int64[room, 5]: low, high, low cost, high cost, and the greatest value, NONE where one is
    missing. `slots` is the hash table of nodes, `memo` int64[size, 3]. `counts` are the nodes in use and
    whether there was room for all; where there was not, results since then are wrong.
    """

    nodes: Ints
    slots: Small
    memo: Ints
    counts: Ints

    @property
    def full(self) -> bool:
        """Whether a node did not fit."""
        return bool(self.counts[1])


def diagrams(room: int, memo: int) -> Diagrams:
    """Diagrams with no nodes but NOTHING and ZERO; room and memo, in entries, are powers of two."""
    made = Diagrams(
        np.zeros((room, 5), np.int64),
        np.full(2 * room, -1, np.int32),
        np.full((memo, 3), -1, np.int64),
        np.array([2, 0]),
    )
    made.nodes[NOTHING, _MOST] = NONE
    return made


def forget(made: Diagrams, kept: int) -> None:
    """Drops all nodes from number `kept` on, and the memo."""
    made.counts[:] = kept, 0
    made.memo[:] = -1
    made.slots[:] = -1
    _file(*made)


def extended(made: Diagrams, nodes: Ints) -> Diagrams:
    """Empty diagrams that now begin with these nodes, NOTHING and ZERO among them."""
    made.nodes[: len(nodes)] = nodes
    forget(made, len(nodes))
    return made


def only(k: int, bits: int, made: Diagrams) -> int:
    """The node of the function of k bits whose one value is 0, at `bits`."""
    node = ZERO
    for at in range(k):
        node, _ = join(*((NOTHING, 0, node, 0) if bits >> at & 1 else (node, 0, NOTHING, 0)), *made)
    return int(node)


def trimmed(nodes: Ints, roots: Ints) -> tuple[Ints, Ints]:
    """The nodes that roots are made of, numbered anew in their order, and the new numbers of the roots."""
    used = np.zeros(len(nodes), np.bool_)
    used[[NOTHING, ZERO]] = True
    used[roots] = True
    for at in range(len(nodes) - 1, ZERO, -1):
        if used[at]:
            used[nodes[at, :_LOW_COST]] = True
    number = np.cumsum(used) - 1
    fewer = nodes[used]
    fewer[2:, :_LOW_COST] = number[fewer[2:, :_LOW_COST]]
    return fewer, number[roots]


@kernel
def _hash(a, b, c, d):  # type: ignore[no-untyped-def]
    mixed = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(b) * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= mixed >> np.uint64(29)
    mixed += np.uint64(c) * np.uint64(0x165667B19E3779F9) ^ np.uint64(d) * np.uint64(0x27D4EB2F165667C5)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    return np.int64(mixed >> np.uint64(32))


@kernel
def _file(nodes, slots, memo, counts):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Enters the nodes in use in empty slots."""
    mask = slots.shape[0] - 1
    for node in range(2, counts[0]):
        at = _hash(nodes[node, 0], nodes[node, 1], nodes[node, 2], nodes[node, 3]) & mask
        while slots[at] >= 0:
            at = (at + 1) & mask
        slots[at] = node


@kernel
def _join(low, low_cost, high, high_cost, nodes, slots, memo, counts):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """The function with these for the top bit being 0 and 1: its node and offset."""
    if low == NOTHING:
        if high == NOTHING:
            return NOTHING, 0
        offset = high_cost
        low_cost = offset
    elif high == NOTHING:
        offset = low_cost
        high_cost = offset
    else:
        offset = min(low_cost, high_cost)
    low_cost -= offset
    high_cost -= offset
    mask = slots.shape[0] - 1
    at = _hash(low, high, low_cost, high_cost) & mask
    while slots[at] >= 0:
        node = np.int64(slots[at])
        if (
            nodes[node, _LOW] == low
            and nodes[node, _HIGH] == high
            and nodes[node, _LOW_COST] == low_cost
            and nodes[node, _HIGH_COST] == high_cost
        ):
            return node, offset
        at = (at + 1) & mask
    node = counts[0]
    if node == nodes.shape[0]:
        counts[1] = 1
        return np.int64(low if low != NOTHING else high), offset
    counts[0] = node + 1
    slots[at] = node
    nodes[node, _LOW] = low
    nodes[node, _HIGH] = high
    nodes[node, _LOW_COST] = low_cost
    nodes[node, _HIGH_COST] = high_cost
    nodes[node, _MOST] = min(max(nodes[low, _MOST] + low_cost, nodes[high, _MOST] + high_cost), NONE)
    return node, offset


@kernel
def _least(a, b, more, nodes, slots, memo, counts):  # type: ignore[no-untyped-def]
    """The node of the lesser of node a and node b + more, where more >= 0 and neither is NOTHING."""
    if a == b or more >= nodes[a, _MOST]:
        return a
    if more == 0 and (nodes[b, _MOST] == 0 or a > b):
        if nodes[b, _MOST] == 0:
            return b
        a, b = b, a
    if counts[1]:
        return a
    key = a << 32 | b
    at = _hash(a, b, more, 1) & (memo.shape[0] - 1)
    if memo[at, 0] == key and memo[at, 1] == more:
        return memo[at, 2]
    low, low_cost = nodes[a, _LOW], nodes[a, _LOW_COST]
    other, other_cost = nodes[b, _LOW], nodes[b, _LOW_COST] + more
    if low == NOTHING or (other != NOTHING and other_cost < low_cost):
        low, low_cost, other, other_cost = other, other_cost, low, low_cost
    if other != NOTHING:
        low = _least(low, other, other_cost - low_cost, nodes, slots, memo, counts)
    high, high_cost = nodes[a, _HIGH], nodes[a, _HIGH_COST]
    other, other_cost = nodes[b, _HIGH], nodes[b, _HIGH_COST] + more
    if high == NOTHING or (other != NOTHING and other_cost < high_cost):
        high, high_cost, other, other_cost = other, other_cost, high, high_cost
    if other != NOTHING:
        high = _least(high, other, other_cost - high_cost, nodes, slots, memo, counts)
    found, _ = _join(low, low_cost, high, high_cost, nodes, slots, memo, counts)
    memo[at, 0] = key
    memo[at, 1] = more
    memo[at, 2] = found
    return found


@kernel
def _lesser(a, a_cost, b, b_cost, nodes, slots, memo, counts):  # type: ignore[no-untyped-def]
    """The lesser of two functions: its node and offset."""
    if a == NOTHING or (b != NOTHING and b_cost < a_cost):
        a, a_cost, b, b_cost = b, b_cost, a, a_cost
    if b == NOTHING:
        return np.int64(a), np.int64(a_cost)
    return np.int64(_least(a, b, b_cost - a_cost, nodes, slots, memo, counts)), np.int64(a_cost)


@kernel
def _convolve(a, b, nodes, slots, memo, counts):  # type: ignore[no-untyped-def]
    """The node of the convolution of two nodes."""
    if a == NOTHING or b == NOTHING:  # noqa: PLR1714 -- numba compiles it to two tests
        return np.int64(NOTHING)
    if a == ZERO or b == ZERO or counts[1]:  # noqa: PLR1714
        return np.int64(ZERO)
    if a > b:
        a, b = b, a
    key = a << 32 | b
    at = _hash(a, b, 7, 3) & (memo.shape[0] - 1)
    if memo[at, 0] == key and memo[at, 1] == _CONVOLVED:
        return memo[at, 2]
    a_low, a_high, a_low_cost, a_high_cost = nodes[a, 0], nodes[a, 1], nodes[a, 2], nodes[a, 3]
    b_low, b_high, b_low_cost, b_high_cost = nodes[b, 0], nodes[b, 1], nodes[b, 2], nodes[b, 3]
    one = _convolve(a_low, b_low, nodes, slots, memo, counts)
    two = _convolve(a_high, b_high, nodes, slots, memo, counts)
    low, low_cost = _lesser(one, a_low_cost + b_low_cost, two, a_high_cost + b_high_cost, nodes, slots, memo, counts)
    one = _convolve(a_low, b_high, nodes, slots, memo, counts)
    two = _convolve(a_high, b_low, nodes, slots, memo, counts)
    high, high_cost = _lesser(one, a_low_cost + b_high_cost, two, a_high_cost + b_low_cost, nodes, slots, memo, counts)
    found, _ = _join(low, low_cost, high, high_cost, nodes, slots, memo, counts)
    memo[at, 0] = key
    memo[at, 1] = _CONVOLVED
    memo[at, 2] = found
    return found


@kernel
def settle(begin, target, by, by_offset, stop, label, offset, nodes, slots, memo, counts):  # type: ignore[no-untyped-def]
    """Shortest ways: lowers the labels of places until no step improves any; how many steps were tried.

    The steps from place x are begin[x] .. begin[x + 1] - 1, to `target`, of lengths `by` (nodes) and
    `by_offset`. Labels are `label` (nodes, NOTHING where there is none yet) and `offset`, int64[places].
    Where `stop` is set no way goes on. The place with the least offset goes first.
    """
    places = label.shape[0]
    ahead = np.empty(places, np.int64)
    waits = np.zeros(places, np.bool_)
    waiting = 0
    for x in range(places):
        if label[x] != NOTHING and not stop[x]:
            waits[x] = True
            ahead[waiting] = x
            waiting += 1
    tried = 0
    while waiting and not counts[1]:
        first = 0
        for j in range(1, waiting):
            if offset[ahead[j]] < offset[ahead[first]]:
                first = j
        x = ahead[first]
        waiting -= 1
        ahead[first] = ahead[waiting]
        waits[x] = False
        for j in range(begin[x], begin[x + 1]):
            to = target[j]
            length = offset[x] + by_offset[j]
            if by[j] == NOTHING or (label[to] != NOTHING and length >= offset[to] + nodes[label[to], _MOST]):
                continue
            tried += 1
            way = _convolve(by[j], label[x], nodes, slots, memo, counts)
            node, cost = _lesser(label[to], offset[to], way, length, nodes, slots, memo, counts)
            if node != label[to] or cost != offset[to]:
                label[to] = node
                offset[to] = cost
                if not stop[to] and not waits[to]:
                    waits[to] = True
                    ahead[waiting] = to
                    waiting += 1
    return tried


@kernel
def merge(a, a_cost, b, b_cost, nodes, slots, memo, counts):  # type: ignore[no-untyped-def]
    """The lesser of two functions: its node and offset."""
    return _lesser(a, a_cost, b, b_cost, nodes, slots, memo, counts)


@kernel
def join(low, low_cost, high, high_cost, nodes, slots, memo, counts):  # type: ignore[no-untyped-def]
    """The function with these for its top bit being 0 and 1: its node and offset."""
    return _join(low, low_cost, high, high_cost, nodes, slots, memo, counts)


@kernel
def at_bits(node, offset, k, fewer, bits, nodes):  # type: ignore[no-untyped-def]
    """Functions of k[i] bits with bits k[i] .. fewer + 1 as in bits[i], in place: of `fewer` bits, nodes and offsets.

    Bit 1 is the lowest. With fewer = 0 it is values: ZERO and the value as offset, or NOTHING.
    """
    for i in range(node.shape[0]):
        for at in range(k[i] - 1, fewer - 1, -1):
            if node[i] != NOTHING:
                bit = bits[i] >> at & 1
                offset[i] += nodes[node[i], _LOW_COST + bit]
                node[i] = nodes[node[i], _LOW + bit]


@kernel
def _value(node, k, bits, nodes):  # type: ignore[no-untyped-def]
    """A node's value at these bits, NONE where it has none."""
    value = 0
    for at in range(k - 1, -1, -1):
        bit = bits >> at & 1
        value += nodes[node, _LOW_COST + bit]
        node = nodes[node, _LOW + bit]
    return value if node != NOTHING else NONE


@kernel
def way(a, a_cost, b, b_cost, k, bits, least, nodes, slots, memo, counts):  # type: ignore[no-untyped-def]
    """The first i, and its first u, with a[i](u) + b[i](u ^ bits) = least, which is no more than any such sum.

    Of functions of k bits, int64[m] nodes and offsets each; -1 and 0 where there is none.
    """
    for i in range(a.shape[0]):
        rest = least - a_cost[i] - b_cost[i]
        if rest < 0 or a[i] == NOTHING or b[i] == NOTHING:
            continue
        one, two = a[i], b[i]
        if _value(_convolve(one, two, nodes, slots, memo, counts), k, bits, nodes) != rest:
            continue
        found = np.int64(0)
        for at in range(k - 1, -1, -1):
            for bit in range(2):
                other = bits >> at & 1 ^ bit
                low, high = nodes[one, _LOW + bit], nodes[two, _LOW + other]
                left = rest - nodes[one, _LOW_COST + bit] - nodes[two, _LOW_COST + other]
                if low == NOTHING or high == NOTHING or left < 0:  # noqa: PLR1714
                    continue
                if _value(_convolve(low, high, nodes, slots, memo, counts), at, bits, nodes) == left:
                    one, two, rest = low, high, left
                    found |= np.int64(bit) << at
                    break
        return i, found
    return -1, np.int64(0)
