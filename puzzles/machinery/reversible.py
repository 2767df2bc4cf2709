"""The law that moves can be taken back: where a link leads from one node to another, some link leads back.

Sums over all links tell whether the law holds, wherever the links pass by. A second pass then finds a link that breaks
it. Where links are tables, the tables themselves are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.space import Indices, ProductForm

EdgeSums = npt.NDArray[np.uint64]
"""Two sums over edges, uint64[2], modulo 2^64. They add up, in any order."""

_LINKS_AT_ONCE = 1 << 21


class OneWay(NamedTuple):
    """A link that no link takes back: from a node, the link of this number leads to another node."""

    node: int
    link: int
    to: int


def edge_sums(nodes: Indices, successors: Indices) -> EdgeSums:
    """The share of some nodes' links, int64[n] to int64[n, links], in the sums of their graph.

    An edge from a node to another adds a 128-bit hash of the pair, and an edge back takes it away. Several links along
    one edge count once, and links from a node to itself do not count. Over all nodes of a graph that is closed under
    inversion the sums are 0. For any other they are 0 with a probability of 2^-128, for hashes as good as random ones.
    """
    links = successors.shape[1]
    slots = 1 << (2 * links).bit_length()
    sums = np.zeros(2, np.uint64)
    _add_edges(
        nodes, successors, np.empty(links, np.int64), np.empty(slots, np.int64), np.full(slots, -1, np.int64), sums
    )
    return sums


@kernel
def _add_edges(nodes, successors, there, seen, seen_from, sums):  # type: ignore[no-untyped-def]
    """`seen` is a hash table of the successors of one node; `seen_from` says of which node a slot's entry is.

    A pair is first one number, in which no two pairs are equal below 2^31 nodes: multiples of the golden ratio are far
    apart. Then it is mixed. To gather the links that are there first, without a branch, takes a third less time where
    most are missing.
    """
    first_sum, second_sum = sums[0], sums[1]
    last_slot = np.uint64(seen.shape[0] - 1)
    for i in range(successors.shape[0]):
        node = nodes[i]
        count = 0
        for m in range(successors.shape[1]):
            there[count] = successors[i, m]
            count += successors[i, m] >= 0
        for k in range(count):
            to = there[k]
            if to == node:
                continue
            code = np.uint64(min(node, to)) + np.uint64(max(node, to)) * np.uint64(0x9E3779B97F4A7C15)
            code = (code ^ (code >> np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9)
            code ^= code >> np.uint64(29)
            slot = code & last_slot
            while seen_from[slot] == i and seen[slot] != to:
                slot = (slot + np.uint64(1)) & last_slot
            if seen_from[slot] == i:
                continue
            seen_from[slot] = i
            seen[slot] = to
            first = code * np.uint64(0x94D049BB133111EB)
            second = (code ^ (code >> np.uint64(32))) * np.uint64(0xFF51AFD7ED558CCD)
            if node < to:
                first_sum += first
                second_sum += second
            else:
                first_sum -= first
                second_sum -= second
    sums[0] = first_sum
    sums[1] = second_sum


def one_way(expand: Callable[[Indices], Indices], chunks: Iterable[Indices]) -> OneWay | None:
    """The first link of some nodes that no link takes back; None where there is none. Expands each successor."""
    for nodes in chunks:
        links = expand(nodes[:1]).shape[1]
        at_once = max(_LINKS_AT_ONCE // (links * links), 1)
        for first in range(0, len(nodes), at_once):
            some = nodes[first : first + at_once]
            to = expand(some).reshape(-1)
            back = (expand(to) == np.repeat(some, links)[:, None]).any(axis=1)
            if not (back | (to < 0)).all():
                at = int(np.argmin(back | (to < 0)))
                return OneWay(int(some[at // links]), at % links, int(to[at]))
    return None


def one_way_of_tables(product: ProductForm) -> OneWay | None:
    """The first link of a graph in product form that no link takes back; None where there is none. Checks every one.

    A link from a row is taken back where the target row has a link to that row with the inverse column map, or several
    that take back each column among them.
    """
    inverse = np.full(len(product.column_map), -1, np.int32)
    row, link, column = _first_one_way(*product.tables, inverse)
    if row < 0:
        return None
    node = row * product.width + column
    return OneWay(node, link, int(product.expand(np.array([node]))[0, link]))


@kernel
def _first_one_way(row_move, kind, column_map, inverse):  # type: ignore[no-untyped-def]
    """Row, link and column of the first link that is not taken back, -1 for each where there is none.

    `inverse` is where the kind of each kind's inverse is noted when it has been found.
    """
    for row in range(row_move.shape[1]):
        for link in range(row_move.shape[0]):
            to = row_move[link, row]
            if to < 0:
                continue
            taken_back = False
            for back in range(row_move.shape[0]):
                taken_back |= row_move[back, to] == row and kind[back, to] == inverse[kind[link, row]]
            if not taken_back:
                column = _first_column(row, to, kind[link, row], row_move, kind, column_map, inverse)
                if column >= 0:
                    return row, link, column
    return -1, -1, -1


@kernel
def _first_column(row, to, of, row_move, kind, column_map, inverse):  # type: ignore[no-untyped-def]
    """The first column from which a link with the column map `of` is not taken back, -1 where there is none."""
    width = column_map.shape[1]
    for back in range(row_move.shape[0]):
        other = kind[back, to]
        column = 0 if row_move[back, to] == row else width + 1
        while column < width and column_map[other, column_map[of, column]] == column:
            column += 1
        if column == width:
            inverse[of] = other
            return -1
    for column in range(width):
        there = column_map[of, column]
        taken_back = False
        for back in range(row_move.shape[0]):
            taken_back |= row_move[back, to] == row and column_map[kind[back, to], there] == column
        if not taken_back:
            return column
    return -1
