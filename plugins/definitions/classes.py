"""Classes of rows up to symmetry: a state has the distance of its one vertex, the state's image in its class."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.space import (
    STATES,
    Distances,
    Indices,
    Probe,
    ProductForm,
    SearchGraph,
    Signed,
    Space,
    Storage,
)
from puzzlebase.puzzles.machinery.classes import SmallerGraph


class SymmetryClasses(SmallerGraph):
    """Classes of rows up to symmetry: a state has the distance of its one vertex, the state's image in its class."""

    @property
    @abstractmethod
    def images(self) -> Sequence[Sequence[int]]:
        """The images of each move under each symmetry."""

    @property
    def symmetries(self) -> int:
        """The number of symmetries."""
        return len(self.images)

    @property
    def kind(self) -> str:
        """The kind of the table, with the number of symmetries."""
        return f"table, rows up to {self.symmetries} symmetries"

    @property
    def of_searches(self) -> Storage:
        """That of all states."""
        return STATES

    def searched(self, space: Space) -> SearchGraph:
        """The states: where symmetries exchange the vertices of a row, an edge between vertices may have no inverse."""
        return STATES.searched(space)

    def distances(self, space: Space, states: Indices, probe: Probe) -> Distances:  # noqa: ARG002
        """The distances of the vertices."""
        return probe(self.vertices.expand(states)[:, 0])

    def of_vertices(self, rows: list[Signed], maps: list[npt.NDArray[np.uint32]]) -> Signed:
        """The distances of the vertices."""
        return rows[0][maps[0]]


class ListedClasses(SymmetryClasses):
    """Classes of rows that are listed: tables give the vertices of each."""

    proof = "puzzlebase.plugins.definitions.proofs:OfListedClasses"

    @property
    @abstractmethod
    def vertices(self) -> ProductForm:
        """An edge from each state to its vertex."""


class FoundClasses(SymmetryClasses):
    """Classes of rows that are too many to list: those of one class have neighbouring numbers."""

    proof = "puzzlebase.plugins.definitions.proofs:OfFoundClasses"

    @property
    @abstractmethod
    def first_rows(self) -> Indices:
        """The first row of each class, and last the number of rows: int64[classes + 1]."""

    def alike(self, first: int, last: int) -> Iterator[tuple[int, int, int]]:
        """The whole rows of each class are a run; a part of a row at either end is one of its own."""
        width, firsts = self.vertices.width, self.first_rows
        row, end = -(-first // width), last // width
        if first < row * width:
            yield first, min(row * width, last), min(row * width, last) - first
        while row < end:
            after = min(int(firsts[np.searchsorted(firsts, row, side="right")]), end)
            yield row * width, after * width, width
            row = after
        if row * width < last:
            yield row * width, last, last - row * width
