"""The certificate: a proof over every node and link that stored distances are right.

The nodes at distance 0 are exactly the graph's goal states. Of every other node that has a distance d,
no link leads below d - 1 and at least one leads to d - 1. No link joins a node that has a distance
and one that has none. So links that lower the distance by one lead from a node to a goal state in d steps, and
no path is shorter since no step lowers the distance by more. docs/table-format.md gives the argument in full.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

import numpy as np

from puzzlebase.builder.threads import ranges
from puzzlebase.db import Certificate, Packed
from puzzlebase.db.blocks import extent, unpack_rows
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Distances, Graph, Indices, Probe, ProductForm, Signed

_CHUNK = 1 << 13
_CHUNK_OF_ROWS = 1 << 17  # nodes: in a core's cache, and so many that calling the kernels takes a hundredth of the time
_PIECES = 64  # for each thread


Checked = tuple[int, Indices]
"""The links of the nodes that were checked, and how many of these nodes lie at distance 0, 1, 2, ..."""


class VerificationError(Exception):
    """A table is not what it should be; it is not published."""


class Readable(Protocol):
    """The distances of all nodes, of a table or of states in memory; safe to read from several threads."""

    def probe(self, indices: Indices) -> Distances:
        """Distances of any nodes, int64[n] -> int32[n]; -1 for -1 and where the goal cannot be reached."""

    def packed(self) -> Packed | None:
        """All distances at once, None where they are not in memory."""


def certify(
    name: str, graph: Graph, readable: Readable, threads: int, advance: Callable[[int], None] = lambda _: None
) -> tuple[Certificate, tuple[int, ...]]:
    """Check all nodes of a graph and count them by distance; raises VerificationError where one breaks the rule.

    The links are taken from the product form where there is one: they are the same, and faster where `expand` has to
    compute. Where the distances are in memory too, rows are compared as a whole. `advance` is told how many nodes
    have been checked.
    """
    return certificate_of(
        name, graph, readable, [check_range(name, graph, readable, (0, graph.size), threads, advance)]
    )


def check_range(
    name: str,
    graph: Graph,
    readable: Readable,
    nodes: tuple[int, int],
    threads: int,
    advance: Callable[[int], None] = lambda _: None,
) -> Checked:
    """Check a range of nodes, which begins and ends with a row; raises VerificationError as `certify` does."""
    product = graph.product() if graph.product else None
    packed = readable.packed() if product else None
    check: _Rows | _Nodes
    first, last = nodes
    if product and packed:
        check, first, last = _Rows(name, product, packed, advance), first // product.width, last // product.width
    else:
        check = _Nodes(name, product.expand if product else graph.expand, readable.probe, advance)
    pieces = [(first + start, first + end) for start, end in ranges(last - first, _PIECES * threads)]
    with ThreadPoolExecutor(threads) as pool:
        links = sum(pool.map(check.piece, pieces))
    return links, check.counts.counted


def certificate_of(
    name: str, graph: Graph, readable: Readable, done: Sequence[Checked]
) -> tuple[Certificate, tuple[int, ...]]:
    """The certificate of a graph, all ranges of which were checked, and its layers; raises VerificationError."""
    counts = _Counts()
    for _, counted in done:
        counts.add(0, counted)
    links, layers = sum(links for links, _ in done), tuple(counts.counted.tolist())
    if sum(layers[:1]) != len(graph.goal_states) or readable.probe(graph.goal_states).any():
        raise VerificationError(f"{sum(layers[:1])} {name} have distance 0, the goal has {len(graph.goal_states)}")
    return Certificate(name, graph.size, links), layers


def _wrong(name: str, node: int, distance: int) -> VerificationError:
    return VerificationError(f"the distance {distance} of {node} among the {name} is wrong")


class _Counts:
    """How many nodes lie at each distance; threads add to one array, which may have a million distances."""

    def __init__(self) -> None:
        self._adding = Lock()
        self._counts = np.zeros(0, np.int64)

    def add(self, base: int, counts: Indices) -> None:
        """Add nodes at distance base, base + 1, ..."""
        with self._adding:
            missing = base + len(counts) - len(self._counts)
            if missing > 0:
                self._counts = np.append(self._counts, np.zeros(missing + len(self._counts), np.int64))
            self._counts[base : base + len(counts)] += counts

    @property
    def counted(self) -> Indices:
        """Nodes at distance 0, 1, 2, ..."""
        return np.trim_zeros(self._counts, "b")


@dataclass(frozen=True)
class _Nodes:
    """Checks pieces of a graph node by node."""

    name: str
    expand: Callable[[Indices], Indices]
    probe: Probe
    advance: Callable[[int], None]
    counts: _Counts = field(default_factory=_Counts)

    def piece(self, piece: tuple[int, int]) -> int:
        """Check a range of nodes and return their links; raises VerificationError."""
        links = 0
        for first in range(*piece, _CHUNK):
            nodes = np.arange(first, min(first + _CHUNK, piece[1]))
            distances = self.probe(nodes)
            links += check_nodes(self.name, self.expand, nodes, distances, self.probe)
            self.counts.add(*count(distances))
            self.advance(len(nodes))
        return links


@dataclass(frozen=True)
class _Rows:
    """Checks pieces of a graph in product form, some rows at a time, from distances in memory."""

    name: str
    product: ProductForm
    packed: Packed
    advance: Callable[[int], None]
    counts: _Counts = field(default_factory=_Counts)

    def piece(self, piece: tuple[int, int]) -> int:
        """Check a range of rows and return their links; raises VerificationError."""
        width, max_distance = self.product.width, self.packed.max_distance
        rows = max(_CHUNK_OF_ROWS // width, 1)
        own, beyond = np.empty((2, rows, width), np.min_scalar_type(-max_distance - 1))
        counts = np.zeros(max_distance + 1, np.int64)
        links = 0
        for first in range(*piece, rows):
            last = min(first + rows, piece[1])
            links += self._some(first, own[: last - first], beyond, counts)
            self.advance((last - first) * width)
        self.counts.add(0, np.trim_zeros(counts, "b"))
        return links

    def _some(self, first: int, own: Signed, beyond: Signed, counts: Indices) -> int:
        """Check as many rows from `first` on as `own` has room for, and return their links.

        `beyond` is room for the rows that one move leads to; the distances are added to `counts`.
        """
        product, arrays = self.product, self.packed.arrays
        rows = slice(first, first + len(own))
        unpack_rows(np.arange(first, first + len(own), dtype=np.int32), *arrays, own)  # as the rows of moves
        nearer, wrong = np.empty(own.shape, np.uint8), np.empty(own.shape, np.uint8)
        _begin(own, nearer, wrong, counts)
        links = 0
        for row_move, kind in zip(product.row_move[:, rows], product.kind[:, rows], strict=True):
            unpack_rows(row_move, *arrays, beyond)
            _compare(row_move, kind, product.column_map, own, beyond, nearer, wrong)
            links += int(np.count_nonzero(row_move >= 0)) * product.width
        node = _first_wrong(nearer, wrong)
        if node >= 0:
            raise _wrong(self.name, first * product.width + node, int(own.reshape(-1)[node]))
        return links


@kernel
def _begin(own, nearer, wrong, counts):  # type: ignore[no-untyped-def]
    """Start with the nodes that need no nearer neighbour, at distance 0 or without one, and count the distances."""
    for row in range(own.shape[0]):
        for column in range(own.shape[1]):
            distance = own[row, column]
            nearer[row, column] = distance <= 0
            wrong[row, column] = 0
            if distance >= 0:
                counts[distance] += 1


@kernel
def _compare(row_move, kind, column_map, own, beyond, nearer, wrong):  # type: ignore[no-untyped-def]
    """Mark the nodes whose link leads to a distance lower by one, and those whose link breaks the rule.

    No row is sliced: on panex-6, whose rows have 64 columns, the certificate took a sixth longer.
    """
    for row in range(own.shape[0]):
        if row_move[row] < 0:
            continue
        k = kind[row]
        for column in range(own.shape[1]):
            to = beyond[row, column] if k == 0 else beyond[row, column_map[k, column]]
            distance = own[row, column]
            nearer[row, column] |= to == distance - 1
            wrong[row, column] |= ((to < 0) != (distance < 0)) | (to < distance - 1)


@kernel
def _first_wrong(nearer, wrong):  # type: ignore[no-untyped-def]
    """The position of the first node that breaks the rule, -1 where none does."""
    for row in range(nearer.shape[0]):
        for column in range(nearer.shape[1]):
            if wrong[row, column] or not nearer[row, column]:
                return row * nearer.shape[1] + column
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
    """The min distance reached, and how many nodes lie at each distance from there on."""
    if distances.itemsize == 1:
        parts = np.zeros((4, 256), np.int64)
        _count_bytes(distances.view(np.uint8), parts)
        counts = parts.sum(axis=0)[: np.iinfo(np.int8).max + 1]
        reached = np.flatnonzero(counts)
        return (int(reached[0]), counts[reached[0] : reached[-1] + 1].copy()) if len(reached) else (0, counts[:0])
    min_distance, max_distance = extent(distances)
    counts = np.zeros(max_distance - min_distance + 1 if min_distance >= 0 else 0, np.int64)
    _add_up(distances, min_distance, counts)
    return max(min_distance, 0), counts


@kernel
def _count_bytes(codes, counts):  # type: ignore[no-untyped-def]
    """Count bytes, by turns in four rows of counts: to add to what was just added to takes four times as long."""
    n = np.uint64(codes.shape[0])
    four = np.uint64(4)
    for i in range(n // four):
        at = i * four
        counts[0, codes[at]] += 1
        counts[1, codes[at + np.uint64(1)]] += 1
        counts[2, codes[at + np.uint64(2)]] += 1
        counts[3, codes[at + np.uint64(3)]] += 1
    for last in range(n // four * four, n):
        counts[0, codes[last]] += 1


@kernel
def _add_up(distances, min_distance, counts):  # type: ignore[no-untyped-def]
    for distance in distances:
        if distance >= 0:
            counts[distance - min_distance] += 1


@kernel
def _check(distances, successors, beyond):  # type: ignore[no-untyped-def]
    """How many links were checked, and the position of the first node that breaks the rule, -1 where none does."""
    links = 0
    for i in range(successors.shape[0]):
        distance = distances[i]
        nearer = distance <= 0
        for m in range(successors.shape[1]):
            if successors[i, m] < 0:
                continue
            links += 1
            to = beyond[i, m]
            if (to < 0) != (distance < 0) or to < distance - 1:
                return links, i
            nearer |= to == distance - 1
        if not nearer:
            return links, i
    return links, -1
