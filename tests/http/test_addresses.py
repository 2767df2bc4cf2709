"""service/http/addresses.py: every address answers, and its answer has all its fields."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from flask.testing import FlaskClient

from puzzlebase.service.http.app import create_app
from puzzlebase.service.http.limits import MAX_BODY
from tests import naive
from tests.conftest import TABLES
from tests.http.asking import SOLVED, assert_problem, get

BUDGET = {"states": 1_000_000_000, "seconds": 30.0, "at_once": 2}


def test_the_published_scrambles(client: FlaskClient, golden: dict[str, Any]) -> None:
    for scramble in golden["turnstile_scrambles"]["solutions"]:
        state = naive.play(SOLVED, naive.undo(scramble["turnstile"]))
        answer = get(client, "/v1/puzzles/avenger/lookup", state=state)
        assert answer["distance"] == scramble["avenger_optimum"]
        assert answer["moves"][0]["optimal"]
        solution = get(client, "/v1/puzzles/avenger/solve", state=state)["solution"]
        assert len(solution) == scramble["avenger_optimum"]
        assert naive.renamed(naive.play(state, solution)) == naive.renamed(SOLVED)


def test_the_service_and_its_puzzles(client: FlaskClient) -> None:
    service = get(client, "/v1")
    lists = {"address": 16_384, "body": MAX_BODY, "body_seconds": 10, "state": 4096, "batch": 10_000}
    assert service["limits"] == {**lists, "answer_seconds": 30, "budget": BUDGET}
    assert any("avenger" in family["pattern"] for family in service["families"])
    puzzles = {line["name"]: line for line in get(client, "/v1/puzzles")["puzzles"]}
    assert {name for name, line in puzzles.items() if line["coverage"] == "table"} == set(TABLES)
    assert set(puzzles["avenger"]) == {"name", "title", "family", "states", "gods_number", "coverage"}
    about = get(client, "/v1/puzzles/avenger")
    assert set(about) == set(puzzles["avenger"]) | {
        *("moves", "goals", "notation", "table", "layers", "patterns"),
        *("inventor", "link", "about", "instructions", "difficulties", "levels", "example"),
    }
    assert set(about["table"]) >= {"encoding", "bytes", "digest", "built"}
    for example in about["notation"]["examples"]:
        assert get(client, "/v1/puzzles/avenger/lookup", state=example)["solvable"]


def test_batches(client: FlaskClient) -> None:
    states = [SOLVED, "x", naive.play(SOLVED, "L R"), "y" * 9000]
    for moves in (False, True):
        response = client.post("/v1/puzzles/avenger/lookup", json={"states": states, "moves": moves})
        assert (response.status_code, response.content_type) == (200, "application/json")
        first, bad, last, long = response.json["results"]  # type: ignore[index]
        single = get(client, "/v1/puzzles/avenger/lookup", state=states[2])
        assert last == (single if moves else {name: value for name, value in single.items() if name != "moves"})
        assert first["distance"] == 0
        assert long["problem"]["status"] == 400
        assert bad["problem"] == client.get("/v1/puzzles/avenger/lookup?state=x").json
    response = client.post("/v1/puzzles/avenger/lookup", json={"states": [SOLVED] * 10_000})
    assert len(response.json["results"]) == 10_000  # type: ignore[index]
    assert_problem(client.post("/v1/puzzles/avenger/lookup", json={"states": ["x"] * 10_001}), 413, "too-large")
    assert_problem(client.post("/v1/puzzles/avenger/lookup", json={"state": SOLVED}), 400, "invalid-parameter")


def test_equal_seeds_and_days_give_equal_states(client: FlaskClient) -> None:
    for query in ({"distance": "14", "seed": "a"}, {"daily": "2026-11-21"}, {"percentile": "10", "seed": ""}):
        first = client.get("/v1/puzzles/avenger/random", query_string=query)
        assert first.status_code == 200
        assert "max-age" in first.headers["Cache-Control"]
        assert client.get("/v1/puzzles/avenger/random", query_string=query).json == first.json
    response = client.get("/v1/puzzles/avenger/random?min=3&max=5")
    assert response.headers["Cache-Control"] == "no-store"
    assert 3 <= response.json["distance"] <= 5  # type: ignore[index]


def test_histogram_and_antipodes(client: FlaskClient, golden: dict[str, Any]) -> None:
    assert get(client, "/v1/puzzles/avenger/histogram")["layers"] == golden["avenger"]["layers"]
    page = get(client, "/v1/puzzles/avenger/antipodes", offset="300", limit="10")
    assert (len(page["states"]), page["next"], page["count"]) == (4, None, 304)


def test_pictures_are_svg(client: FlaskClient) -> None:
    response = client.get("/v1/puzzles/avenger/picture", query_string={"state": SOLVED})
    assert (response.status_code, response.content_type) == (200, "image/svg+xml; charset=utf-8")
    goal = {"state": SOLVED, "goal": SOLVED}
    assert client.get("/v1/puzzles/avenger/picture", query_string=goal).text == response.text
    drawing = ET.fromstring(response.text)
    assert len([shape for shape in drawing.iter() if shape.tag.endswith("path")]) == 21


def test_health(client: FlaskClient, tmp_path: Path) -> None:
    assert get(client, "/healthz") == {"status": "ok"}
    assert set(get(client, "/readyz")["tables"]) == set(TABLES)
    assert create_app(tmp_path).test_client().get("/readyz").status_code == 503
