"""plugins/leaderboards: a service without answers tells no distance,
and no move of a caller's state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from puzzlebase.plugins.leaderboards.without import Without, from_environment
from puzzlebase.service.http.exchange import KEY, Exchange
from tests.http.asking import assert_problem, get

STATE = "RBBBBBBBBBBBBRRRRRRRR"
SOLUTION = ["R", "L", "R'", "L2'", "R"]
"""Five moves, as docs/http-api.md says."""

Refuse = Callable[[Exchange, Any], None]


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Refuse:
    """The function that a worker of `serve --without answers` calls with each request."""
    assert from_environment() is None
    for name, value in Without("answers").to_environment().items():
        monkeypatch.setenv(name, value)
    found = from_environment()
    assert found
    return found


def test_only_rules_and_grades_are_served(refuse: Refuse, client: FlaskClient) -> None:
    """Of all addresses that the service has, plugins' too."""
    served = set()
    for address in get(client, "/openapi.json")["paths"]:
        exchange = Exchange("id", 0.0, path=address.replace("{name}", "novice"))
        refuse(exchange, {})
        if address.startswith("/v1/puzzles/") and not exchange.refusal:
            served.add(address.removeprefix("/v1/puzzles/{name}"))
        assert address.startswith("/v1/puzzles/") or not exchange.refusal
    assert served == {"", "/board", "/picture", "/grade", "/random"}
    for slashes in ("/", "//"):
        path = f"{slashes}v1/puzzles/novice/lookup"
        asked = Exchange("id", 0.0, path=path, query=f"state={STATE}")
        refuse(asked, {})
        overrides = {KEY: asked, "PATH_INFO": path}
        response = client.get(f"/?{asked.query}", environ_overrides=overrides)
        assert_problem(response, 403, "not-served")
    preflight = Exchange("id", 0.0, "OPTIONS", "/v1/puzzles/novice/solve")
    refuse(preflight, {})
    assert preflight.refusal is None, "a browser is told why"


@pytest.mark.usefixtures("refuse")
def test_a_grade_tells_the_worth_of_a_game_alone(client: FlaskClient) -> None:
    for moves, expected in (
        (SOLUTION, (True, True, 5, 3)),
        ([*SOLUTION, "L", "L'"], (True, True, 7, 2)),
        (SOLUTION[:3], (True, False, 3, 0)),
        (["X"], (False, False, 0, 0)),
    ):
        sent = {"state": STATE, "moves": moves}
        graded: Any = client.post("/v1/puzzles/novice/grade", json=sent).json
        told = tuple(graded.pop(each) for each in ("legal", "solved", "length", "stars"))
        assert told == expected
        assert [step.pop("move") for step in graded["steps"]] == (moves if told[0] else [])
        assert_tells_nothing(graded)


@pytest.mark.usefixtures("refuse")
def test_a_random_state_comes_without_its_distance(client: FlaskClient) -> None:
    drawn = get(client, "/v1/puzzles/novice/random", distance=9, seed="a")
    assert drawn.pop("difficulty") == "hard"
    assert len(drawn["state"]) == len(STATE)
    assert_tells_nothing(drawn)


def assert_tells_nothing(answer: Any) -> None:
    """Nothing is left but texts of the request and the state, what is no fact, and why a game is
    not legal.
    """
    assert {"puzzle", "goal", "state", "source"} <= {*answer}
    illegal = answer.pop("illegal", None)
    assert illegal is None or {*illegal} == {"step", "played", "reason"}
    for step in answer.pop("steps", []):
        assert {name for name, value in step.items() if value is not None} == {"state"}
    told = {name for name, value in answer.items() if value not in (None, False)}
    assert told <= {"puzzle", "goal", "state", "source", "drawn"}
