"""Classes of rows up to symmetry: one row of each class is stored, with all its columns.

A state has the distance of its one *vertex*, the state's image in its class.

A symmetry of the definition acts on the rows and, in rows of one family, on the columns by one map.
Some symmetry leads a state's row to the least of its class; the state renamed by it is the vertex.
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

_ROWS_AT_ONCE = 1 << 13


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


@dataclass(frozen=True, eq=False)
class SymmetricRows(SymmetryClasses):
    """The rows of a product by their classes under a group of symmetries."""

    # the symmetry that leads each row to the least one of its class, int16[rows]
    by: npt.NDArray[np.int16]
    row: SmallNumbers  # the number of the class of each row, int32[rows]
    least: Indices  # the least row of each class, int64[classes]

    @classmethod
    def of(cls, product: Product, group: Sequence[Acting]) -> SymmetricRows:
        """Find the classes.
        Only symmetries that lead the first part to the least one lead rows with it there.
        """
        digits_of = [level.digits.astype(np.int32) for level in product.rows]
        terms = [
            [digits[image.table] for digits, image in zip(digits_of, each.images, strict=False)]
            for each in group
        ]
        to = np.stack([first[0] for first, *_ in terms])
        leads = (
            to == to.min(axis=0) if all(each.images[0][:2] == (0, 0) for each in group) else to >= 0
        )
        by, least = np.zeros(product.count, np.int16), np.arange(product.count, dtype=np.int32)
        for first in range(0, product.count, _ROWS_AT_ONCE):
            parts = product.row_parts(np.arange(first, min(first + _ROWS_AT_ONCE, product.count)))
            for number, each in enumerate(group):
                here = np.flatnonzero(leads[number][parts[0]])
                images = np.zeros(len(here), np.int32)
                for image, digits in zip(each.images, terms[number], strict=False):
                    source = parts[image.source][here]
                    images += (
                        digits[0, source]
                        if len(digits) == 1
                        else digits[image.kind[parts[image.given][here]], source]
                    )
                rows = first + here
                better = images < least[rows]
                least[rows[better]], by[rows[better]] = images[better], number
        own = least == np.arange(len(least))
        return cls(
            product, group, by, (np.cumsum(own, dtype=np.int32) - 1)[least], np.flatnonzero(own)
        )

    @cached_property
    def vertices(self) -> ProductForm:
        """An edge from each state to its vertex."""
        families = len(self.product.starts)
        kind = self.by * np.int32(families)
        if families > 1:
            kind += self.product.family_of(np.arange(len(kind))).astype(np.int32)
        return ProductForm(self.row[None, :], kind[None, :], self.columns)

    def size(self, space: Space) -> int:  # noqa: ARG002
        """The number of classes with all their columns."""
        return len(self.least) * self.product.width

    def symmetric(self, indices: Indices) -> Indices:
        """The images of states under each symmetry, int64[n] -> int64[n, symmetries]."""
        parts = self.product.parts(indices)
        return np.stack([self.product.index(each.of(parts)) for each in self.group], axis=1)

    def rows_of_classes(self) -> tuple[Indices, Indices]:
        """The rows of all classes, and before them where each class begins."""
        return np.append(0, np.cumsum(np.bincount(self.row))), np.argsort(self.row, kind="stable")

    @cached_property
    def edges(self) -> ProductForm:
        """The edges between vertices: a move,
        and the symmetry that leads the new row to its class.
        """
        kinds, maps = self.product.column_maps
        to = self.product.rows_after(self.least)
        kind = self.vertices.kind[0][to]
        kind *= len(maps)
        kind += kinds[:, self.product.family_of(self.least)]
        return edges_of_symmetry_classes(self.row[to], kind, self.columns, maps)

    def _problems(self) -> Iterator[str]:
        """Moves can be taken back, and rows become the least of their classes."""
        moves = range(len(self.images[0]))
        for move in moves:
            if not any(self.product.takes_back(move, back) for back in moves):
                yield f"no move takes back move {move}"
        yield from self._problems_of_rows()

    def _problems_of_rows(self) -> Iterator[str]:
        """Each row becomes the least of its class, and its columns those of one family."""
        product, columns = self.product, self.product.column_parts
        families = np.full((len(self.group), len(columns)), -1)
        for number, each in enumerate(self.group):
            for family, parts in enumerate(columns):
                images = self.columns_after(each, parts)
                to = product.column(images)
                for other, those in enumerate(columns):
                    if all(
                        (image == part[to]).all() for image, part in zip(images, those, strict=True)
                    ):
                        families[number, family] = other
        if (families < 0).any():
            yield "a symmetry does not map columns of a row to those of one"
        if (self.row[self.least] != np.arange(len(self.least))).any() or self.by[self.least].any():
            yield "a row that stands for a class is not its own vertex"
        for first in range(0, product.count, _ROWS_AT_ONCE):
            rows = np.arange(first, min(first + _ROWS_AT_ONCE, product.count))
            for number in np.unique(self.by[rows]).tolist():
                here = rows[self.by[rows] == number]
                least = self.least[self.row[here]]
                parts = product.row_parts(here)
                led = zip(self.group[number].images, product.row_parts(least), strict=False)
                fits = (families[number, product.family_of(here)] == product.family_of(least)).all()
                if not fits or any((image.of(parts) != at_least).any() for image, at_least in led):
                    yield f"symmetry {number} does not lead its rows to their class"


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
