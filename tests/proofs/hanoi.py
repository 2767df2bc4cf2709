"""The oracle of Hanoi agrees with breadth-first search and with whole tables.

For a puzzle with a table every state is compared, for every goal. For others there are three
checks. Random pairs of states of 1 to 7 disks in every variant are compared with the reference's
search, states out of reach among them. Every state of every variant to 7 disks, and samples to 13,
are compared with distances that the builder's search finds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from time import perf_counter

import numpy as np

from puzzlebase.db.errors import MissingTable
from puzzlebase.plugins.methods.record import Oracle, Solver
from puzzlebase.puzzles import UNREACHED, Distances, Goal, Indices, Puzzle, find
from puzzlebase.service.sources.sources import Sources
from tests import naive
from tests.fixtures import enumerated
from tests.naive import hanoi as naive_hanoi

_VARIANTS = ["".join(posts) for posts in product("RBN", repeat=3)]
_PAIRS, _GOALS = 100_000, 5
_EVERY, _INDEXED, _SAMPLE = 7, 13, 2_000
_LINES = 20


def check_member(tables: Sources, puzzle: Puzzle) -> Iterator[str]:
    """A line for each comparison; raises AssertionError where one fails."""
    if not puzzle.enumerable:
        yield "oracle: " + _pairs()
        yield "oracle: " + _whole()
        yield "oracle: " + _samples()
        return
    for goal in puzzle.goals:
        try:
            opened = tables.table(puzzle.name, goal.name)
        except MissingTable:
            continue
        indices = np.arange(opened.space.size)
        _compare(puzzle, goal, indices, opened.distances(indices))
        yield f"oracle, goal {goal.name}: {len(indices):,} states agree"


def _solver(puzzle: Puzzle, goal: Goal) -> Solver:
    oracle = puzzle.engine(Oracle)
    assert oracle
    return oracle.load(goal)


def _compare(puzzle: Puzzle, goal: Goal, indices: Indices, distances: Distances) -> None:
    texts = [puzzle.format(board) for board in puzzle.space(goal).unrank(indices)]
    assert _solver(puzzle, goal).distances(texts) == distances.tolist(), (puzzle.name, goal.name)


def _pairs() -> str:
    chosen = random.Random(22)
    began, pairs, lost, lines = perf_counter(), 0, 0, 0
    each = -(-_PAIRS // (_EVERY * len(_VARIANTS) * _GOALS))
    for variant in _VARIANTS:
        neighbours = naive_hanoi.neighbours(variant)
        for n in range(1, _EVERY + 1):
            puzzle, states = (
                find(f"hanoi-{variant.lower()}-{n}"),
                naive_hanoi.every_state(variant, n),
            )
            for _ in range(_GOALS):
                goal = chosen.choice(states)
                known, solver = (
                    naive.distances(goal, neighbours),
                    _solver(puzzle, puzzle.goal(goal)),
                )
                some = chosen.choices(states, k=each)
                expected = [known.get(state, UNREACHED) for state in some]
                assert solver.distances(some) == expected, (variant, n, goal)
                pairs, lost = pairs + each, lost + expected.count(UNREACHED)
                for state in [state for state in some if state in known][:_LINES]:
                    _follow(solver, state, known, variant)
                    lines += 1
    took = perf_counter() - began
    return (
        f"{pairs:,} random pairs agree, {lost:,} out of reach, and {lines:,} first solutions, "
        f"in {took:.0f} s"
    )


def _follow(solver: Solver, state: str, known: dict[str, int], variant: str) -> None:
    """The solver's solution takes the first optimal move at each state."""
    for move in solver.line(state):
        nearer = [
            to for to in naive_hanoi.neighbours(variant)(state) if known[to[1]] == known[state] - 1
        ]
        assert move == nearer[0][0], (variant, state)
        state = nearer[0][1]
    assert known[state] == 0


def _whole() -> str:
    began, states = perf_counter(), 0
    for variant in _VARIANTS:
        for n in range(1, _EVERY + 1):
            puzzle = find(f"hanoi-{variant.lower()}-{n}")
            for goal in puzzle.goals:
                indices = np.arange(puzzle.space(goal).size)
                _compare(puzzle, goal, indices, enumerated(puzzle.space(goal).stored()))
                states += len(indices)
    return (
        f"all {states:,} states of every variant and goal to {_EVERY} disks agree, in "
        f"{perf_counter() - began:.0f} s"
    )


def _samples() -> str:
    began, states = perf_counter(), 0
    draw = np.random.default_rng(22)
    for variant, n in product(("NNN", "RNN", "RBN", "NBR"), range(_EVERY + 1, _INDEXED + 1)):
        puzzle = find(f"hanoi-{variant.lower()}-{n}")
        goal = puzzle.goal()
        distances = enumerated(puzzle.space(goal).stored())
        indices = draw.integers(0, len(distances), _SAMPLE)
        _compare(puzzle, goal, indices, distances[indices])
        states += _SAMPLE
    return (
        f"{states:,} random states of {_EVERY + 1} to {_INDEXED} disks agree, in "
        f"{perf_counter() - began:.0f} s"
    )
