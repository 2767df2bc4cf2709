"""The walk of wheels that alternate, on the orbits of their turns in place of the states, two numbers for each.

Any turn of one wheel is one move. So the states after a turn of a wheel depend on its orbit alone, and the probability
of a state is a sum over its orbits, one for each wheel,

    p(s) = sum of share[o] over the orbits o of s, and at the goal states `rest` beside it.

Let A sum over the edges of an orbit: one from each of its states, to the orbit of the other wheel. Then the shares
after the next turn are

    (A share - share before that + rest goal) / turns          and rest becomes -rest / turns

where `turns` are those of one wheel (five), and goal[o] is the probability with which the walk begins in each state of
o, once for each turn that leads back there. It begins with a random wheel. README.md derives this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.preflight import memory_for_distances
from puzzlebase.db.table import Table
from puzzlebase.kernels import kernel
from puzzlebase.paths import table_path
from puzzlebase.puzzles import Goal, Indices, Puzzle, Signed, Space
from puzzlebase.puzzles.machinery.orbits import WheelOrbits
from puzzlebase.system import processors
from puzzlebase.threads import for_all, ranges

_TOLERANCE = 1e-6  # of the sum of all probabilities
_PIECES = 16  # of rows for each thread, since the times differ
_LANES = 4  # of sums


class Measured(NamedTuple):
    """Facts of a state after so many turns."""

    from_uniform: float  # total variation distance from the uniform distribution
    reached: int  # the number of states that it can be
    by_distance: tuple[float, ...]  # the probability that its distance is 0, 1, 2, ...

    @property
    def mean(self) -> float:
        """Its mean distance."""
        return sum(distance * probability for distance, probability in enumerate(self.by_distance))


def walked(puzzle: Puzzle, goal: Goal, data: Path, turns: int, threads: int | None = None) -> Iterator[Measured]:
    """The measurements after turn 0 to `turns`; raises MissingTable, and ArithmeticError for probabilities that err."""
    space = puzzle.space(goal)
    with Table(table_path(data, puzzle.table_name(goal)), memory_for_distances()) as table:
        layers, nearest = table.info.layers, table.range(0, space.stored_size)
    walk = OrbitsWalk(space, nearest, layers, threads or processors())
    yield walk.measure()
    for _ in range(turns):
        walk.step()
        yield walk.measure()


class OrbitsWalk:
    """The distribution of a state after `turn` random turns from the goal states, each of them equally likely.

    The shares of the orbits have 32 bits, sums have 64.
    """

    def __init__(self, space: Space, nearest: Signed, layers: tuple[int, ...], threads: int) -> None:
        """`nearest` are the distances of the orbits' vertices, [vertices]; `layers` count the states."""
        assert isinstance(space.storage, WheelOrbits)
        edges, states = space.storage.edges, space.storage.states()
        self.turn = 0
        self._layers, self._threads = layers, threads
        self._turns = edges.edges - 1
        self._edges = np.ascontiguousarray(edges.row_move.T), np.ascontiguousarray(edges.kind.T), edges.column_map
        self._states = np.ascontiguousarray(states.row_move.T), np.ascontiguousarray(states.kind.T), states.column_map
        self._times = _times(self._edges[0], self._states[0])
        self._shape = edges.rows, edges.width
        self._shares, self._former = np.zeros((2, *self._shape), np.float32)
        self._rest = 1.0
        self._goal_states = space.goal_states
        self._goal = _goal_shares(space)
        self._nearest = nearest.reshape(self._shape)
        self._reached_all = False

    def step(self) -> None:
        """Make one random turn."""
        share, former = self._shares, self._former
        self._in_rows(lambda first, last: _turn(first, last, *self._edges, share, 1 / self._turns, former))
        vertices, goal = self._goal
        former.reshape(-1)[vertices] += self._rest / self._turns * (1 if self.turn else 0.5) * goal
        self._shares, self._former = former, share
        self._rest /= -self._turns
        self.turn += 1

    def measure(self) -> Measured:
        """The measurement after this turn; raises ArithmeticError if the probabilities do not sum to 1."""
        found = np.zeros((self._shape[0], _LANES, len(self._layers) + 2))
        rest, states = self._rest / len(self._goal_states), sum(self._layers)
        # The least likely path to a state has the probability turns ** -turn. A state with less than half of it has
        # only an error of rounding, and cannot be reached. The first wheel at random halves it once more.
        least = 0.25 * self._turns ** -float(self.turn)

        def work(first: int, last: int) -> None:
            _measure(
                *(first, last, *self._edges, self._times, *self._states),
                *(self._shares, self._nearest, self._goal_states, rest, 1 / states, least, found),
            )

        self._in_rows(work)
        *by_distance, apart, reached = found.sum(axis=(0, 1)).tolist()
        if abs(sum(by_distance) - 1) > _TOLERANCE:
            raise ArithmeticError(f"after turn {self.turn} the probabilities sum to {sum(by_distance)!r}")
        # Once reached, a state stays so: later its probability may be less than the least that a path could have.
        self._reached_all |= round(reached) == states
        return Measured(apart / 2, states if self._reached_all else round(reached), tuple(by_distance))

    def _in_rows(self, work: Callable[[int, int], None]) -> None:
        with ThreadPoolExecutor(self._threads) as pool:
            for_all(pool, lambda rows: work(*rows), ranges(self._shape[0], _PIECES * self._threads))


def _times(other: Signed, state: Signed) -> npt.NDArray[np.int64]:
    """The states that each edge of each row of vertices stands for in a sum: int64[rows, edges].

    One edge of one vertex leads to each state. If the half turn makes one graph of both wheels, it maps a state to one
    with the same two vertices, an equal probability and an equal distance: one of these two rows counts for both.
    """
    rows = np.arange(len(other))[:, None]
    halved = ((state >= 0) & (other < rows)).any()
    return (state >= 0) * (np.where(other < rows, 0, 1 + (other > rows)) if halved else np.int64(1))


def _goal_shares(space: Space) -> tuple[Indices, npt.NDArray[np.float64]]:
    """The vertices of the goal states' orbits, and the probability that the walk begins in each state of an orbit."""
    assert isinstance(space.storage, WheelOrbits)
    vertices, goal_states = space.storage.vertices, space.goal_states
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
def _turn(first, last, row_move, kind, column_map, share, of_each, former):  # type: ignore[no-untyped-def]
    """Put the shares after the next turn in place of those before this one, in the rows first .. last-1."""
    width = share.shape[1]
    for row in range(first, last):
        for column in range(width):
            former[row, column] = -of_each * former[row, column]
        for k in range(row_move.shape[1]):
            other, of_kind = row_move[row, k], kind[row, k]
            for column in range(width):
                former[row, column] += of_each * share[other, column_map[of_kind, column]]


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
