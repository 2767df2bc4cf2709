"""Classes of rows up to symmetry: a state has the distance of its one vertex, the state's image in its class."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.space import (
    STATES,
    Distances,
    Indices,
    Probe,
    SearchGraph,
    Signed,
    Space,
    Storage,
)
from puzzlebase.puzzles.machinery.classes import SmallerGraph


class SymmetryClasses(SmallerGraph):
    """Classes of rows up to symmetry: a state has the distance of its one vertex, the state's image in its class."""

    proof = "puzzlebase.plugins.definitions.proofs:OfClasses"

    @property
    @abstractmethod
    def images(self) -> Sequence[Sequence[int]]:
        """The images of each move under each symmetry."""

    @abstractmethod
    def rows_of_classes(self) -> tuple[Indices, Indices]:
        """The rows of all classes, one class after another, and before them where each class begins and the last ends.

        No rows if they are 0, 1, 2, ...
        """

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
