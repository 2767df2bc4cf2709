"""The arrays that a search with patterns reads (search.py):
moves of all patterns, and blocks of their distances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.definitions.symmetry_classes import SymmetricRows
from puzzlebase.plugins.patterns import kernels
from puzzlebase.plugins.patterns.kernels import Array, PieceTables
from puzzlebase.plugins.patterns.pieces import WithPieces
from puzzlebase.puzzles import Goal, Pattern, Patterns
from puzzlebase.puzzles.contract.space import ProductForm, Space
from puzzlebase.puzzles.machinery.smaller_graph import SmallerGraph
from puzzlebase.service.sources.table import OpenTable

_KIND_BITS = (
    8  # of a move's number: its kind; longer for a pattern that is the only one of its group
)


def _form(space: Space) -> ProductForm:
    """The moves of an abstraction as tables,
    or those of its vertices if rows are up to symmetry.
    """
    if classes := _symmetric(space):
        return classes.edges
    assert space.product
    return space.product()


def _symmetric(space: Space) -> SymmetricRows | None:
    """The classes of rows up to symmetry."""
    return space.storage if isinstance(space.storage, SymmetricRows) else None


def word_and_column_in_table(pattern: OpenTable, index: int) -> tuple[int, int]:
    """The word and the column of a state, or of its vertex, in the table of a pattern."""
    if not (classes := _symmetric(pattern.space)):
        return divmod(index, _form(pattern.space).width)
    vertices = classes.vertices
    symmetry = int(classes.by[index // vertices.width])
    row, column = divmod(int(vertices.expand(np.array([index]))[0, 0]), vertices.width)
    return row << (classes.symmetries - 1).bit_length() | symmetry, column


def pattern_tables_of_pieces(patterns: Patterns, goal: Goal, space: Space) -> PieceTables:
    """The tables of pieces: their moves, and the numbers of inverses in each view;
    empty for patterns without pieces.
    """
    if not isinstance(patterns, WithPieces):
        source, none = np.zeros((1, 0), np.int32), np.zeros(0, np.int64)
        shares, factors = np.zeros((0, 0, 0), np.int64), np.zeros((0, 3), np.int64)
        return PieceTables(source, source, source.astype(np.uint16), none, shares, factors, none)
    rows, inverses, parts = patterns.rows, patterns.inverses(space), _JoinedArrays()
    parts.add(np.zeros(1, np.int64))  # if there are no other ones
    factors = np.array(
        [(shift, mask, parts.add(of)) for shift, mask, of in inverses.parts], np.int64
    ).reshape(-1, 3)
    solved = patterns.codes(goal.states[0]).astype(np.int64)
    turnings = rows.turnings.astype(np.uint16)
    return PieceTables(
        rows.source, rows.turning, turnings, solved, inverses.shares, factors, parts.array
    )


def table_of_next_moves(patterns: Patterns) -> npt.NDArray[np.int16]:
    """A table for the search: the moves after each move, after none,
    and after each first move: [2 * moves + 1, positions, most].

    Behind the last one is -1. Moves that commute may follow a first move in either order.
    """
    follows = patterns.follows
    follows = np.concatenate([follows, np.ones((1, len(follows)), np.bool_), follows | follows.T])
    may = follows[:, None, :] & (patterns.positions >= 0)
    choices = np.argsort(~may, axis=2, kind="stable").astype(np.int16)
    choices[np.arange(choices.shape[2]) >= may.sum(axis=2, keepdims=True)] = -1
    return np.ascontiguousarray(choices[:, :, : may.sum(axis=2).max()])


class JoinedTables:
    """The moves of all abstractions joined, the blocks of their distances, and the numbers `of`.

    The moves of a row are stored side by side,
    in the order of the positions in which they are legal.
    """

    def __init__(self, patterns: Patterns, pattern_tables: Mapping[str, OpenTable]) -> None:
        self.of: dict[str, list[int]] = {}
        self.held: list[Array] = []  # distances that kernels read by their addresses
        self._orders: dict[str, Array] = {}
        self._images: dict[str, Array] = {}  # of edges under each symmetry
        self._moves, self._maps, *self._blocks = (_JoinedArrays() for _ in range(4))
        for pattern in patterns.patterns:
            if pattern.puzzle not in self.of:
                table = pattern_tables[pattern.puzzle]
                legal = pattern.edges[(pattern.edges >= 0) & (patterns.positions >= 0)]
                edges = _form(table.space).edges
                order = np.array([*dict.fromkeys([*legal.tolist(), *range(edges)])])
                self._orders[pattern.puzzle] = order
                symmetric = _symmetric(table.space)
                self._images[pattern.puzzle] = (
                    np.array(symmetric.images) if symmetric else np.arange(edges)[None, :]
                )
                self.of[pattern.puzzle] = self._entered(table, order)
        self.arrays = self._moves.array, self._maps.array, *(some.array for some in self._blocks)

    def edges(self, patterns: Sequence[Pattern]) -> Array:
        """The edges of abstractions in the order of their moves here,
        [patterns, positions or symmetries, moves].
        """
        found = []
        for pattern in patterns:
            order, images = self._orders[pattern.puzzle], self._images[pattern.puzzle]
            edges = np.concatenate(
                [np.where(pattern.edges < 0, -1, image[pattern.edges]) for image in images]
            )
            found.append(np.where(edges < 0, len(order), np.argsort(order)[edges]).astype(np.int64))
        most = max(map(len, found))
        return np.stack([np.pad(each, ((0, most - len(each)), (0, 0))) for each in found])

    def _entered(self, pattern: OpenTable, order: Array) -> list[int]:
        known = pattern.table.load().packed()
        assert known  # since searches are made where tables are in memory
        size, packed, start, base, bits = known.arrays
        assert size == 1 << kernels.BLOCK_BITS
        assert pattern.space.connected  # so every number read is a distance
        assert bits.max() <= 16
        of = [0] * kernels.NUMBERS
        cells = base.astype(np.int64) << kernels.WIDTH_BITS | bits
        self.held.append(packed)
        of[kernels.BLOCKS_AT], _ = map(
            _JoinedArrays.add, self._blocks, (packed.ctypes.data + start, cells)
        )
        form, storage = _form(pattern.space), pattern.space.storage
        vertices = storage.vertices if isinstance(storage, SmallerGraph) else None
        assert vertices is None or isinstance(vertices, ProductForm)
        if symmetric := _symmetric(pattern.space):
            form, of[kernels.SYMMETRY_BITS] = _with_symmetries(symmetric, form)
            of[kernels.THEN_AT] = self._moves.add(_then(symmetric))
        kinds = max(len(form.column_map), len(vertices.column_map) if vertices else 1)
        of[kernels.WIDTH], of[kernels.KIND_BITS] = (
            form.width,
            max(_KIND_BITS, (kinds - 1).bit_length()),
        )
        of[kernels.MOVES_AT : kernels.MAPS_AT + 1] = self._form(
            form, [*order, -1], of[kernels.KIND_BITS]
        )
        if vertices:
            edges = [*range(vertices.edges)]
            of[kernels.VERTICES_AT : kernels.VERTEX_MAPS_AT + 1] = self._form(
                vertices, edges, of[kernels.KIND_BITS]
            )
        return of

    def _form(self, form: ProductForm, order: Sequence[int], bits: int) -> tuple[int, int, int]:
        """Add a product form: the begin of its moves,
        the moves of a row, and the begin of its column maps.

        A move is a row and a kind in one number,
        -1 if there is none; those of a row are stored side by side.
        """
        assert int(form.row_move.max()) < 1 << (31 - bits)
        moved = np.full((form.rows, len(order)), -1, np.int32)
        for at, edge in enumerate(order):
            if edge >= 0:
                row = form.row_move[edge]
                moved[:, at] = np.where(row < 0, -1, row << bits | form.kind[edge])
        return self._moves.add(moved), len(order), self._maps.add(form.column_map)


def _with_symmetries(classes: SymmetricRows, form: ProductForm) -> tuple[ProductForm, int]:
    """The edges between vertices,
    with the symmetry after the move in a kind's low bits; and their number.
    """
    bits = (classes.symmetries - 1).bit_length()
    pairs = form.kind << bits
    for edge, rows in enumerate(classes.product.rows_after(classes.least)):
        pairs[edge] |= classes.by[rows]
    numbers, known = (
        np.zeros(len(form.column_map) << bits, np.int32),
        np.zeros((1 << bits), np.int32),
    )
    maps = np.tile(form.column_map[0], (len(numbers), 1))
    # the first one is the identity
    for pair in np.flatnonzero(np.bincount(np.append(0, pairs.reshape(-1)))).tolist():
        kind, symmetry = divmod(pair, 1 << bits)
        numbers[pair] = known[symmetry] << bits | symmetry
        maps[numbers[pair]], known[symmetry] = form.column_map[kind], known[symmetry] + 1
    return ProductForm(form.row_move, numbers[pairs], maps[: known.max() << bits]), bits


def _then(classes: SymmetricRows) -> Array:
    """The number of each symmetry followed by each other one,
    by the images of moves: equal ones lead states alike.
    """
    known: dict[bytes, int] = {}
    moves = [factor.moves for factor in classes.product.factors]
    effects = [b"".join(part.tobytes() for part in parts) for parts in zip(*moves, strict=True)]
    alike = np.array([known.setdefault(effect, move) for move, effect in enumerate(effects)])
    images = np.array(classes.images)
    numbers = {alike[image].tobytes(): number for number, image in enumerate(images)}
    then = np.zeros((1 << (len(images) - 1).bit_length(),) * 2, np.int32)
    for one, other in product(range(len(images)), repeat=2):
        then[one, other] = numbers[alike[images[other][images[one]]].tobytes()]
    return then


class _JoinedArrays:
    """Arrays stored one after another, each once."""

    def __init__(self) -> None:
        self._parts: list[Array] = []
        self._begins: dict[int, int] = {}
        self._size = 0

    def add(self, array: Array) -> int:
        """Add an array, and return its begin."""
        if id(array) not in self._begins:
            self._begins[id(array)] = self._size
            self._parts.append(array)
            self._size += array.size
        return self._begins[id(array)]

    @property
    def array(self) -> Array:
        """All arrays as one."""
        return np.concatenate([part.reshape(-1) for part in self._parts])
