"""Classes of rows up to symmetry:
a state has the distance of its one vertex, the state's image in its class.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.definitions.definition import AnyNumbers, SmallNumbers
from puzzlebase.plugins.definitions.factors import Factor, Product
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
from puzzlebase.puzzles.machinery.smaller_graph import SmallerGraph


class Image(NamedTuple):
    """The image of a factor, by two factors of one side:
    table[kind[part `given`], part `source`].
    """

    given: int
    source: int
    kind: Indices
    table: SmallNumbers

    def of(self, parts: Sequence[AnyNumbers]) -> AnyNumbers:
        """The image by the parts of states; rows have no parts of columns."""
        return self.table[self.kind[parts[self.given]], parts[self.source]]

    def commutes(self, target: Factor, factors: Sequence[Factor], moves: Sequence[int]) -> bool:
        """True if a factor is permuted,
        and each move after the symmetry is as the symmetry after a move.
        """
        given, source, kinds = factors[self.given], factors[self.source], len(self.table)
        if (given is source and self.kind.any()) or (
            np.sort(self.table, axis=1) != np.arange(target.size)
        ).any():
            return False
        for move, other in enumerate(moves):
            pairs = np.flatnonzero(np.bincount(self.kind * kinds + self.kind[given.moves[move]]))
            before, after = np.divmod(pairs, kinds)
            if (
                target.moves[other][self.table[before]] != self.table[after][:, source.moves[move]]
            ).any():
                return False
        return True


class Acting(NamedTuple):
    """A symmetry that acts on factors: the image of each move, and that of each factor."""

    moves: tuple[int, ...]
    images: tuple[Image, ...]

    def of(self, parts: Sequence[AnyNumbers]) -> list[AnyNumbers]:
        """The parts of the images of states."""
        return [image.of(parts) for image in self.images]


@dataclass(frozen=True, eq=False)
class SymmetryClasses(SmallerGraph):
    """Classes of rows up to symmetry:
    a state has the distance of its one vertex, the state's image in its class.
    """

    proof = "puzzlebase.plugins.definitions.proofs:OfClasses"

    product: Product  # of all factors, or of those of columns
    group: Sequence[Acting]  # the symmetries of these, the identity first

    @abstractmethod
    def rows_of_classes(self) -> tuple[Indices, Indices]:
        """The rows of all classes, one class after another,
        and before them where each class begins and the last ends.

        No rows if they are 0, 1, 2, ...
        """

    @abstractmethod
    def symmetric(self, indices: Indices) -> Indices:
        """The images of states under each symmetry, int64[n] -> int64[n, symmetries]."""

    @abstractmethod
    def _problems(self) -> Iterator[str]:
        """Name what is wrong beside the images of factors and of the goal."""

    @property
    def symmetries(self) -> int:
        """The number of symmetries."""
        return len(self.group)

    @property
    def images(self) -> Sequence[Sequence[int]]:
        """The images of each move under each symmetry."""
        return [each.moves for each in self.group]

    @property
    def kind(self) -> str:
        """The kind of the table, with the number of symmetries."""
        return f"table, rows up to {self.symmetries} symmetries"

    @cached_property
    def columns(self) -> npt.NDArray[np.uint32]:
        """The column maps, uint32[symmetries * families, width]:
        of each symmetry those of rows of each family.
        """
        each_column = np.zeros(self.product.width, np.int64)
        every = [
            self.columns_after(each, parts)
            for each in self.group
            for parts in self.product.column_parts
        ]
        return np.stack([self.product.column(parts) + each_column for parts in every]).astype(
            np.uint32
        )

    def columns_after(self, each: Acting, parts: Sequence[Indices]) -> list[AnyNumbers]:
        """The parts of columns after a symmetry."""
        before = len(self.product.rows)
        return [image.of([*[parts[0]] * before, *parts]) for image in each.images[before:]]

    @property
    def of_searches(self) -> Storage:
        """That of all states."""
        return STATES

    def searched(self, space: Space) -> SearchGraph:
        """The states: where symmetries exchange the vertices of a row,
        an edge between vertices may have no inverse.
        """
        return STATES.searched(space)

    def distances(self, space: Space, states: Indices, probe: Probe) -> Distances:  # noqa: ARG002
        """The distances of the vertices."""
        return probe(self.vertices.expand(states)[:, 0])

    def of_vertices(self, rows: list[Signed], maps: list[npt.NDArray[np.uint32]]) -> Signed:
        """The distances of the vertices."""
        return rows[0][maps[0]]

    def problem(self, goal_states: Indices) -> str | None:
        """Name a breach of the law of symmetries in docs/table-format.md,
        the first that is found.
        """
        problems = self._problems_of_images(), self._problems_of_goal(goal_states), self._problems()
        return next(chain(*problems), None)

    def _problems_of_goal(self, goal_states: Indices) -> Iterator[str]:
        """Symmetries keep the goal."""
        for number, images in enumerate(self.symmetric(goal_states).T):
            if (np.sort(images) != goal_states).any():
                yield f"symmetry {number} moves the goal"

    def _problems_of_images(self) -> Iterator[str]:
        """Symmetries map moves onto moves,
        and the factors of rows and those of columns onto such factors.
        """
        factors = self.product.factors
        moves = range(len(factors[0].moves))
        for number, each in enumerate(self.group):
            given = {image.source: image.given for image in each.images}
            onto = len(given) == len(factors) and all(
                given[image.given] == image.given for image in each.images
            )
            if not onto or not {*each.moves} <= {*moves}:  # some moves may do the same
                yield f"symmetry {number} does not map moves onto moves, and parts onto parts"
            for image, factor in zip(each.images, factors, strict=True):
                if not image.commutes(factor, factors, each.moves):
                    yield f"symmetry {number} does not map moves to their images"


def edges_of_symmetry_classes(
    to: SmallNumbers,
    pairs: SmallNumbers,
    columns: npt.NDArray[np.uint32],
    maps: npt.NDArray[np.uint32],
) -> ProductForm:
    """The edges between classes of rows, int32[edges, rows].
    Each is a pair, a map of `maps` and then one of `columns`.

    The number of a pair is that of the second one times the number of the first ones,
    plus that of the first one.
    """
    width = maps.shape[1]
    numbers = {np.arange(width, dtype=np.uint32).tobytes(): 0}
    number = np.zeros(len(columns) * len(maps), np.int32)
    for pair in np.flatnonzero(np.bincount(pairs.reshape(-1))).tolist():
        second, first = divmod(pair, len(maps))
        number[pair] = numbers.setdefault(columns[second][maps[first]].tobytes(), len(numbers))
    return ProductForm(
        to, number[pairs], np.stack([np.frombuffer(each, np.uint32) for each in numbers])
    )
