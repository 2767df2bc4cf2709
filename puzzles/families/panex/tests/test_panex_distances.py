"""families/panex/distances.py: distances against whole tables, the reference implementation, and published ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from string import ascii_lowercase
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from puzzlebase.plugins.methods.record import Oracle, Solver
from puzzlebase.puzzles import UNREACHED, find
from research.panex_theorem import checker
from tests import naive
from tests.matrix import only
from tests.naive import panex as naive_panex
from tests.puzzles.enumerating import all_distances

from .panex_states import BLOCKED, anywhere, legal, solver, wander


def test_published_distances(golden: dict[str, Any]) -> None:
    known = golden["panex"]
    lists = {
        "exchange": known["X"],
        "centre": known["T"],
        "centre-corner": known["T_bar"],
        "sink": [None, *known["S_n2_to_10"]],
        "sink-corner": [None, *known["S_bar_n2_to_10"]],
    }
    for n in range(1, 16):
        for goal in find(f"panex-{n}").goals:
            if n <= len(lists[goal.name]):
                assert solver(n, goal.name).distance(goal.start) == lists[goal.name][n - 1]


def test_the_exchange_takes_what_the_construction_takes(golden: dict[str, Any]) -> None:
    assert [checker.exchange(n) for n in range(5, 11)] == golden["panex"]["U_n5_to_10"]
    for n in range(5, 27):
        puzzle = find(f"panex-{n}")
        oracle = puzzle.engine(Oracle)
        assert oracle
        asked = oracle.load(puzzle.goal())
        assert asked.distance(puzzle.goal().start) == checker.exchange(n)


def every_distance(n: int, goal: str) -> tuple[npt.NDArray[np.int32], Callable[[npt.NDArray[np.int64]], list[str]]]:
    """Distances of all reachable states by breadth-first search, and the texts of indices."""
    puzzle = find(f"panex-{n}")
    space = puzzle.space(puzzle.goal(goal))
    return all_distances(space), lambda indices: [puzzle.format(board) for board in space.unrank(indices)]


def goals(n: int) -> Iterator[str]:
    """The states of the named goals, two others, and a blocked one."""
    yield from dict.fromkeys(goal.states[0] for goal in find(f"panex-{n}").goals)
    yield wander(n, 50, 1)
    yield wander(n, 1000, 2)
    if n in BLOCKED:
        yield BLOCKED[n]


@pytest.mark.slow
@pytest.mark.parametrize("n", only(lambda n: n < 4, [1, 2, 3, 4]))
def test_every_state_of_whole_tables(n: int) -> None:
    for goal in ["ABCD||abcd", "abc|d|ABCD", BLOCKED[4]] if n == 4 else goals(n):
        expected, texts = every_distance(n, goal)
        assert (expected != UNREACHED).all()
        assert solver(n, goal).distances(texts(np.arange(len(expected)))) == expected.tolist()


@pytest.mark.slow
def test_states_of_larger_tables() -> None:
    """States within four moves of random ones; all states are for `make proof`."""
    puzzle = find("panex-5")
    space = puzzle.space(puzzle.goal())
    for goal in ("abcd|e|ABCDE", wander(5, 3000, 3)):
        expected, texts = every_distance(5, goal)
        near = np.random.default_rng(5).integers(0, space.size, 40)
        for _ in range(4):
            near = np.union1d(near, space.expand(near).ravel())
            near = near[near >= 0]
        assert len(near) > 1000
        assert solver(5, goal).distances(texts(near)) == expected[near].tolist()


@pytest.mark.parametrize(("n", "known"), [(1, 12), (2, 216), (3, 4872)])
def test_what_cannot_be_reached_has_no_distance(n: int, known: int) -> None:
    texts = sorted(set(legal(n)))
    puzzle = find(f"panex-{n}")
    boards = np.array([puzzle.parse(text) for text in texts])
    reached = (puzzle.space(puzzle.goal()).rank(boards) >= 0).tolist()
    assert sum(reached) == known
    for goal in puzzle.goals:
        assert [distance != UNREACHED for distance in solver(n, goal.name).distances(texts)] == reached


def test_between_states_out_of_reach() -> None:
    out = [text for text in sorted(set(legal(3))) if solver_of_three().distance(text) == UNREACHED]
    assert len(out) == 5760 - 4872
    for goal in random.Random(3).sample(out, 10):
        expected = naive.distances(goal, lambda state: list(naive_panex.neighbours(state)))
        texts = [*expected, *out[:100], "abc||ABC"]
        assert solver(3, goal).distances(texts) == [expected.get(text, UNREACHED) for text in texts]


@cache
def solver_of_three() -> Solver:
    return solver(3)


@pytest.mark.parametrize("n", [4, 10, 26])
def test_large_states_out_of_reach(n: int) -> None:
    """The smallest such state with larger tiles below, which lie as at the start."""
    more, mores = ascii_lowercase[3:n], ascii_lowercase[3:n].upper()
    out = f"a{more}|Ab|cCB{mores}"
    puzzle = find(f"panex-{n}")
    assert puzzle.parse(out).size == 2 * n + 2
    assert solver(n).distance(out) == UNREACHED
    there = solver(n, out)
    assert there.distance(out) == 0
    assert there.distance(puzzle.goal().start) == UNREACHED
    expected = naive.distances(out, lambda state: list(naive_panex.neighbours(state)))
    assert there.distances(list(expected)) == list(expected.values())


@pytest.mark.slow
@pytest.mark.parametrize("n", [6, 7, 9, 10, 13])
def test_there_is_as_far_as_back(n: int) -> None:
    """Moves can be undone; the two directions are found by different paths of the program."""
    for seed in range(6):
        one, two = wander(n, 40 * n * (seed + 1), seed), wander(n, 400, -1 - seed)
        assert solver(n, one).distance(two) == solver(n, two).distance(one) > 0


@pytest.mark.parametrize("n", [8, 10])
def test_distances_differ_by_one_move_at_most(n: int) -> None:
    """One move comes nearer, too; for all states this would be a proof."""
    states = anywhere(n, 12, n)
    for goal in (None, "sink", states.pop(), states.pop()):
        asked = solver(n, goal)
        for state in states:
            distance = asked.distance(state)
            after = asked.distances([each for _, each in naive_panex.neighbours(state)])
            assert distance > 1000
            assert min(after) == distance - 1
            assert max(after) <= distance + 1
