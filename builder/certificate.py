"""The certificate: a proof over every node and link that stored distances are right.

The nodes at distance 0 are exactly the graph's zeros; of every other node that has a distance d,
no link leads below d - 1 and at least one leads to d - 1; no link joins a node that has a distance
and one that has none. Along links that lower the distance by one a zero is reached in d steps, and
no way is shorter since no step lowers it by more. docs/table-format.md gives the argument in full.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from builder.enumerated import Enumerated, pieces
from db import Certificate
from puzzles import Graph

_CHUNK = 1 << 13


class VerificationError(Exception):
    """A table is not what it should be; it is not published."""


def certify(name: str, graph: Graph, enumerated: Enumerated, threads: int) -> Certificate:
    """Check all of a graph's nodes; raises VerificationError at a node that breaks the rule."""
    distances = enumerated.distances
    zeros = np.flatnonzero(distances == 0)
    if not np.array_equal(zeros, graph.zeros):
        raise VerificationError(f"{len(zeros)} {name} have distance 0, the goal has {len(graph.zeros)}")

    def check(piece: tuple[int, int]) -> int:
        links = 0
        for first in range(*piece, _CHUNK):
            nodes = np.arange(first, min(first + _CHUNK, piece[1]))
            checked, wrong = _check(first, graph.expand(nodes), distances)
            if wrong >= 0:
                raise VerificationError(f"the distance {distances[wrong]} of {wrong} among the {name} is wrong")
            links += checked
        return links

    with ThreadPoolExecutor(threads) as pool:
        links = sum(pool.map(check, pieces(graph.size, 16 * threads)))
    return Certificate(name, graph.size, links)


@numba.njit(cache=True, nogil=True)
def _check(first, successors, distances):  # type: ignore[no-untyped-def]
    """Links checked, and the first node that breaks the rule or -1."""
    none = np.int64(distances.dtype.type(-1))
    links = 0
    for i in range(successors.shape[0]):
        distance = np.int64(distances[first + i])
        closer = distance in (0, none)
        for m in range(successors.shape[1]):
            if successors[i, m] < 0:
                continue
            links += 1
            to = np.int64(distances[successors[i, m]])
            if (to == none) != (distance == none) or to < distance - 1:
                return links, first + i
            closer |= to == distance - 1
        if not closer:
            return links, first + i
    return links, -1
