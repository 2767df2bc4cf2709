"""The certificate: a proof over every node and link that stored distances are right.

The nodes at distance 0 are exactly the graph's goal states. Of every other node that has a distance d,
no link leads below d - 1 and at least one leads to d - 1. No link leads from a node that has no distance
to one that has one. So links that lower the distance by one lead from a node to a goal state in d steps, and
no path is shorter since no step lowers the distance by more. docs/table-format.md gives the argument in full.

The same pass checks that the moves of a puzzle can be taken back, where they are no tables (machinery/reversible.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.counting import Counted, census_of, counted, merged
from puzzlebase.builder.threads import ranges
from puzzlebase.db.blocks import unpack_rows
from puzzlebase.db.census import Census
from puzzlebase.db.packed import Packed
from puzzlebase.db.table_file import Certificate
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Distances, Graph, Indices, ProductForm, Signed, Space
from puzzlebase.puzzles.contract.space import Probe
from puzzlebase.puzzles.machinery.reversible import EdgeSums, edge_sums

_CHUNK = 1 << 13
_CHUNK_OF_ROWS = 1 << 19
"""Nodes: in the processor's cache, and so many that threads seldom wait for each other between two kernels. With a
quarter of them a busy machine took a third longer, for panguru as for turnstile."""
_PIECES = 64  # for each thread


Unsigned = npt.NDArray[np.unsignedinteger[Any]]


class Checked(NamedTuple):
    """Of the nodes that were checked: their links, the counts of their distances by range, in order, and edge sums."""

    links: int
    counted: list[Counted]
    edges: EdgeSums


class VerificationError(Exception):
    """A table is not what it should be; it is not published."""


class Readable(Protocol):
    """The distances of all nodes, of a table or of states in memory; safe to read from several threads."""

    def probe(self, indices: Indices) -> Distances:
        """Distances of any nodes, int64[n] -> int32[n]; -1 for -1 and where the goal cannot be reached."""

    def packed(self) -> Packed | None:
        """All distances at once, None where they are not in memory."""


class States(NamedTuple):
    """What is made of the distances of orbits while they are checked: those of the states.

    `links` is the `states` of Orbits. `take` is told the first state of a row and the distances of the row, among which
    those of the goal are not 0 yet; it may be called from several threads, and keeps none of them.
    """

    links: ProductForm
    take: Callable[[int, Signed], None]


def certify(
    name: str,
    graph: Graph,
    readable: Readable,
    threads: int,
    advance: Callable[[int], None] = lambda _: None,
    states: States | None = None,
) -> tuple[Certificate, Census]:
    """Check all nodes of a graph, and count them; raises VerificationError where one breaks the rule.

    The links are taken from the product form where there is one: they are the same, and faster where `expand` has to
    compute. Where the distances are in memory too, rows are compared as a whole, and `states` may be made of them.
    The links of a space without a product form must also be closed under inversion.
    `advance` is told how many nodes have been checked.
    """
    done = check_range(name, graph, readable, (0, graph.size), threads, advance, states)
    return certificate_of(name, graph, readable, [done])


def check_range(
    name: str,
    graph: Graph,
    readable: Readable,
    nodes: tuple[int, int],
    threads: int,
    advance: Callable[[int], None] = lambda _: None,
    states: States | None = None,
) -> Checked:
    """Check a range of nodes, which begins and ends with a row; raises VerificationError as `certify` does."""
    product = graph.product() if graph.product else None
    packed = readable.packed() if product else None
    check: _Rows | _Nodes
    first, last = nodes
    if product and packed:
        check = _Rows(name, product, packed, advance, states)
        first, last = first // product.width, last // product.width
    else:
        assert states is None, "states are made of distances in memory"
        moves = isinstance(graph, Space) and product is None
        check = _Nodes(name, product.expand if product else graph.expand, readable.probe, advance, moves)
    pieces = [(first + start, first + end) for start, end in ranges(last - first, _PIECES * threads)]
    with ThreadPoolExecutor(threads) as pool:
        done = [*pool.map(check.piece, pieces)]
    return Checked(
        sum(each.links for each in done),
        merged(chain.from_iterable(each.counted for each in done)),
        _sum(each.edges for each in done),
    )


def _sum(sums: Iterable[EdgeSums]) -> EdgeSums:
    total: EdgeSums = np.sum([*sums], axis=0, dtype=np.uint64)
    return total


def certificate_of(name: str, graph: Graph, readable: Readable, done: Sequence[Checked]) -> tuple[Certificate, Census]:
    """The certificate and the census of a graph whose ranges were checked in order; raises VerificationError."""
    if _sum(each.edges for each in done).any():
        raise VerificationError(f"not every move between {name} can be taken back")
    census = census_of(chain.from_iterable(each.counted for each in done))
    at_goal = sum(census.layers[:1])
    if at_goal != len(graph.goal_states) or readable.probe(graph.goal_states).any():
        raise VerificationError(f"{at_goal} {name} have distance 0, the goal has {len(graph.goal_states)}")
    return Certificate(name, graph.size, sum(each.links for each in done)), census


def _wrong(name: str, node: int, distance: int) -> VerificationError:
    return VerificationError(f"the distance {distance} of {node} among the {name} is wrong")


@dataclass(frozen=True)
class _Nodes:
    """Checks and counts pieces of a graph node by node; with `moves` its edges are summed up."""

    name: str
    expand: Callable[[Indices], Indices]
    probe: Probe
    advance: Callable[[int], None]
    moves: bool

    def piece(self, piece: tuple[int, int]) -> Checked:
        """Check a range of nodes; raises VerificationError."""
        links = 0
        edges = np.zeros(2, np.uint64)
        found = [np.empty(0, np.int32)]
        for first in range(*piece, _CHUNK):
            nodes = np.arange(first, min(first + _CHUNK, piece[1]))
            distances, successors = self.probe(nodes), self.expand(nodes)
            links += check_nodes(self.name, nodes, distances, successors, self.probe)
            if self.moves:
                edges += edge_sums(nodes, successors)
            found.append(distances)
            self.advance(len(nodes))
        return Checked(links, [*counted(piece[0], np.concatenate(found))], edges)


@dataclass(frozen=True)
class _Rows:
    """Checks and counts pieces of a graph in product form, some rows at a time, from distances in memory.

    Distances are compared as integers without a sign, in which a node without a distance has the greatest. So the rule
    holds at a node if the least distance that its links lead to is one less than its own; where it has none, that none
    of them leads to has one.
    """

    name: str
    product: ProductForm
    packed: Packed
    advance: Callable[[int], None]
    states: States | None

    def piece(self, piece: tuple[int, int]) -> Checked:
        """Check a range of rows; raises VerificationError."""
        width = self.product.width
        rows = max(_CHUNK_OF_ROWS // width, 1)
        bytes_of_distance = np.min_scalar_type(-self.packed.max_distance - 1).itemsize
        own, *room = np.empty((4, rows, width), f"u{bytes_of_distance}")
        links = 0
        parts: list[Counted] = []
        for first in range(*piece, rows):
            some = slice(0, min(rows, piece[1] - first))
            links += self._some(first, own[some], *(each[some] for each in room))
            parts += counted(first * width, _signed(own[some]).reshape(-1))
            self.advance(own[some].size)
        return Checked(links, merged(parts), np.zeros(2, np.uint64))

    def _some(self, first: int, own: Unsigned, beyond: Unsigned, lowest: Unsigned, room: Unsigned) -> int:
        """Read as many rows from `first` on as `own` has room for, check them, and return their links.

        The others are for the rows that one move leads to, for the least distances that the links lead to, and room.
        """
        product, arrays = self.product, self.packed.arrays
        rows = slice(first, first + len(own))
        unpack_rows(np.arange(first, first + len(own), dtype=np.int32), *arrays, _signed(own))  # as the rows of moves
        none = own.dtype.type(np.iinfo(own.dtype).max)
        lowest.fill(none)
        links = 0
        for link, (row_move, kind) in enumerate(zip(product.row_move[:, rows], product.kind[:, rows], strict=True)):
            unpack_rows(row_move, *arrays, _signed(beyond))
            along = row_move, kind, product.column_map, beyond, lowest
            if self.states:
                to = self.states.links
                state_row = to.row_move[link, rows]
                _lower_and_make(*along, own, state_row, to.kind[link, rows], to.column_map, room, none)
                for row in np.flatnonzero(state_row >= 0).tolist():
                    self.states.take(int(state_row[row]) * product.width, _signed(beyond[row]))
            else:
                _lower(*along)
            links += int(np.count_nonzero(row_move >= 0)) * product.width
        node = _first_wrong(own, lowest, none)
        if node >= 0:
            raise _wrong(self.name, first * product.width + node, int(_signed(own).reshape(-1)[node]))
        return links


def _signed(distances: Unsigned) -> Signed:
    """The same distances, -1 for the greatest number."""
    return distances.view(f"i{distances.itemsize}")


@kernel
def _lower(row_move, kind, column_map, beyond, lowest):  # type: ignore[no-untyped-def]
    """Lower the least distance that the links of each node lead to by what one link of each leads to.

    No row is sliced: on panex-6, whose rows have 64 columns, the certificate took a sixth longer.
    """
    for row in range(lowest.shape[0]):
        if row_move[row] < 0:
            continue
        k = kind[row]
        if k == 0:
            for column in range(lowest.shape[1]):
                lowest[row, column] = min(lowest[row, column], beyond[row, column])
        else:
            for column in range(lowest.shape[1]):
                lowest[row, column] = min(lowest[row, column], beyond[row, column_map[k, column]])


@kernel
def _lower_and_make(row_move, kind, column_map, beyond, lowest, own, state_row, to_kind, to_column, room, none):  # type: ignore[no-untyped-def]
    """Do what `_lower` does, and put the distances of the states that the links lead through in place of `beyond`.

    That of a state is one more than the least of its two nodes. Three loops, of which the compiler vectorizes the
    second, take two thirds of the time of one.
    """
    for row in range(lowest.shape[0]):
        if row_move[row] < 0:
            continue
        k, to = kind[row], to_kind[row]
        for column in range(lowest.shape[1]):
            room[row, column] = beyond[row, column_map[k, column]]
        for column in range(lowest.shape[1]):
            other = room[row, column]
            lowest[row, column] = min(lowest[row, column], other)
            least = min(own[row, column], other)
            room[row, column] = least + (least != none)
        if state_row[row] >= 0:
            for column in range(lowest.shape[1]):
                beyond[row, to_column[to, column]] = room[row, column]


@kernel
def _first_wrong(own, lowest, none):  # type: ignore[no-untyped-def]
    """The position of the first node that breaks the rule, -1 where none does."""
    for row in range(own.shape[0]):
        wrong = False
        for column in range(own.shape[1]):
            distance = own[row, column]
            wrong |= (distance != 0) & (lowest[row, column] != distance - (distance != none))
        if wrong:
            for column in range(own.shape[1]):
                distance = own[row, column]
                if distance != 0 and lowest[row, column] != distance - (distance != none):
                    return row * own.shape[1] + column
    return -1


def check_nodes(name: str, nodes: Indices, distances: Distances, successors: Indices, probe: Probe) -> int:
    """Check the rule at some nodes and return their links; raises VerificationError."""
    links: int
    links, wrong = _check(distances, successors, probe(successors.reshape(-1)).reshape(successors.shape))
    if wrong >= 0:
        raise _wrong(name, nodes[wrong], distances[wrong])
    return links


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
