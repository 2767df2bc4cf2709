"""The certificate: a proof over every vertex and edge that stored distances are right.

The vertices at distance 0 are exactly the graph's goal states. At every other distance d, no edge
leads below d - 1 and at least one leads to d - 1. No edge leads from a vertex without a distance to
one that has one, nor the other way unless the graph is directed. So d steps lead from a vertex to a
goal state. No path is shorter, since no step lowers the distance by more than one.
docs/table-format.md gives the argument in full.

The same pass checks that the moves of a puzzle can be taken back, unless they are tables
(machinery/reversible.py). Tables number every state, so no proof needs that law of them.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.counting import Counted, count_ranges, histograms_by_counting
from puzzlebase.db.block_cache import Packed
from puzzlebase.db.blocks import unpack_block_rows
from puzzlebase.db.histograms import Histograms, range_length
from puzzlebase.db.table_file import Certificate
from puzzlebase.kernels import interpreted, kernel
from puzzlebase.puzzles import Distances, Graph, Indices, ProductForm, Signed, Space
from puzzlebase.puzzles.contract.space import Probe, Successors
from puzzlebase.puzzles.machinery.reversible import EdgeSums, reversibility_sums
from puzzlebase.threads import cut_ranges

# Vertices: few enough for the processor's cache, and enough that threads seldom wait between two
# kernels. With a quarter of the rows' number, a busy machine took a third longer, for panguru as
# for turnstile.
_CHUNK, _CHUNK_OF_ROWS = 1 << 13, 1 << 19
_PIECES = 64  # for each thread

Unsigned = npt.NDArray[np.unsignedinteger[Any]]


class VerificationError(Exception):
    """A table is wrong; it is not published."""


class _Checked(NamedTuple):
    """The findings at some vertices: their edges,
    the counts of their distances by range, in order, and edge sums.
    """

    edges: int
    counted: list[Counted]
    sums: EdgeSums


class Readable(Protocol):
    """The distances of all vertices, of a table or of states in memory;
    safe to read from several threads.
    """

    def probe(self, indices: Indices) -> Distances:
        """Distances of any vertices, int64[n] -> int32[n];
        -1 for -1 and if the goal cannot be reached.
        """

    def packed(self) -> Packed | None:
        """All distances at once, None if they are not in memory."""


def certify(
    name: str,
    graph: Graph,
    readable: Readable,
    threads: int,
    advance: Callable[[int], None] = lambda _: None,
    of_rows: Callable[..., RowCheck] | None = None,
) -> tuple[Certificate, Histograms]:
    """Check and count all vertices of a graph; raises VerificationError if one breaks the rule.

    The edges of a space without a product form must also be closed under inversion. `advance` gets
    the number of vertices that were just checked. `of_rows` is another check of rows, for distances
    in memory.
    """
    product = graph.product() if graph.product else None
    packed = readable.packed() if product else None
    size = graph.size
    if product and packed:
        check = (of_rows or RowCheck)(name, product, packed, advance).piece
        size //= product.width
    else:
        assert of_rows is None, "rows are checked by distances in memory"
        check = _VertexCheck(name, graph, readable.probe, advance).piece
    with ThreadPoolExecutor(threads) as pool:
        done = [*pool.map(check, cut_ranges(size, _PIECES * threads))]
    if np.sum([each.sums for each in done], axis=0, dtype=np.uint64).any():
        raise VerificationError(f"not every move between {name} can be taken back")
    histograms = histograms_by_counting(
        range_length(graph.size), chain.from_iterable(each.counted for each in done)
    )
    at_goal = sum(histograms.layers[:1])
    with interpreted(always=len(graph.goal_states) < 100):
        wrong = readable.probe(graph.goal_states).any()
    if wrong or at_goal != len(graph.goal_states):
        raise VerificationError(
            f"{at_goal} {name} have distance 0, the goal has {len(graph.goal_states)}"
        )
    return Certificate(name, graph.size, sum(each.edges for each in done)), histograms


def _wrong(name: str, index: int, distance: int) -> VerificationError:
    return VerificationError(f"the distance {distance} of {index} among the {name} is wrong")


@dataclass(frozen=True)
class _VertexCheck:
    """A check of a graph vertex by vertex;
    the moves of a space that are no tables are summed up.
    """

    name: str
    graph: Graph
    probe: Probe
    advance: Callable[[int], None]

    def piece(self, piece: tuple[int, int]) -> _Checked:
        """Check a range of vertices; raises VerificationError."""
        graph, directed = self.graph, self.graph.directed is not None
        moves = isinstance(graph, Space) and not graph.product and not directed
        edges, sums = 0, np.zeros(2, np.uint64)
        found = [np.empty(0, np.int32)]
        for first in range(*piece, _CHUNK):
            vertices = np.arange(first, min(first + _CHUNK, piece[1]))
            distances, successors = self.probe(vertices), graph.successors(vertices)
            edges += certify_vertices(
                self.name, vertices, distances, successors, self.probe, directed=directed
            )
            if moves:
                sums += reversibility_sums(vertices, successors)
            found.append(distances)
            self.advance(len(vertices))
        return _Checked(
            edges, [*count_ranges(range_length(graph.size), piece[0], np.concatenate(found))], sums
        )


@dataclass(frozen=True)
class RowCheck:
    """A check of a graph in product form, some rows at a time, from distances in memory.

    Distances are compared as unsigned integers; a vertex without a distance has the greatest. A
    vertex passes if its nearest neighbour is one step nearer, or if it and all its neighbours have
    no distance.
    """

    name: str
    product: ProductForm
    packed: Packed
    advance: Callable[[int], None]

    def piece(self, piece: tuple[int, int]) -> _Checked:
        """Check a range of rows; raises VerificationError."""
        width = self.product.width
        rows = max(_CHUNK_OF_ROWS // width, 1)
        bytes_of_distance = np.min_scalar_type(-self.packed.max_distance - 1).itemsize
        own, *buffers = np.empty((4, rows, width), f"u{bytes_of_distance}")
        edges, length = 0, range_length(self.product.rows * width)
        parts: list[Counted] = []
        for first in range(*piece, rows):
            some = slice(0, min(rows, piece[1] - first))
            edges += self._some(first, own[some], *(each[some] for each in buffers))
            parts += count_ranges(length, first * width, _signed_distances(own[some]).reshape(-1))
            self.advance(own[some].size)
        return _Checked(edges, parts, np.zeros(2, np.uint64))

    def _some(
        self, first: int, own: Unsigned, beyond: Unsigned, lowest: Unsigned, buffer: Unsigned
    ) -> int:
        """Read rows from `first` on, check them,
        and return the number of their edges; `beyond` is for successors.
        """
        product = self.product
        rows = slice(first, first + len(own))
        none = _no_distance(own)
        unpack_block_rows(
            np.arange(rows.start, rows.stop, dtype=np.int32),
            *self.packed.arrays,
            _signed_distances(own),
        )
        lowest.fill(none)
        edges = 0
        for edge, (row_move, kind) in enumerate(
            zip(product.row_move[:, rows], product.kind[:, rows], strict=True)
        ):
            unpack_block_rows(row_move, *self.packed.arrays, _signed_distances(beyond))
            self.lower(
                edge, rows, (row_move, kind, product.column_map, beyond, lowest), own, buffer
            )
            edges += int(np.count_nonzero(row_move >= 0)) * product.width
        at = _first_wrong(own.reshape(-1), lowest.reshape(-1), none)
        if at >= 0:
            raise _wrong(
                self.name, first * product.width + at, int(_signed_distances(own).reshape(-1)[at])
            )
        return edges

    def lower(
        self,
        edge: int,  # noqa: ARG002
        rows: slice,  # noqa: ARG002
        along: tuple[Any, ...],
        own: Unsigned,  # noqa: ARG002
        buffer: Unsigned,  # noqa: ARG002
    ) -> None:
        """Lower the least distances by those that an edge leads to;
        `along` are the arguments of `_lower_along`.
        """
        _lower_along(*along)


@dataclass(frozen=True)
class StateMakingCheck(RowCheck):
    """The check of orbits of wheels, which makes the distances of all states meanwhile.

    `take` gets the first state of a row and the row's distances, in which the goal's 0 is still
    missing. Several threads may call it, and it stores no array.
    """

    to_states: ProductForm  # from orbits
    take: Callable[[int, Signed], None]

    def lower(
        self, edge: int, rows: slice, along: tuple[Any, ...], own: Unsigned, buffer: Unsigned
    ) -> None:
        """Lower them, and hand over the states that the edge leads through."""
        to, beyond = self.to_states, along[3]
        state_row = to.row_move[edge, rows]
        _lower_and_make(
            *along, own, state_row, to.kind[edge, rows], to.column_map, buffer, _no_distance(own)
        )
        for row in np.flatnonzero(state_row >= 0).tolist():
            self.take(int(state_row[row]) * to.width, _signed_distances(beyond[row]))


def _no_distance(distances: Unsigned) -> Any:
    """The number of no distance, the greatest."""
    return distances.dtype.type(np.iinfo(distances.dtype).max)


def _signed_distances(distances: Unsigned) -> Signed:
    """The same distances, -1 for the greatest number."""
    return distances.view(f"i{distances.itemsize}")


@kernel
def _lower_along(row_move, kind, column_map, beyond, lowest):  # type: ignore[no-untyped-def]
    """Lower the least distance that the edges of each vertex lead to
    by the distance that one edge leads to.
    """
    for row in range(lowest.shape[0]):
        if row_move[row] < 0:
            continue
        k = kind[row]
        # no row is sliced: on panex-6, whose rows have 64 columns, that took a sixth longer
        if k == 0:
            for column in range(lowest.shape[1]):
                lowest[row, column] = min(lowest[row, column], beyond[row, column])
        else:
            for column in range(lowest.shape[1]):
                lowest[row, column] = min(lowest[row, column], beyond[row, column_map[k, column]])


@kernel
def _lower_and_make(  # type: ignore[no-untyped-def]
    row_move, kind, column_map, beyond, lowest, own, state_row, to_kind, to_column, buffer, none
):
    """Lower as `_lower_along` does,
    and replace `beyond` by the distances of the states that the edges lead through.

    A state's is one more than the least of its two vertices'. Three loops, of which the compiler
    vectorizes the second, take two thirds of the time of one.
    """
    for row in range(lowest.shape[0]):
        if row_move[row] < 0:
            continue
        k, to = kind[row], to_kind[row]
        for column in range(lowest.shape[1]):
            buffer[row, column] = beyond[row, column_map[k, column]]
        for column in range(lowest.shape[1]):
            other = buffer[row, column]
            lowest[row, column] = min(lowest[row, column], other)
            least = min(own[row, column], other)
            buffer[row, column] = least + (least != none)
        if state_row[row] >= 0:
            for column in range(lowest.shape[1]):
                beyond[row, to_column[to, column]] = buffer[row, column]


@kernel
def _first_wrong(own, lowest, none):  # type: ignore[no-untyped-def]
    """The position of the first vertex that breaks the rule, -1 where none does."""
    wrong = False
    for at in range(own.shape[0]):
        wrong |= (own[at] != 0) & (lowest[at] != own[at] - (own[at] != none))
    if wrong:
        for at in range(own.shape[0]):
            if own[at] != 0 and lowest[at] != own[at] - (own[at] != none):
                return at
    return -1


def certify_vertices(
    name: str,
    vertices: Indices,
    distances: Distances,
    successors: Successors,
    probe: Probe,
    *,
    directed: bool = False,
) -> int:
    """Check the rule at some vertices and return the number of their edges;
    raises VerificationError.
    """
    wrong = _check(distances, successors.counts, probe(successors.to), directed)
    if wrong >= 0:
        raise _wrong(name, vertices[wrong], distances[wrong])
    return len(successors.to)


@kernel
def _check(distances, counts, beyond, directed):  # type: ignore[no-untyped-def]
    """The position of the first vertex that breaks the rule,
    -1 where none does; `beyond` lie at its edges' ends.
    """
    at = np.uint64(0)
    for i in range(distances.shape[0]):
        distance = distances[i]
        nearer = distance <= 0
        for _ in range(counts[i]):
            to = beyond[at]
            at += np.uint64(1)
            if directed and to < 0:
                continue
            if (to < 0) != (distance < 0) or to < distance - 1:
                return i
            nearer |= to == distance - 1
        if not nearer:
            return i
    return -1
