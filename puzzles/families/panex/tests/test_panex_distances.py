"""families/panex/distances.py: distances against whole tables,
the reference implementation, and published ones.
"""

from __future__ import annotations

import random
from string import ascii_lowercase
from typing import Any

import numpy as np
import pytest

from puzzlebase.puzzles import UNREACHED, find
from puzzlebase.puzzles.families.panex.formulas import formula_by_closed_form
from tests import naive
from tests.matrix import only
from tests.naive import panex as naive_panex
from tests.puzzles.enumerating import all_distances

from .panex_states import BLOCKED, drawn, legal, solver, wander

pytestmark = pytest.mark.needs("formulas")


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
            distance = lists[goal.name][n - 1] if n <= len(lists[goal.name]) else None
            assert (goal.published and goal.published.start_distance) == distance
            if distance is not None:
                assert solver(n, goal.name).distances([goal.start])[0] == distance


def test_the_exchange_takes_what_the_construction_takes() -> None:
    for n in range(5, 27):
        assert solver(n).distances([find(f"panex-{n}").goal().start])[0] == formula_by_closed_form(
            "U", n
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "goal"),
    only(
        lambda case: case[0] < 4,
        [
            *((2, goal) for goal in ("AB||ab", "|ab|AB", "|b|aAB", "a|b|AB", BLOCKED[2])),
            *(
                (3, goal)
                for goal in ("ABC||abc", "|bc|aABC", "ab|c|ABC", wander(3, 50, 1), BLOCKED[3])
            ),
            *((4, goal) for goal in ("ABCD||abcd", wander(4, 1000, 2), BLOCKED[4])),
        ],
    ),
)
def test_every_state_of_whole_tables(n: int, goal: str) -> None:
    puzzle = find(f"panex-{n}")
    space = puzzle.space(puzzle.goal(goal))
    expected = all_distances(space)
    texts = [puzzle.format(board) for board in space.unrank(np.arange(space.size))]
    assert solver(n, goal).distances(texts) == expected.tolist()


@pytest.mark.parametrize(("n", "known"), [(1, 12), (2, 216), (3, 4872)])
def test_what_cannot_be_reached_has_no_distance(n: int, known: int) -> None:
    texts = legal(n)
    puzzle = find(f"panex-{n}")
    boards = np.array([puzzle.parse(text) for text in texts])
    reached = (puzzle.space(puzzle.goal()).rank(boards) >= 0).tolist()
    assert sum(reached) == known
    for goal in puzzle.goals:
        assert [
            distance != UNREACHED for distance in solver(n, goal.name).distances(texts)
        ] == reached


def test_between_states_out_of_reach() -> None:
    asked = solver(3)
    out = [text for text in legal(3) if asked.distances([text])[0] == UNREACHED]
    assert len(out) == 5760 - 4872
    for goal in random.Random(3).sample(out, 5):
        expected = naive.distances(goal, lambda state: list(naive_panex.neighbours(state)))
        texts = [*expected, *out[:100], "abc||ABC"]
        assert solver(3, goal).distances(texts) == [expected.get(text, UNREACHED) for text in texts]


@pytest.mark.parametrize("n", [4, 26])
def test_large_states_out_of_reach(n: int) -> None:
    """The smallest such state with larger tiles below, which lie as at the start."""
    more = ascii_lowercase[3:n]
    out = f"a{more}|Ab|cCB{more.upper()}"
    assert solver(n).distances([out])[0] == UNREACHED
    there = solver(n, out)
    assert there.distances([find(f"panex-{n}").goal().start])[0] == UNREACHED
    expected = naive.distances(out, lambda state: list(naive_panex.neighbours(state)))
    assert there.distances(list(expected)) == list(expected.values())


@pytest.mark.slow
@pytest.mark.parametrize("n", [6, 10, 13])
def test_there_is_as_far_as_back(n: int) -> None:
    """Moves can be undone; the two directions are found by different paths of the program."""
    for seed in range(4):
        one, two = wander(n, 40 * n * (seed + 1), seed), wander(n, 400, -1 - seed)
        assert solver(n, one).distances([two])[0] == solver(n, two).distances([one])[0] > 0


@pytest.mark.parametrize("n", [8, 10])
def test_distances_differ_by_one_move_at_most(n: int) -> None:
    """One move comes nearer, too; for all states this would be a proof."""
    states = [drawn(n, seed) for seed in range(8)]
    for goal in (None, "sink", states.pop()):
        asked = solver(n, goal)
        for state in states:
            distance = asked.distances([state])[0]
            after = asked.distances([each for _, each in naive_panex.neighbours(state)])
            assert min(after) == distance - 1
            assert max(after) <= distance + 1
