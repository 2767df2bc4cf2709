"""service/answers/random_states.py: the turns are those of the walk, and draws have its exact distribution."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from puzzlebase.service.answers import random_states
from puzzlebase.service.answers.random_states import random_turns
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.sources import Sources
from puzzlebase.tools.mixing.job import compute
from tests import naive
from tests.conftest import opened, quiet
from tests.http.asking import assert_problem, get

DRAWS = 3000


def test_the_scramble_leads_to_the_state(tables: Sources) -> None:
    for walk in ("any", "no-undo", "alternate"):
        found = random_turns(opened(tables, "avenger"), 30, walk, "seed x")
        scramble = found["scramble"]
        assert scramble is not None
        assert len(scramble) == 30
        assert naive.play(".AAA.BBB.CCC.DDD.EEE.", scramble) == found["state"]
        assert found["drawn"] == "turns"
        wheels = [move[0] for move in scramble]
        assert walk == "any" or all(wheel != after for wheel, after in pairwise(wheels))


def test_no_sixth_is_taken_back(tables: Sources) -> None:
    scramble = random_turns(opened(tables, "novice-sixths"), 200, "no-undo", "seed x")["scramble"] or []
    assert not any(naive.undo(move) == [after] for move, after in pairwise(scramble))
    assert len(set(scramble)) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "walk", "turns"),
    [("novice", "any", 7), ("novice", "alternate", 7), ("novice-sixths", "no-undo", 3)],
)
def test_draws_have_the_distribution_that_was_computed(
    data: Path, tables: Sources, name: str, walk: str, turns: int
) -> None:
    """Some turns of the solved novice by a sixth change nothing, and are still not those that undo the last one."""
    novice = opened(tables, name)
    expected = compute(novice.puzzle, novice.goal, data, walk, turns, 2, quiet()).turns[turns].by_distance
    drawn = (random_turns(novice, turns, walk, f"seed {number}")["distance"] for number in range(DRAWS))
    counted = Counter(distance for distance in drawn if distance is not None)
    assert sum(counted.values()) == DRAWS
    apart = sum((counted[d] - DRAWS * p) ** 2 / (DRAWS * p) for d, p in enumerate(expected) if DRAWS * p > 5)
    assert apart < 30  # chi-squared; at most 8 distances can be reached, so this is one chance in 5,000


def test_equal_seeds_and_other_seeds(tables: Sources) -> None:
    novice = opened(tables, "novice")
    key = random_states.key(seed="x")
    assert random_turns(novice, 20, "any", key) == random_turns(novice, 20, "any", key)
    assert len({random_turns(novice, 20, "any", f"seed {number}")["state"] for number in range(50)}) > 40
    assert random_turns(novice, 0, "any")["distance"] == 0


def test_what_has_no_wheels_does_not_alternate(tables: Sources) -> None:
    with pytest.raises(InvalidRequest, match="no wheels"):
        random_turns(opened(tables, "novice-sixths"), 3, "alternate")


def test_turns_over_http(client: FlaskClient) -> None:
    asked = {"turns": "90", "walk": "alternate", "seed": "x"}
    found = get(client, "/v1/puzzles/avenger/random", **asked)
    assert (found["drawn"], len(found["scramble"])) == ("turns", 90)
    assert get(client, "/v1/puzzles/avenger/random", **asked) == found
    for fields in ("turns=9&distance=3", "walk=any", "turns=1001"):
        assert_problem(client.get(f"/v1/puzzles/avenger/random?{fields}"), 400, "invalid-parameter")
    assert_problem(client.get("/v1/puzzles/avenger-sixths/random?turns=3&walk=alternate"), 400, "invalid-parameter")
