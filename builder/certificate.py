"""The certificate: a proof over every node and link that stored distances are right.

The nodes at distance 0 are exactly the graph's zeros; of every other node that has a distance d,
no link leads below d - 1 and at least one leads to d - 1; no link joins a node that has a distance
and one that has none. Along links that lower the distance by one a zero is reached in d steps, and
no way is shorter since no step lowers it by more. docs/table-format.md gives the argument in full.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Protocol

import numba
import numpy as np

from builder.threads import ranges
from db import Census, Certificate
from puzzles import Distances, Graph, Indices, Probe, ProductForm, Signed

_CHUNK = 1 << 13
_WIDE = 1 << 12
"""Columns from which on a row at a time is worth it."""


class VerificationError(Exception):
    """A table is not what it should be; it is not published."""


class Source(Protocol):
    """Distances of all nodes, read from several threads at once: a table's, or those of states in memory."""

    def probe(self, indices: Indices) -> Distances:
        """Of any nodes, int64[n] -> int32[n], -1 for -1 and where the goal cannot be reached."""

    def range(self, first: int, last: int) -> Signed:
        """Of nodes first .. last-1, of some signed type."""


def certify(
    name: str, graph: Graph, source: Source, threads: int, advance: Callable[[int], None] = lambda _: None
) -> tuple[Certificate, tuple[int, ...]]:
    """Check all of a graph's nodes, and count them by distance; raises VerificationError at one that breaks the rule.

    The links are those of the product form where there is one: the same, and faster where `expand` has
    to compute. Wide rows are checked a link at a time, others some nodes at a time. `advance` hears of
    nodes done.
    """
    product = graph.product() if graph.product else None
    by_rows = product is not None and product.width >= _WIDE
    size = product.rows if product and by_rows else graph.size

    def check(piece: tuple[int, int]) -> tuple[int, list[tuple[int, Indices]]]:
        links, counts = 0, []
        for first, last in pairwise([*range(*piece, 1 if by_rows else _CHUNK), piece[1]]):
            if product and by_rows:
                distances, checked = _check_row(name, product, first, source)
            else:
                nodes = np.arange(first, last)
                distances = source.probe(nodes)
                checked = check_nodes(name, product.expand if product else graph.expand, nodes, distances, source.probe)
            links += checked
            counts.append(count(distances))
            advance(len(distances))
        return links, counts

    with ThreadPoolExecutor(threads) as pool:
        done = list(pool.map(check, ranges(size, 16 * threads)))
    layers = Census.of(counts for _, some in done for counts in some).layers
    if sum(layers[:1]) != len(graph.zeros) or source.probe(graph.zeros).any():
        raise VerificationError(f"{sum(layers[:1])} {name} have distance 0, the goal has {len(graph.zeros)}")
    return Certificate(name, graph.size, sum(links for links, _ in done)), layers


def _check_row(name: str, product: ProductForm, row: int, source: Source) -> tuple[Signed, int]:
    """Check the rule at a row's nodes; their distances, and their links."""
    width = product.width
    distances = source.range(row * width, (row + 1) * width)
    closer = distances <= 0
    links = 0
    for m in range(product.links):
        to = int(product.row_move[m, row])
        if to >= 0:
            links += width
            beyond = source.range(to * width, (to + 1) * width)
            wrong = _check_link(distances, beyond, product.column_map[product.kind[m, row]], closer)
            if wrong >= 0:
                raise _wrong(name, row * width + wrong, distances[wrong])
    if not closer.all():
        raise _wrong(name, row * width + int(closer.argmin()), distances[closer.argmin()])
    return distances, links


def _wrong(name: str, node: int, distance: int) -> VerificationError:
    return VerificationError(f"the distance {distance} of {node} among the {name} is wrong")


@numba.njit(cache=True, nogil=True)
def _check_link(distances, beyond, columns, closer):  # type: ignore[no-untyped-def]
    """The first column where a link leads too low or between reached and unreached, or -1; `closer` where one lower."""
    for column in range(distances.shape[0]):
        distance = distances[column]
        to = beyond[columns[column]]
        if (to < 0) != (distance < 0) or to < distance - 1:
            return column
        closer[column] |= to == distance - 1
    return -1


def check_nodes(
    name: str, expand: Callable[[Indices], Indices], nodes: Indices, distances: Distances, probe: Probe
) -> int:
    """Check the rule at some nodes and return their links; raises VerificationError."""
    successors = expand(nodes)
    links: int
    links, wrong = _check(distances, successors, probe(successors.reshape(-1)).reshape(successors.shape))
    if wrong >= 0:
        raise _wrong(name, nodes[wrong], distances[wrong])
    return links


def count(distances: Signed) -> tuple[int, Indices]:
    """The least distance reached, and how many of each there are from there on."""
    least, greatest = _extent(distances)
    counts = np.zeros(greatest - least + 1 if least >= 0 else 0, np.int64)
    _add_up(distances, least, counts)
    return max(least, 0), counts


@numba.njit(cache=True, nogil=True)
def _extent(distances):  # type: ignore[no-untyped-def]
    """The least and the greatest distance reached; -1, -1 where none is."""
    least = np.int64(-1)
    greatest = np.int64(-1)
    for distance in distances:
        if distance >= 0 and (least < 0 or distance < least):
            least = np.int64(distance)
        greatest = max(greatest, np.int64(distance))
    return least, greatest


@numba.njit(cache=True, nogil=True)
def _add_up(distances, least, counts):  # type: ignore[no-untyped-def]
    for distance in distances:
        if distance >= 0:
            counts[distance - least] += 1


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
