"""Random walks from solved, turn by turn, and what is measured of their distributions.

The moves of a puzzle are closed under inversion. So the moves into a state are those out of it, and what comes from a
neighbour is the neighbour's probability, divided among the neighbour's moves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.puzzles import Indices, PuzzleError, Signed, Space
from puzzlebase.puzzles.machinery.reversible import inverse_moves
from puzzlebase.tools.mixing.file import Measurement

Probabilities = npt.NDArray[np.float64]
Sums = tuple[Probabilities, float, int]
"""Of the states at each distance the probability; sum of |p - uniform| over all states; how many states have p > 0."""

Result = TypeVar("Result")

_TOLERANCE = 1e-9
_CHUNK = 1 << 15


class UnknownWalk(PuzzleError):
    """A puzzle has no such walk."""


class Walk(ABC):
    """The distribution of a state after `turn` random turns; it begins with the goal states, each equally likely.

    `layers` are how many states lie at each distance.
    """

    def __init__(self, layers: tuple[int, ...], threads: int) -> None:
        self.layers = layers
        self.turn = 0
        self._uniform = 1 / sum(layers)
        self._threads = threads

    @abstractmethod
    def step(self) -> None:
        """Make one random turn."""

    @abstractmethod
    def _sums(self) -> Sums: ...

    def measure(self) -> Measurement:
        """The measurement after this turn; raises VerificationError where the probabilities do not sum to 1."""
        by_distance, apart, reached = self._sums()
        total = float(by_distance.sum())
        if abs(total - 1) > _TOLERANCE:
            raise VerificationError(f"after turn {self.turn} the probabilities sum to {total!r}")
        return Measurement(self.turn, apart / 2, reached, tuple(by_distance.tolist()))

    def _shared(self, work: Callable[[int, int], Result], pieces: Iterable[tuple[int, int]]) -> list[Result]:
        """Have threads work on pieces, each (first, last), and give what they found, in order."""
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(lambda piece: work(*piece), pieces))


class StatesWalk(Walk):
    """On the states themselves, for puzzles of any kind: each legal move of a state is equally likely."""

    def __init__(self, space: Space, distances: Signed, layers: tuple[int, ...], threads: int) -> None:
        """`distances` are those of all states, [states], -1 where the goal cannot be reached."""
        super().__init__(layers, threads)
        self._space = space
        self._distances = distances
        self._legal = np.empty(space.size, np.uint8)  # moves of each state
        self._p, self._next = np.zeros((2, space.size))
        self._p[space.goal_states] = 1 / len(space.goal_states)
        self._in_chunks(self._count_legal)

    def step(self) -> None:
        """Make one random turn."""
        self._in_chunks(self._take)
        self._p, self._next = self._next, self._p
        self.turn += 1

    def _count_legal(self, some: slice) -> None:
        self._legal[some] = (self._neighbours(some) >= 0).sum(axis=1)

    def _take(self, some: slice) -> None:
        neighbours = self._neighbours(some)
        there = neighbours >= 0
        self._next[some] = np.where(there, self._p[neighbours] / np.maximum(self._legal[neighbours], 1), 0).sum(axis=1)

    def _neighbours(self, some: slice) -> Indices:
        return self._space.expand(np.arange(some.start, some.stop))

    def _in_chunks(self, work: Callable[[slice], Result]) -> list[Result]:
        """Have threads work on chunks that do not depend on how many they are, so that sums do not either."""
        size = self._space.size
        chunks = [(first, min(first + _CHUNK, size)) for first in range(0, size, _CHUNK)]
        return self._shared(lambda first, last: work(slice(first, last)), chunks)

    def _sums(self) -> Sums:
        by_distance, apart, reached = zip(*self._in_chunks(self._sums_of), strict=True)
        return np.sum(by_distance, axis=0), float(sum(apart)), sum(reached)

    def _sums_of(self, some: slice) -> Sums:
        p, distances = self._p[some], self._distances[some]
        can = distances >= 0
        by_distance = np.bincount(distances[can], p[can], len(self.layers)).astype(np.float64)
        return by_distance, float(np.abs(p[can] - self._uniform).sum()), int(np.count_nonzero(p))


class NoUndoWalk(StatesWalk):
    """Each legal move is equally likely but the one that leads back, which is made only where there is no other.

    `_by_undo` is the distribution divided by the move that leads back, float64[moves, states]. Nothing leads back
    before the first turn.
    """

    def __init__(self, space: Space, distances: Signed, layers: tuple[int, ...], threads: int) -> None:
        super().__init__(space, distances, layers, threads)
        inverse = inverse_moves(space)
        if inverse is None:
            raise UnknownWalk(
                "some moves are undone now by one move and now by another, so no-undo means nothing here", "take any"
            )
        self._inverse = inverse
        self._by_undo, self._next_by_undo = np.zeros((2, len(inverse), space.size))

    def step(self) -> None:
        """Make one random turn."""
        super().step()
        self._by_undo, self._next_by_undo = self._next_by_undo, self._by_undo

    def _take(self, some: slice) -> None:
        neighbours = self._neighbours(some)
        for move, back in enumerate(self._inverse.tolist()):
            others = neighbours[:, move]
            came_from_here = self._by_undo[back, others]
            legal = self._legal[others].astype(np.float64) - (self.turn > 0)
            forth = (self._p[others] - came_from_here) / np.maximum(legal, 1)
            self._next_by_undo[move, some] = np.where(others < 0, 0, np.where(legal > 0, forth, came_from_here))
        self._next[some] = self._next_by_undo[:, some].sum(axis=0)
