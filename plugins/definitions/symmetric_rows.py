"""Rows of a product up to symmetry: one of each class is stored, with all its columns.

A symmetry of the definition acts on the rows and, in rows of one family, on the columns by one map.
Some symmetry leads a state's row to the least of its class; the state renamed by it is its
*vertex*, which has the same distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.definitions.definition import SmallNumbers
from puzzlebase.plugins.definitions.factors import Product
from puzzlebase.plugins.definitions.symmetry_classes import (
    Acting,
    SymmetryClasses,
    edges_of_symmetry_classes,
)
from puzzlebase.puzzles.contract.space import Indices, ProductForm, Space

_ROWS_AT_ONCE = 1 << 13


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
