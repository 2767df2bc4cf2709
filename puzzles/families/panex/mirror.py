"""The mirror of Panex: left and right change places, and so do the colours; the start and the exchange stay.

So a state and its image have equal distances to the exchange, and a table needs one of them. A row's image is a row, at
times the same one. Two tiles of a size in different tracks are read in the other order, and their colours change: their
bit stays. Two in one track are read in the same order, so their bit flips.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import RANKING_TABLES, Arrays, Goal, Indices, ProductForm, Space
from puzzlebase.puzzles.families.panex.board import MOVES
from puzzlebase.puzzles.families.panex.index import BAR, index_of, space
from puzzlebase.puzzles.machinery.classes import ListedClasses
from puzzlebase.puzzles.machinery.reversible import one_way_of_tables

_AT_ONCE = 1 << 16
_IMAGES = (*range(len(MOVES))[::-1],)  # of each move: of LC RC, of LR RL, of CL CR


def halved_space(n: int, goal: Goal) -> Space:
    """The space of a goal; a table stores half the rows if the goal is its own image."""
    states, mirror = space(n, goal), Mirror(n)
    own = np.array_equal(mirror.image(states.goal_states), states.goal_states)
    return replace(states, product=None, storage=mirror) if own else states


class Mirror(ListedClasses):
    """The image of each row of panex-n, int32[rows], and the bits of its columns that flip, int32[rows]."""

    images = (range(len(MOVES)), _IMAGES)

    def __init__(self, n: int) -> None:
        self.n, self._index = n, index_of(n)
        found = RANKING_TABLES.arrays(f"panex-{n}.mirror", self._find)
        self.row, self.flips = found["row"], found["flips"]

    def image(self, indices: Indices, *, colours: bool = True) -> Indices:
        """The images of states, with or without the exchange of colours."""
        rows = indices >> self.n
        every = (1 << self.n) - 1
        columns = (indices & every) ^ self.flips[rows] ^ (0 if colours else every)
        images: Indices = (self.row[rows].astype(np.int64) << self.n) | columns
        return images

    @cached_property
    def vertices(self) -> ProductForm:
        """An edge from each state to the one of itself and its image that is stored."""
        columns = np.arange(1 << self.n, dtype=np.uint32)
        number = (np.cumsum(self._first, dtype=np.int32) - 1)[np.minimum(self.row, np.arange(len(self.row)))]
        return ProductForm(
            number[None], np.where(self._first, np.int32(0), self.flips)[None], columns[:, None] ^ columns
        )

    @cached_property
    def _first(self) -> npt.NDArray[np.bool_]:
        """True for the first row of each two images; column map k flips the bits of k."""
        first: npt.NDArray[np.bool_] = self.row >= np.arange(len(self.row))
        return first

    @property
    def _stored(self) -> Indices:
        return np.flatnonzero(self._first)

    def size(self, space: Space) -> int:  # noqa: ARG002
        """The number of stored rows with all their columns."""
        return int(np.count_nonzero(self._first)) << self.n

    @cached_property
    def edges(self) -> ProductForm:
        """The edges between vertices."""
        return self._form(self._stored)

    def moves(self) -> ProductForm:
        """Make the edges from states to the vertices of the states after each move."""
        return self._form(np.arange(len(self.row)))

    def _form(self, some: Indices) -> ProductForm:
        moves, [number], [by] = self._index.product(some), self.vertices.row_move, self.vertices.kind
        legal, to = moves.row_move >= 0, moves.row_move
        kind = np.where(legal, moves.column_map[moves.kind, 0].astype(np.int32) ^ by[to], np.int32(0))
        return ProductForm(np.where(legal, number[to], np.int32(-1)), kind, self.vertices.column_map)

    def representatives(self) -> Callable[[Indices], Indices]:
        """Make the map from vertices to the lesser one of itself and its image, if both are stored."""
        stored = self._stored
        flips = np.where(self.row[stored] == stored, self.flips[stored], np.int32(0))
        return lambda some: np.where(some < 0, some, np.minimum(some, some ^ flips[some >> self.n]))

    def problem(self, goal_states: Indices) -> str | None:
        """Name a breach of the law of symmetries in docs/table-format.md."""
        return next(self._problems(goal_states), None)

    def _problems(self, goal_states: Indices) -> Iterator[str]:
        """The law of symmetries in docs/table-format.md, checked in the tables of rows; each breach of it is named."""
        rows = np.arange(len(self.row))
        if (self.row[self.row] != rows).any() or (self.flips[self.row] != self.flips).any():
            yield "the image of an image is another row, or has other columns"
        if (self.image(goal_states) != goal_states).any():
            yield "the mirror moves the goal"
        moves = self._index.product()
        flip = moves.column_map[:, 0].astype(np.int32)
        if one_way_of_tables(moves):
            yield "a move has none that takes it back"
        for move, image in enumerate(_IMAGES):
            to, of_image = moves.row_move[move], moves.row_move[image, self.row]
            flips = self.flips[to] ^ flip[moves.kind[move]], self.flips ^ flip[moves.kind[image, self.row]]
            if not np.where(to < 0, of_image < 0, (self.row[to] == of_image) & (flips[0] == flips[1])).all():
                yield f"the mirror does not map the move {[*MOVES][move]} to its image"

    def _find(self) -> Arrays:
        row, flips = np.empty((2, len(self._index.keys)), np.int32)
        for first in range(0, len(row), _AT_ONCE):
            rows = np.arange(first, min(first + _AT_ONCE, len(row)))
            boards = self._index.unrank(rows << self.n)
            bars = boards == BAR
            tracks = 2 * bars.cumsum(axis=1, dtype=np.int8) - bars
            mirrored = np.take_along_axis(boards, np.argsort(-tracks, axis=1, kind="stable"), axis=1)
            images = self._index.rank(
                np.where(mirrored == BAR, mirrored, mirrored ^ 32)
            )  # of small and capital letters
            row[rows], flips[rows] = images >> self.n, images & ((1 << self.n) - 1)
        return {"row": row, "flips": flips}
