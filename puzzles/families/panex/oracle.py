"""The oracle of Panex: exact distances, optimal moves and solutions, in the texts of states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial, reduce
from itertools import islice
from threading import Lock
from typing import TypeVar

import numpy as np

from puzzlebase.puzzles import UNREACHED, Boards
from puzzlebase.puzzles.families.panex.board import MOVES, parse, play
from puzzlebase.puzzles.families.panex.diagrams import NO_PATH
from puzzlebase.puzzles.families.panex.distances import Known
from puzzlebase.puzzles.families.panex.positions import CapacityExceeded

T = TypeVar("T")

_CAPACITY = 1 << 14
MAX_OFFSET = 100_000
"""The largest number of a solution's move to begin at:
all before it are found first, in 0.2 ms each.
"""

_TOGETHER = 1 << 8  # moves of a solution that are found and cached together
_PARTS_CACHED = 1 << 9  # such parts
_AT_ONCE = 1 << 5  # boards in a question: for large towers, all that they lead to takes much memory


class PanexSolver:
    """Exact answers about one goal; any thread may ask.
    Methods take texts of states and raise what `parse` raises.
    """

    def __init__(self, n: int, goal: Sequence[str], capacity: int = _CAPACITY) -> None:
        """Take the goal states; `capacity`, a power of two, bounds what is cached at first."""
        self._n = n
        self._goal = self._boards(goal)
        self._capacity = capacity
        self._known: Known | None = None
        self._lock = Lock()
        self._part = lru_cache(_PARTS_CACHED)(self._find_part)
        self.ask(lambda known: known)

    def _boards(self, texts: Sequence[str]) -> Boards:
        return np.array([parse(self._n, text) for text in texts], np.uint8).reshape(
            len(texts), 2 * self._n + 2
        )

    def ask(self, question: Callable[[Known], T]) -> T:
        """Ask a question about all known distances, until it fits into memory of a fixed size.

        If it does not fit, everything but the goal is evicted, and the question is asked again. If
        nothing was cached before, the memory is doubled.
        """
        with self._lock:
            while True:
                cached = self._known
                try:
                    known = cached or Known(self._n, self._goal, self._capacity)
                    answer = question(known)
                    known.check()
                except CapacityExceeded:
                    self._known = None
                    self._capacity *= 1 if cached else 2
                else:
                    self._known = known
                    return answer

    def distances(self, texts: Sequence[str]) -> list[int]:
        """The fewest moves from each state to the goal, UNREACHED if there is no path."""
        boards, distances = self._boards(texts), np.empty(len(texts), np.int64)
        for first in range(0, len(boards), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            distances[some] = self.ask(partial(Known.distances, boards=boards[some]))
        found: list[int] = np.where(distances < NO_PATH, distances, UNREACHED).tolist()
        return found

    def line(self, text: str, offset: int = 0) -> Iterator[str]:
        """The moves of one solution, always the same,
        from move number `offset` on (0 is the first).

        There are none if there is no path. The state is read at once;
        moves are found as the caller takes them.
        """
        parse(self._n, text)
        return islice(self._moves(text), offset, None)

    def _moves(self, text: str) -> Iterator[str]:
        while moves := self._part(text)[0]:
            yield from moves
            text = self._part(text)[1]

    def _find_part(self, text: str) -> tuple[tuple[str, ...], str]:
        """The next moves of a solution, and the state after them."""
        board = parse(self._n, text)
        numbers = self.ask(partial(Known.first_moves, board=board, count=_TOGETHER))
        moves = tuple(map(tuple(MOVES).__getitem__, numbers))
        return moves, reduce(play, moves, text)

    def state_at(self, text: str, offset: int) -> str:
        """The state before move number `offset` of that solution;
        behind its end, the last state.
        """
        moves, after = self._part(text)
        while moves and len(moves) <= offset:
            text, offset = after, offset - len(moves)
            moves, after = self._part(text)
        return reduce(play, moves[:offset], text)
