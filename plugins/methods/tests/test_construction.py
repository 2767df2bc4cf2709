"""plugins/methods/sources.py: the answers of constructions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from puzzlebase.puzzles import UnknownGoal, find
from puzzlebase.service.answers.grades import grade
from puzzlebase.service.answers.hints import hint
from puzzlebase.service.answers.lookups import lookup
from puzzlebase.service.answers.random_states import random_state
from puzzlebase.service.answers.solutions import solve
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.sources import Sources
from tests.fixtures import source_of
from tests.naive.quantum import parsed_move, replay, units_from_home

pytestmark = pytest.mark.needs("quantum")

NAME = "quantum-3x3-1000"
SOLVED = find(NAME).goal().start


def text_of(units: list[list[int]]) -> str:
    return "/".join(",".join(map(str, row)) for row in units)


def units_of(text: str) -> list[list[int]]:
    return [[int(units) for units in row.split(",")] for row in text.split("/")]


@pytest.fixture
def source(tmp_path: Path) -> Source:
    return source_of(Sources(tmp_path), NAME)


@pytest.fixture
def normal() -> str:
    order = np.random.default_rng(1).permutation(9).tolist()
    return text_of([[1000 * (tile == at) for tile in range(9)] for at in order])


SYMMETRIC = text_of([[112 if tile == at else 111 for tile in range(9)] for at in range(9)])


def test_a_line_at_the_bound_is_exact(source: Source) -> None:
    answer = solve(source, SYMMETRIC, states=True)
    assert (answer["source"], answer["exact"], answer["solvable"]) == ("construction", True, True)
    assert answer["distance"] == answer["lower_bound"] == answer["upper_bound"] == 14_652
    assert answer["next"] is None
    assert answer["states"][-1] == SOLVED
    assert len(answer["states"]) == len(answer["solution"]) + 1
    assert (
        replay(units_of(SYMMETRIC), [parsed_move(move) for move in answer["solution"]], 4, 3)
        == 14_652
    )


def test_a_line_above_the_bound_is_not(source: Source, normal: str) -> None:
    answer = solve(source, normal, limit=5)
    bound, found = answer["lower_bound"], answer["upper_bound"]
    assert (answer["exact"], answer["distance"], answer["solvable"]) == (False, None, True)
    assert bound is not None
    assert found is not None
    assert units_from_home(units_of(normal), 4, 3) == bound < found <= bound + 60
    assert answer["next"] == 5
    rest = solve(source, normal, offset=5, states=True)
    assert rest["states"][-1] == SOLVED
    assert rest["solution"] == solve(source, normal)["solution"][5:]


def test_one_solution_is_known(source: Source) -> None:
    with pytest.raises(InvalidRequest, match="one solution"):
        solve(source, SYMMETRIC, all=2)


def test_hints_follow_the_line(source: Source, normal: str) -> None:
    for state in (SYMMETRIC, normal):
        first = solve(source, state)["solution"][0]
        answer = hint(source, state, 4)
        assert answer["move"] == first == answer["solution"][0]
        assert answer["groups"] == [f"tile {first[1]}"]
    assert hint(source, SOLVED, 3)["move"] is None


def test_a_lookup_tells_what_the_bounds_prove(source: Source, normal: str) -> None:
    answer = lookup(source, SYMMETRIC)
    optimal = [move for move in answer["moves"] if move["optimal"]]
    assert len(optimal) == 1
    assert answer["moves"][0] == optimal[0]
    assert optimal[0]["move"] == solve(source, SYMMETRIC)["solution"][0].partition("*")[0]
    for move in answer["moves"]:
        bound = units_from_home(units_of(move["state"]), 4, 3)
        if bound == 14_653:
            assert (move["distance"], move["optimal"]) == (14_653, False)
        elif move != optimal[0]:  # it may be as good, which nothing has shown
            assert (bound, move["distance"], move["optimal"]) == (14_651, None, None)
    assert all(move["optimal"] is None for move in lookup(source, normal)["moves"])
    assert lookup(source, SOLVED)["distance"] == 0


def test_games_count_from_the_bound_and_say_so(source: Source, normal: str) -> None:
    line = solve(source, normal)
    answer = grade(source, normal, moves=line["solution"])
    assert answer["solved"]
    assert answer["against_bound"]
    assert answer["length"] == line["upper_bound"]
    assert line["upper_bound"] is not None
    assert answer["wasted"] == line["upper_bound"] - (line["lower_bound"] or 0)
    assert answer["optimal_length"] is None
    exact = grade(source, SYMMETRIC, moves=solve(source, SYMMETRIC)["solution"])
    assert (exact["against_bound"], exact["wasted"], exact["stars"], exact["length"]) == (
        False,
        0,
        3,
        14_652,
    )
    assert exact["first_mistake"] is None
    assert not any(step["optimal"] is False for step in exact["steps"])


def test_goals_by_text_and_random_states(tmp_path: Path) -> None:
    tables = Sources(tmp_path)
    near = source_of(tables, NAME, "manhattan<=14000")
    assert solve(near, SYMMETRIC)["distance"] == 652
    assert near.distances_of([near.index(SOLVED)]) == [0]
    with pytest.raises(UnknownGoal):
        source_of(tables, NAME, "blocked:4")
    drawn = random_state(source_of(tables, NAME), seed="1")
    assert (
        drawn
        == random_state(source_of(tables, NAME), seed="1")
        != random_state(source_of(tables, NAME), seed="2")
    )
    assert drawn["drawn"] == "scattered"
    assert drawn["scramble"] is None
    assert drawn["distance"] == units_from_home(units_of(drawn["state"]), 4, 3) > 5_000
    blocked = random_state(source_of(tables, NAME, "blocked:0,5"), seed="1")
    assert [units_of(blocked["state"])[position][position] for position in (0, 5)] == [1000, 1000]
