"""The oracle of Panex: exact distances, optimal moves and solutions, in the texts of states."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from threading import Lock
from typing import TypeVar

import numpy as np

from puzzlebase.plugins.methods.record import NotProved
from puzzlebase.puzzles import UNREACHED, Board, Boards
from puzzlebase.puzzles.families.panex.board import MOVES, format_board, parse
from puzzlebase.puzzles.families.panex.diagrams import NO_PATH
from puzzlebase.puzzles.families.panex.distances import Known
from puzzlebase.puzzles.families.panex.lengths import all_lengths
from puzzlebase.puzzles.families.panex.positions import CapacityExceeded
from puzzlebase.puzzles.families.panex.solutions import PanexPiece, after_move, after_piece, first_piece, parts_of

T = TypeVar("T")

_CAPACITY = 1 << 14
_PARTS_CACHED = 1 << 14  # pieces whose parts are cached; a solution has few different ones
_PROJECT = Path(__file__).resolve().parents[3]
_AT_ONCE = 1 << 5  # boards in a question: for large towers, all that they lead to takes much memory


def certify(path: Path, steps: int = 34) -> Iterator[str]:
    """Write and check the certificate that the exchange takes at least U(n) moves for all n >= 5; yield what holds.

    Raises NotProved, also where the program that proves it is missing: it is not installed.
    """
    if not (_PROJECT / "research").is_dir():
        raise NotProved(
            "research/panex_theorem, which proves it, is not installed", "clone the project, and run it there"
        )
    command = [sys.executable, "-m", "research.panex_theorem", str(path.resolve()), str(steps)]
    done = subprocess.run(command, cwd=_PROJECT, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        *_, problem = done.stderr.strip().splitlines()  # of a fault in Python the traceback comes before
        raise NotProved(problem, "report it, with the file")
    yield from done.stdout.splitlines()


class PanexSolver:
    """Exact answers about one goal; any thread may ask. Methods take texts of states and raise what `parse` raises."""

    def __init__(self, n: int, goal: Sequence[str], capacity: int = _CAPACITY) -> None:
        """Take the goal states; `capacity`, a power of two, bounds what is cached at first."""
        self._n = n
        self._lengths = all_lengths()
        self._goal = self._boards(goal)
        self._capacity = capacity
        self._known: Known | None = None
        self._lock = Lock()
        self._parts = lru_cache(_PARTS_CACHED)(lambda piece: self.ask(partial(parts_of, piece=piece)))
        self.ask(lambda known: known)

    def _boards(self, texts: Sequence[str]) -> Boards:
        return np.array([parse(self._n, text) for text in texts], np.uint8).reshape(len(texts), 2 * self._n + 2)

    def ask(self, question: Callable[[Known], T]) -> T:
        """Ask a question about all known distances, until it fits into memory of a fixed size.

        If it does not fit, everything but the goal is evicted, and the question is asked again. If nothing was cached
        before, the memory is doubled.
        """
        with self._lock:
            while True:
                cached = self._known
                try:
                    known = cached or Known(self._lengths, self._n, self._goal, self._capacity)
                    answer = question(known)
                    known.check()
                except CapacityExceeded:
                    self._known = None
                    self._capacity *= 1 if cached else 2
                else:
                    self._known = known
                    return answer

    def distance(self, text: str) -> int:
        """Fewest moves to the goal, UNREACHED if there is no path."""
        return self.distances([text])[0]

    def distances(self, texts: Sequence[str]) -> list[int]:
        """The distance of each state."""
        boards, distances = self._boards(texts), np.empty(len(texts), np.int64)
        for first in range(0, len(boards), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            distances[some] = self.ask(partial(Known.distances, boards=boards[some]))
        found: list[int] = np.where(distances < NO_PATH, distances, UNREACHED).tolist()
        return found

    def line(self, text: str, offset: int = 0) -> Iterator[str]:
        """The moves of one solution, always the same, from move number `offset` on (0 is the first).

        There are none if there is no path. The state is read at once; moves are found as the caller takes them.
        """
        moves = self._moves(parse(self._n, text), max(offset, 0))
        return map(tuple(MOVES).__getitem__, chain.from_iterable(moves))

    def _moves(self, board: Board, skip: int) -> Iterator[bytes]:
        for _, piece, _ in self._pieces(board):
            if skip < piece.length:
                yield from self._piece_moves(piece, skip)
            skip = max(skip - piece.length, 0)

    def _piece_moves(self, piece: PanexPiece, skip: int = 0) -> Iterator[bytes]:
        """The moves of a piece without the first `skip`, some at a time, numbered as in MOVES."""
        if piece.k == 1:
            yield bytes([piece.type])
        elif piece.k == 2:
            first, end = self._lengths.piece[piece.type, piece.flips].tolist()
            yield self._lengths.moves[first + skip : end].tobytes()
        else:
            for part in self._parts(piece):
                if skip < part.length:
                    yield from self._piece_moves(part, skip)
                skip = max(skip - part.length, 0)

    def _pieces(self, board: Board) -> Iterator[tuple[Board, PanexPiece, Board]]:
        """The pieces and single moves of a board's solution, each with the boards before and after it."""
        while piece := self.ask(partial(first_piece, board=board)):
            after = self.ask(partial(after_piece, board=board, piece=piece))
            yield board, piece, after
            board = after

    def state_at(self, text: str, offset: int) -> str:
        """The state before move number `offset` of that solution; behind its end, the last state."""
        board = parse(self._n, text)
        for before, piece, after in self._pieces(board):
            if offset < piece.length:
                return format_board(self._board_within(piece, before, offset))
            board = after
            offset -= piece.length
        return format_board(board)

    def _board_within(self, piece: PanexPiece, board: Board, number: int) -> Board:
        """The board before a move of a piece that begins at `board`."""
        while piece.k > 2:
            for part in self._parts(piece):
                piece = part
                if number < part.length:
                    break
                number -= part.length
                board = self.ask(partial(after_piece, board=board, piece=part))
        for move in islice(chain.from_iterable(self._piece_moves(piece)), number):
            board = after_move(board, move)
        return board
