"""The certificate: a proof over every node and link that stored distances are right.

The nodes at distance 0 are exactly the graph's zeros; of every other node that has a distance d,
no link leads below d - 1 and at least one leads to d - 1; no link joins a node that has a distance
and one that has none. Along links that lower the distance by one a zero is reached in d steps, and
no way is shorter since no step lowers it by more. docs/table-format.md gives the argument in full.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from builder.threads import ranges
from db import Census, Certificate
from puzzles import Distances, Graph, Indices, Probe

_CHUNK = 1 << 13


class VerificationError(Exception):
    """A table is not what it should be; it is not published."""


def certify(
    name: str, graph: Graph, probe: Probe, threads: int, advance: Callable[[int], None] = lambda _: None
) -> tuple[Certificate, tuple[int, ...]]:
    """Check all of a graph's nodes, and count them by distance; raises VerificationError at one that breaks the rule.

    The links are those of the product form where there is one: the same, and faster where `expand` has to compute.
    `probe` reads distances, int64[n] -> int32[n], from several threads at once; `advance` hears of nodes done.
    """
    expand = graph.product().expand if graph.product else graph.expand

    def check(piece: tuple[int, int]) -> tuple[int, list[tuple[int, Indices]]]:
        links, counts = 0, []
        for first in range(*piece, _CHUNK):
            nodes = np.arange(first, min(first + _CHUNK, piece[1]))
            distances = probe(nodes)
            links += check_nodes(name, expand, nodes, distances, probe)
            counts.append(count(distances))
            advance(len(nodes))
        return links, counts

    with ThreadPoolExecutor(threads) as pool:
        done = list(pool.map(check, ranges(graph.size, 16 * threads)))
    layers = Census.of(counts for _, some in done for counts in some).layers
    if layers[:1] != (len(graph.zeros),) or probe(graph.zeros).any():
        raise VerificationError(f"{sum(layers[:1])} {name} have distance 0, the goal has {len(graph.zeros)}")
    return Certificate(name, graph.size, sum(links for links, _ in done)), layers


def check_nodes(
    name: str, expand: Callable[[Indices], Indices], nodes: Indices, distances: Distances, probe: Probe
) -> int:
    """Check the rule at some nodes and return their links; raises VerificationError."""
    successors = expand(nodes)
    links: int
    links, wrong = _check(distances, successors, probe(successors.reshape(-1)).reshape(successors.shape))
    if wrong >= 0:
        raise VerificationError(f"the distance {distances[wrong]} of {nodes[wrong]} among the {name} is wrong")
    return links


def count(distances: Distances) -> tuple[int, Indices]:
    """The least distance reached, and how many of each there are from there on."""
    reached = distances[distances >= 0]
    least = int(reached.min()) if len(reached) else 0
    return least, np.bincount(reached - least)


@numba.njit(cache=True, nogil=True)
def _check(distances, successors, beyond):  # type: ignore[no-untyped-def]
    """Links checked, and the position of the first node that breaks the rule or -1."""
    links = 0
    for i in range(successors.shape[0]):
        distance = distances[i]
        closer = distance <= 0
        for m in range(successors.shape[1]):
            if successors[i, m] < 0:
                continue
            links += 1
            to = beyond[i, m]
            if (to < 0) != (distance < 0) or to < distance - 1:
                return links, i
            closer |= to == distance - 1
        if not closer:
            return links, i
    return links, -1
