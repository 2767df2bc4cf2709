"""The index side of a puzzle: its states as integers, and the moves between them.

An index is an int64; -1 is no state and no vertex.
Vertices and edges are states and moves, or orbits of states.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.sorted_arrays import is_among

Arrays = Mapping[str, npt.NDArray[Any]]
Boards = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.int64]
Distances = npt.NDArray[np.int32]
Signed = npt.NDArray[np.signedinteger[Any]]
Probe = Callable[[Indices], Distances]
"""Reads the distances of vertices, int64[n] -> int32[n]; UNREACHED for -1."""
Read = Callable[[int, int], Signed]
"""Reads the distances of vertices first ..
last-1 by these two numbers: signed integers of any width.
"""
Spend = Callable[[int, int], bool]
"""Takes the states that a search visited since the last call and its proven lower bound;
False stops the search.
"""


class Shortest(NamedTuple):
    """The result of a search: the distance with all shortest paths,
    or a lower bound if it had to stop.
    """

    distance: int | None  # UNREACHED without a path, None if the search stopped
    lower_bound: int
    # the vertices of these paths, sorted, by their distance 0, 1, ... to the goal
    levels: tuple[Indices, ...] = ()
    """With patterns only the last two: the ends of the optimal edges, and the start."""


@dataclass(frozen=True)
class ProductForm:
    """The edges of a graph as tables; a vertex's index is row * width + column.

    Edge m leads from (row, column) to row `row_move[m, row]` and column
    `column_map[kind[m, row], column]`. Every column map is a permutation of the columns; kind 0 is
    the identity.
    """

    row_move: npt.NDArray[np.int32]  # [edges, rows]; -1 if a row has no such edge
    kind: npt.NDArray[np.int32]  # [edges, rows]
    column_map: npt.NDArray[np.uint32]  # [kinds, width]

    @cached_property
    def tables(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint32]]:
        """The three tables, for kernels."""
        return self.row_move, self.kind, self.column_map

    @property
    def edges(self) -> int:
        """The number of edges of a vertex; a row may lack some."""
        return len(self.row_move)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.row_move.shape[1])

    @property
    def width(self) -> int:
        """The number of columns of a row."""
        return int(self.column_map.shape[1])

    def row(self, row: int) -> tuple[list[int], list[npt.NDArray[np.uint32]]]:
        """The rows that the edges of a row lead to,
        and the columns there of each of its columns.
        """
        to: list[int] = self.row_move[:, row].tolist()
        return to, [*self.column_map[self.kind[:, row]]]

    def expand(self, indices: Indices) -> Indices:
        """The vertices that edges lead to, int64[n] -> int64[n, edges];
        -1 for a missing edge and for index -1.
        """
        successors = np.empty((len(indices), self.edges), np.int64)
        follow(indices, self.row_move, self.kind, self.column_map, successors)
        return successors


@kernel
def follow(indices, row_move, kind, column_map, successors):  # type: ignore[no-untyped-def]
    """Expand indices as unsigned numbers, whose division takes two thirds of the time or less."""
    width = np.uint64(column_map.shape[1])
    for i in range(indices.shape[0]):
        index = np.uint64(indices[i])
        row = index // width
        column = index - row * width
        for m in range(row_move.shape[0]):
            target = row_move[m, row] if indices[i] >= 0 else -1
            if target < 0:
                successors[i, m] = -1
            else:
                to = column_map[kind[m, row], column]
                successors[i, m] = np.int64(target) * np.int64(width) + np.int64(to)


class Successors(NamedTuple):
    """The successors of some vertices without gaps, in any order:
    those of the first vertex, then of the second, ...
    """

    to: Indices
    counts: npt.NDArray[np.int32]  # of each vertex

    @classmethod
    def of(cls, expanded: Indices) -> Successors:
        """Take those that `expand` gave, int64[n, edges]."""
        to, counts = np.empty(expanded.size + 1, np.int64), np.empty(len(expanded), np.int32)
        return cls(to[: _without_gaps(expanded, to, counts)], counts)


@kernel
def _without_gaps(expanded, to, counts):  # type: ignore[no-untyped-def]
    """Write successors side by side, without a branch,
    which would often be guessed wrong; return their number.
    """
    end = np.uint64(0)
    for i in range(expanded.shape[0]):
        first = end
        for m in range(expanded.shape[1]):
            to[end] = expanded[i, m]
            end += np.uint64(expanded[i, m] >= 0)
        counts[i] = end - first
    return end


class Directed(NamedTuple):
    """The mark of a graph whose edges need not lead back, with other known facts.

    In a row of its `expand` the missing edges come last.
    """

    start: int = -1  # the vertex that leads to all others, if these were found from one
    predecessors: Callable[[Indices], Indices] | None = None
    """The vertices that edges lead from, int64[n] -> int64[n, most];
    -1 for none and index -1. Thread-safe.

    It is `expand` itself if edges happen to lead back.
    """
    solved: Callable[[Indices], npt.NDArray[np.bool_]] | None = None
    """True for goal states, int64[n] -> bool[n],
    if rules tell them; `goal_states` may lack some in a search.
    """


@dataclass(frozen=True, kw_only=True)
class Graph:
    """A graph for breadth-first searches; distances count edges to the goal states."""

    size: int  # vertices are 0 .. size-1
    expand: Callable[[Indices], Indices]
    """The successors along each edge, int64[n] -> int64[n, edges];
    -1 for a missing edge and index -1. Thread-safe.

    Of states found from a start,
    NOT_FOLLOWED for one that was not found, which a certificate refuses.
    """
    goal_states: Indices  # at distance 0, sorted
    product: Callable[[], ProductForm] | None = (
        None  # makes edges as tables, in much time and memory
    )
    width: int = 0  # of a row of `product`; 0 if it has to be made to know
    directed: Directed | None = (
        None  # None if edges are closed under inversion, as those of tables must be
    )

    def successors(self, vertices: Indices) -> Successors:
        """The successors of vertices without gaps."""
        return Successors.of(self.expand(vertices))

    @property
    def one_way(self) -> bool:
        """True if some edge may not lead back."""
        return self.backwards is not self.expand

    @property
    def backwards(self) -> Callable[[Indices], Indices] | None:
        """The predecessors: by `expand` if edges are closed under inversion,
        None if no function gives them.
        """
        return self.directed.predecessors if self.directed else self.expand

    @property
    def start(self) -> int:
        """The vertex that leads to all others, if these were found from one; else -1."""
        return self.directed.start if self.directed else -1

    def solved(self, vertices: Indices) -> npt.NDArray[np.bool_]:
        """True for goal states, int64[n] -> bool[n], by rules if there are some."""
        if self.directed and self.directed.solved:
            return self.directed.solved(vertices)
        return is_among(vertices, self.goal_states)


class SearchGraph(NamedTuple):
    """The graph of representatives, or of all states without orbits."""

    graph: Graph
    # of states, int64[n] -> int64[m], sorted and without repeats
    vertices: Callable[[Indices], Indices]
    representatives: Callable[[Indices], Indices]  # of vertices, int64[n] -> int64[n]


class Storage(ABC):
    """A way to store the distances of a space:
    as those of the vertices of a graph, from which the states' follow.
    """

    name: ClassVar[str] = "orbits"  # the word for the vertices
    offset: ClassVar[int] = (
        0  # the distance of a state other than the goal, minus the least one of its vertices
    )
    proof: ClassVar[str] = "puzzlebase.builder.proofs:Proof"
    """The proof of such tables, "module:attribute"."""

    @property
    def kind(self) -> str:
        """The kind of the table, in words about the needs of its build."""
        return "table"

    @abstractmethod
    def graph(self, space: Space) -> Graph:
        """The graph whose distances are enumerated and stored;
        its product form is made when it is needed.
        """

    def size(self, space: Space) -> int:
        """The number of vertices."""
        return self.graph(space).size

    @property
    def of_searches(self) -> Storage:
        """The way in which searches see the space, where that is another one."""
        return self

    @abstractmethod
    def searched(self, space: Space) -> SearchGraph:
        """The same graph for searches,
        with one vertex for all that have equal distances by a symmetry.
        """

    @abstractmethod
    def distances(self, space: Space, states: Indices, probe: Probe) -> Distances:
        """The distances of states, int64[n] -> int32[n]; `probe` reads those of vertices."""

    @abstractmethod
    def distance_range(self, space: Space, first: int, last: int, read: Read) -> Signed:
        """The distances of states first .. last-1; `read` gives those of vertices."""

    def problem(self, goal_states: Indices) -> str | None:  # noqa: ARG002
        """Name what is wrong with the symmetries that it rests on,
        for certificates; None without a fault.
        """
        return None


class States(Storage):
    """The distances of the states themselves."""

    name = "states"
    proof = "puzzlebase.builder.proofs:OfStates"

    def graph(self, space: Space) -> Graph:
        """The space itself."""
        return space

    def searched(self, space: Space) -> SearchGraph:
        """The space, with its goal states sorted and without repeats."""
        return SearchGraph(
            replace(space, goal_states=np.unique(space.goal_states)), np.unique, lambda some: some
        )

    def distances(self, space: Space, states: Indices, probe: Probe) -> Distances:  # noqa: ARG002
        """The distances as they are stored."""
        return probe(states)

    def distance_range(self, space: Space, first: int, last: int, read: Read) -> Signed:  # noqa: ARG002
        """The distances as they are stored."""
        return read(first, last)


STATES = States()


def one_each(states: Indices) -> Indices:
    """The images of states under the identity alone."""
    return states[:, None]


@dataclass(frozen=True, kw_only=True)
class Space(Graph):
    """The states of a puzzle as indices relative to one goal;
    the edges are the puzzle's moves in their order.
    """

    # of boards, uint8[n, places] -> int64[n]; -1 outside the space
    rank: Callable[[Boards], Indices]
    unrank: Callable[[Indices], Boards]  # int64[n] -> uint8[n, places]
    storage: Storage = STATES
    connected: bool = False  # True if every state can reach the goal
    symmetric: Callable[[Indices], Indices] = one_each
    """The states that known symmetries lead states to, the identity first,
    int64[n] -> int64[n, symmetries].
    """
    grows: bool = False
    """True if states get indices, for one answer alone, when searches meet them;
    `size` is then the most states.
    """

    def __repr__(self) -> str:
        return f"<space of {self.size:,} states, stored as {self.storage.name}>"

    @classmethod
    def of_tables(
        cls,
        product: ProductForm,
        goal_states: Indices,
        *,
        rank: Callable[[Boards], Indices],
        unrank: Callable[[Indices], Boards],
        storage: Storage = STATES,
        symmetric: Callable[[Indices], Indices] = one_each,
    ) -> Space:
        """Make the connected space of every row with every column."""
        return cls(
            size=product.rows * product.width,
            expand=product.expand,
            goal_states=goal_states,
            product=lambda: product,
            rank=rank,
            unrank=unrank,
            connected=True,
            storage=storage,
            symmetric=symmetric,
        )

    def has(self, index: int) -> bool:
        """True if a number below the size is that of a state: there may be gaps."""
        return self.connected or self.rank(self.unrank(np.array([index]))).item() == index

    def stored(self) -> Graph:
        """The graph whose distances are enumerated and stored."""
        return self.storage.graph(self)

    def searched(self) -> SearchGraph:
        """The graph of searches."""
        return self.storage.of_searches.searched(self)

    @property
    def stored_size(self) -> int:
        """The number of vertices of the stored graph."""
        return self.storage.size(self)

    def distances(self, indices: Indices, probe: Probe) -> Distances:
        """The distances of states, int64[n] -> int32[n];
        `probe` reads those of the stored graph's vertices.
        """
        return self.storage.distances(self, indices, probe)

    def distance_range(self, first: int, last: int, read: Read) -> Signed:
        """The distances of states first .. last-1;
        `read` gives those of the stored graph's vertices, in whole rows.
        """
        return self.storage.distance_range(self, first, last, read)
