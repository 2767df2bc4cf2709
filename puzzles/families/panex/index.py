"""The index side of Panex:
index = row * 2^n + column numbers the states that the start can reach, without a gap.

A row is an arrangement of the sizes. A column has one bit for each size, set where the capital
comes first. Tracks are read from left to right, each from the top. All columns are reached. A move
flips the bit of its tile's size if the tile passes the other tile of its pair. A row's key has
three bits for each size in reading order, then five each for the heights of the left and the centre
track.

Rows are in breadth-first order and the largest tiles have the lowest bits, so that neighbours have
similar distances. Tables with rows sorted by key take three times the space; with the bits in
reverse, a fifth more.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import interpreted, kernel
from puzzlebase.plugins.hash_tables import enter_row, hash_slot
from puzzlebase.puzzles import RANKING_TABLES, Arrays, Boards, Goal, Indices, ProductForm, Space
from puzzlebase.puzzles.families.panex.board import MOVES, parse, start_state

ROWS = (6, 54, 609, 6132, 58956, 558363, 5263044)
"""The number of rows for n = 1, 2, ... Beyond these,
tables fit few machines; for n > 8 keys do not fit 64 bits.
"""

MAX_INDEXED = len(ROWS)

_AT_ONCE = 1 << 16
BAR = ord("|")
_LEFT_HEIGHT = 48
_CENTRE_HEIGHT = 53


def space(n: int, goal: Goal) -> Space:
    """The space of a named goal."""
    index = index_of(n)
    with interpreted():
        goal_states = index.rank(np.array([parse(n, state) for state in goal.states]))
    return Space(
        size=len(index.keys) << n,
        expand=index.expand,
        goal_states=goal_states,
        product=index.product,
        width=1 << n,
        rank=index.rank,
        unrank=index.unrank,
        connected=True,
    )


def moves_by_index(n: int, boards: Boards) -> Boards:
    """The boards of Panex after each move, by the index: uint8[m, 2 n + 2] -> uint8[m, 6, 2 n + 2],
    without meaning for illegal moves.

    The start can reach the boards.
    """
    index = index_of(n)
    after = index.expand(index.rank(boards))
    return index.unrank(np.maximum(after, 0).ravel()).reshape(*after.shape, -1)


class _PanexIndex:
    """The keys of the rows of one n, and their hash table. All goals of that n share it."""

    def __init__(self, n: int) -> None:
        self.n = n
        rows = RANKING_TABLES.arrays(f"panex-{n}", lambda: _rows(n))
        self.keys, self.slots = rows["keys"], rows["slots"]

    def rank(self, boards: Boards) -> Indices:
        """The indices of boards, -1 for a board that the start cannot reach."""
        indices = np.empty(len(boards), np.int64)
        _rank(boards, self.n, self.keys, self.slots, indices)
        return indices

    def unrank(self, indices: Indices) -> Boards:
        """The boards of indices."""
        boards = np.empty((len(indices), 2 * self.n + 2), np.uint8)
        _unrank(indices, self.n, self.keys, boards)
        return boards

    def expand(self, indices: Indices) -> Indices:
        """The indices after each move, int64[m] -> int64[m, 6],
        -1 where it is not legal or the index is -1.
        """
        successors = np.empty((len(indices), len(MOVES)), np.int64)
        _expand(indices, self.n, self.keys, self.slots, successors)
        return successors

    def product(self, rows: Indices | None = None) -> ProductForm:
        """The moves as tables, by default of all rows.
        Column map 0 is the identity, column map k flips bit k - 1.
        """
        rows = np.arange(len(self.keys)) if rows is None else rows
        row_move = np.empty((len(MOVES), len(rows)), np.int32)
        kind = np.empty_like(row_move)

        def fill(first: int) -> None:
            some = slice(first, first + _AT_ONCE)
            after = self.expand(rows[some] << self.n).T
            row_move[:, some] = after >> self.n
            kind[:, some] = np.where(after < 0, 0, np.frexp(after & (1 << self.n) - 1)[1])

        with ThreadPoolExecutor() as pool:
            deque(pool.map(fill, range(0, len(rows), _AT_ONCE)), maxlen=0)
        flips: npt.NDArray[np.uint32] = np.uint32(1) << np.arange(self.n, dtype=np.uint32)
        flips = np.append(np.uint32(0), flips)
        return ProductForm(row_move, kind, flips[:, None] ^ np.arange(1 << self.n, dtype=np.uint32))


def _rows(n: int) -> Arrays:
    """The keys of the rows, and the hash table."""
    keys = np.empty((ROWS[n - 1], 1), np.int64)
    slots = np.full(1 << (ROWS[n - 1] * 4 // 3).bit_length(), -1, np.int32)
    _find_rows(_key_and_column(parse(n, start_state(n)), n)[0], n, keys, slots)
    return {"keys": keys, "slots": slots}


index_of = cache(_PanexIndex)
"""The index of panex-n."""


# Kernels. In keys sizes count from 0. `to` has the key after each move, -1 for an illegal one;
# `flips` has the bit of the column that it flips, counted from 1, 0 for none.


@kernel
def _free_layers(key, begin, end, n):  # type: ignore[no-untyped-def]
    """The number of free layers of the track with the tiles begin .. end - 1 of a key."""
    free = n + 1
    for j in range(begin, end):
        free = min(free, (key >> (3 * j) & 7) + 1 - (j - begin))
    return free


@kernel
def _key_moves(key, n, to, flips):  # type: ignore[no-untyped-def]
    """Fill `to` and `flips` for the moves of a key."""
    left = key >> _LEFT_HEIGHT & 31
    right = left + (key >> _CENTRE_HEIGHT & 31)
    begin = (0, left, right)
    end = (left, right, 2 * n)
    free = (
        _free_layers(key, 0, left, n),
        _free_layers(key, left, right, n),
        _free_layers(key, right, 2 * n, n),
    )
    height = (1 << _LEFT_HEIGHT, 1 << _CENTRE_HEIGHT, 0)
    for m in range(6):
        source = m // 2
        target = m % 2 + (m % 2 >= source)
        to[m] = -1
        if begin[source] == end[source] or free[target] == 0 or (m in (1, 4) and free[1] == 0):
            continue
        at = begin[source]
        tile = key >> (3 * at) & 7
        # The tile passes the tiles that stand between the two tops: `count` of them, the sizes in
        # `passed`.
        if at < begin[target]:
            count = begin[target] - at - 1
            passed = key >> (3 * at + 3) & ((1 << 3 * count) - 1)
            change = (passed << 3 | tile) ^ (passed | tile << 3 * count)
        else:
            count = at - begin[target]
            at = begin[target]
            passed = key >> (3 * at) & ((1 << 3 * count) - 1)
            change = (passed | tile << 3 * count) ^ (passed << 3 | tile)
        to[m] = (key ^ change << 3 * at) - height[source] + height[target]
        flips[m] = 0
        for j in range(count):
            if passed >> (3 * j) & 7 == tile:
                flips[m] = n - tile


@kernel
def _find_rows(first, n, keys, slots):  # type: ignore[no-untyped-def]
    """Fill `keys`, breadth-first from the first,
    and `slots`, -1 before; returns the number of rows.
    """
    to = np.empty(6, np.int64)
    flips = np.empty(6, np.int64)
    enter_row((first,), keys, slots, 0)
    count = 1
    row = 0
    while row < count:
        _key_moves(keys[row, 0], n, to, flips)
        for m in range(6):
            if to[m] >= 0:
                count += enter_row((to[m],), keys, slots, count) == count
        row += 1
    return count


@kernel
def _expand(indices, n, keys, slots, successors):  # type: ignore[no-untyped-def]
    to = np.empty(6, np.int64)
    flips = np.empty(6, np.int64)
    for i in range(len(indices)):
        successors[i] = -1
        if indices[i] < 0:
            continue
        column = indices[i] & ((1 << n) - 1)
        _key_moves(keys[indices[i] >> n, 0], n, to, flips)
        for m in range(6):
            if to[m] >= 0:
                row = np.int64(slots[hash_slot((to[m],), keys, slots)])
                successors[i, m] = row << n | (column ^ (1 << flips[m] >> 1))


@kernel
def _key_and_column(board, n):  # type: ignore[no-untyped-def]
    """The key and the column of a board; the key is -1 where its tiles or tracks are wrong."""
    key = column = seen = tiles = bars = height = np.int64(0)
    for each in board:
        letter = np.int64(each)
        size = (letter | 32) - ord("a")
        if letter == BAR and bars < 2:
            key |= height << (_CENTRE_HEIGHT if bars else _LEFT_HEIGHT)
            bars += 1
            height = np.int64(0)
            continue
        capital = 1 - (letter >> 5 & 1)
        if not 0 <= size < n or seen >> (2 * size + capital) & 1:
            return -1, 0
        if not seen >> 2 * size & 3:
            column |= capital << (n - 1 - size)
        seen |= 1 << (2 * size + capital)
        key |= size << 3 * tiles
        tiles += 1
        height += 1
    return (key if bars == 2 and tiles == 2 * n else -1), column


@kernel
def _rank(boards, n, keys, slots, indices):  # type: ignore[no-untyped-def]
    for i in range(len(boards)):
        key, column = _key_and_column(boards[i], n)
        row = np.int64(slots[hash_slot((key,), keys, slots)]) if key >= 0 else -1
        indices[i] = row << n | column if row >= 0 else -1


@kernel
def _unrank(indices, n, keys, boards):  # type: ignore[no-untyped-def]
    for i in range(len(indices)):
        key = keys[indices[i] >> n, 0]
        left = key >> _LEFT_HEIGHT & 31
        right = left + (key >> _CENTRE_HEIGHT & 31)
        at = seen = 0
        for j in range(2 * n + 1):
            for end in (left, right):
                if j == end:
                    boards[i, at] = BAR
                    at += 1
            if j < 2 * n:
                size = key >> (3 * j) & 7
                capital = (indices[i] >> (n - 1 - size) ^ seen >> size) & 1
                seen |= 1 << size
                boards[i, at] = ord("a") + size - 32 * capital
                at += 1
