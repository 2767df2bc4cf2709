"""service/http/error_responses.py and requests.py: whatever is wrong with a request, the answer is a problem."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from puzzlebase.service.http import error_responses
from puzzlebase.service.http.app import create_app
from puzzlebase.service.http.limits import MAX_BODY
from tests.http.asking import SOLVED, assert_problem, get


@pytest.mark.parametrize(
    ("address", "status", "slug"),
    [
        ("/v1/puzzles/avenger/lookup", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/lookup?state=", 400, "invalid-state"),
        (f"/v1/puzzles/avenger/lookup?state={SOLVED[1:]}", 400, "invalid-state"),
        (f"/v1/puzzles/avenger/lookup?state={SOLVED[:-1]}7", 400, "invalid-state"),
        (f"/v1/puzzles/avenger/lookup?state={quote('é' * 21)}", 400, "invalid-state"),
        ("/v1/puzzles/avenger/lookup?state=%ff%00%0a", 400, "invalid-state"),
        ("/v1/puzzles/avenger/lookup?state=" + "A" * 5000, 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/lookup?state={SOLVED[:-1]}E", 422, "impossible-state"),
        ("/v1/puzzles/novice/lookup?state=RRRRRRRRRRRRRRRRRRRRR", 422, "impossible-state"),
        (f"/v1/puzzles/avenger/lookup?state={SOLVED}&goal=none", 404, "unknown-goal"),
        (f"/v1/puzzles/avenger/lookup?state={SOLVED}&goal=", 404, "unknown-goal"),
        (f"/v1/puzzles/avenger/lookup?state={SOLVED}&goal={'x' * 5000}", 400, "invalid-parameter"),
        ("/v1/puzzles/nothing/lookup?state=x", 404, "unknown-puzzle"),
        ("/v1/puzzles/hanoi-nnn-99999999999999/lookup?state=x", 404, "unknown-puzzle"),
        (f"/v1/puzzles/{'a' * 3000}/lookup?state=x", 404, "unknown-puzzle"),
        (f"/v1/puzzles/{quote('ärger')}", 404, "unknown-puzzle"),
        ("/v1/puzzles/avenger-sixths/histogram", 409, "missing-table"),
        ("/v1/puzzles/avenger-sixths/antipodes", 409, "missing-table"),
        ("/v1/puzzles/avenger/antipodes?limit=0", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/antipodes?limit=10001", 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/antipodes?offset={10**30}", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/antipodes?offset=x", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/hint?level=1", 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/solve?state={SOLVED}&states=perhaps", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/antipodes?offset=-1", 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/solve?state={SOLVED}&all=0", 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/hint?state={SOLVED}&level=5", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?min=9&max=8", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?percentile=100.5", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?daily=2026-02-03&seed=1", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?distance=16", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?distance=-1", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?distance=1&percentile=5", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?percentile=nan", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?daily=2026-02-30", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?daily=0", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?daily=2026-11-21T00:00", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/lookup?state=" + "A" * 20_000, 414, "address-too-long"),
        ("/v1/puzzles//lookup?state=x", 404, "no-such-address"),
        ("/healthz?x=1", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger-sixths/random?distance=9", 409, "missing-table"),
        ("/v1/puzzles/avenger/grade", 405, "wrong-method"),
        ("/v1/puzzles/avenger/picture?state=x", 400, "invalid-state"),
        (f"/v1/puzzles/avenger/picture?state={SOLVED}&goal=x", 404, "unknown-goal"),
        ("/v1/puzzles/avenger/picture", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/", 404, "no-such-address"),
        ("/v2", 404, "no-such-address"),
        ("/v1/puzzles/avenger/lookup/x", 404, "no-such-address"),
    ],
)
def test_bad_requests_are_problems(client: FlaskClient, address: str, status: int, slug: str) -> None:
    assert_problem(client.get(address), status, slug)
    assert get(client, "/v1/puzzles/avenger/lookup", state=SOLVED)["distance"] == 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"x"',
        b'{"state": 5}',
        b'{"state": null}',
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"state": "\\ud800"}',
        b'{"state": "x", "state": "x"}',
        b'{"state": "BBBBBBBBBBBBRRRRRRRRR", "goal": "a:b", "st\\u0061te": "x"}',
    ],
)
def test_bad_bodies_are_problems(client: FlaskClient, body: bytes) -> None:
    response = client.post("/v1/puzzles/avenger/solve", data=body, content_type="application/json")
    assert_problem(response, 400, "invalid-parameter")


@pytest.mark.parametrize(
    ("body", "status", "slug"),
    [
        ({"state": SOLVED}, 400, "invalid-parameter"),
        ({"state": SOLVED, "moves": [], "states": []}, 400, "invalid-parameter"),
        ({"state": SOLVED, "moves": "L"}, 400, "invalid-parameter"),
        ({"state": SOLVED, "moves": [1]}, 400, "invalid-parameter"),
        ({"state": SOLVED, "moves": [], "stars": []}, 400, "invalid-parameter"),
        ({"state": SOLVED, "moves": [], "stars": [-1]}, 400, "invalid-parameter"),
        ({"state": SOLVED, "moves": ["L"] * 10_001}, 413, "too-large"),
        ({"state": "x", "moves": []}, 400, "invalid-state"),
        ({"state": SOLVED, "moves": [], "stars": [3, 2, 1]}, 400, "invalid-parameter"),
        ({"state": "." * 21, "moves": []}, 422, "impossible-state"),
        ({"state": SOLVED, "moves": [], "goal": "x"}, 404, "unknown-goal"),
    ],
)
def test_bad_games_are_problems(client: FlaskClient, body: dict[str, Any], status: int, slug: str) -> None:
    assert_problem(client.post("/v1/puzzles/avenger/grade", json=body), status, slug)


@pytest.mark.parametrize(
    ("verb", "field"),
    [
        ("hint", {"level": True}),
        ("hint", {"level": "1"}),
        ("solve", {"all": "3"}),
        ("solve", {"states": 1}),
        ("grade", {"moves": [], "stars": [True]}),
        ("grade", {"moves": [], "hints": [True]}),
        ("grade", {"moves": [], "hints": ["3"]}),
        ("lookup", {"states": [SOLVED], "moves": "true"}),
    ],
)
def test_numbers_in_a_body_are_json_numbers(client: FlaskClient, verb: str, field: dict[str, Any]) -> None:
    body = field if verb == "lookup" else {"state": SOLVED, **field}
    assert_problem(client.post(f"/v1/puzzles/avenger/{verb}", json=body), 400, "invalid-parameter")


def test_a_post_takes_no_fields_in_its_address(client: FlaskClient) -> None:
    response = client.post("/v1/puzzles/avenger/solve?goal=x", json={"state": SOLVED})
    assert_problem(response, 400, "invalid-parameter")


@pytest.mark.parametrize("body", [b"[]", b"null", b'"x"', b"5", b"true"])
@pytest.mark.parametrize("verb", ["lookup", "solve", "hint", "grade"])
def test_a_body_is_an_object(client: FlaskClient, verb: str, body: bytes) -> None:
    problem = client.post(f"/v1/puzzles/avenger/{verb}", data=body).get_json()
    assert (problem["status"], problem["detail"]) == (400, "the body is not a JSON object")
    assert problem["hint"] == 'send an object such as {"state": ...}'


def test_an_unknown_field_is_named_with_the_one_meant(client: FlaskClient) -> None:
    response = client.post("/v1/puzzles/avenger/solve", json={"stat": SOLVED})
    assert_problem(response, 400, "invalid-parameter")
    assert "there is no field 'stat'" in response.text
    assert "did you mean 'state' or 'states'? /docs" in response.text


def test_many_wrong_fields_make_a_short_problem(client: FlaskClient) -> None:
    body = {"state": SOLVED, "moves": [1] * 5000}
    assert_problem(client.post("/v1/puzzles/avenger/grade", json=body), 400, "invalid-parameter")


def test_wrong_methods_and_large_bodies_are_problems(client: FlaskClient) -> None:
    response = client.put("/v1/puzzles")
    assert_problem(response, 405, "wrong-method")
    assert "GET" in response.headers["Allow"]
    body = b'{"state": "' + b"x" * MAX_BODY + b'"}'
    assert_problem(client.post("/v1/puzzles/avenger/solve", data=body), 413, "too-large")
    just = b'{"state": "' + SOLVED.encode() + b'"' + b" " * (MAX_BODY - 34) + b"}"
    for spaces, status in ((b"", 200), (b" ", 413)):
        chunked = {"wsgi.input_terminated": True, "wsgi.input": io.BytesIO(just + spaces), "CONTENT_LENGTH": ""}
        response = client.post("/v1/puzzles/avenger/solve", environ_overrides=chunked)
        assert response.status_code == status
    assert_problem(response, 413, "too-large")


def test_a_damaged_table_is_a_problem_and_other_tables_answer(
    data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "novice.duckdb").write_bytes((data / "novice.duckdb").read_bytes())
    (tmp_path / "avenger.duckdb").write_bytes((data / "avenger.duckdb").read_bytes()[:1_000_000])
    client = create_app(tmp_path).test_client()
    caplog.clear()
    for minute in (1, 2):  # each logs one line
        monkeypatch.setattr(error_responses, "monotonic", lambda minute=minute: 61.0 * minute)
        for verb in ("histogram", "antipodes"):
            assert_problem(client.get(f"/v1/puzzles/avenger/{verb}"), 500, "damaged-table")
        assert len(caplog.messages) == minute
    assert client.get("/v1/puzzles/novice/histogram").status_code == 200
    ready: Any = client.get("/readyz")
    assert ready.status_code == 200
    assert [damaged["table"] for damaged in ready.json["damaged"]] == ["avenger"]
