"""Rows of a product up to symmetry: one of each class is stored, with all its columns.

A symmetry of the definition acts on the rows and, in rows of one family, on the columns by one map. So the distance of
a state is that of its *vertex*: the state renamed by the symmetry that leads its row to the least of the class.

Glossary
    image       of a factor: its index after a symmetry, by the indices of one or two factors before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.space import Graph, Indices, Orbits, ProductForm
from puzzlebase.puzzles.definitions.blocks import PlaceBlock
from puzzlebase.puzzles.definitions.definition import Definition, Numbers, Transformation
from puzzlebase.puzzles.definitions.factors import Factor, Product
from puzzlebase.puzzles.definitions.symmetries import Symmetry, symmetries

_ROWS_AT_ONCE = 1 << 15
_MOST_POINTS = 1 << 14  # moves times places with orientations of a definition whose symmetries are looked for
_MAP_BYTES = 1 << 25


class Image(NamedTuple):
    """The image of a factor: table[kind[index of `given`], index of `source`], for two factors of the same side."""

    given: int
    source: int
    kind: Indices
    table: Indices

    def of(self, parts: Sequence[Indices]) -> Indices:
        """The image by the indices of all factors of the side."""
        return self.table[self.kind[parts[self.given]], parts[self.source]]


class Acting(NamedTuple):
    """A symmetry that acts on rows and columns: the image of each move, and those of the factors of both."""

    moves: tuple[int, ...]
    rows: tuple[Image, ...]
    columns: tuple[Image, ...]


@dataclass(frozen=True)
class Renaming:
    """The effect of a symmetry on states. A piece is known by its place and label, int64[places, labels] each."""

    definition: Definition
    symmetry: Symmetry
    moves: tuple[int, ...]  # the image of each move
    label: Numbers
    by: Numbers  # it is turned on, beside what follows from its place
    modulus: Numbers

    @classmethod
    def of(
        cls, definition: Definition, blocks: Sequence[PlaceBlock], symmetry: Symmetry, moves: tuple[int, ...]
    ) -> Renaming | None:
        """Find it; None where the solved state becomes one that differs by more than names of equal pieces."""
        shape = len(definition.labels), int(definition.labels.max()) + 1
        label, by = np.zeros((2, *shape), np.int64)
        modulus = np.ones(shape, np.int64)
        for block in blocks:
            homes, images = block.places, symmetry.places[block.places]
            old, new = definition.labels[homes], definition.labels[images]
            signs, ways = symmetry.signs[homes], definition.moduli[homes]
            turned = (definition.turned[images] - signs * definition.turned[homes] - symmetry.shifts[homes]) % ways
            pairs = {*zip(old.tolist(), new.tolist(), turned.tolist(), strict=True)}
            alike = len({*signs.tolist()}) == 1 and (ways == definition.moduli[images]).all()
            if not alike or len(pairs) > len({*old.tolist()}):
                return None
            here = homes[:, None]
            label[here, old], by[here, old], modulus[here, old] = new, turned, ways
        return cls(definition, symmetry, moves, label, by, modulus)

    def __call__(self, labels: Numbers, turns: Numbers) -> tuple[Numbers, Numbers]:
        """The labels and turns of renamed states, int64[n, places] each."""
        places, symmetry = np.arange(labels.shape[1]), self.symmetry
        after, turned = np.empty((2, *labels.shape), np.int64)
        after[:, symmetry.places] = self.label[places, labels]
        by = symmetry.signs * turns + symmetry.shifts + self.by[places, labels]
        turned[:, symmetry.places] = by % self.modulus[places, labels]
        return after, turned


def renamings(definition: Definition, turns: Sequence[Transformation], blocks: Sequence[PlaceBlock]) -> list[Renaming]:
    """The symmetries of a definition that map moves onto moves and the solved state to itself, the identity first."""
    if len(turns) * int(definition.orientations.sum()) > _MOST_POINTS:
        return []
    numbers = {turn.key: number for number, turn in enumerate(turns)}
    found = []
    for each in symmetries(definition, turns):
        moves = tuple(numbers.get(each.image(turn, definition.orientations).key, -1) for turn in turns)
        if -1 not in moves and (renaming := Renaming.of(definition, blocks, each, moves)):
            found.append(renaming)
    return found


def acting(blocks: Sequence[PlaceBlock], every: Sequence[Renaming], product: Product) -> list[Acting]:
    """The symmetries that act on the rows and columns of a product, the identity first: a group."""
    found: dict[bytes, Acting] = {}
    for each in every:
        columns = _images(blocks, each, product.y)
        rows = None if columns is None else _images(blocks, each, product.x)
        if columns is not None and rows is not None:
            key = b"|".join(image.kind.tobytes() + image.table.tobytes() for image in rows + columns)
            found.setdefault(key, Acting(each.moves, rows, columns))
    return [*found.values()]


def _images(blocks: Sequence[PlaceBlock], rename: Renaming, side: Factor | Product) -> tuple[Image, ...] | None:
    """The images of the factors of the rows or the columns; None where they follow from others."""
    factors, definition = side.factors, rename.definition
    known = {factor.charges: number for number, factor in enumerate(factors)}
    block_to = {int(rename.symmetry.places[block.places].min()): number for number, block in enumerate(blocks)}
    found = []
    for target in factors:
        to = target.charges[0] // 2
        of = block_to.get(int(blocks[to].places.min()))
        if of is None or (source := known.get(tuple(each + 2 * (of - to) for each in target.charges))) is None:
            return None
        places, given, kind = blocks[of].places, source, np.zeros(factors[source].size, np.int64)
        by, different = rename.by[places[0], definition.labels[places]], [-1]
        if target.charges[0] % 2 and (by != by[0]).any():  # turns follow from the labels, too
            if (given := known.get((2 * of,), -1)) < 0:
                return None
            labels, _ = _solved(definition, factors[given], np.arange(factors[given].size))
            turned = rename.by[places, labels[:, places]]
            _, first_of, numbers = np.unique(turned, axis=0, return_index=True, return_inverse=True)
            different, kind = first_of.tolist(), numbers.reshape(-1)
        tables = []
        for arrangement in different:
            labels, turns = _solved(definition, factors[source], np.arange(factors[source].size))
            if arrangement >= 0:
                factors[given].unrank(np.full(len(labels), arrangement), labels, turns)
            tables.append(target.rank(*rename(labels, turns)))
        table = np.stack(tables)
        if (table < 0).any():
            return None
        found.append(Image(given, source, kind, table))
    return tuple(found)


def _solved(definition: Definition, factor: Factor, indices: Indices) -> tuple[Numbers, Numbers]:
    """Solved states but for a factor."""
    labels, turns = np.tile(definition.labels, (len(indices), 1)), np.tile(definition.turned, (len(indices), 1))
    factor.unrank(indices, labels, turns)
    return labels, turns


@dataclass(frozen=True, eq=False)
class SymmetricRows:
    """The rows of a product by their classes under a group of symmetries."""

    product: Product
    group: Sequence[Acting]
    by: npt.NDArray[np.int8]  # the symmetry that leads each row to the least one of its class, int8[rows]
    row: npt.NDArray[np.int32]  # the number of the class of each row, int32[rows]
    least: Indices  # the least row of each class, int64[classes]

    @classmethod
    def of(cls, product: Product, group: Sequence[Acting]) -> SymmetricRows:
        """Find the classes."""
        by, least = np.empty(product.x.size, np.int8), np.empty(product.x.size, np.int32)
        images_of = _images_of_rows(product.x, group)
        for first in range(0, len(by), _ROWS_AT_ONCE):
            images = images_of(np.arange(first, min(first + _ROWS_AT_ONCE, len(by))))
            here = slice(first, first + images.shape[1])
            least[here], by[here] = images.min(axis=0), images.argmin(axis=0)
        own = least == np.arange(len(least))
        return cls(product, group, by, (np.cumsum(own, dtype=np.int32) - 1)[least], np.flatnonzero(own))

    @cached_property
    def columns(self) -> npt.NDArray[np.uint32]:
        """The column maps, uint32[symmetries * families, width]: of each symmetry those of rows of each family."""
        maps = [self.product.position[to[members]] for to in self._columns() for members in self.product.members]
        return np.stack(maps).astype(np.uint32)

    def _columns(self) -> Iterator[Indices]:
        """The images of the columns of all families, by symmetry."""
        side = self.product.y
        for each in self.group:
            parts = [image.of(side.parts(np.arange(side.size))) for image in each.columns]
            whole = np.zeros(side.size, np.int64)
            for digit, part in zip(side.digits, parts, strict=True):
                whole += digit[part]
            yield whole

    @cached_property
    def vertices(self) -> ProductForm:
        """An edge from each state to its vertex."""
        kind = self.by * np.int32(len(self.product.members))
        if len(self.product.members) > 1:
            kind += self.product.family_of(np.arange(len(kind))).astype(np.int32)
        return ProductForm(self.row[None, :], kind[None, :], self.columns)

    def form(self) -> ProductForm:
        """The edges between vertices: a move, and the symmetry that leads the new row to its class."""
        kinds, maps = self.product.columns
        to = self.product.x.after(self.least)
        kind = self.vertices.kind[0][to]
        kind *= len(maps)
        kind += kinds[:, self.product.family_of(self.least)]
        pairs = np.flatnonzero(np.bincount(kind.reshape(-1), minlength=1))
        numbers = {np.arange(self.product.width, dtype=np.uint32).tobytes(): 0}
        number = np.zeros(int(pairs.max()) + 1, np.int32)
        for pair in pairs.tolist():
            own, move = divmod(pair, len(maps))
            number[pair] = numbers.setdefault(self.columns[own][maps[move]].tobytes(), len(numbers))
        column_map = np.frombuffer(b"".join(numbers), np.uint32).reshape(len(numbers), -1)
        return ProductForm(self.row[to], number[kind], column_map)

    def problem(self) -> str | None:
        """Name what is wrong with symmetries or classes; None where they prove what docs/table-format.md says.

        Moves can be taken back. Each symmetry maps moves onto moves and the goal to itself, and acts on rows and
        columns as the tables say. Each row becomes the least one of its class.
        """
        return next(chain(self._problems_of_moves(), self._problems_of_rows()), None)

    def _problems_of_moves(self) -> Iterator[str]:
        x, y, every = self.product.x, self.product.y, self.product.as_parts().moves
        moves = range(len(y.moves))
        for move in moves:
            if not any(all((to[back][to[move]] == np.arange(to.shape[1])).all() for to in every) for back in moves):
                yield f"no move takes back move {move}"
        start = x.parts(np.array([x.solved]))
        for number, (each, column) in enumerate(zip(self.group, self._columns(), strict=True)):
            if sorted(each.moves) != [*moves]:
                yield f"symmetry {number} does not map moves onto moves"
            at_goal = (image.of(start) == at for image, at in zip(each.rows, start, strict=True))
            if column[y.solved] != y.solved or not all(at_goal):
                yield f"symmetry {number} moves the goal"
            same = [(column[y.moves[move]] == y.moves[to][column]).all() for move, to in enumerate(each.moves)]
            same += [_commutes(*pair, x.factors, each.moves) for pair in zip(each.rows, x.factors, strict=True)]
            if not all(same):
                yield f"symmetry {number} does not map moves to their images"

    def _problems_of_rows(self) -> Iterator[str]:
        product = self.product
        families = np.empty((len(self.group), len(product.members)), np.int64)
        for number, column in enumerate(self._columns()):
            for at, members in enumerate(product.members):
                to = column[members]
                families[number, at] = product.family[to[0]]
                fits = (product.family[to] == families[number, at]).all()
                if not fits or (product.position[to] != self.columns[number * len(product.members) + at]).any():
                    yield f"the column maps of symmetry {number} are not what it does"
        if (self.row[self.least] != np.arange(len(self.least))).any() or self.by[self.least].any():
            yield "a row that stands for a class is not its own vertex"
        for first in range(0, len(self.by), _ROWS_AT_ONCE):
            rows = np.arange(first, min(first + _ROWS_AT_ONCE, len(self.by)))
            for number in np.unique(self.by[rows]).tolist():
                if not self._leads(number, rows[self.by[rows] == number], families[number]):
                    yield f"symmetry {number} does not lead its rows to their class"

    def _leads(self, number: int, rows: Indices, families: Indices) -> bool:
        """True if a symmetry leads rows to the least of their classes, and their families as the column maps say."""
        x, least = self.product.x, self.least[self.row[rows]]
        parts, to = x.parts(rows), x.parts(least)
        fits = (families[self.product.family_of(rows)] == self.product.family_of(least)).all()
        return fits and all((i.of(parts) == at).all() for i, at in zip(self.group[number].rows, to, strict=True))

    def orbits(self) -> Orbits:
        """The graph of the vertices, whose distances are those of the states."""
        width, families = self.product.width, len(self.product.members)
        product = cache(self.form)

        def graph() -> Graph:
            start = self.vertices.expand(np.array([self.product.solved]))[:, 0]
            return Graph(
                size=len(self.least) * width,
                expand=lambda vertices: product().expand(vertices),
                goal_states=start,
                product=product,
            )

        def representatives() -> Callable[[Indices], Indices]:
            fixed = _images_of_rows(self.product.x, self.group)(self.least) == self.least
            several = np.flatnonzero(fixed.sum(axis=0) > 1)
            family = self.product.family_of(self.least)

            def least_of(vertices: Indices) -> Indices:
                found = vertices.copy()
                some = np.flatnonzero((vertices >= 0) & np.isin(vertices // width, several))
                rows, columns = np.divmod(vertices[some], width)
                for number in range(1, len(self.group)):
                    to = rows * width + self.columns[number * families + family[rows], columns]
                    found[some] = np.where(fixed[number, rows], np.minimum(found[some], to), found[some])
                return found

            return least_of

        return Orbits(
            size=len(self.least) * width,
            vertices=self.vertices,
            graph=graph,
            representatives=representatives,
            more=0,
            symmetries=len(self.group),
            problem=self.problem,
        )


def _images_of_rows(side: Factor | Product, group: Sequence[Acting]) -> Callable[[Indices], npt.NDArray[np.int32]]:
    """Make the function from rows to their images, int64[n] -> int32[symmetries, n]."""
    terms = [
        [
            (
                image.given,
                image.source,
                image.kind * image.table.shape[1],
                digit[image.table].astype(np.int32).reshape(-1),
            )
            for digit, image in zip(side.digits, each.rows, strict=True)
        ]
        for each in group
    ]

    def images(rows: Indices) -> npt.NDArray[np.int32]:
        found, parts = np.zeros((len(group), len(rows)), np.int32), side.parts(rows)
        for number, those in enumerate(terms):
            for given, source, start, digits in those:
                found[number] += digits[parts[source] if given == source else start[parts[given]] + parts[source]]
        return found

    return images


def _commutes(image: Image, target: Factor, factors: Sequence[Factor], moves: Sequence[int]) -> bool:
    """True if each move and then the symmetry does what the symmetry and then the image of the move does."""
    given, source = factors[image.given], factors[image.source]
    if given is source and image.kind.any():
        return False
    for move, other in enumerate(moves):
        kinds = len(image.table)
        pairs = np.flatnonzero(np.bincount(image.kind * kinds + image.kind[given.moves[move]], minlength=1))
        before, after = np.divmod(pairs, kinds)
        if (target.moves[other][image.table[before]] != image.table[after][:, source.moves[move]]).any():
            return False
    return True
