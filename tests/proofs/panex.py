"""The oracle of Panex agrees with whole tables, and its solutions solve the puzzle.

Tables are compared for every goal: every state for n to 5, and more than a million states beyond.
Beyond tables the reference implementation plays whole solutions, and each state on the way is asked
for its distance. The certificate that X(n) >= U(n) is checked too.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np
import numpy.typing as npt

from puzzlebase.db.errors import MissingTable
from puzzlebase.plugins.methods.record import Oracle, Solver
from puzzlebase.puzzles import Goal, Puzzle, Space, find
from puzzlebase.puzzles.families.panex.oracle import PanexSolver
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from research.panex_theorem import checker
from research.panex_theorem.certificate import certificate
from research.panex_theorem.graph import derive
from tests.naive import panex as naive_panex

_ALL = 5
_STATES = 1_000_000
_AT_ONCE = 1 << 16
_CAPACITY = 1 << 18
_STEPS = 34


def check_member(tables: Sources, puzzle: Puzzle) -> Iterator[str]:
    """A line for each comparison; raises AssertionError where one fails."""
    if puzzle.enumerable:
        for goal in puzzle.goals:
            try:
                opened = tables.table(puzzle.name, goal.name)
            except MissingTable:
                continue
            yield f"oracle, goal {goal.name}: " + _compare(opened, goal)
    else:
        for name in ("panex-7", "panex-8", puzzle.name):
            yield f"oracle, {name}: " + _replay(find(name))
        yield "oracle: X(n) >= U(n) for all n >= 5: " + _certified()


def _certified() -> str:
    began = perf_counter()
    proved = checker.check(derive(), certificate(derive(), _STEPS))
    return (
        f"the graph of {len(derive()['edges']):,} edges is what the rules give, steps to "
        f"{proved.last} hold, from {proved.first} on they repeat with {proved.constants:,} "
        f"constants and {proved.inequalities:,} inequalities, in {perf_counter() - began:.0f} s"
    )


def _solver(puzzle: Puzzle, goal: Goal) -> Solver:
    oracle = puzzle.engine(Oracle)
    assert oracle
    return oracle.load(goal)


def _compare(opened: OpenTable, goal: Goal) -> str:
    puzzle, space = opened.puzzle, opened.space
    n = len(goal.start) // 2 - 1
    solver = PanexSolver(n, goal.states, _CAPACITY)
    indices = np.arange(space.size) if n <= _ALL else _near(space)
    began = perf_counter()
    for first in range(0, len(indices), _AT_ONCE):
        some = indices[first : first + _AT_ONCE]
        texts = [puzzle.format(board) for board in space.unrank(some)]
        assert solver.distances(texts) == opened.distances(some).tolist()
    return f"{len(indices):,} of {space.size:,} states agree, in {perf_counter() - began:.0f} s"


def _near(space: Space) -> npt.NDArray[np.int64]:
    """All states within six moves of enough random ones:
    neighbours in the graph are found together.
    """
    draw = np.random.default_rng(1)
    parts: list[npt.NDArray[np.int64]] = []
    while sum(map(len, parts)) < _STATES:
        near = draw.integers(0, space.size, 1000)
        for _ in range(6):
            near = np.unique(np.append(near, space.expand(near).ravel()))
            near = near[near >= 0]
        parts.append(near)
    return np.concatenate(parts)


def _replay(puzzle: Puzzle) -> str:
    goal = puzzle.goal()
    solver = _solver(puzzle, goal)
    began = perf_counter()
    moves = list(solver.line(goal.start))
    took = perf_counter() - began
    states = [goal.start]
    for move in moves:
        states.append(dict(naive_panex.neighbours(states[-1]))[move])
    assert states[-1] in goal.states
    assert solver.distances(states) == list(range(len(moves), -1, -1))
    for at in range(0, len(moves), max(1, len(moves) // 20)):
        assert next(solver.line(goal.start, at)) == moves[at]
    return (
        f"all {len(moves):,} moves of a solution, in {took:.2f} s, come nearer by one, and it "
        "ends at the goal"
    )
