"""Random walks from solved, turn by turn, and measurements of their distributions: README.md.

Moves can be taken back. So the turns into a state are the reversed moves out of it, and each turn
reads the neighbours of every state. No matrix is stored.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.errors import STARTS_ANEW, build_failures
from puzzlebase.builder.preflight import PROGRAM, Shortage
from puzzlebase.builder.progress import Reporter
from puzzlebase.db.table import Table
from puzzlebase.machine import spare_memory
from puzzlebase.puzzles import Indices, Puzzle, PuzzleError, Signed, Space
from puzzlebase.terminal_text import bytes_as_text

Result = TypeVar("Result")

_CHUNK = 1 << 15
_TOLERANCE = 1e-9  # of the sum of all probabilities


class UnknownWalk(PuzzleError):
    """The puzzle has no such walk."""


class Measurement(NamedTuple):
    """Facts of a state after so many random turns."""

    turn: int
    # total variation distance from the uniform distribution over the states that reach the goal
    from_uniform: float
    reached: int  # the number of states that it can be
    by_distance: tuple[float, ...]  # the probability that its distance is 0, 1, 2, ...

    @property
    def mean(self) -> float:
        """Its mean distance."""
        return sum(distance * probability for distance, probability in enumerate(self.by_distance))


def wheels_of(puzzle: Puzzle, space: Space, walk: str) -> Indices:
    """The wheel of each move if wheels alternate, int64[moves], or 0; raises UnknownWalk."""
    if walk == "any":
        return np.zeros(space.expand(space.goal_states[:1]).shape[1], np.int64)
    if not space.storage.offset:  # any turn of one wheel is one move
        raise UnknownWalk(f"{puzzle.name} has no wheels that could alternate", "take any")
    return np.unique([move.group for move in puzzle.moves], return_inverse=True)[1]


class Walk:
    """The distribution of a state after `turn` random turns from the goal states,
    each of them equally likely.

    It is divided by the wheel that was turned last: float64[wheels, states].
    """

    def __init__(
        self,
        space: Space,
        wheels: Indices,
        distances: Signed,
        layers: tuple[int, ...],
        threads: int,
    ) -> None:
        """`distances` are those of all states, [states],
        -1 if the goal cannot be reached; `layers` count them.
        """
        self.turn = 0
        self._space, self._wheels, self._distances = space, wheels, distances
        self._layers, self._uniform = len(layers), 1 / sum(layers)
        self._threads = threads
        legal = self._in_chunks(lambda some: (self._neighbours(some) >= 0).sum(axis=1))
        self._legal = np.concatenate(legal).astype(np.uint8)
        self._p, self._next = np.zeros((2, wheels.max() + 1, space.size))
        self._p[0, space.goal_states] = 1 / len(space.goal_states)

    def step(self) -> None:
        """Make one random turn."""
        self._in_chunks(self._divide)
        self._in_chunks(self._take)
        self._p, self._next = self._next, self._p
        self.turn += 1

    def measure(self) -> Measurement:
        """The measurement after this turn;
        raises VerificationError if the probabilities do not sum to 1.
        """
        by_distance, apart, reached = zip(*self._in_chunks(self._sums), strict=True)
        shares = np.sum(by_distance, axis=0).tolist()
        if abs(sum(shares) - 1) > _TOLERANCE:
            raise VerificationError(
                f"after turn {self.turn} the probabilities sum to {sum(shares)!r}"
            )
        return Measurement(self.turn, sum(apart) / 2, sum(reached), tuple(shares))

    def _divide(self, some: slice) -> None:
        """Put, in place of the probabilities of each wheel,
        that of each legal turn of this wheel.
        """
        p, legal = self._p[:, some], self._legal[some]
        total = p.sum(axis=0)
        if self.turn == 0 or len(p) == 1:
            p[:] = total / np.maximum(legal, 1)
        else:
            p[:] = (total - p) / (legal - len(self._wheels) // len(p))

    def _take(self, some: slice) -> None:
        self._next[:, some] = 0
        for neighbours, wheel in zip(self._neighbours(some).T, self._wheels, strict=True):
            self._next[wheel, some] += np.where(neighbours < 0, 0, self._p[wheel, neighbours])

    def _sums(self, some: slice) -> tuple[npt.NDArray[np.float64], float, int]:
        """The probability at each distance, the sum of |p - uniform|,
        and the number of states with p > 0.
        """
        p, distances = self._p[:, some].sum(axis=0), self._distances[some]
        can = distances >= 0
        by_distance = np.bincount(distances[can], p[can], self._layers).astype(np.float64)
        return by_distance, float(np.abs(p[can] - self._uniform).sum()), int(np.count_nonzero(p))

    def _neighbours(self, some: slice) -> Indices:
        return self._space.expand(np.arange(some.start, some.stop))

    def _in_chunks(self, work: Callable[[slice], Result]) -> list[Result]:
        """Share chunks among threads. The chunks,
        and so the sums, are the same for any number of threads.
        """
        size = self._space.size
        chunks = [slice(first, min(first + _CHUNK, size)) for first in range(0, size, _CHUNK)]
        with ThreadPoolExecutor(self._threads) as pool:
            return [*pool.map(work, chunks)]


def require_mixing_memory(puzzle: Puzzle, space: Space, wheels: Indices, spare: int) -> None:
    """Raise Shortage if the mixing takes more bytes than there are to spare."""
    needed = PROGRAM + 2 * 8 * space.size * int(wheels.max() + 1) + 2 * space.size
    if needed > spare:
        raise Shortage(
            f"a walk over the states of {puzzle.name} needs about {bytes_as_text(needed)} "
            f"of memory, {bytes_as_text(spare)} are free",
            "free some memory, or take a smaller puzzle",
        )


def compute_mixing(
    puzzle: Puzzle,
    space: Space,
    table: Table,
    walk: str,
    turns: int,
    threads: int,
    report: Reporter,
) -> list[Measurement]:
    """Compute how random turns from the goal's states mix: measure after each, turn 0 first.

    Raises UnknownWalk, Shortage, VerificationError, DamagedTable and BuildError.
    """
    wheels = wheels_of(puzzle, space, walk)
    require_mixing_memory(puzzle, space, wheels, spare_memory())
    with build_failures(table.header.path, report, STARTS_ANEW):
        distances = space.distance_range(0, space.size, table.range)
        walked = Walk(space, wheels, distances, table.info.layers, threads)
        measured = [walked.measure()]
        with report.phase("turns", turns, "turns") as phase:
            for _ in range(turns):
                walked.step()
                now = walked.measure()
                measured.append(now)
                phase.advance(1)
                phase.say(
                    f"  turn {now.turn:4}: {now.from_uniform:.3e} from uniform, {now.reached:,} "
                    "states reached"
                )
    return measured
