"""The mirror of Panex: left and right change places, and so do the colours; the start and the exchange stay.

So a state and its image have equal distances to the exchange, and a table needs one of them. A row's image is a row, at
times the same one. Two tiles of a size in different tracks are read in the other order, and their colours change: their
bit stays. Two in one track are read in the same order, so their bit flips.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from puzzlebase.puzzles import RANKING_TABLES, Arrays, Goal, Graph, Indices, Orbits, ProductForm, Space
from puzzlebase.puzzles.families.panex.board import MOVES
from puzzlebase.puzzles.families.panex.index import BAR, index_of, space
from puzzlebase.puzzles.machinery.reversible import one_way_of_tables

_AT_ONCE = 1 << 16
_IMAGES = (*range(len(MOVES))[::-1],)  # of each move: of LC RC, of LR RL, of CL CR


def halved_space(n: int, goal: Goal) -> Space:
    """The space of a goal; a table stores half the rows if the goal is its own image."""
    states, mirror = space(n, goal), Mirror(n)
    own = np.array_equal(mirror.image(states.goal_states), states.goal_states)
    return replace(states, product=None, orbits=mirror.orbits(states.goal_states)) if own else states


class Mirror:
    """The image of each row of panex-n, int32[rows], and the bits of its columns that flip, int32[rows]."""

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

    def orbits(self, goal_states: Indices) -> Orbits:
        """The graph of the first rows of each two images, with all their columns; column map k flips the bits of k."""
        rows, n = np.arange(len(self.row)), self.n
        first = self.row >= rows
        stored = np.flatnonzero(first)
        number = (np.cumsum(first, dtype=np.int32) - 1)[np.minimum(self.row, rows)]
        by = np.where(first, np.int32(0), self.flips)
        columns = np.arange(1 << n, dtype=np.uint32)
        vertices = ProductForm(number[None], by[None], columns[:, None] ^ columns)

        def form(some: Indices) -> ProductForm:
            moves = self._index.product(some)
            legal, to = moves.row_move >= 0, moves.row_move
            kind = np.where(legal, moves.column_map[moves.kind, 0].astype(np.int32) ^ by[to], np.int32(0))
            return ProductForm(np.where(legal, number[to], np.int32(-1)), kind, vertices.column_map)

        def graph() -> Graph:
            product, goal = form(stored), vertices.expand(goal_states)[:, 0]
            return Graph(size=len(stored) << n, expand=product.expand, goal_states=goal, product=lambda: product)

        def representatives() -> Callable[[Indices], Indices]:
            flips = np.where(self.row[stored] == stored, self.flips[stored], np.int32(0))
            return lambda some: np.where(some < 0, some, np.minimum(some, some ^ flips[some >> n]))

        return Orbits(
            size=len(stored) << n,
            vertices=vertices,
            graph=graph,
            representatives=representatives,
            states=lambda: form(rows),
            more=0,
            symmetries=2,
            images=(range(len(MOVES)), _IMAGES),
            problem=lambda: next(self._problems(goal_states), None),
        )

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
