"""The certificate: a proof over every node and link that stored distances are right.

The nodes at distance 0 are exactly the graph's goal states; of every other node that has a distance d,
no link leads below d - 1 and at least one leads to d - 1; no link joins a node that has a distance
and one that has none. Along links that lower the distance by one a zero is reached in d steps, and
no way is shorter since no step lowers it by more. docs/table-format.md gives the argument in full.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np

from builder.threads import ranges
from db import Census, Certificate, Packed
from db.blocks import extent, unpack_rows
from kernels import kernel
from puzzles import Distances, Graph, Indices, Probe, ProductForm, Signed

_CHUNK = 1 << 13
_CHUNK_OF_ROWS = 1 << 15  # nodes: the distances on both sides of a link stay in a core's cache
_PIECES = 64  # for each thread


class VerificationError(Exception):
    """A table is not what it should be; it is not published."""


class Readable(Protocol):
    """Distances of all nodes, read from several threads at once: a table's, or those of states in memory."""

    def probe(self, indices: Indices) -> Distances:
        """Of any nodes, int64[n] -> int32[n], -1 for -1 and where the goal cannot be reached."""

    def packed(self) -> Packed | None:
        """All of them at once, where they are in memory."""


def certify(
    name: str, graph: Graph, readable: Readable, threads: int, advance: Callable[[int], None] = lambda _: None
) -> tuple[Certificate, tuple[int, ...]]:
    """Check all of a graph's nodes, and count them by distance; raises VerificationError at one that breaks the rule.

    The links are those of the product form where there is one: the same, and faster where `expand` has
    to compute. Where distances are in memory too, rows are compared as a whole. `advance` hears of
    nodes done.
    """
    product = graph.product() if graph.product else None
    packed = readable.packed() if product else None

    def check_rows(piece: tuple[int, int]) -> tuple[int, list[tuple[int, Indices]]]:
        assert product is not None
        assert packed is not None
        rows = max(_CHUNK_OF_ROWS // product.width, 1)
        narrow = packed.greatest <= np.iinfo(np.int16).max
        own, beyond = np.empty((2, rows, product.width), np.int16 if narrow else np.int32)
        counts = np.zeros(packed.greatest + 1, np.int64)
        links = 0
        for first in range(*piece, rows):
            last = min(first + rows, piece[1])
            links += _check_some_rows(name, product, packed, first, own[: last - first], beyond, counts)
            advance((last - first) * product.width)
        return links, [(0, np.trim_zeros(counts, "b").copy())]

    def check_chunks(piece: tuple[int, int]) -> tuple[int, list[tuple[int, Indices]]]:
        links, counts = 0, []
        for first in range(*piece, _CHUNK):
            nodes = np.arange(first, min(first + _CHUNK, piece[1]))
            distances = readable.probe(nodes)
            links += check_nodes(name, product.expand if product else graph.expand, nodes, distances, readable.probe)
            counts.append(count(distances))
            advance(len(nodes))
        return links, [(0, np.array(Census.of(counts).layers))]

    check, size = (check_rows, product.rows) if product and packed else (check_chunks, graph.size)
    with ThreadPoolExecutor(threads) as pool:
        done = list(pool.map(check, ranges(size, _PIECES * threads)))
    layers = Census.of(counts for _, some in done for counts in some).layers
    if sum(layers[:1]) != len(graph.goal_states) or readable.probe(graph.goal_states).any():
        raise VerificationError(f"{sum(layers[:1])} {name} have distance 0, the goal has {len(graph.goal_states)}")
    return Certificate(name, graph.size, sum(links for links, _ in done)), layers


def _wrong(name: str, node: int, distance: int) -> VerificationError:
    return VerificationError(f"the distance {distance} of {node} among the {name} is wrong")


def _check_some_rows(
    name: str,
    product: ProductForm,
    packed: Packed,
    first: int,
    own: Signed,
    beyond: Signed,
    counts: Indices,
) -> int:
    """Check as many rows from `first` on as `own` has room for; returns their links.

    `beyond` is room for the rows that one move leads to, `counts` is added to. Raises VerificationError.
    """
    rows = slice(first, first + len(own))
    unpack_rows(np.arange(first, first + len(own)), *packed.arrays, own)
    closer, wrong = np.empty(own.shape, np.uint8), np.empty(own.shape, np.uint8)
    _begin(own, closer, wrong, counts)
    links = 0
    for row_move, kind in zip(product.row_move[:, rows], product.kind[:, rows], strict=True):
        unpack_rows(row_move, *packed.arrays, beyond)
        _compare(row_move, kind, product.column_map, own, beyond, closer, wrong)
        links += int(np.count_nonzero(row_move >= 0)) * product.width
    node = _first_wrong(closer, wrong)
    if node >= 0:
        raise _wrong(name, first * product.width + node, int(own.reshape(-1)[node]))
    return links


@kernel
def _begin(own, closer, wrong, counts):  # type: ignore[no-untyped-def]
    """Before any link: nodes at distance 0 and without one need none that is nearer; and count the distances."""
    for row in range(own.shape[0]):
        for column in range(own.shape[1]):
            distance = own[row, column]
            closer[row, column] = distance <= 0
            wrong[row, column] = 0
            if distance >= 0:
                counts[distance] += 1


@kernel
def _compare(to, kind, column_map, own, beyond, closer, wrong):  # type: ignore[no-untyped-def]
    """Mark the nodes whose link leads one lower, and those where it breaks the rule."""
    for row in range(own.shape[0]):
        if to[row] < 0:
            continue
        if kind[row] == 0:
            _compare_row(own[row], beyond[row], closer[row], wrong[row])
        else:
            _compare_moved_row(own[row], beyond[row], column_map[kind[row]], closer[row], wrong[row])


@kernel
def _first_wrong(closer, wrong):  # type: ignore[no-untyped-def]
    """The first node that breaks the rule, -1 where none does."""
    for row in range(closer.shape[0]):
        for column in range(closer.shape[1]):
            if wrong[row, column] or not closer[row, column]:
                return row * closer.shape[1] + column
    return -1


@kernel
def _compare_row(own, beyond, closer, wrong):  # type: ignore[no-untyped-def]
    """The same for one row, its links leading to the same columns."""
    for column in range(own.shape[0]):
        to, distance = beyond[column], own[column]
        closer[column] |= to == distance - 1
        wrong[column] |= ((to < 0) != (distance < 0)) | (to < distance - 1)


@kernel
def _compare_moved_row(own, beyond, columns, closer, wrong):  # type: ignore[no-untyped-def]
    """The same where they lead to other columns."""
    for column in range(own.shape[0]):
        to, distance = beyond[columns[column]], own[column]
        closer[column] |= to == distance - 1
        wrong[column] |= ((to < 0) != (distance < 0)) | (to < distance - 1)


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
    least, greatest = extent(distances)
    counts = np.zeros(greatest - least + 1 if least >= 0 else 0, np.int64)
    _add_up(distances, least, counts)
    return max(least, 0), counts


@kernel
def _add_up(distances, least, counts):  # type: ignore[no-untyped-def]
    for distance in distances:
        if distance >= 0:
            counts[distance - least] += 1


@kernel
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
