"""Distances of states by those of a smaller graph: of classes of rows up to symmetry, or of orbits of wheels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.space import (
    Distances,
    Graph,
    Indices,
    Probe,
    ProductForm,
    Read,
    SearchGraph,
    Signed,
    Space,
    Storage,
)


class SmallerGraph(Storage):
    """A graph of rows and columns. Each state has a number of vertices, by tables of its row."""

    @property
    @abstractmethod
    def vertices(self) -> ProductForm:
        """An edge from each state to each of its vertices."""

    @property
    @abstractmethod
    def rows(self) -> int:
        """The number of rows of vertices; these have as many columns as those of states."""

    @property
    @abstractmethod
    def edges(self) -> ProductForm:
        """The edges between vertices, for builders and searches alone."""

    @abstractmethod
    def representatives(self) -> Callable[[Indices], Indices]:
        """Make the map from vertices to representatives, with equal distances: int64[n] -> int64[n]."""

    @abstractmethod
    def goal_vertices(self, space: Space) -> Indices:
        """The vertices at distance 0, sorted."""

    def size(self, space: Space) -> int:  # noqa: ARG002
        """The number of vertices."""
        return self.rows * self.vertices.width

    def graph(self, space: Space) -> Graph:
        """The graph of the vertices."""
        return Graph.of_product(self.size(space), self.goal_vertices(space), lambda: self.edges)

    def searched(self, space: Space) -> SearchGraph:
        """The graph of the representatives."""
        graph, representatives = self.graph(space), self.representatives()

        def expand(vertices: Indices) -> Indices:
            successors = graph.expand(vertices)
            return representatives(successors.reshape(-1)).reshape(successors.shape)

        def vertices(states: Indices) -> Indices:
            return np.unique(representatives(self.vertices.expand(states).reshape(-1)))

        goal_states = np.unique(representatives(graph.goal_states))
        return SearchGraph(Graph(size=graph.size, expand=expand, goal_states=goal_states), vertices, representatives)

    def rows_of_range(
        self, first: int, last: int, read: Read
    ) -> Iterator[tuple[list[Signed], list[npt.NDArray[np.uint32]]]]:
        """Read the rows of vertices of each row of states in a range; maps lead from its columns to theirs."""
        vertices, width = self.vertices, self.vertices.width
        for row in range(first // width, -(-last // width)):
            columns = slice(max(first - row * width, 0), min(last - row * width, width))
            rows = [read(at * width, (at + 1) * width) for at in vertices.row_move[:, row].tolist()]
            yield rows, [vertices.column_map[kind, columns] for kind in vertices.kind[:, row].tolist()]


class SymmetryClasses(SmallerGraph):
    """Classes of rows up to symmetry: a state has the distance of its one vertex, the state's image in its class."""

    @property
    @abstractmethod
    def images(self) -> Sequence[Sequence[int]]:
        """The images of each move under each symmetry."""

    @abstractmethod
    def moves(self) -> ProductForm:
        """Make the edges from states to the vertices of the states after each move."""

    @property
    def symmetries(self) -> int:
        """The number of symmetries."""
        return len(self.images)

    @property
    def kind(self) -> str:
        """The kind of the table, with the number of symmetries."""
        return f"table, rows up to {self.symmetries} symmetries"

    def goal_vertices(self, space: Space) -> Indices:
        """The vertices of the goal states."""
        return np.unique(self.vertices.expand(space.goal_states))

    def distances(self, space: Space, states: Indices, probe: Probe) -> Distances:  # noqa: ARG002
        """The distances of the vertices."""
        return probe(self.vertices.expand(states)[:, 0])

    def distance_range(self, space: Space, first: int, last: int, read: Read) -> Signed:  # noqa: ARG002
        """The same from whole rows of vertices."""
        parts = [row[columns] for [row], [columns] in self.rows_of_range(first, last, read)]
        return np.concatenate(parts) if len(parts) > 1 else parts[0]
