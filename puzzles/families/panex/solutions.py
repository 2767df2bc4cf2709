"""One solution of every state: its moves from any number on, and the boards between them.

A solution begins with the largest pieces that are on a shortest path; single moves remain where the state, or the goal,
lies within a region. Only whole pieces are in memory, so a solution of thousands of millions of moves can begin at any.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles.contract.puzzle import Board
from puzzlebase.puzzles.families.panex.board import MOVES, format_board, moved
from puzzlebase.puzzles.families.panex.diagrams import NO_PATH
from puzzlebase.puzzles.families.panex.distances import Distances, Known
from puzzlebase.puzzles.families.panex.lengths import Lengths
from puzzlebase.puzzles.families.panex.piece_moves import PieceMoves

_MOVE_NAMES = tuple(MOVES)


class Piece(NamedTuple):
    """A piece of level k, of a type and with flips, from some board."""

    k: int
    type: int
    flips: int


class Step(NamedTuple):
    """A piece of a solution, or a single move by its number in MOVES: its length, and the boards before and after."""

    before: Board
    length: int
    by: Piece | int
    after: Board


class Solutions:
    """Solutions to one goal, always the same; any thread may ask. There are no moves where there is no path."""

    def __init__(self, lengths: Lengths, distances: Distances) -> None:
        self._lengths = lengths
        self._distances = distances

    @cached_property
    def _piece_moves(self) -> PieceMoves:
        return PieceMoves(self._lengths)

    def moves(self, board: Board, skip: int = 0) -> Iterator[bytes]:
        """The moves of a board's solution without the first `skip`, some at a time, numbered as in MOVES."""
        for step in self._steps(board):
            if skip < step.length:
                by = step.by
                yield from [bytes([by])] if isinstance(by, int) else self._piece_moves.moves(*by, skip)
            skip = max(skip - step.length, 0)

    def board_before(self, board: Board, number: int) -> Board:
        """The board before move `number` of a board's solution, from 0; at its end the last one. Skips whole pieces."""
        for step in self._steps(board):
            if number < step.length:
                return step.before if isinstance(step.by, int) else self._board_within(step.by, step.before, number)
            board = step.after
            number -= step.length
        return board

    def _steps(self, board: Board) -> Iterator[Step]:
        while (left := self._distances.distance(board)) > 0:
            by = self._distances.ask(partial(first_piece, board=board))
            if by is None:
                move = self._distances.neighbours(board).tolist().index(left - 1)
                step = Step(board, 1, move, _after_move(board, move))
            else:
                after = self._distances.ask(partial(after_piece, board=board, piece=by))
                step = Step(board, left - self._distances.distance(after), by, after)
            yield step
            board = step.after

    def _board_within(self, piece: Piece, board: Board, number: int) -> Board:
        """The board before a move of a piece that begins at `board`."""
        while piece.k > 2:
            for part in self._piece_moves.parts(*piece):
                smaller = Piece(piece.k - 1, part.type, part.flips)
                if number < part.length:
                    break
                number -= part.length
                board = self._distances.ask(partial(after_piece, board=board, piece=smaller))
            piece = smaller
        for move in islice(chain.from_iterable(self._piece_moves.moves(*piece)), number):
            board = _after_move(board, move)
        return board


def first_piece(known: Known, board: Board) -> Piece | None:
    """The piece of the highest level with which a shortest path from a board begins; None if it begins with a move."""
    position = known.positions.read(board[None])
    distance, level = int(known.distances_of(position)[0]), int(known.positions.classify(position)[0, 0])
    if not 0 < distance < NO_PATH:
        return None
    for k in range(level, 1, -1):
        [[_, arrangement, order]] = known.positions.classify(position, k).tolist()
        types, ends = known.positions.pieces_from(k, arrangement)
        after = known.values.functions(known.positions.climb(ends, k), k)
        at, flips = known.diagrams.find_summands(known.lengths.of(k, types), after, k, order, distance)
        if at >= 0:
            return Piece(k, int(types[at]), flips)
    return None


def after_piece(known: Known, board: Board, piece: Piece) -> Board:
    """The board after a piece that begins at a board."""
    [[_, arrangement, order]] = known.positions.classify(known.positions.read(board[None]), piece.k).tolist()
    types, ends = known.positions.pieces_from(piece.k, arrangement)
    [end] = ends[types == piece.type].tolist()
    return known.positions.board(piece.k, end, order ^ piece.flips)


def _after_move(board: Board, move: int) -> Board:
    return np.frombuffer(moved(format_board(board), _MOVE_NAMES[move]).encode("ascii"), np.uint8)
