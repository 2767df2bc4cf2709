"""The index side of Panex: index = row * 2^n + column numbers the states that the start can reach, without a gap.

A row is an arrangement of the sizes. A column has one bit for each size, set where the capital comes first. Tracks are
read from left to right, each from the top. All columns are reached. A move flips the bit of its tile's size if the tile
passes the other tile of its pair. A row's key has three bits for each size in reading order, then five each for the
heights of the left and the centre track.

Rows are in breadth-first order and the largest tiles have the lowest bits, so that neighbours have similar distances.
Tables with rows sorted by key take three times the space; with the bits in reverse, a fifth more.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import interpreted, kernel
from puzzlebase.plugins.listed import enter, slot_of
from puzzlebase.puzzles import RANKING_TABLES, Arrays, Boards, Goal, Indices, ProductForm, Space
from puzzlebase.puzzles.contract.errors import no_goal
from puzzlebase.puzzles.families.panex.board import CENTRE, MOVES, format_board, parse, start

ROWS = (6, 54, 609, 6132, 58956, 558363, 5263044)
"""The number of rows for n = 1, 2, ... Beyond these, tables fit few machines; for n > 8 keys do not fit 64 bits."""

MAX_INDEXED = len(ROWS)

MOVE_COUNT = len(MOVES)
_AT_ONCE = 1 << 16
BAR = ord("|")
_LEFT_HEIGHT = 48
_CENTRE_HEIGHT = 53


def space(n: int, goal: Goal) -> Space:
    """The space of a goal; raises ImpossibleState if the goal cannot be reached."""
    index = index_of(n)
    return Space(
        size=len(index.keys) << n,
        expand=index.expand,
        goal_states=goal_indices(n, np.array([parse(n, state) for state in goal.states])),
        product=index.product,
        width=1 << n,
        rank=index.rank,
        unrank=index.unrank,
        connected=True,
    )


def goal_indices(n: int, boards: Boards) -> Indices:
    """The indices of goal states, sorted; raises ImpossibleState where one cannot be reached from the start."""
    index = index_of(n)
    with interpreted():
        indices = index.rank(boards)
    for board in boards[indices < 0]:
        raise no_goal(format_board(board), start(n))
    return np.sort(indices)


def play_all(n: int, boards: Boards) -> Boards:
    """The boards after each move, uint8[m, 2 n + 2] -> uint8[m, 6, 2 n + 2], without meaning for illegal moves.

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
        """The indices after each move, int64[m] -> int64[m, 6], -1 where it is not legal or the index is -1."""
        successors = np.empty((len(indices), len(MOVES)), np.int64)
        _expand(indices, self.n, self.keys, self.slots, successors)
        return successors

    def product(self, rows: Indices | None = None) -> ProductForm:
        """The moves as tables, by default of all rows. Column map 0 is the identity, column map k flips bit k - 1."""
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
    _find_rows(parse(n, start(n)).copy(), n, keys, slots)
    return {"keys": keys, "slots": slots}


index_of = cache(_PanexIndex)
"""The index of panex-n."""


# Kernels. In keys sizes count from 0.


@kernel
def _find_rows(board, n, keys, slots):  # type: ignore[no-untyped-def]
    """Fill `keys`, breadth-first from the row of the board, and `slots`, -1 before; changes the board."""
    after = np.empty_like(board)
    key, _ = _key_and_column(board, n)
    enter((key,), keys, slots, 0)
    count = 1
    row = 0
    while row < count:
        _write(row << n, n, keys, board)
        for move in range(MOVE_COUNT):
            if _play(board, move, after):
                key, _ = _key_and_column(after, n)
                count += enter((key,), keys, slots, count) == count
        row += 1


@kernel
def _expand(indices, n, keys, slots, successors):  # type: ignore[no-untyped-def]
    board, after = np.empty((2, 2 * n + 2), np.uint8)
    for i in range(len(indices)):
        successors[i] = -1
        if indices[i] < 0:
            continue
        _write(indices[i], n, keys, board)
        for move in range(MOVE_COUNT):
            if _play(board, move, after):
                successors[i, move] = _index(after, n, keys, slots)


@kernel
def _rank(boards, n, keys, slots, indices):  # type: ignore[no-untyped-def]
    for i in range(len(boards)):
        indices[i] = _index(boards[i], n, keys, slots)


@kernel
def _unrank(indices, n, keys, boards):  # type: ignore[no-untyped-def]
    for i in range(len(indices)):
        _write(indices[i], n, keys, boards[i])


@kernel
def _play(board, move, after):  # type: ignore[no-untyped-def]
    """Fill `after` with the board after a move; false if it is not legal."""
    length = len(board)
    left = right = 0
    for at in range(length):
        if board[at] == BAR:
            left, right = right, at  # the bars beside the centre, in the end
    begin = (0, left + 1, right + 1)
    end = (left, right, length)
    source = move // 2
    target = move % 2 + (move % 2 >= source)
    if begin[source] == end[source] or not _has_room(board, begin[target], end[target]):
        return False
    if CENTRE not in (source, target) and not _has_room(board, begin[CENTRE], end[CENTRE]):
        return False
    put = 0
    for at in range(length + 1):
        if at == begin[target]:
            after[put] = board[begin[source]]
            put += 1
        if at < length and at != begin[source]:
            after[put] = board[at]
            put += 1
    return True


@kernel
def _has_room(board, begin, end):  # type: ignore[no-untyped-def]
    """True if layer 0 of the track with the tiles begin .. end - 1 is free."""
    for at in range(begin, end):  # noqa: SIM110 -- numba knows no such all()
        if (board[at] | 32) - ord("a") + 1 == at - begin:
            return False
    return True


@kernel
def _index(board, n, keys, slots):  # type: ignore[no-untyped-def]
    """The index of a board, -1 if the start cannot reach it."""
    key, column = _key_and_column(board, n)
    row = np.int64(slots[slot_of((key,), keys, slots)]) if key >= 0 else -1
    return row << n | column if row >= 0 else -1


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
def _write(index, n, keys, board):  # type: ignore[no-untyped-def]
    """Fill the board of an index."""
    key = keys[index >> n, 0]
    left = key >> _LEFT_HEIGHT & 31
    right = left + (key >> _CENTRE_HEIGHT & 31)
    at = seen = 0
    for j in range(2 * n + 1):
        for end in (left, right):
            if j == end:
                board[at] = BAR
                at += 1
        if j < 2 * n:
            size = key >> (3 * j) & 7
            capital = (index >> (n - 1 - size) ^ seen >> size) & 1
            seen |= 1 << size
            board[at] = ord("a") + size - 32 * capital
            at += 1
