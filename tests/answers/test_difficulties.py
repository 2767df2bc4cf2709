"""service/answers/difficulties.py: names for how hard a state is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from flask.testing import FlaskClient

from puzzlebase.service.answers.difficulties import DIFFICULTIES, difficulties, distance_of
from tests.http.asking import assert_problem, get

AVENGER = {"easy": 8, "medium": 11, "hard": 13, "hardest": 15}
"""By hand from the published layers: up to 7, 8, 10, 11, 12 and 13 moves 32,365, 151,840, 3,081,800, ... states."""


def test_the_difficulties_of_avenger(golden: dict[str, Any]) -> None:
    layers = golden["avenger"]["layers"]
    total = sum(layers)
    found = {known["name"]: known["distance"] for known in difficulties(layers)}
    for name, percentile in DIFFICULTIES.items():
        distance = found[name]
        assert distance is not None
        assert 100 * sum(layers[: distance + 1]) >= percentile * total
        assert 100 * sum(layers[:distance]) < percentile * total
    assert found == AVENGER


def test_no_difficulty_is_solved_already() -> None:
    for layers in ([1, 2, 4, 2, 2], [1, 1], [1, 5000]):
        assert all(distance_of(name, layers) >= 1 for name in DIFFICULTIES)
    assert {distance_of(name, [1]) for name in DIFFICULTIES} == {0}
    assert [known["distance"] for known in difficulties(None)] == [None] * 4


@pytest.mark.parametrize("name", DIFFICULTIES)
def test_random_states_of_a_difficulty(client: FlaskClient, name: str) -> None:
    known = {known["name"]: known for known in get(client, "/v1/puzzles/avenger")["difficulties"]}
    drawn = get(client, "/v1/puzzles/avenger/random", difficulty=name, seed="1")
    assert drawn["distance"] == known[name]["distance"] == AVENGER[name]
    same = get(client, "/v1/puzzles/avenger/random", distance=str(AVENGER[name]), seed="1")
    assert drawn == same


def test_what_is_no_difficulty(client: FlaskClient) -> None:
    assert_problem(client.get("/v1/puzzles/avenger/random?difficulty=harder"), 400, "invalid-parameter")
    assert_problem(client.get("/v1/puzzles/avenger/random?difficulty=easy&percentile=3"), 400, "invalid-parameter")
    assert_problem(client.get("/v1/puzzles/sliding-2x2/random?difficulty=easy"), 409, "missing-table")


def test_today_is_a_day_that_callers_do_not_keep(client: FlaskClient) -> None:
    for _ in range(2):  # the day may end between two requests
        before = datetime.now(UTC).date()
        today = client.get("/v1/puzzles/avenger/random?daily=today&difficulty=medium")
        if before == datetime.now(UTC).date():
            break
    assert today.headers["Cache-Control"] == "no-store"
    dated = client.get(f"/v1/puzzles/avenger/random?daily={before}&difficulty=medium")
    assert "max-age" in dated.headers["Cache-Control"]
    assert today.json == dated.json
