"""Random walks from solved, turn by turn, and measurements of their distributions.

Moves can be taken back. So the moves into a state are the reversed moves out of it, and each neighbour gives its own
probability, divided among its moves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Indices, PuzzleError, Signed, Space
from puzzlebase.puzzles.machinery.reversible import inverse_moves
from puzzlebase.threads import ranges
from puzzlebase.tools.mixing.file import Measurement

Probabilities = npt.NDArray[np.float64]
# The probability at each distance; the sum of |p - uniform| over all states; the number of states with p > 0.
Sums = tuple[Probabilities, float, int]

Result = TypeVar("Result")

_CHUNK = 1 << 15
_PIECES = 16  # of rows for each thread, since the times differ
_LANES = 4  # of sums


class UnknownWalk(PuzzleError):
    """The puzzle has no such walk."""


class Walk(ABC):
    """The distribution of a state after `turn` random turns from the goal states, each of them equally likely."""

    def __init__(self, layers: tuple[int, ...], threads: int) -> None:
        self.layers = layers  # the number of states at each distance
        self.turn = 0
        self._uniform = 1 / sum(layers)
        self._threads = threads

    tolerance = 1e-9  # of the sum of all probabilities

    @abstractmethod
    def step(self) -> None:
        """Make one random turn."""

    @abstractmethod
    def _sums(self) -> Sums: ...

    def measure(self) -> Measurement:
        """The measurement after this turn; raises VerificationError if the probabilities do not sum to 1."""
        by_distance, apart, reached = self._sums()
        total = float(by_distance.sum())
        if abs(total - 1) > self.tolerance:
            raise VerificationError(f"after turn {self.turn} the probabilities sum to {total!r}")
        return Measurement(self.turn, apart / 2, reached, tuple(by_distance.tolist()))

    def _shared(self, work: Callable[[int, int], Result], pieces: Iterable[tuple[int, int]]) -> list[Result]:
        """Share pieces of work, each (first, last), among threads, and return the results in order."""
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(lambda piece: work(*piece), pieces))


class StatesWalk(Walk):
    """The walk on the states themselves, for puzzles of any kind: each legal move of a state is equally likely."""

    def __init__(self, space: Space, distances: Signed, layers: tuple[int, ...], threads: int) -> None:
        """`distances` are those of all states, [states], -1 if the goal cannot be reached."""
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
        """Share chunks among threads. The chunks, and so the sums, are the same for any number of threads."""
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
    """The walk of equally likely legal moves without the one that leads back, unless there is no other."""

    def __init__(self, space: Space, distances: Signed, layers: tuple[int, ...], threads: int) -> None:
        super().__init__(space, distances, layers, threads)
        inverse = inverse_moves(space)
        if inverse is None:
            raise UnknownWalk(
                "the move that undoes another depends on the state here, so there is no such walk", "take any"
            )
        self._inverse = inverse
        # The distribution divided by the move that leads back, float64[moves, states]; undivided before the first turn.
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


class OrbitsWalk(Walk):
    """The walk of puzzles with wheels, on the orbits of their turns in place of the states, two numbers for each.

    Any turn of one wheel is one move. So the states after a turn of a wheel depend on its orbit alone, and the
    probability of a state is a sum over its orbits, one for each wheel,

        p(s) = sum of share[o] over the orbits o of s, and at the goal states `rest` beside it.

    Let A sum over the edges of an orbit: one from each of its states, to the orbit of the other wheel. Then the shares
    after the next turn are

        any         (A share + (turns - 1) share + rest goal) / (2 turns)          and rest becomes -rest / turns
        alternate   (A share - share before that + rest goal) / turns

    where `turns` are those of one wheel (five), and goal[o] is the probability with which the walk begins in each state
    of o, once for each turn that leads back there. `alternate` begins with a random wheel. docs/mixing.md derives this.
    """

    def __init__(
        self,
        space: Space,
        nearest: Signed,
        layers: tuple[int, ...],
        threads: int,
        *,
        alternate: bool,
        single: bool = False,
    ) -> None:
        """`nearest` are the distances of the orbits' vertices, [vertices]. With `single` numbers are of 32 bits."""
        super().__init__(layers, threads)
        assert space.orbits is not None
        graph = space.orbits.graph()
        assert graph.product is not None
        edges = graph.product()
        self._alternate = alternate
        self._turns = edges.edges - 1
        self._edges = np.ascontiguousarray(edges.row_move.T), np.ascontiguousarray(edges.kind.T), edges.column_map
        states = space.orbits.states()
        self._states = np.ascontiguousarray(states.row_move.T), np.ascontiguousarray(states.kind.T), states.column_map
        self._times = _times(edges.row_move.T, self._states[0])
        self._shape = edges.rows, edges.width
        if single:
            self.tolerance = 1e-6
        self._shares, self._former = np.zeros((2, *self._shape), np.float32 if single else np.float64)
        self._rest = 1.0
        self._goal_states = space.goal_states
        self._goal = _goal_shares(space)
        self._nearest = nearest.reshape(self._shape)
        self._reached_all = False

    def step(self) -> None:
        """Make one random turn."""
        turns, first = self._turns, self.turn == 0
        if self._alternate:
            of_edges, of_own, of_former = 1 / turns, 0.0, -1 / turns
            of_goal = self._rest / turns * (0.5 if first else 1)
        else:
            of_edges, of_own, of_former = 1 / (2 * turns), (turns - 1) / (2 * turns), 0.0
            of_goal = self._rest / (2 * turns)
        share, former = self._shares, self._former

        def work(first_row: int, last_row: int) -> None:
            _turn(first_row, last_row, *self._edges, share, of_edges, of_own, of_former, former)

        self._shared(work, ranges(self._shape[0], _PIECES * self._threads))
        vertices, goal = self._goal
        former.reshape(-1)[vertices] += of_goal * goal
        self._shares, self._former = former, share
        self._rest /= -turns
        self.turn += 1

    def _sums(self) -> Sums:
        found = np.zeros((self._shape[0], _LANES, len(self.layers) + 2))
        rest = self._rest / len(self._goal_states)
        # The least likely path to a state has this probability. A state with less than half of it has only an
        # error of rounding, and cannot be reached.
        least = 0.5 * (self._turns if self._alternate else 2 * self._turns) ** -float(self.turn)

        def work(first_row: int, last_row: int) -> None:
            _measure(
                *(first_row, last_row, *self._edges, self._times, *self._states),
                *(self._shares, self._nearest, self._goal_states, rest),
                *(self._uniform, 0.5 * least, found),
            )

        self._shared(work, ranges(self._shape[0], _PIECES * self._threads))
        sums = found.sum(axis=(0, 1))
        states = sum(self.layers)
        reached = states if self._reached_all else round(sums[-1])
        self._reached_all = reached == states
        return sums[:-2], float(sums[-2]), reached


def _times(other: Signed, state: Signed) -> npt.NDArray[np.int64]:
    """The states that each edge of each row of vertices stands for in a sum: int64[rows, edges].

    One edge of one vertex leads to each state. If the half turn makes one graph of both wheels, it maps a state to one
    with the same two vertices, an equal probability and an equal distance: one of these two rows counts for both.
    """
    rows = np.arange(len(other))[:, None]
    halved = ((state >= 0) & (other < rows)).any()
    return (state >= 0) * (np.where(other < rows, 0, 1 + (other > rows)) if halved else np.int64(1))


def _goal_shares(space: Space) -> tuple[Indices, Probabilities]:
    """The vertices of the goal states' orbits, and the probability that the walk begins in each state of an orbit."""
    assert space.orbits is not None
    vertices, goal_states = space.orbits.vertices, space.goal_states
    turned = space.expand(goal_states).reshape(len(goal_states), vertices.edges, -1)
    found: dict[int, float] = {}
    for wheel in range(vertices.edges):
        of_wheel: dict[int, float] = {}
        for goal_state, others in zip(goal_states.tolist(), turned[:, wheel], strict=True):
            states = np.append(others, goal_state)
            times = int((states == goal_state).sum())
            for orbit in np.unique(vertices.expand(states)[:, wheel]).tolist():
                of_wheel[orbit] = of_wheel.get(orbit, 0.0) + times / len(goal_states)
        found |= of_wheel  # if the half turn makes one graph of both wheels, they are the same
    return np.array([*found], np.int64), np.array([*found.values()])


@kernel
def _turn(first, last, row_move, kind, column_map, share, of_edges, of_own, of_former, former):  # type: ignore[no-untyped-def]
    """Put the shares after the next turn in place of those before this one, in the rows first .. last-1."""
    width = share.shape[1]
    for row in range(first, last):
        for column in range(width):
            former[row, column] = of_former * former[row, column] + of_own * share[row, column]
        for k in range(row_move.shape[1]):
            other, of_kind = row_move[row, k], kind[row, k]
            for column in range(width):
                former[row, column] += of_edges * share[other, column_map[of_kind, column]]


@kernel
def _measure(  # type: ignore[no-untyped-def]
    first,
    last,
    row_move,
    kind,
    column_map,
    times,
    state_row,
    state_kind,
    state_map,
    share,
    nearest,
    goal_states,
    rest,
    uniform,
    least,
    found,
):
    """Sum up the states on the edges of each row: p at each distance, |p - uniform|, and the number with p > 0.

    Lanes let a processor begin a sum before the last one has ended.
    """
    width = share.shape[1]
    end = found.shape[2]
    for row in range(first, last):
        for k in range(row_move.shape[1]):
            other, of_kind, weight = row_move[row, k], kind[row, k], times[row, k]
            for column in range(width if weight > 0 else 0):
                to, lane = column_map[of_kind, column], column % found.shape[1]
                p = np.float64(share[row, column]) + share[other, to]
                distance = min(np.int64(nearest[row, column]), np.int64(nearest[other, to])) + 1
                if distance == 1:
                    state = state_row[row, k] * np.int64(width) + np.int64(state_map[state_kind[row, k], column])
                    for goal_state in goal_states:
                        if state == goal_state:
                            p += rest
                            distance = np.int64(0)
                found[row, lane, distance] += weight * p
                found[row, lane, end - 2] += weight * abs(p - uniform)
                found[row, lane, end - 1] += weight * (p > least)
