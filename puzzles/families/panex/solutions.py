"""Pieces of solutions: the first one of a shortest path, the board after it, and its parts.

README.md has the method under "Solutions".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles import Board
from puzzlebase.puzzles.families.panex.board import MOVES, format_board, play
from puzzlebase.puzzles.families.panex.diagrams import NO_PATH
from puzzlebase.puzzles.families.panex.distances import Known

_MOVE_NAMES = tuple(MOVES)


class PanexPiece(NamedTuple):
    """A piece of level k, of a type and with flips, and its length; or, with k = 1, the move whose number is `type`."""

    k: int
    type: int
    flips: int
    length: int


def _piece(known: Known, k: int, type_: int, flips: int) -> PanexPiece:
    length = int(known.lengths.node[k, type_]), int(known.lengths.offset[k, type_])
    return PanexPiece(k, type_, flips, known.diagrams.value(length, k, flips))


def parts_of(known: Known, piece: PanexPiece) -> tuple[PanexPiece, ...]:
    """The parts of a piece of level k > 2, in their order; meaningless if `known` is full."""
    return tuple(reversed([*_walk_back(known, piece)]))


def _walk_back(known: Known, piece: PanexPiece) -> Iterator[PanexPiece]:
    lengths, diagrams = known.lengths, known.diagrams
    k, flips = piece.k - 1, piece.flips & ((1 << piece.k - 1) - 1)
    start, place = int(lengths.types[piece.type, 0]), int(lengths.ends[piece.type, piece.flips >> k])
    node, offset = known.paths(start, k)
    left = diagrams.value((int(node[place]), int(offset[place])), k, flips)
    while place != start and not diagrams.full:
        [edges] = np.nonzero(lengths.target == place)
        source, by = np.searchsorted(lengths.begin, edges, side="right") - 1, lengths.by[edges]
        at, flipped = diagrams.find_summands(lengths.of(k, by), (node[source], offset[source]), k, flips, left)
        yield (part := _piece(known, k, int(by[at]), flipped))
        left -= part.length
        flips ^= flipped
        place = int(source[at])
    assert diagrams.full or left == flips == 0


def first_piece(known: Known, board: Board) -> PanexPiece | None:
    """The largest piece, or else the move, with which a shortest path begins; None at the goal or without a path."""
    position = known.positions.read(board[None])
    distance, level = int(known.distances_of(position)[0]), int(known.positions.classify(position)[0, 0])
    if not 0 < distance < NO_PATH:
        return None
    for k in range(level, 1, -1):
        [[_, arrangement, order]] = known.positions.classify(position, k).tolist()
        types, ends = known.positions.pieces_from(k, arrangement)
        after = known.functions(known.positions.climb(ends, k), k)
        at, flips = known.diagrams.find_summands(known.lengths.of(k, types), after, k, order, distance)
        if at >= 0:
            return _piece(known, k, int(types[at]), flips)
    return PanexPiece(1, known.neighbours_of(position)[0].tolist().index(distance - 1), 0, 1)


def after_piece(known: Known, board: Board, piece: PanexPiece) -> Board:
    """The board after a piece or a move that begins at a board."""
    if piece.k == 1:
        return after_move(board, piece.type)
    [[_, arrangement, order]] = known.positions.classify(known.positions.read(board[None]), piece.k).tolist()
    types, ends = known.positions.pieces_from(piece.k, arrangement)
    [end] = ends[types == piece.type].tolist()
    return known.positions.board(piece.k, end, order ^ piece.flips)


def after_move(board: Board, move: int) -> Board:
    """The board after a legal move, by its number in MOVES."""
    return np.frombuffer(play(format_board(board), _MOVE_NAMES[move]).encode("ascii"), np.uint8)
