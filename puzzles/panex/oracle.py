"""The oracle of Panex: from blobs to exact distances, optimal moves and solutions, in the texts of states.

Distances are those of _panex_values, the moves of a solution those of _panex_ways: a solution goes from
piece to piece, the largest first, and only whole pieces are in memory, so that it may begin at any move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np

from puzzles._puzzle import NotProved
from puzzles.panex.certificate import certificate
from puzzles.panex.checker import Refused, check
from puzzles.panex.distances import Board, Piece, Values
from puzzles.panex.levels import blobs, from_blobs, lengths
from puzzles.panex.solutions import Ways
from puzzles.panex.words import MOVES


def make(n: int) -> dict[str, bytes]:
    """All that `PanexSolver` needs for towers of n, some tens of kilobytes, from the rules in about a second."""
    return blobs(lengths(max(n, 2)))


def certify(path: Path, steps: int = 34) -> Iterator[str]:
    """Write the certificate that the exchange takes U(n) moves for all n >= 5, have it checked, and say what holds.

    Raises NotProved, and OSError where the file cannot be written.
    """
    with path.open("w", encoding="ascii") as file:
        for line in certificate(lengths(2), steps):
            file.write(line + "\n")
    yield f"the first {steps} steps are written to {path}, {path.stat().st_size:,} bytes"
    try:
        with path.open(encoding="ascii") as file:
            proved = check(file)
    except (Refused, RuntimeError) as error:
        raise NotProved(f"the certificate in {str(path)!r} is refused: {error}", "report it, with the file") from error
    yield (
        f"each holds; from step {proved.first} on they repeat, with {proved.constants:,} constants and "
        f"{proved.inequalities:,} inequalities that hold for ever"
    )
    yield "so the exchange takes U(n) moves for all n >= 5, if the graph of partial states is complete (docs/panex.md)"


class PanexSolver:
    """Exact answers about one target; any thread may ask, they take turns.

    Every method takes a state's text and raises what `parse` raises.
    """

    def __init__(
        self,
        n: int,
        stored: Mapping[str, bytes],
        target: Sequence[str],
        parse: Callable[[str], Board],
        room: int = 1 << 14,
    ) -> None:
        """From the blobs of `make` and the texts of the states at distance 0; for `room` see Values."""
        self._parse = parse
        self._n = n
        self._lengths = from_blobs(stored)
        self._values = Values(self._lengths, n, self._boards(target), room)
        self._lock = Lock()

    @cached_property
    def _ways(self) -> Ways:
        return Ways(self._lengths)

    def distance(self, text: str) -> int:
        """Fewest moves to the target, UNREACHED where there is no way."""
        return self.distances([text])[0]

    def distances(self, texts: Sequence[str]) -> list[int]:
        """The distance of each state."""
        boards = self._boards(texts)
        with self._lock:
            distances: list[int] = self._values.distances(boards).tolist()
        return distances

    def _boards(self, texts: Sequence[str]) -> Board:
        return np.array([self._parse(text) for text in texts], np.uint8).reshape(len(texts), 2 * self._n + 2)

    def optimal_moves(self, text: str) -> list[str]:
        """The moves that shortest ways begin with, in the order of MOVES; none at the target or without a way."""
        board = self._parse(text)
        with self._lock:
            distance, after = self._distance(board), self._values.neighbours(board).tolist()
        return [move for move, left in zip(MOVES, after, strict=True) if distance > 0 and left == distance - 1]

    def line(self, text: str, offset: int = 0) -> Iterator[str]:
        """The moves of one solution, always the same, from move number `offset` (0 the first) on.

        There are none where there is no way. The state is read at once, the moves are found as they are taken.
        """
        return (MOVES[move] for moves in self._moves(self._parse(text), max(offset, 0)) for move in moves)

    def state_at(self, text: str, offset: int) -> str:
        """The state before move number `offset` of that solution, at its end the last one: by pieces, not by moves."""
        board = self._parse(text)
        for step in self._steps(board):
            if offset < step.length:
                board = self._within(step.piece, step.before, offset) if step.piece else step.before
                break
            board = step.after
            offset -= step.length
        return board.tobytes().decode("ascii")

    def _distance(self, board: Board) -> int:
        return int(self._values.distances(board[None])[0])

    def _moves(self, board: Board, skip: int) -> Iterator[bytes]:
        for step in self._steps(board):
            if skip < step.length:
                piece = step.piece
                yield from self._ways.moves(piece.k, piece.type, piece.flips, skip) if piece else [step.move]
            skip = max(skip - step.length, 0)

    def _steps(self, board: Board) -> Iterator[_Step]:
        """The largest pieces, and the single moves, of the solution."""
        while True:
            with self._lock:
                left = self._distance(board)
                if left <= 0:
                    return
                piece = self._values.piece(board)
                move, after = (b"", piece.after) if piece else self._move(board, left)
                length = left - self._distance(after)
            yield _Step(board, length, piece, move, after)
            board = after

    def _within(self, piece: Piece, board: Board, offset: int) -> Board:
        """The board before a move of a piece that begins at `board`."""
        by, flips = piece.type, piece.flips
        for k in range(piece.k, 2, -1):
            for part, flipped, length in self._ways.parts(k, by, flips):
                if offset < length:
                    by, flips = part, flipped
                    break
                offset -= length
                with self._lock:
                    board = self._values.after(board, k - 1, part, flipped)
        for move in islice(chain.from_iterable(self._ways.moves(2, by, flips)), offset):
            board = _played(board, move)
        return board

    def _move(self, board: Board, left: int) -> tuple[bytes, Board]:
        """The first optimal move of a board, and the board after it."""
        move = self._values.neighbours(board).tolist().index(left - 1)
        return bytes([move]), _played(board, move)


class _Step(NamedTuple):
    """A piece of a solution, or a single move, its length, and the boards before and after it."""

    before: Board
    length: int
    piece: Piece | None
    move: bytes
    after: Board


def _played(board: Board, move: int) -> Board:
    tracks = board.tobytes().split(b"|")
    source = move // 2
    target = move % 2 + (move % 2 >= source)
    tracks[target] = tracks[source][:1] + tracks[target]
    tracks[source] = tracks[source][1:]
    return np.frombuffer(b"|".join(tracks), np.uint8)
