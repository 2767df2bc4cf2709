"""The walk of puzzles with wheels, on the orbits of their turns in place of the states.

Any turn of one wheel is one move. So the states after a turn of a wheel know no more of it than which orbit of that
wheel they are in: the probability of a state is a sum over its orbits, one for each wheel,

    p(s) = sum of share[o] over the orbits o of s, and at the goal states `rest` beside it.

With A for the sum over the edges of an orbit, which lead from each of its states to the other wheel's orbit, the
shares after the next turn are

    any         (A share + (turns - 1) share + rest goal) / (2 turns)          and rest becomes -rest / turns
    alternate   (A share - share before that + rest goal) / turns

where `turns` are those of one wheel (five) and goal[o] is how likely the walk begins in each state of o, once for each
turn that leads back there. docs/mixing.md derives them. Two float64 for each orbit are all that is kept.
"""

from __future__ import annotations

import numpy as np

from puzzlebase.builder.threads import ranges
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Indices, Signed, Space
from puzzlebase.tools.mixing.walk import Probabilities, Sums, Walk

_PIECES = 16  # for each thread: pieces of rows take different times


class OrbitsWalk(Walk):
    """Either walk over the orbits: any turn, or the wheels one after the other with the first one at random."""

    def __init__(
        self, space: Space, nearest: Signed, layers: tuple[int, ...], threads: int, *, alternate: bool
    ) -> None:
        """`nearest` are the distances of the orbits' vertices, [vertices]."""
        super().__init__(layers, threads)
        assert space.orbits is not None
        graph = space.orbits.graph()
        assert graph.product is not None
        edges = graph.product()
        self._alternate = alternate
        self._turns = edges.edges - 1
        self._edges = np.ascontiguousarray(edges.row_move.T), np.ascontiguousarray(edges.kind.T), edges.column_map
        self._vertices = space.orbits.vertices
        self._shape = edges.rows, edges.width
        self._shares, self._former = np.zeros((2, *self._shape))
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
        vertices = self._vertices
        found = np.zeros((vertices.rows, len(self.layers) + 2))
        rest = self._rest / len(self._goal_states)
        # Where nothing is left but the error of rounding, a state cannot be reached: the least likely path to
        # one has this probability.
        least = 0.5 * (self._turns if self._alternate else 2 * self._turns) ** -float(self.turn)

        def work(first_row: int, last_row: int) -> None:
            _measure(
                first_row,
                last_row,
                *(vertices.row_move, vertices.kind, vertices.column_map),
                *(self._shares, self._nearest, self._goal_states, rest),
                *(self._uniform, 0.5 * least, found),
            )

        self._shared(work, ranges(vertices.rows, _PIECES * self._threads))
        sums = found.sum(axis=0)
        states = sum(self.layers)
        reached = states if self._reached_all else round(sums[-1])
        self._reached_all = reached == states
        return sums[:-2], float(sums[-2]), reached


def _goal_shares(space: Space) -> tuple[Indices, Probabilities]:
    """The vertices of the goal states' orbits, and how likely the walk begins in each state of an orbit."""
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
        found |= of_wheel  # where the half turn makes one graph of both wheels, they say the same
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
    first, last, row_move, kind, column_map, share, nearest, goal_states, rest, uniform, least, found
):
    """Of each row of states: the probability at each distance, the sum of |p - uniform|, and the states with p > 0."""
    width = column_map.shape[1]
    for row in range(first, last):
        for column in range(width):
            p, distance = 0.0, np.int64(1 << 30)
            for k in range(row_move.shape[0]):
                orbit_row, orbit_column = row_move[k, row], column_map[kind[k, row], column]
                p += share[orbit_row, orbit_column]
                distance = min(distance, np.int64(nearest[orbit_row, orbit_column]))
            distance += 1
            if distance == 1:
                for goal_state in goal_states:
                    if row * width + column == goal_state:
                        p += rest
                        distance = np.int64(0)
            found[row, distance] += p
            found[row, found.shape[1] - 2] += abs(p - uniform)
            found[row, found.shape[1] - 1] += p > least
