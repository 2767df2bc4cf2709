"""Distances of states by those of a smaller graph:
of orbits of wheels, or of classes of rows up to symmetry.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Protocol

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.space import (
    Graph,
    Indices,
    ProductForm,
    Read,
    Signed,
    Space,
    Storage,
)


class Vertices(Protocol):
    """Edges from states, in rows and columns, to their vertices, in rows and columns as well."""

    @property
    def width(self) -> int:
        """The number of columns."""

    def row(self, row: int) -> tuple[list[int], list[npt.NDArray[np.uint32]]]:
        """The rows that the edges of a row lead to,
        and the columns there of each of its columns.
        """

    def expand(self, indices: Indices) -> Indices:
        """The vertices of states, int64[n] -> int64[n, edges]."""


class SmallerGraph(Storage):
    """A graph of rows and columns.
    Each state has a number of vertices, which follow from its row.
    """

    @property
    @abstractmethod
    def vertices(self) -> Vertices:
        """An edge from each state to each of its vertices."""

    @abstractmethod
    def size(self, space: Space) -> int:
        """The number of vertices, known without making the graph."""

    @property
    @abstractmethod
    def edges(self) -> ProductForm:
        """The edges between vertices, for builders and searches alone; made once."""

    def goal_vertices(self, space: Space) -> Indices:
        """The vertices at distance 0, sorted: those of the goal states."""
        return np.unique(self.vertices.expand(space.goal_states))

    def graph(self, space: Space) -> Graph:
        """The graph of the vertices."""

        def expand(vertices: Indices) -> Indices:
            return self.edges.expand(vertices)

        return Graph(
            size=self.size(space),
            expand=expand,
            goal_states=self.goal_vertices(space),
            product=lambda: self.edges,
        )

    @abstractmethod
    def of_vertices(self, rows: list[Signed], maps: list[npt.NDArray[np.uint32]]) -> Signed:
        """The distances of states from rows of those of vertices,
        each at the columns of its map.
        """

    def distance_range(self, space: Space, first: int, last: int, read: Read) -> Signed:
        """The distances of states, from whole rows of those of vertices; 0 at the goal."""
        vertices, width = self.vertices, self.vertices.width
        parts = []
        for row in range(first // width, -(-last // width)):
            columns = slice(max(first - row * width, 0), min(last - row * width, width))
            to, maps = vertices.row(row)
            rows = [read(at * width, (at + 1) * width) for at in to]
            parts.append(self.of_vertices(rows, [each[columns] for each in maps]))
        distances = np.concatenate(parts) if len(parts) > 1 else parts[0]
        put_goal_of_smaller_graph(space, first, distances)
        return distances


def put_goal_of_smaller_graph(space: Space, first: int, distances: Signed) -> None:
    """Write the goal's zeros, which need not follow from the smaller graph,
    into the distances of states `first` and on.
    """
    goal = space.goal_states - first
    distances[goal[(goal >= 0) & (goal < len(distances))]] = 0
