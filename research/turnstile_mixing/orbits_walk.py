"""The walk of wheels that alternate,
on the orbits of their turns in place of the states, two numbers for each.

Any turn of one wheel is one move. So the states after a turn of a wheel depend on its orbit alone,
and the probability of a state is a sum over its orbits, one for each wheel,

    p(s) = sum of share[o] over the orbits o of s, and at the goal states `rest` beside it.

Let A sum over the edges of an orbit: one from each of its states, to the orbit of the other wheel.
Then the shares after the next turn are

    (A share - share before that + rest goal) / turns          and rest becomes -rest / turns

where `turns` are those of one wheel (five), and goal[o] is the probability with which the walk
begins in each state of o, once for each turn that leads back there. It begins with a random wheel.
README.md derives this.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.verify import memory_of_verification
from puzzlebase.db.table import Table
from puzzlebase.paths import table_path
from puzzlebase.plugins.mixing.mixing import Measurement
from puzzlebase.puzzles import Goal, Indices, Puzzle, Signed, Space
from puzzlebase.puzzles.machinery.orbits import WheelOrbits

_TOLERANCE = 1e-6  # of the sum of all probabilities

Floats = npt.NDArray[np.float64]


def walked(puzzle: Puzzle, goal: Goal, data: Path, turns: int) -> Iterator[Measurement]:
    """The measurements after turn 0 to `turns`; raises MissingTable,
    and ArithmeticError for probabilities that err.
    """
    space = puzzle.space(goal)
    with Table(table_path(data, puzzle.table_name(goal)), memory_of_verification()) as table:
        layers, nearest = table.info.layers, table.range(0, space.stored_size)
    walk = OrbitsWalk(space, nearest, layers)
    yield walk.measure()
    for _ in range(turns):
        walk.step()
        yield walk.measure()


class OrbitsWalk:
    """The distribution of a state after `turn` random turns from the goal states,
    each of them equally likely.

    The shares of the orbits have 32 bits, sums have 64.
    Orbits are rows and columns, as the vertices of the graph are.
    """

    def __init__(self, space: Space, nearest: Signed, layers: tuple[int, ...]) -> None:
        """`nearest` are the distances of the orbits' vertices,
        [vertices]; `layers` count the states.
        """
        assert isinstance(space.storage, WheelOrbits)
        self.turn = 0
        self._layers = layers
        self._edges, self._states = space.storage.edges, space.storage.states()
        self._turns = self._edges.edges - 1
        shape = self._edges.rows, self._edges.width
        self._shares, self._former = np.zeros((2, *shape), np.float32)
        self._rest = 1.0
        self._goal_states = space.goal_states
        self._goal = _goal_shares(space)
        self._nearest = nearest.reshape(shape)
        self._reached_all = False
        other = self._edges.row_move
        # If the half turn makes one graph of both wheels, it maps a state to one with the same two
        # vertices, an equal probability and an equal distance: one of these two rows counts for
        # both.
        self._halved = bool(((self._states.row_move >= 0) & (other < np.arange(shape[0]))).any())

    def step(self) -> None:
        """Make one random turn."""
        share, former, edges = self._shares, self._former, self._edges

        def turn(row: int) -> None:
            sums = np.sum(
                [share[other][columns] for other, columns in zip(*edges.row(row), strict=True)],
                axis=0,
            )
            former[row] = (sums - former[row]) / self._turns

        with ThreadPoolExecutor() as pool:
            list(pool.map(turn, range(len(share))))
        vertices, goal = self._goal
        former.reshape(-1)[vertices] += self._rest / self._turns * (1 if self.turn else 0.5) * goal
        self._shares, self._former = former, share
        self._rest /= -self._turns
        self.turn += 1

    def measure(self) -> Measurement:
        """The measurement after this turn;
        raises ArithmeticError if the probabilities do not sum to 1.
        """
        with ThreadPoolExecutor() as pool:
            sums = np.sum([*pool.map(self._measure_row, range(len(self._shares)))], axis=0)
        *by_distance, apart, reached = sums.tolist()
        if abs(sum(by_distance) - 1) > _TOLERANCE:
            raise ArithmeticError(
                f"after turn {self.turn} the probabilities sum to {sum(by_distance)!r}"
            )
        # Once reached, a state stays so: later its probability may be less than the least that a
        # path could have.
        states = sum(self._layers)
        self._reached_all |= round(reached) == states
        reached = states if self._reached_all else round(reached)
        return Measurement(self.turn, apart / 2, reached, tuple(by_distance))

    def _measure_row(self, row: int) -> Floats:
        """Sums over the states on a row's edges: p at each distance,
        |p - uniform|, and the number with p > 0.
        """
        # The least likely path to a state has the probability turns ** -turn. A state with less
        # than half of it has only an error of rounding, and cannot be reached. The first wheel at
        # random halves it once more.
        least = 0.25 * self._turns ** -float(self.turn)
        uniform = 1 / sum(self._layers)
        sums = np.zeros(len(self._layers) + 2)
        edges = zip(*self._edges.row(row), *self._states.row(row), strict=True)
        for other, columns, state_row, state_columns in edges:
            if state_row < 0 or (self._halved and other < row):
                continue
            p = self._shares[row].astype(np.float64) + self._shares[other][columns]
            distances = (
                np.minimum(self._nearest[row], self._nearest[other][columns]).astype(np.int64) + 1
            )
            near = np.flatnonzero(distances == 1)
            solved = near[
                np.isin(
                    state_row * len(columns) + state_columns[near].astype(np.int64),
                    self._goal_states,
                )
            ]
            p[solved] += self._rest / len(self._goal_states)
            distances[solved] = 0
            by_distance = np.bincount(distances, p, len(self._layers))
            others = [abs(p - uniform).sum(), np.count_nonzero(p > least)]
            sums += (2 if self._halved and other > row else 1) * np.append(by_distance, others)
        return sums


def _goal_shares(space: Space) -> tuple[Indices, npt.NDArray[np.float64]]:
    """The vertices of the goal states' orbits,
    and the probability that the walk begins in each state of an orbit.
    """
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
