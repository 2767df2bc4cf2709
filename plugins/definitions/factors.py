"""Numbers of states without gaps: the product of factors.

A factor is a part of a state that moves change independently of the rest, small enough to list. The
labels in a block are one factor and the turns another, since a move turns the piece that comes to a
place whichever piece it is. If pieces of a block differ in their visible turns, the block is one
factor.

The product of two factors has the index x * width + the position of y. Moves lead to (x, y) if and
only if they lead to charge(x) + charge(y). The y of an x are a coset of a subgroup. So two x have
the same y or none in common, and every x has `width` of them. So parities and sums that moves keep
leave no gaps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, groupby, islice, pairwise
from math import prod
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.definitions.definition import (
    AnyNumbers,
    Definition,
    Numbers,
    Pieces,
    SmallNumbers,
)
from puzzlebase.plugins.definitions.place_blocks import Charges, PlaceBlock
from puzzlebase.plugins.definitions.work import TooMuchWork, Work
from puzzlebase.plugins.small_graphs import small_graph_layers
from puzzlebase.puzzles.contract.space import Indices, ProductForm
from puzzlebase.puzzles.machinery.automaton import Arrangements
from puzzlebase.sentinels import NO_STATE

MOST_LISTED = 1 << 25  # states of a factor times moves, while those that occur are found
# rows times moves of the product form, or of the classes of rows up to symmetry
MOST_EDGES_OF_ROWS = 1 << 26
_MOST_ROWS = 1 << 25  # with such classes
_MAP_BYTES = 1 << 23
_WIDE = 1 << 12  # rows of this width are searched as fast as wider ones
_FEW_ROWS = 64
_EACH_LISTED = 4  # steps for each place of a listed state after each move
_NARROW = 64  # the bits of a word
_SMALL = 1 << 16
_ZERO: Indices = np.zeros((), np.int64)
_MOST_FACTORS = 6  # of the columns, while the best ones are looked for
_MOST_SPLITS = 1 << 18  # of factors into rows and columns that are looked at: all of 25 factors
_MOST_PRODUCTS = 1 << 12  # of these that are tried: all of 13 factors

Rank = Callable[[Numbers, Numbers], Indices]
"""Ranks states by all labels and all turns,
int[n, places] each -> int64[n]; -1 for an impossible state.
"""
Unrank = Callable[[npt.NDArray[Any], Numbers, Numbers], None]
"""Writes the labels and turns of states, given by their indices or rows, into two such arrays."""


@dataclass(frozen=True, eq=False)
class Factor:
    """A part of a state as an index."""

    moves: SmallNumbers  # the index after each move, int32[moves, size]
    # the numbers of the coordinates of `Charges.every` that follow from the factor
    charges: tuple[int, ...]
    charge: SmallNumbers  # of each index, in the mixed base of those coordinates, int32[size]
    solved: int  # the index of the solved state
    rank: Rank
    unrank: Unrank

    @property
    def size(self) -> int:
        """The number of indices."""
        return int(self.moves.shape[1])

    @cached_property
    def tree(self) -> list[tuple[Indices, Indices, Indices]]:
        """The indices that moves lead to from the solved one:
        in each layer they, a move to each and that before it.
        """
        found = []
        for (layer, _), (to, edges) in pairwise(factor_layers(self.moves, self.solved)):
            move, before = np.divmod(edges, len(layer))
            found.append((to, move, layer[before]))
        return found

    def states(self, definition: Definition) -> Pieces:
        """The labels and turns of states that are solved except for this factor,
        which has each of its indices.
        """
        labels, turns = definition.solved(self.size)
        self.unrank(np.arange(self.size), labels, turns)
        return labels, turns


def factor_layers(moves: SmallNumbers, solved: int) -> Iterator[tuple[Indices, Indices]]:
    """The numbers that moves, int32[moves, size], lead to from the solved one,
    as by `small_graph_layers`.
    """
    return small_graph_layers(
        moves.shape[1], np.array([solved]), lambda layer: moves[:, layer].reshape(-1)
    )


def factors_of(blocks: Sequence[PlaceBlock], work: Work) -> list[Factor] | None:
    """Make the factors of all blocks; None if one is too large to list, or all together are."""
    found = []
    for number, block in enumerate(blocks):
        parts = [(True, True)]
        if block.orientations:
            parts = [(True, False)] * block.rearranged + [(False, True)] * (block.orientations > 1)
        for arranged, turned in parts:
            try:
                found.append(_factor(block, number, work, arranged=arranged, turned=turned))
            except TooMuchWork:
                return None
    return found


def _factor(block: PlaceBlock, number: int, work: Work, *, arranged: bool, turned: bool) -> Factor:
    """The factor of a block's arrangement, of its turns, or of both; raises TooMuchWork."""
    digit = Digit(block, arranged=arranged, turned=turned)
    arrangements, limit = digit.arrangements, MOST_LISTED // (4 if arranged and turned else 1)
    listed = arrangements.size * digit.ways * len(block.turns)
    if len(block.counts) > 255 or listed > limit:
        raise TooMuchWork
    work.spend(_EACH_LISTED * listed * len(block.labels), 10 * len(block.turns))
    sequences = np.repeat(arrangements.sequences, digit.ways, axis=0)
    every = np.tile(digit.turns(np.arange(digit.ways)).astype(np.uint8), (arrangements.size, 1))
    moduli = block.moduli.astype(np.uint8)
    to = np.empty((len(block.turns), len(every)), np.int32)
    for move, turn in enumerate(block.turns):
        labels, turns = sequences[:, turn.source], every[:, turn.source]
        ways = block.orientations or moduli[labels]
        to[move] = digit.number(labels, (turns + turn.turned) % ways if turned else turns)
    solved = int(digit.number(block.labels[None, :], block.turned[None, :])[0])
    charges: tuple[int, ...] = ()
    charge = np.zeros(len(every), np.int32)
    if arranged:
        charges, charge = (2 * number,), block.parities(sequences)
    if turned:
        charges, charge = (*charges, 2 * number + 1), charge * block.charges[1] + block.sums(every)

    # Only the numbers that moves lead to from the solved one count, numbered anew without gaps.
    old = np.sort(np.concatenate([layer for layer, _ in factor_layers(to, solved)]))
    new = np.full(to.shape[1] + 1, -1, np.int64)
    new[old] = np.arange(len(old))
    return Factor(
        np.ascontiguousarray(new.astype(np.int32)[to[:, old]]),
        charges,
        charge[old],
        int(new[solved]),
        lambda labels, turns: new[digit.rank(labels, turns)],  # -1 finds the last one, which is -1
        lambda indices, labels, turns: digit.unrank(old[indices], labels, turns),
    )


class FactorLevel(NamedTuple):
    """A factor in a product, after others. The sum of all digits is the row, or the column."""

    factor: Factor
    base: int  # the number of charges that it may have
    # by charge of the factors before it: the family of allowed members; -1 for a charge that never
    # occurs
    family: Numbers
    own: Numbers  # the family of each index, int64[size]
    members: Numbers  # each index by family and position, int64[families, width]
    digits: Indices  # of each index, int64[size]


def _levels(
    factors: Sequence[Factor], before: tuple[int, ...], charges: Charges
) -> tuple[FactorLevel, ...]:
    """Put factors after those with some charges, the last one counting least."""
    levels: list[FactorLevel] = []
    after = tuple(chain.from_iterable(factor.charges for factor in factors))
    weight = 1
    for factor in reversed(factors):
        after = after[: len(after) - len(factor.charges)]
        family, of_charge = _families(before + after, factor.charges, charges)
        own = of_charge[factor.charge]
        members = np.stack(
            [np.flatnonzero(own == number) for number in range(int(family.max()) + 1)]
        )
        digits = np.zeros(factor.size, np.int64)
        digits[members] = weight * np.arange(members.shape[1])
        base = prod(charges.moduli[at] for at in factor.charges)
        levels.insert(0, FactorLevel(factor, base, family, own, members, digits))
        weight *= members.shape[1]
    return tuple(levels)


def _families(
    before: tuple[int, ...], after: tuple[int, ...], charges: Charges
) -> tuple[Numbers, Numbers]:
    """Number the sets of charges that go with one charge of others before them:
    that of each charge of both.
    """
    partners: dict[int, set[int]] = {}
    for each in charges.every:
        partners.setdefault(_mixed(each, before, charges), set()).add(_mixed(each, after, charges))
    families = sorted({frozenset(partner) for partner in partners.values()}, key=min)
    of = np.full(max(partners) + 1, -1, np.int64)
    for charge, partner in partners.items():
        of[charge] = families.index(frozenset(partner))
    of_partner = np.full(prod(charges.moduli[at] for at in after), -1, np.int64)
    for number, those in enumerate(families):
        of_partner[[*those]] = number
    return of, of_partner


def _mixed(charge: Sequence[int], part: Sequence[int], charges: Charges) -> int:
    """Some coordinates of a charge as one number."""
    number = 0
    for at in part:
        number = number * charges.moduli[at] + charge[at]
    return number


@dataclass(frozen=True, eq=False)
class Product:
    """Factors: the first give the row of a state, the others its column; every row has equally many
    columns.

    *Parts* are the indices of all factors. A *family* is a set of rows with the same columns.
    """

    rows: tuple[FactorLevel, ...]
    columns: tuple[FactorLevel, ...]
    family: Numbers  # of each charge of rows

    @classmethod
    def of(cls, rows: Sequence[Factor], columns: Sequence[Factor], charges: Charges) -> Product:
        """Multiply factors, with the states whose charges moves lead to."""
        of_rows, of_columns = (
            tuple(chain.from_iterable(one.charges for one in some)) for some in (rows, columns)
        )
        sides = (_levels(rows, (), charges), _levels(columns, of_rows, charges))
        return cls(*sides, _families(of_rows, of_columns, charges)[0])

    @property
    def factors(self) -> list[Factor]:
        """All factors."""
        return [level.factor for level in (*self.rows, *self.columns)]

    @cached_property
    def count(self) -> int:
        """The number of rows."""
        return prod(level.members.shape[1] for level in self.rows)

    @cached_property
    def width(self) -> int:
        """The number of columns."""
        return prod(level.members.shape[1] for level in self.columns)

    @property
    def size(self) -> int:
        """The number of states."""
        return self.count * self.width

    @property
    def solved(self) -> int:
        """The index of the solved state."""
        return int(self.index([np.array(factor.solved) for factor in self.factors]))

    def index(self, parts: Sequence[AnyNumbers]) -> Indices:
        """The indices of states by their parts, int64[...] each."""
        before = len(self.rows)
        return _number(self.rows, parts[:before]) * self.width + self.column(parts[before:])

    def column(self, parts: Sequence[AnyNumbers]) -> Indices:
        """The columns by their parts."""
        return _number(self.columns, parts)

    def row_parts(self, rows: Indices) -> list[Indices]:
        """The parts of rows, int64[n] each."""
        return _parts(self.rows, rows)[0]

    def family_of(self, rows: Indices) -> Indices:
        """The family of each row, int64[n]."""
        if len(self.starts) == 1:
            return np.zeros(len(rows), np.int64)
        return self.family[_parts(self.rows, rows)[1]]

    @cached_property
    def starts(self) -> Indices:
        """A charge of rows for each family."""
        return np.array(
            [np.argmax(self.family == number) for number in range(int(self.family.max()) + 1)]
        )

    @property
    def column_parts(self) -> list[list[Indices]]:
        """The parts of all columns of each family of rows, int64[width] each."""
        return [_parts(self.columns, np.arange(self.width), start)[0] for start in self.starts]

    def parts(self, indices: Indices) -> list[Indices]:
        """The parts of states, int64[n] each."""
        rows, columns = np.divmod(indices, self.width)
        parts, charge = _parts(self.rows, rows)
        return parts + _parts(self.columns, columns, charge)[0]

    def rank(self, labels: Numbers, turns: Numbers) -> Indices:
        """As `Rank`; -1 for a state that cannot be reached."""
        parts = [factor.rank(labels, turns) for factor in self.factors]
        fits, charge = np.ones(len(labels), bool), np.zeros(len(labels), np.int64)
        for level, part in zip((*self.rows, *self.columns), parts, strict=True):
            fits &= (part >= 0) & (level.own[part] == level.family[np.where(fits, charge, 0)])
            charge = charge * level.base + level.factor.charge[part]
        return np.where(fits, self.index(parts), -1)

    def unrank(self, indices: Indices, labels: Numbers, turns: Numbers) -> None:
        """As `Unrank`."""
        for factor, part in zip(self.factors, self.parts(indices), strict=True):
            factor.unrank(part, labels, turns)

    def expand(self, indices: Indices) -> Indices:
        """The indices after each move, int64[n] -> int64[n, moves]; -1 for -1."""
        parts = zip(self.factors, self.parts(np.maximum(indices, 0)), strict=True)
        return np.where(
            indices < 0, NO_STATE, self.index([factor.moves[:, part] for factor, part in parts])
        ).T

    def rows_after(self, rows: Indices) -> SmallNumbers:
        """The rows after each move, int32[moves, n]."""
        found = np.zeros((len(self.factors[0].moves), len(rows)), np.int32)
        for level, part in zip(self.rows, self.row_parts(rows), strict=True):
            found += level.digits.astype(np.int32)[level.factor.moves].take(part, axis=1)
        return found

    @cached_property
    def column_maps(self) -> tuple[SmallNumbers, npt.NDArray[np.uint32]]:
        """The kind of each move in rows of each family,
        int32[moves, families], and the column maps.
        """
        moves = range(len(self.factors[0].moves))
        numbers = {np.arange(self.width, dtype=np.uint32).tobytes(): 0}
        kinds = np.zeros((len(moves), len(self.starts)), np.int32)
        for family, parts in enumerate(self.column_parts):
            for move in moves:
                after = [
                    level.factor.moves[move, part]
                    for level, part in zip(self.columns, parts, strict=True)
                ]
                columns = (self.column(after) + np.zeros(self.width)).astype(np.uint32)
                kinds[move, family] = numbers.setdefault(columns.tobytes(), len(numbers))
        return kinds, np.stack([np.frombuffer(columns, np.uint32) for columns in numbers])

    def takes_back(self, move: int, back: int) -> bool:
        """True if a move takes back another one in all factors."""
        return all(
            (each.moves[back][each.moves[move]] == np.arange(each.size)).all()
            for each in self.factors
        )

    def form(self) -> ProductForm:
        """The moves as tables."""
        rows, (kinds, maps) = np.arange(self.count), self.column_maps
        return ProductForm(self.rows_after(rows), kinds[:, self.family_of(rows)], maps)


def _number(levels: Sequence[FactorLevel], parts: Sequence[AnyNumbers]) -> Indices:
    """The rows or columns by their parts."""
    return sum((level.digits[part] for level, part in zip(levels, parts, strict=True)), _ZERO)


def _parts(
    levels: Sequence[FactorLevel], numbers: Indices, charge: Indices = _ZERO
) -> tuple[list[Indices], Indices]:
    """The parts of rows or columns,
    by the charges of the factors before them, and the charges with them.
    """
    positions = []
    for level in reversed(levels):
        numbers, position = np.divmod(numbers, level.members.shape[1])
        positions.append(position)
    parts = []
    for level, position in zip(levels, reversed(positions), strict=True):
        part = (
            level.members[0, position]
            if len(level.members) == 1
            else level.members[level.family[charge], position]
        )
        charge = charge * level.base + level.factor.charge[part]
        parts.append(part)
    return parts, charge


def product_of(
    factors: Sequence[Factor],
    charges: Charges,
    moves: int,
    group: Callable[[Product], Sequence[object]],
) -> Product | None:
    """Multiply all factors, split in rows and columns; None if no split is small enough.

    `group` are the symmetries that act on a product. Of equally good splits, the first one with
    most symmetries is taken and, if there are some, with most rows. If rows are too many, their
    classes up to symmetry have to be few enough. If rows are few, symmetries map many of them to
    themselves, so other splits are tried, too.
    """

    def multiplied(columns: tuple[int, ...]) -> Product:
        rows = [factor for at, factor in enumerate(factors) if at not in columns]
        return Product.of(rows, [factors[at] for at in columns], charges)

    def symmetric(product: Product) -> tuple[int, int]:
        symmetries = max(len(group(product)), 1)
        return symmetries, product.count if symmetries > 1 else 0

    best: Product | None = None
    for _, splits in groupby(_splits([factor.size for factor in factors], moves), itemgetter(0)):
        found = max((multiplied(columns) for _, columns in splits), key=symmetric)
        if found.count * moves <= MOST_EDGES_OF_ROWS * symmetric(found)[0]:
            best = found if best is None else max(best, found, key=symmetric)
            if best.count >= symmetric(best)[0] ** 2:
                break
    return best


def _splits(sizes: Sequence[int], moves: int) -> list[tuple[tuple[bool, int], tuple[int, ...]]]:
    """The splits, best first, by the factors of the columns:
    rows must be wide, and enough for threads to share.
    """
    found, most = [], prod(sizes)
    every = chain.from_iterable(
        combinations(range(len(sizes)), count) for count in range(_MOST_FACTORS + 1)
    )
    for columns in islice(every, _MOST_SPLITS):
        width = prod(sizes[at] for at in columns)
        rows = most // width
        fits = (
            rows <= max(_MOST_ROWS, MOST_EDGES_OF_ROWS // moves) and moves * width * 4 <= _MAP_BYTES
        )
        if fits and rows >= _FEW_ROWS and (width >= _NARROW or rows * width <= _SMALL):
            cost = rows * moves > MOST_EDGES_OF_ROWS, abs(width.bit_length() - _WIDE.bit_length())
            found.append((cost, columns))
    return sorted(found, key=itemgetter(0))[:_MOST_PRODUCTS]


class Digit:
    """Numbers of a block: the rank of its labels, its turns,
    or both, the turn of the last place counting least.
    """

    def __init__(self, block: PlaceBlock, *, arranged: bool, turned: bool) -> None:
        self._block, self._arranged, self._turned = block, arranged, turned
        places, self._most = len(block.labels), int(block.moduli.max()) if turned else 1
        self.arrangements = Arrangements(block.counts if arranged else (places,))
        self._weights = self._most ** np.arange(places - 1, -1, -1, dtype=np.int64)
        self.ways = self._most**places

    def number(self, labels: AnyNumbers, turns: AnyNumbers) -> Indices:
        """Rank labels within the block and turns,
        int[n, places of the block] -> int64[n]; -1 for impossible ones.
        """
        numbers = np.zeros(len(labels), np.int64)
        if self._arranged:
            # a piece of another block, -1, becomes 255
            numbers = self.arrangements.rank(labels.astype(np.uint8))
        if self._turned:
            fits = (numbers >= 0) & ((turns >= 0) & (turns < self._most)).all(axis=1)
            numbers = np.where(
                fits, numbers * self.ways + turns.astype(np.int64) @ self._weights, -1
            )
        return numbers

    def turns(self, numbers: Indices) -> Numbers:
        """The turns of the block's places, int64[n] -> int64[n, places of the block]."""
        turns: Numbers = (numbers % self.ways)[:, None] // self._weights % self._most
        return turns

    def rank(self, labels: Numbers, turns: Numbers) -> Indices:
        """As `Rank`."""
        return self.number(
            self._block.within(labels) if self._arranged else labels, turns[:, self._block.places]
        )

    def unrank(self, numbers: Indices, labels: Numbers, turns: Numbers) -> None:
        """As `Unrank`, for the places of the block."""
        block = self._block
        if self._arranged:
            labels[:, block.places] = block.names[
                self.arrangements.automaton.unrank(numbers // self.ways)
            ]
        if self._turned:
            turns[:, block.places] = self.turns(numbers)
