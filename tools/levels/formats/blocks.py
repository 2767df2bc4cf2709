"""Sliding blocks, `NAME.blocks`: equal letters or digits are a piece, `.` is empty, # a wall.

After a line `goal` comes the board with the pieces that must be somewhere, as in Klotski. Pieces of equal shape that
the goal does not name are alike. `; counts: piece`, the default, counts one piece along any path as a move, `straight`
a piece any distance one direction, `cells` each cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.tools.levels.states.packed import NO_STATE, Keys, PackedRules
from puzzlebase.tools.levels.text import Grid, LevelText

_EMPTY, _WALL = ".", "#"
_MOST_WORDS = 4

Cells = tuple[tuple[int, int], ...]
Pieces = dict[str, Cells]
Numbers = npt.NDArray[np.int64]


def rules(level: LevelText) -> PackedRules:
    """The rules of a level; raises BadLevel."""
    pieces = read_pieces(level.start, _EMPTY, _WALL)
    if level.goal is None:
        raise level.start.fault(
            0, 0, "the level has no goal: write `goal` on a line, and under it where pieces must be"
        )
    goal = {}
    for letter, cells in read_pieces(level.goal, _EMPTY, _WALL).items():
        row, column = cells[0]
        if letter not in pieces or _shape(pieces[letter]) != _shape(cells):
            raise level.goal.fault(row, column, f"the level has no piece {letter!r} of this shape")
        goal[letter] = cells[0]
    counts = level.value("counts", ("piece", "straight", "cells"))
    return sliding_rules(level.start, pieces, goal, counts, walls=_WALL, rails=False)


def read_pieces(grid: Grid, empty: str, walls: str) -> Pieces:
    """The cells of each piece, row by row, by its letter; raises BadLevel."""
    pieces: dict[str, list[tuple[int, int]]] = {}
    for row, column, char in grid:
        if char.isascii() and char.isalnum() and char not in empty + walls:
            pieces.setdefault(char, []).append((row, column))
        elif char not in empty + walls:
            raise grid.fault(row, column, f"{char!r} is neither a piece, nor empty ({empty}), nor a wall ({walls})")
    for letter, cells in pieces.items():
        joined = {cells[0]}
        for _ in cells:
            joined |= {(r, c) for r, c in cells if {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)} & joined}
        if len(joined) < len(cells):
            row, column = min({*cells} - joined)
            raise grid.fault(row, column, f"piece {letter!r} is in two parts")
    if not pieces:
        raise grid.fault(0, 0, "there is no piece on the board")
    return {letter: tuple(cells) for letter, cells in pieces.items()}


class _Board(NamedTuple):
    """The pieces of a board, for kernels. Cells are numbered row by row, with a border of walls.

    Attributes:
        walls: which cells are walls, bool[cells].
        offsets: where the cells of each piece are from its first one, int64[pieces, most cells]; the first repeats.
        alike: for each piece the last one that it is alike with, int64[pieces]; they follow one another.
        steps: the four directions as differences of cells, int64[pieces, 4], 0 where a piece may not go.
        goal: where the first cell of each piece must be, -1 where it may be anywhere, int64[pieces].
        form: bits of a cell, pieces in a word, and how moves count: 0 cells, 1 straight, 2 piece.
    """

    walls: npt.NDArray[np.bool_]
    offsets: Numbers
    alike: Numbers
    steps: Numbers
    goal: Numbers
    form: Numbers


def sliding_rules(
    grid: Grid, pieces: Pieces, goal: Mapping[str, tuple[int, int]], counts: str, *, walls: str, rails: bool
) -> PackedRules:
    """The rules of pieces that slide; with `rails` a piece moves along its longer side only. Raises BadLevel.

    `goal` has the first cell of the pieces that must be somewhere. A key has the number of each piece's first cell,
    pieces that are alike together and in order.
    """
    width = grid.width + 2
    size = width * (len(grid.rows) + 2)
    bits = size.bit_length()
    in_a_word = 63 // bits
    words = -(-len(pieces) // in_a_word)
    if words > _MOST_WORDS:
        raise grid.fault(0, 0, f"a board with {len(pieces)} pieces of {size} cells cannot be packed")

    def kind(letter: str) -> tuple[str, Cells]:
        return (letter if letter in goal else "", _shape(pieces[letter]))

    def place(cell: tuple[int, int]) -> int:
        return (cell[0] + 1) * width + cell[1] + 1

    ordered = sorted(pieces, key=lambda letter: (kind(letter), pieces[letter]))
    alike = [at for _, group in groupby(ordered, key=kind) for at in [len([*group])]]
    ends = np.repeat(np.cumsum(alike) - 1, alike).astype(np.int64)
    most = max(map(len, pieces.values()))
    cells = [[place(cell) - place(pieces[letter][0]) for cell in pieces[letter]] for letter in ordered]
    is_wall = np.ones(size, np.bool_)
    for row, column, char in grid:
        is_wall[place((row, column))] = char in walls
    board = _Board(
        walls=is_wall,
        offsets=np.array([each + [0] * (most - len(each)) for each in cells], np.int64),
        alike=ends,
        steps=np.array([_steps(_shape(pieces[letter]), width, rails=rails) for letter in ordered], np.int64),
        goal=np.array([place(goal[letter]) if letter in goal else -1 for letter in ordered], np.int64),
        form=np.array([bits, in_a_word, ("cells", "straight", "piece").index(counts)], np.int64),
    )
    start = np.zeros(words, np.uint64)
    for at, letter in enumerate(ordered):
        start[at // in_a_word] |= np.uint64(place(pieces[letter][0]) << (bits * (at % in_a_word)))
    free = int((~is_wall).sum()) - sum(map(len, pieces.values()))
    slots = {"cells": 4, "straight": 4 * max(free, 1), "piece": size}[counts] * len(pieces)
    used = np.array([(1 << (bits * len(pieces))) - 1 if words == 1 else 0], np.uint64)
    return PackedRules(
        start,
        partial(_successors, board, min(slots, _most_moves(free, len(pieces), counts))),
        partial(_solved, board),
        used,
    )


def _most_moves(free: int, pieces: int, counts: str) -> int:
    """No more moves than this are legal at once: each ends with a piece on a cell that was free."""
    return max(4 * free if counts == "cells" else 4 * free * pieces, 1)


def _shape(cells: Cells) -> Cells:
    row, column = cells[0]
    return tuple((r - row, c - column) for r, c in cells)


def _steps(shape: Cells, width: int, *, rails: bool) -> tuple[int, int, int, int]:
    rows, columns = (len({cell[axis] for cell in shape}) for axis in (0, 1))
    across = 0 if rails and rows > columns else 1
    down = 0 if rails and columns >= rows else width
    return across, -across, down, -down


def _successors(board: _Board, slots: int, keys: Keys) -> Keys:
    after = np.empty((len(keys), slots, keys.shape[1]), np.uint64)
    size, pieces = len(board.walls), len(board.goal)
    scratch = (
        np.empty(size, np.bool_),
        np.empty(size, np.bool_),
        np.empty(size, np.int64),
        np.empty((2, pieces), np.int64),
    )
    _slide(keys, *board, NO_STATE, *scratch, after)
    return after


def _solved(board: _Board, keys: Keys) -> npt.NDArray[np.bool_]:
    bits, in_a_word, _ = board.form.tolist()
    solved = np.ones(len(keys), np.bool_)
    for piece, cell in enumerate(board.goal.tolist()):
        if cell >= 0:
            word = keys[:, piece // in_a_word] >> np.uint64(bits * (piece % in_a_word))
            solved &= word & np.uint64((1 << bits) - 1) == cell
    return solved


@kernel
def _slide(keys, walls, offsets, alike, steps, goal, form, none, taken, seen, queue, cells, after):  # type: ignore[no-untyped-def]
    """The states after all moves of all pieces; `cells[0]` are those of a state, `cells[1]` those after a move."""
    bits, in_a_word, counts = np.uint64(form[0]), form[1], form[2]
    pieces = goal.shape[0]
    for row in range(keys.shape[0]):
        taken[:] = walls
        for piece in range(pieces):
            word = keys[row, piece // in_a_word] >> (bits * np.uint64(piece % in_a_word))
            cells[0, piece] = word & ((np.uint64(1) << bits) - np.uint64(1))
            for offset in offsets[piece]:
                taken[cells[0, piece] + offset] = True
        count = 0
        for piece in range(pieces):
            here = cells[0, piece]
            for offset in offsets[piece]:
                taken[here + offset] = False
            found = _reach(here, offsets, steps, piece, counts, taken, seen, queue)
            for at in range(1, found):
                cells[1] = cells[0]
                cells[1, piece] = queue[at]
                _put_in_order(cells, piece, alike)
                _pack(cells, bits, in_a_word, after, row, count)
                count += 1
            for offset in offsets[piece]:
                taken[here + offset] = True
        if count < after.shape[1]:
            after[row, count, 0] = none


@kernel
def _reach(here, offsets, steps, piece, counts, taken, seen, queue):  # type: ignore[no-untyped-def]
    """Queue the cells that a piece can move to with one move, after its own; return how many."""
    seen[:] = False
    seen[here] = True
    queue[0] = here
    first, count = 0, 1
    while first < (count if counts == 2 else 1):
        for direction in range(4):
            step = steps[piece, direction]
            to = queue[first] + step
            while step and not seen[to]:
                fits = True
                for k in range(offsets.shape[1]):
                    fits &= not taken[to + offsets[piece, k]]
                if not fits:
                    break
                seen[to] = True
                queue[count] = to
                count += 1
                if counts != 1:
                    break
                to += step
        first += 1
    return count


@kernel
def _put_in_order(cells, piece, alike):  # type: ignore[no-untyped-def]
    """Move the cell of a piece to its place among those that are alike, in `cells[1]`."""
    while piece > 0 and alike[piece - 1] == alike[piece] and cells[1, piece - 1] > cells[1, piece]:
        cells[1, piece - 1], cells[1, piece] = cells[1, piece], cells[1, piece - 1]
        piece -= 1
    while piece < alike[piece] and cells[1, piece + 1] < cells[1, piece]:
        cells[1, piece + 1], cells[1, piece] = cells[1, piece], cells[1, piece + 1]
        piece += 1


@kernel
def _pack(cells, bits, in_a_word, after, row, count):  # type: ignore[no-untyped-def]
    for word in range(after.shape[2]):
        after[row, count, word] = np.uint64(0)
    for piece in range(cells.shape[1]):
        after[row, count, piece // in_a_word] |= np.uint64(cells[1, piece]) << (bits * np.uint64(piece % in_a_word))
