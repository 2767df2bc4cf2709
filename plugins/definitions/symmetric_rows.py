"""Rows of a product up to symmetry: one of each class is stored, with all its columns.

A symmetry of the definition acts on the rows and, in rows of one family, on the columns by one map. Some symmetry leads
a state's row to the least of its class; the state renamed by it is its *vertex*, which has the same distance.

Glossary
    image       of a factor: its index after a symmetry, by the indices of one or two factors before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.definitions.blocks import PlaceBlock
from puzzlebase.plugins.definitions.classes import SymmetryClasses
from puzzlebase.plugins.definitions.definition import (
    AnyNumbers,
    Definition,
    Numbers,
    Pieces,
    SmallNumbers,
    Transformation,
    stack,
)
from puzzlebase.plugins.definitions.factors import Factor, Product, maps_of
from puzzlebase.plugins.definitions.symmetries import Symmetry, symmetries
from puzzlebase.plugins.definitions.work import Work
from puzzlebase.plugins.small_graphs import breadth_first
from puzzlebase.puzzles.contract.space import Indices, ProductForm, Space

One = TypeVar("One")

_ROWS_AT_ONCE = 1 << 13
_SAMPLE = 100  # states, by which symmetries are told apart
_MOST_POINTS = 1 << 14  # moves times places with orientations of a definition whose symmetries are looked for
_MOST_GOALS = 1 << 6  # that symmetries lead to one another
_MAP_BYTES = 1 << 27  # of the column maps of moves and symmetries together


class Image(NamedTuple):
    """The image of a factor, by two factors of one side: table[kind[part `given`], part `source`]."""

    given: int
    source: int
    kind: Indices
    table: SmallNumbers

    def of(self, parts: Sequence[AnyNumbers]) -> AnyNumbers:
        """The image by the parts of states; rows have no parts of columns."""
        return self.table[self.kind[parts[self.given]], parts[self.source]]


class Acting(NamedTuple):
    """A symmetry that acts on rows and on columns: the image of each move, and that of each factor."""

    moves: tuple[int, ...]
    images: tuple[Image, ...]

    def of(self, parts: Sequence[AnyNumbers]) -> list[AnyNumbers]:
        """The parts of the images of states."""
        return [image.of(parts) for image in self.images]


@dataclass(frozen=True)
class Renaming:
    """The effect of a symmetry on states, in which pieces get other names as well.

    A piece is known by its place and label, int64[places, labels] each.
    """

    definition: Definition
    symmetry: Symmetry
    moves: tuple[int, ...]  # the image of each move
    label: Numbers
    by: Numbers  # its turn, beside what follows from its place

    @classmethod
    def of(
        cls,
        definition: Definition,
        blocks: Sequence[PlaceBlock],
        symmetry: Symmetry,
        moves: tuple[int, ...],
        before: Sequence[Numbers],
        after: Sequence[Numbers],
    ) -> Renaming | None:
        """Find the effect that leads one state to another; None if it takes more than other names of equal pieces."""
        shape = len(definition.labels), int(definition.labels.max()) + 1
        label, by = np.zeros((2, *shape), np.int64)
        for block in blocks:
            homes, images = block.places, symmetry.places[block.places]
            (old, old_turns), (new, new_turns) = ((part[homes] for part in before), (part[images] for part in after))
            signs, ways = symmetry.signs[homes], definition.modulus_of[definition.set_of[homes], old]
            turned = (new_turns - signs * old_turns - symmetry.shifts[homes]) % ways
            pairs = {*zip(old.tolist(), new.tolist(), turned.tolist(), strict=True)}
            ways_after = definition.modulus_of[definition.set_of[images], new]
            alike = len({*signs.tolist()}) == 1 and (ways == ways_after).all()
            if not alike or len(pairs) > len({*old.tolist()}):
                return None
            here = homes[:, None]
            label[here, old], by[here, old] = new, turned
        return cls(definition, symmetry, moves, label, by)

    def __call__(self, labels: Numbers, turns: Numbers, places: Numbers) -> tuple[Numbers, Numbers]:
        """The labels and turns, int64[n, all places], of renamed states that are solved but for some places."""
        symmetry, (after, turned) = self.symmetry, self.definition.solved(len(turns))
        of, to = labels[:, places], symmetry.places[places]
        after[:, to] = self.label[places, of]
        by = symmetry.signs[places] * turns[:, places] + symmetry.shifts[places] + self.by[places, of]
        turned[:, to] = by % self.definition.modulus_of[self.definition.set_of[places], of]
        return after, turned


def renamings(
    definition: Definition, turns: Sequence[Transformation], blocks: Sequence[PlaceBlock], goals: Pieces, work: Work
) -> list[Renaming]:
    """The symmetries of a definition that map moves onto moves and goal states to goal states, the identity first.

    Each symmetry of places is tried with every renaming of pieces that leads the first goal state to a goal state; if
    there are very many goal states, only with that which leads it to itself. Raises TooMuchWork.
    """
    if not blocks or len(turns) * int(definition.orientations.sum()) > _MOST_POINTS:
        return []
    stacked = stack(turns)
    every, places = [*zip(*goals, strict=True)], np.concatenate([block.places for block in blocks])
    goal_set = {*states_as_bytes(goals, places)}
    found = []
    for each in symmetries(definition, turns):
        work.spend(stacked.source.size, 10 * len(blocks))
        moves = _onto(stacked.keys, each.image(stacked, definition.orientations).keys)
        if not moves:
            continue
        for goal in every[: len(every) if len(every) <= _MOST_GOALS else 1]:
            work.spend(goals[0].size, 10 * len(blocks))
            renaming = Renaming.of(definition, blocks, each, moves, every[0], goal)
            if renaming and {*states_as_bytes(renaming(*goals, places), places)} == goal_set:
                found.append(renaming)
    return found


def _onto(moves: Sequence[bytes], images: Sequence[bytes]) -> tuple[int, ...]:
    """The numbers of the images of moves, by their keys; none if they are no permutation. Moves may have equal keys."""
    order = sorted(range(len(moves)), key=moves.__getitem__)
    of_images = sorted(range(len(moves)), key=images.__getitem__)
    if [moves[number] for number in order] != [images[number] for number in of_images]:
        return ()
    onto = dict(zip(of_images, order, strict=True))
    return tuple(onto[number] for number in range(len(moves)))


def states_as_bytes(states: Pieces, places: Numbers) -> list[bytes]:
    """States as bytes, by their pieces in some places."""
    labels, turns = states
    return [state.tobytes() for state in np.hstack([labels[:, places], turns[:, places]])]


def acting(blocks: Sequence[PlaceBlock], every: Sequence[Renaming], product: Product, work: Work) -> list[Acting]:
    """The symmetries that act on the rows and columns of a product, the identity first; none if these are no group.

    Some may be missing: the search for them is limited, and takes one of those with the same images of moves. Raises
    TooMuchWork.
    """
    some = product.parts(np.random.default_rng(0).integers(0, product.size, _SAMPLE))
    numbers = sum(factor.size for factor in product.factors)
    found: dict[bytes, Acting] = {}
    for each in every:
        work.spend(4 * numbers, 20 * len(product.factors))
        if (images := images_of(blocks, each, product)) is not None:
            one = Acting(each.moves, images)
            found.setdefault(product.index(one.of(some)).tobytes(), one)
    group = [*found.values()]
    if len(group) > 1 and len(group) * product.column_maps[1].nbytes > _MAP_BYTES:
        return []

    def after(one: Acting, other: Acting) -> bytes:
        work.spend(0, 4 * len(product.factors))
        return product.index(one.of(other.of(some))).tobytes()

    return group if is_group(found, after) else []


def is_group(found: Mapping[bytes, One], after: Callable[[One, One], bytes]) -> bool:
    """True if products of generators, drawn from symmetries until they give all, are these and no others."""
    drawn = np.random.default_rng(0).permutation(len(found))
    keys = [*found]
    generators: list[One] = []
    reached = {*keys[:1]}
    for key in (keys[at] for at in drawn.tolist()):
        if key in reached:
            continue
        generators.append(found[key])
        reached = set()
        for each, _ in breadth_first(keys[:1], lambda known: (after(one, found[known]) for one in generators)):
            if each not in found:
                return False
            reached.add(each)
    return True


def images_of(blocks: Sequence[PlaceBlock], rename: Renaming, product: Product) -> tuple[Image, ...] | None:
    """The images of all factors; None if one of rows follows from those of columns, or one of these from rows."""
    factors, places = product.factors, [block.places for block in blocks]
    known = {factor.charges: number for number, factor in enumerate(factors)}
    block_to = {int(rename.symmetry.places[some].min()): number for number, some in enumerate(places)}
    pairs = []
    for number, target in enumerate(factors):
        to = target.charges[0] // 2
        of = block_to.get(int(places[to].min()), to)
        given = source = known.get(tuple(each + 2 * (of - to) for each in target.charges), -1)
        by = rename.by[places[of][0], rename.definition.labels[places[of]]]
        if target.charges[0] % 2 and (by != by[0]).any():  # turns follow from the labels, too
            given = known.get((2 * of,), -1)
        pairs.append((given, source, places[of]))
        if min(given, source) < 0 or {each < len(product.rows) for each in (number, given, source)} != {
            number < len(product.rows)
        }:
            return None
    found = [_image(rename, factors, target, *pair) for target, pair in zip(factors, pairs, strict=True)]
    return None if any((image.table < 0).any() for image in found) else tuple(found)


def _image(
    rename: Renaming, factors: Sequence[Factor], target: Factor, given: int, source: int, places: Numbers
) -> Image:
    """The image of a factor, by those of pieces in some places."""
    factor = factors[source]
    if given == source:
        table, moves = np.empty(factor.size, np.int32), np.array(rename.moves)
        table[factor.solved] = target.rank(*rename(*rename.definition.solved(1), places))[0]
        for indices, move, before in factor.tree:
            table[indices] = target.moves[moves[move], table[before]]
        return Image(given, source, np.broadcast_to(0, factor.size), table[None, :])
    _, turns = solved_but_for(rename.definition, factor)
    arranged, _ = solved_but_for(rename.definition, factors[given])
    _, first_of, kind = np.unique(
        rename.by[places, arranged[:, places]], axis=0, return_index=True, return_inverse=True
    )
    tables = [target.rank(*rename(arranged[[at]], turns, places)) for at in first_of.tolist()]
    return Image(given, source, kind.reshape(-1), np.stack(tables, dtype=np.int32, casting="unsafe"))


def solved_but_for(definition: Definition, factor: Factor) -> tuple[Numbers, Numbers]:
    """The labels and turns of states that are solved except for one factor, which has each of its indices."""
    labels, turns = definition.solved(factor.size)
    factor.unrank(np.arange(factor.size), labels, turns)
    return labels, turns


@dataclass(frozen=True, eq=False)
class SymmetricRows(SymmetryClasses):
    """The rows of a product by their classes under a group of symmetries."""

    product: Product
    group: Sequence[Acting]
    by: npt.NDArray[np.int16]  # the symmetry that leads each row to the least one of its class, int16[rows]
    row: SmallNumbers  # the number of the class of each row, int32[rows]
    least: Indices  # the least row of each class, int64[classes]

    @classmethod
    def of(cls, product: Product, group: Sequence[Acting]) -> SymmetricRows:
        """Find the classes. Only symmetries that lead the first part to the least one lead rows with it there."""
        count, width, image_of = product.count, product.rows[0].members.shape[1], _image_of_rows(product, group)
        behind = np.arange(count // width)
        firsts = product.row_parts(np.arange(width) * len(behind))
        to = np.stack([image_of(number, firsts) // len(behind) for number in range(len(group))])
        leads = to == to.min(axis=0) if all(each.images[0][:2] == (0, 0) for each in group) else to >= 0
        by, least = np.zeros(count, np.int16), np.full(count, count, np.int32)
        for number, first in enumerate(map(np.flatnonzero, leads)):
            for some in np.array_split(first, len(first) * len(behind) // _ROWS_AT_ONCE + 1):
                rows = (some[:, None] * len(behind) + behind).reshape(-1)
                images = image_of(number, product.row_parts(rows))
                better = images < least[rows]
                least[rows[better]], by[rows[better]] = images[better], number
        own = least == np.arange(len(least))
        return cls(product, group, by, (np.cumsum(own, dtype=np.int32) - 1)[least], np.flatnonzero(own))

    @cached_property
    def columns(self) -> npt.NDArray[np.uint32]:
        """The column maps, uint32[symmetries * families, width]: of each symmetry those of rows of each family."""
        return np.stack([self._column(each, parts)[0] for each in self.group for parts in self.product.column_parts])

    def _column(self, each: Acting, parts: Sequence[Indices]) -> tuple[npt.NDArray[np.uint32], list[AnyNumbers]]:
        """The images of all columns of a family under a symmetry, uint32[width], and their parts."""
        before = len(self.product.rows)
        found = [image.of([*[parts[0]] * before, *parts]) for image in each.images[before:]]
        columns = self.product.column(found) + np.zeros(self.product.width, np.int64)
        return columns.astype(np.uint32), found

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

    @cached_property
    def images(self) -> Sequence[Sequence[int]]:
        """The images of each move under each symmetry."""
        return [each.moves for each in self.group]

    def rows_of_classes(self) -> tuple[Indices, Indices]:
        """The rows of all classes, and before them where each class begins."""
        return np.append(0, np.cumsum(np.bincount(self.row))), np.argsort(self.row, kind="stable")

    @cached_property
    def edges(self) -> ProductForm:
        """The edges between vertices: a move, and the symmetry that leads the new row to its class."""
        kinds, maps = self.product.column_maps
        to = self.product.rows_after(self.least)
        kind = self.vertices.kind[0][to]
        kind *= len(maps)
        kind += kinds[:, self.product.family_of(self.least)]
        return edges_of(self.row[to], kind, self.columns, maps)

    def problem(self, goal_states: Indices) -> str | None:
        """Name a breach of the law of symmetries in docs/table-format.md."""
        return next(chain(self._problems_of_moves(goal_states), self._problems_of_rows()), None)

    # The certificate: what docs/table-format.md asks of symmetries; it names the first problem that it finds.

    def _problems_of_moves(self, goal_states: Indices) -> Iterator[str]:
        """Moves can be taken back. Each symmetry maps moves onto moves, parts onto parts and the goal to itself."""
        moves = range(len(self.images[0]))
        for move in moves:
            if not any(takes_back(self.product, move, back) for back in moves):
                yield f"no move takes back move {move}"
        yield from problems_of_images(self.product, self.group)
        goals = self.product.parts(goal_states)
        for number, each in enumerate(self.group):
            if (np.sort(self.product.index(each.of(goals))) != goal_states).any():
                yield f"symmetry {number} moves the goal"

    def _problems_of_rows(self) -> Iterator[str]:
        """Each row becomes the least of its class, and its columns move by the one map of its family."""
        product, columns = self.product, self.product.column_parts
        families = np.full((len(self.group), len(columns)), -1)
        for number, each in enumerate(self.group):
            for family, parts in enumerate(columns):
                to, images = self._column(each, parts)
                for other, those in enumerate(columns):
                    if all((image == part[to]).all() for image, part in zip(images, those, strict=True)):
                        families[number, family] = other
                if families[number, family] < 0 or (to != self.columns[number * len(columns) + family]).any():
                    yield f"the column maps of symmetry {number} are not what it does"
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


def edges_of(
    to: SmallNumbers, pairs: SmallNumbers, columns: npt.NDArray[np.uint32], maps: npt.NDArray[np.uint32]
) -> ProductForm:
    """The edges to some rows, int32[edges, rows]. Each is a pair, a map of `maps` and then one of `columns`.

    The number of a pair is that of the second one times the number of the first ones, plus that of the first one.
    """
    width = maps.shape[1]
    numbers = {np.arange(width, dtype=np.uint32).tobytes(): 0}
    number = np.zeros(len(columns) * len(maps), np.int32)
    for pair in np.flatnonzero(np.bincount(pairs.reshape(-1))).tolist():
        second, first = divmod(pair, len(maps))
        number[pair] = numbers.setdefault(columns[second][maps[first]].tobytes(), len(numbers))
    return ProductForm(to, number[pairs], maps_of(numbers))


def problems_of_images(product: Product, group: Sequence[Acting]) -> Iterator[str]:
    """Name what is wrong with symmetries that shall map moves onto moves and the factors of a product onto factors."""
    factors = product.factors
    moves = range(len(factors[0].moves))
    for number, each in enumerate(group):
        given = {image.source: image.given for image in each.images}
        onto = len(given) == len(factors) and all(given[image.given] == image.given for image in each.images)
        if not onto or not {*each.moves} <= {*moves}:  # some moves may do the same
            yield f"symmetry {number} does not map moves onto moves, and parts onto parts"
        for image, factor in zip(each.images, factors, strict=True):
            if not _commutes(image, factor, factors, each.moves):
                yield f"symmetry {number} does not map moves to their images"


def takes_back(product: Product, move: int, back: int) -> bool:
    """True if a move takes back another one in all factors."""
    return all((each.moves[back][each.moves[move]] == np.arange(each.size)).all() for each in product.factors)


def _image_of_rows(product: Product, group: Sequence[Acting]) -> Callable[[int, Sequence[Indices]], SmallNumbers]:
    """Make the function from a symmetry's number and the parts of rows to their images, int32[n]."""
    digits_of = [level.digits.astype(np.int32) for level in product.rows]
    terms = [[(image, of[image.table]) for of, image in zip(digits_of, each.images, strict=False)] for each in group]

    def image_of(number: int, parts: Sequence[Indices]) -> SmallNumbers:
        found = np.zeros(len(parts[0]), np.int32)
        for image, digits in terms[number]:
            source = parts[image.source]
            found += digits[0, source] if len(digits) == 1 else digits[image.kind[parts[image.given]], source]
        return found

    return image_of


def _commutes(image: Image, target: Factor, factors: Sequence[Factor], moves: Sequence[int]) -> bool:
    """True if a factor is permuted, and the symmetry after each move is the image of the move after the symmetry."""
    given, source, kinds = factors[image.given], factors[image.source], len(image.table)
    if (given is source and image.kind.any()) or (np.sort(image.table, axis=1) != np.arange(target.size)).any():
        return False
    for move, other in enumerate(moves):
        pairs = np.flatnonzero(np.bincount(image.kind * kinds + image.kind[given.moves[move]]))
        before, after = np.divmod(pairs, kinds)
        if (target.moves[other][image.table[before]] != image.table[after][:, source.moves[move]]).any():
            return False
    return True
