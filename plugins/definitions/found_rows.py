"""Rows that are too many to list:
their classes up to symmetry are found by moves, from those of the goal states.

A row is the state of some blocks of places, and a column that of the others. The symmetries act on
rows and on columns alike everywhere, so a class of rows is known by the least image of its members,
its *leader*. A row's number is that of its class and its position among the images of the leader,
in the order of their keys.

Glossary
    code        a piece of a block and its turn as one number, as in rows.py.
    key         the codes of a row's places as one number of 64 bits, the first place counting most.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.machine import processors
from puzzlebase.plugins.definitions.definition import (
    AnyNumbers,
    Definition,
    Numbers,
    Pieces,
    SmallNumbers,
)
from puzzlebase.plugins.definitions.factors import MOST_EDGES_OF_ROWS, Product, factors_of
from puzzlebase.plugins.definitions.place_blocks import Charges, PlaceBlock, most_states_of_blocks
from puzzlebase.plugins.definitions.rows import Rows
from puzzlebase.plugins.definitions.symmetries import Renaming, acting_symmetries
from puzzlebase.plugins.definitions.symmetry_classes import (
    SymmetryClasses,
    edges_of_symmetry_classes,
)
from puzzlebase.plugins.definitions.work import TooMuchWork, Work
from puzzlebase.puzzles.contract.space import Arrays, Indices, ProductForm, Space
from puzzlebase.puzzles.machinery.ranking_tables import RANKING_TABLES
from puzzlebase.sentinels import NO_STATE
from puzzlebase.threads import cut_ranges, for_all

_KEY_BITS = 64
_MOST_BITS = 8  # of a code
_MOST_WIDTH = 1 << 16
_MOST_VERTICES = 1 << 34
_MOST_IMAGES = 1 << 33  # rows times moves: each is looked at once for each symmetry of its class
_PARTS = 64  # of a layer, for threads

Keys = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]


class RowMaps(NamedTuple):
    """Maps of rows, one for each move or symmetry:
    each place gets a code that follows from that of one place.
    """

    source: Bytes  # [places, maps]
    code: Bytes  # [places, maps, codes]
    bits: int  # of a code in a key

    def one(self, number: int) -> RowMaps:
        """One of the maps alone."""
        return RowMaps(self.source.take([number], 1), self.code.take([number], 1), self.bits)


@dataclass(frozen=True, eq=False)
class FoundRows(SymmetryClasses):
    """Rows of blocks that moves lead to from the goal states,
    up to symmetry, with columns of the other blocks.

    A state's row and column are independent: all rows go with all columns. The numbers of the rows
    of one class are neighbours.
    """

    proof = "puzzlebase.plugins.definitions.proofs:OfFoundRows"

    codes: Rows  # of the blocks of rows; the product is of the others
    moves: RowMaps
    renamings: RowMaps  # by the symmetries, the identity first
    leaders: Keys  # [classes], sorted
    first: Indices  # the first row of each class, and last the number of rows: int64[classes + 1]

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.product.width

    def row(self, row: int) -> tuple[list[int], list[npt.NDArray[np.uint32]]]:
        """The class of a row, and the columns there of each of its columns."""
        one = np.array([row])
        return self._classes(one).tolist(), [self.columns[self._leading(one)[0]]]

    def expand(self, indices: Indices) -> Indices:
        """The vertices of states, int64[n] -> int64[n, 1]; -1 for -1."""
        rows, columns = np.divmod(np.maximum(indices, 0), self.width)
        vertices = self._classes(rows) * self.width + self.columns[self._leading(rows), columns]
        return np.where(indices < 0, NO_STATE, vertices)[:, None]

    @property
    def vertices(self) -> FoundRows:
        """An edge from each state to its vertex: `row` and `expand`."""
        return self

    @property
    def states(self) -> int:
        """The number of states."""
        return int(self.first[-1]) * self.width

    def size(self, space: Space) -> int:  # noqa: ARG002
        """The number of classes with all their columns."""
        return len(self.leaders) * self.width

    def rank(self, labels: Numbers, turns: Numbers) -> Indices:
        """The indices of states by all labels and all turns,
        int[n, places] each; -1 for impossible ones.
        """
        codes, fits = self.codes.encode(labels, turns)
        rows = self._rows(_keys(codes, self.moves.bits))
        columns = self.product.rank(labels, turns)
        return np.where(fits & (rows >= 0) & (columns >= 0), rows * self.width + columns, NO_STATE)

    def unrank(self, indices: Indices, labels: Numbers, turns: Numbers) -> None:
        """Write the labels and turns of states into two such arrays."""
        rows, columns = np.divmod(indices, self.width)
        bits = self.moves.bits
        shifted = self._keys_of(rows)[:, None] >> _shifts(len(self.codes.places), bits)
        codes = shifted & np.uint64((1 << bits) - 1)
        self.codes.decode(codes.astype(np.uint8), labels, turns)
        self.product.unrank(columns, labels, turns)

    def successors(self, indices: Indices) -> Indices:
        """The indices after each move, int64[n] -> int64[n, moves]; -1 for -1."""
        rows, columns = np.divmod(np.maximum(indices, 0), self.width)
        to = self._after(rows, self.moves) * self.width + self.product.expand(columns)
        return np.where(indices[:, None] < 0, NO_STATE, to)

    def symmetric(self, indices: Indices) -> Indices:
        """The images of states under each symmetry, int64[n] -> int64[n, symmetries]."""
        rows, columns = np.divmod(indices, self.width)
        return self._after(rows, self.renamings) * self.width + self.columns[:, columns].T

    def _rows(self, keys: Keys) -> Indices:
        """The rows of keys; -1 for a key that moves do not lead to."""
        rows = np.empty(len(keys), np.int64)
        _rank(keys, self.renamings, self.leaders, self.first, rows)
        return rows

    def _keys_of(self, rows: Indices) -> Keys:
        """The keys of rows."""
        keys = np.empty(len(rows), np.uint64)
        _unrank(rows, self._classes(rows), self.renamings, self.leaders, self.first, keys)
        return keys

    def _classes(self, rows: Indices) -> Indices:
        """The classes of rows."""
        return np.searchsorted(self.first, rows, side="right") - 1

    def _leading(self, rows: Indices) -> SmallNumbers:
        """A symmetry that leads each row to its leader, int32[n]."""
        return _row_leaders(self._keys_of(rows), self.renamings)[1]

    def _after(self, rows: Indices, maps: RowMaps) -> Indices:
        """The rows after each map, int64[n] -> int64[n, maps]."""
        keys = _row_images(self._keys_of(rows), maps)
        return self._rows(keys.reshape(-1)).reshape(keys.shape)

    @cached_property
    def edges(self) -> ProductForm:
        """The edges between vertices: a move,
        and a symmetry that leads the new row to its leader.
        """
        kinds, maps = self.product.column_maps
        to = np.empty((len(kinds), len(self.leaders)), np.int32)
        pairs = np.empty_like(to)

        def find(some: tuple[int, int]) -> None:
            rows = slice(*some)
            keys = _row_images(self.leaders[rows], self.moves)
            leaders, by = _row_leaders(keys.reshape(-1), self.renamings)
            at = np.minimum(np.searchsorted(self.leaders, leaders), len(self.leaders) - 1)
            at[self.leaders[at] != leaders] = NO_STATE
            to[:, rows] = at.reshape(keys.shape).T
            pairs[:, rows] = (by.reshape(keys.shape) * len(maps) + kinds[:, 0]).T

        with ThreadPoolExecutor(processors()) as pool:
            for_all(pool, find, cut_ranges(len(self.leaders), _PARTS))
        return edges_of_symmetry_classes(to, pairs, self.columns, maps)

    def rows_of_classes(self) -> tuple[Indices, Indices]:
        """Where each class begins: its rows have these numbers."""
        return self.first, np.empty(0, np.int64)

    def _problems(self) -> Iterator[str]:
        """Moves and symmetries act on rows as on columns, and classes are whole."""
        yield from self._problems_of_moves()
        leaders, _ = _row_leaders(self.leaders, self.renamings)
        if (leaders != self.leaders).any() or (leaders[1:] <= leaders[:-1]).any():
            yield "a row that stands for a class is not the least of it"
        if (self.edges.row_move < 0).any():
            yield "a move leads to a row of no class"
        if (np.diff(self.first) != _class_sizes(self.leaders, self.renamings)).any():
            yield "a class has other rows than its leader has images"

    def _problems_of_moves(self) -> Iterator[str]:
        """Moves can be taken back, and symmetries map moves to their images:
        maps are equal if single codes show it.
        """
        maps = self.moves
        rows = _single_codes(self.codes.codes_at, maps.bits)
        after = _row_images(rows, maps)
        for move in range(after.shape[1]):
            back = np.flatnonzero((_row_images(after[:, move], maps) == rows[:, None]).all(axis=0))
            if not any(self.product.takes_back(move, other) for other in back.tolist()):
                yield f"no move takes back move {move}"
        for number, each in enumerate(self.group):
            symmetry = self.renamings.one(number)
            renamed = _row_images(after.reshape(-1), symmetry).reshape(after.shape)
            moved = _row_images(_row_images(rows, symmetry)[:, 0], maps)
            if (renamed != moved[:, [*each.moves]]).any():
                yield f"symmetry {number} does not map moves to their images"


def found_rows(
    definition: Definition,
    of_rows: Sequence[PlaceBlock],
    of_columns: Sequence[PlaceBlock],
    charges: Charges,
    goals: Pieces,
    every: Sequence[Renaming],
    work: Work,
) -> FoundRows | None:
    """Find the rows of some blocks, with the other ones as columns; None if they do not fit.

    All states with charges that moves lead to must be reached. Raises TooMuchWork.
    """
    row_charges, column_charges = Charges.of(of_rows), Charges.of(of_columns)
    codes, factors = Rows.of(of_rows, row_charges), factors_of(of_columns, work)
    if not (codes and factors and row_charges and column_charges):
        return None
    independent = len(charges.every) == len(row_charges.every) * len(column_charges.every)
    bits = (int(codes.codes_at.max()) - 1).bit_length()
    product, rows = (
        Product.of((), factors, column_charges),
        most_states_of_blocks(of_rows, row_charges),
    )
    if (
        not independent
        or bits > _MOST_BITS
        or bits * len(codes.places) > _KEY_BITS
        or product.width > _MOST_WIDTH
    ):
        return None
    symmetries = acting_symmetries(of_columns, every, product, work)
    if not symmetries:
        return None
    maps = (
        _moves_of(codes, bits),
        _maps_of(definition, codes, bits, [renaming for renaming, _ in symmetries]),
    )
    classes, moves = -(-rows // _different(maps[1], codes.codes_at)), len(codes.source)
    fits = rows * moves <= _MOST_IMAGES and classes * moves <= MOST_EDGES_OF_ROWS
    if not fits or classes * product.width > _MOST_VERTICES:
        return None
    goal_keys = _keys(codes.codes(*goals), bits)
    found = RANKING_TABLES.arrays(
        f"rows-{_digest(*maps, goal_keys)}", lambda: _find(*maps, goal_keys)
    )
    group = [each for _, each in symmetries]
    return FoundRows(product, group, codes, *maps, found["leaders"], found["first"])


def _moves_of(codes: Rows, bits: int) -> RowMaps:
    """The moves as maps of rows."""
    source, code = (
        np.ascontiguousarray(np.swapaxes(each, 0, 1)).astype(np.uint8)
        for each in (codes.source, codes.turnings[codes.turning])
    )
    return RowMaps(source, code, bits)


def _maps_of(
    definition: Definition, codes: Rows, bits: int, symmetries: Sequence[Renaming]
) -> RowMaps:
    """The symmetries as maps of rows."""
    places, most = codes.places, int(codes.codes_at.max())
    # in row c each place has code c
    every = np.minimum(np.arange(most)[:, None], codes.codes_at - 1)
    labels, turns = definition.solved(most)
    codes.decode(every.astype(np.uint8), labels, turns)
    position = np.zeros(len(definition.labels), np.int64)
    position[places] = np.arange(len(places))
    source = np.empty((len(places), len(symmetries)), np.uint8)
    code = np.empty((*source.shape, most), np.uint8)
    for number, each in enumerate(symmetries):
        source[position[each.symmetry.places[places]], number] = np.arange(len(places))
        code[:, number] = codes.codes(*each(labels, turns, places)).T
    return RowMaps(source, code, bits)


def _digest(moves: RowMaps, symmetries: RowMaps, goals: Keys) -> str:
    """16 hexadecimal digits that name the classes found by moves from some rows."""
    hashed = hashlib.blake2b(digest_size=8)
    for each in (*moves[:2], *symmetries[:2], goals):
        hashed.update(repr(each.shape).encode() + each.tobytes())
    return hashed.hexdigest()


def _find(moves: RowMaps, symmetries: RowMaps, goals: Keys) -> Arrays:
    """The leaders of all rows that moves lead to from some,
    and the first row of each class; raises TooMuchWork.
    """
    layer, _ = _row_leaders(goals, symmetries)
    leaders = np.empty(0, np.uint64)

    def after(some: tuple[int, int]) -> Keys:
        keys = _row_images(layer[slice(*some)], moves)
        return np.unique(_row_leaders(keys.reshape(-1), symmetries)[0])

    with ThreadPoolExecutor(processors()) as pool:
        while len(layer := np.setdiff1d(layer, leaders)):
            leaders = np.union1d(leaders, layer)
            # symmetries map many rows to themselves
            if len(leaders) * moves.source.shape[1] > 2 * MOST_EDGES_OF_ROWS:
                raise TooMuchWork
            layer = np.concatenate([*pool.map(after, cut_ranges(len(layer), _PARTS))])
    first = np.append(0, np.cumsum(_class_sizes(leaders, symmetries)))
    return {"leaders": leaders, "first": first}


def _shifts(places: int, bits: int) -> Keys:
    """The place of each code in a key, uint64[places]."""
    return np.uint64(bits) * np.arange(places, dtype=np.uint64)[::-1]


def _keys(codes: AnyNumbers, bits: int) -> Keys:
    """The keys of rows of codes, [n, places] -> uint64[n]."""
    shifted = codes.astype(np.uint64) << _shifts(codes.shape[1], bits)
    keys: Keys = shifted.sum(axis=1, dtype=np.uint64)
    return keys


def _single_codes(codes_at: Numbers, bits: int) -> Keys:
    """The keys of rows that have all codes of one place,
    and 0 in the others: these tell maps of rows apart.
    """
    shifts = _shifts(len(codes_at), bits)
    return np.concatenate(
        [
            np.arange(codes, dtype=np.uint64) << at
            for codes, at in zip(codes_at, shifts, strict=True)
        ]
    )


def _different(maps: RowMaps, codes_at: Numbers) -> int:
    """The number of different maps."""
    return int(np.unique(_row_images(_single_codes(codes_at, maps.bits), maps), axis=1).shape[1])


def _row_images(keys: Keys, maps: RowMaps) -> Keys:
    """The keys of rows after each map, uint64[n] -> uint64[n, maps]."""
    found = np.empty((len(keys), maps.source.shape[1]), np.uint64)
    _images(keys, maps, found)
    return found


def _row_leaders(keys: Keys, symmetries: RowMaps) -> tuple[Keys, SmallNumbers]:
    """The leaders of rows, uint64[n],
    and for each row the number of a symmetry that leads there, int32[n].
    """
    leaders, by = np.empty(len(keys), np.uint64), np.empty(len(keys), np.int32)
    _lead(keys, symmetries, leaders, by)
    return leaders, by


def _class_sizes(leaders: Keys, symmetries: RowMaps) -> Indices:
    """The number of rows in the class of each leader: its different images."""
    sizes = np.empty(len(leaders), np.int64)
    _count_images(leaders, symmetries, sizes)
    return sizes


@kernel
def _codes_of(key, maps, row):  # type: ignore[no-untyped-def]
    """Write the codes of a key."""
    for place in range(row.shape[0] - 1, -1, -1):
        row[place] = key & np.uint64((1 << maps.bits) - 1)
        key >>= np.uint64(maps.bits)


@kernel
def _image(row, maps, number):  # type: ignore[no-untyped-def]
    """The key of a row after a map."""
    key = np.uint64(0)
    for place in range(row.shape[0]):
        key = key << np.uint64(maps.bits) | np.uint64(
            maps.code[place, number, row[maps.source[place, number]]]
        )
    return key


@kernel
def _images(keys, maps, found):  # type: ignore[no-untyped-def]
    row = np.empty(maps.source.shape[0], np.uint8)
    for i in range(keys.shape[0]):
        _codes_of(keys[i], maps, row)
        for number in range(maps.source.shape[1]):
            found[i, number] = _image(row, maps, number)


@kernel
def _least(row, symmetries, best):  # type: ignore[no-untyped-def]
    """Find the symmetry with the least image of a row,
    and write that image; most images differ in their first code.
    """
    source, code, _ = symmetries
    places, count = source.shape
    for place in range(places):
        best[place] = row[place]
    found = 0
    for number in range(1, count):
        for place in range(places):
            here = code[place, number, row[source[place, number]]]
            if here > best[place]:
                break
            if here < best[place]:
                found = number
                for other in range(place, places):
                    best[other] = code[other, number, row[source[other, number]]]
                break
    return found


@kernel
def _lead(keys, symmetries, leaders, by):  # type: ignore[no-untyped-def]
    row, best = np.empty((2, symmetries.source.shape[0]), np.uint8)
    for i in range(keys.shape[0]):
        _codes_of(keys[i], symmetries, row)
        by[i] = _least(row, symmetries, best)
        leaders[i] = _image(row, symmetries, by[i])


@kernel
def _compare(row, symmetries, key):  # type: ignore[no-untyped-def]
    """Count the images of a row that are less than a key, and those that are equal."""
    less, equal = 0, 0
    for number in range(symmetries.source.shape[1]):
        image = _image(row, symmetries, number)
        less += image < key
        equal += image == key
    return less, equal


@kernel
def _count_images(leaders, symmetries, sizes):  # type: ignore[no-untyped-def]
    row = np.empty(symmetries.source.shape[0], np.uint8)
    for i in range(leaders.shape[0]):
        _codes_of(leaders[i], symmetries, row)
        _, equal = _compare(row, symmetries, leaders[i])
        sizes[i] = symmetries.source.shape[1] // equal


@kernel
def _rank(keys, symmetries, leaders, first, rows):  # type: ignore[no-untyped-def]
    row, best = np.empty((2, symmetries.source.shape[0]), np.uint8)
    for i in range(keys.shape[0]):
        _codes_of(keys[i], symmetries, row)
        leader = _image(row, symmetries, _least(row, symmetries, best))
        at = np.searchsorted(leaders, leader)
        if at == leaders.shape[0] or leaders[at] != leader:
            rows[i] = -1
            continue
        less, equal = _compare(best, symmetries, keys[i])
        rows[i] = first[at] + less // equal


@kernel
def _unrank(rows, classes, symmetries, leaders, first, keys):  # type: ignore[no-untyped-def]
    row = np.empty(symmetries.source.shape[0], np.uint8)
    every = np.empty(symmetries.source.shape[1], np.uint64)
    for i in range(rows.shape[0]):
        at = classes[i]
        _codes_of(leaders[at], symmetries, row)
        for number in range(every.shape[0]):
            every[number] = _image(row, symmetries, number)
        every.sort()
        repeats = every.shape[0] // (first[at + 1] - first[at])
        keys[i] = every[(rows[i] - first[at]) * repeats]
