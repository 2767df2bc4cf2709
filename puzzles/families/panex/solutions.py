"""Pieces of solutions: the first one of a shortest path, the board after it, and its moves from any number on.

docs/panex.md has the method under "Solutions".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles import Board
from puzzlebase.puzzles.families.panex.board import MOVES, format_board, play
from puzzlebase.puzzles.families.panex.diagrams import NO_PATH, Diagrams, Functions
from puzzlebase.puzzles.families.panex.distances import Known
from puzzlebase.puzzles.families.panex.lengths import Lengths, paths_from

_MOVE_NAMES = tuple(MOVES)
_CAPACITY = 1 << 14
_MEMO = 1 << 16
_PARTS_CACHED = 1 << 14  # pieces whose parts are cached; a solution has few different ones


class PanexPiece(NamedTuple):
    """A piece of level k, of a type and with flips, and its length; or, with k = 1, the move whose number is `type`."""

    k: int
    type: int
    flips: int
    length: int


def _piece(lengths: Lengths, diagrams: Diagrams, k: int, type_: int, flips: int) -> PanexPiece:
    length = int(lengths.node[k, type_]), int(lengths.offset[k, type_])
    return PanexPiece(k, type_, flips, diagrams.value(length, k, flips))


class PieceMoves:
    """The moves of all pieces that have these lengths; any thread may ask."""

    def __init__(self, lengths: Lengths, capacity: int = _CAPACITY) -> None:
        self._lengths = lengths
        self._lock = Lock()
        self._forget(capacity)
        # The edges by their targets: the first edge to each place, the sources, and the types.
        places, order = np.arange(len(lengths.begin), dtype=np.int32), np.argsort(lengths.target, kind="stable")
        self._begin = np.searchsorted(lengths.target[order], places)
        self._source = np.repeat(places[:-1], np.diff(lengths.begin))[order]
        self._by = lengths.by[order]
        self.parts = lru_cache(_PARTS_CACHED)(self._find_parts)

    def _forget(self, capacity: int) -> None:
        """Begin anew with the lengths alone, in diagrams that hold at least so many nodes."""
        self._diagrams = self._lengths.diagrams(capacity, _MEMO)
        self._paths: dict[tuple[int, int], Functions] = {}

    def moves(self, piece: PanexPiece, skip: int = 0) -> Iterator[bytes]:
        """The moves of a piece without the first `skip`, some at a time, numbered as in MOVES."""
        k, type_, flips, _ = piece
        if k == 1:
            yield bytes([type_])
        elif k == 2:
            first, end = self._lengths.piece[type_, flips].tolist()
            yield self._lengths.moves[first + skip : end].tobytes()
        else:
            for part in self.parts(k, type_, flips):
                if skip < part.length:
                    yield from self.moves(part, skip)
                skip = max(skip - part.length, 0)

    def _find_parts(self, k: int, type_: int, flips: int) -> tuple[PanexPiece, ...]:
        """The parts of a piece of level k > 2, in their order."""
        with self._lock:
            while True:
                cached = bool(self._paths)
                parts = list(self._walk_back(k, type_, flips))
                if not self._diagrams.full:
                    return tuple(reversed(parts))
                self._forget(len(self._diagrams.nodes) * (1 if cached else 2))

    def _walk_back(self, k: int, type_: int, flips: int) -> Iterator[PanexPiece]:
        lengths, diagrams = self._lengths, self._diagrams
        start = int(lengths.types[type_, 0])
        if (k, start) not in self._paths:
            graph = lengths.begin, lengths.target, lengths.of(k - 1, lengths.by), lengths.ends
            self._paths[k, start] = paths_from(start, k - 1, *graph, diagrams)
        node, offset = self._paths[k, start]
        place = int(lengths.ends[type_, flips >> (k - 1)])
        flips &= (1 << (k - 1)) - 1
        left = diagrams.value((int(node[place]), int(offset[place])), k - 1, flips)
        while place != start and not diagrams.full:
            here = slice(self._begin[place], self._begin[place + 1])
            source, by = self._source[here], self._by[here]
            paths = node[source], offset[source]
            at, flipped = diagrams.find_summands(lengths.of(k - 1, by), paths, k - 1, flips, left)
            yield (part := _piece(lengths, diagrams, k - 1, int(by[at]), flipped))
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
            return _piece(known.lengths, known.diagrams, k, int(types[at]), flips)
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
