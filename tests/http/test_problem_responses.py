"""service/http/error_responses.py and requests.py:
whatever is wrong with a request, the answer is a problem.
"""

from __future__ import annotations

import io
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from puzzlebase.service.http.limits import MAX_BODY
from tests.http.asking import SOLVED, assert_problem, get


@pytest.mark.parametrize(
    ("address", "status", "slug"),
    [
        ("/v1/puzzles/avenger/lookup", 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/lookup?state={quote('é' * 21)}", 400, "invalid-state"),
        ("/v1/puzzles/avenger/lookup?state=%ff%00%0a", 400, "invalid-state"),
        ("/v1/puzzles/avenger/lookup?state=" + "A" * 5000, 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/lookup?state={SOLVED[:-1]}E", 422, "impossible-state"),
        (f"/v1/puzzles/avenger/lookup?state={SOLVED}&goal=none", 404, "unknown-goal"),
        (f"/v1/puzzles/avenger/lookup?state={SOLVED}&goal=", 404, "unknown-goal"),
        (f"/v1/puzzles/{'a' * 3000}/lookup?state=x", 404, "unknown-puzzle"),
        (f"/v1/puzzles/{quote('ärger')}", 404, "unknown-puzzle"),
        ("/v1/puzzles/avenger-sixths/histogram", 409, "missing-table"),
        ("/v1/puzzles/avenger/antipodes?limit=10001", 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/antipodes?offset={10**30}", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?distance=16", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?percentile=nan", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?daily=2026-02-30", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/lookup?state=" + "A" * 20_000, 414, "address-too-long"),
        ("/v1/puzzles//lookup?state=x", 404, "no-such-address"),
        ("/healthz?x=1", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/grade", 405, "wrong-method"),
        ("/v2", 404, "no-such-address"),
    ],
)
def test_bad_requests_are_problems(
    client: FlaskClient, address: str, status: int, slug: str
) -> None:
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
    ],
)
def test_bad_bodies_are_problems(client: FlaskClient, body: bytes) -> None:
    response = client.post("/v1/puzzles/avenger/solve", data=body, content_type="application/json")
    assert_problem(response, 400, "invalid-parameter")


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
        ("grade", {}),
        ("grade", {"moves": [], "states": []}),
        ("grade", {"moves": "L"}),
        ("grade", {"moves": [], "stars": [-1]}),
        ("grade", {"moves": [], "stars": [3, 2, 1]}),
    ],
)
def test_fields_of_a_body_have_types_and_go_together(
    client: FlaskClient, verb: str, field: dict[str, Any]
) -> None:
    body = field if verb == "lookup" else {"state": SOLVED, **field}
    assert_problem(client.post(f"/v1/puzzles/avenger/{verb}", json=body), 400, "invalid-parameter")


def test_a_post_takes_no_fields_in_its_address(client: FlaskClient) -> None:
    response = client.post("/v1/puzzles/avenger/solve?goal=x", json={"state": SOLVED})
    assert_problem(response, 400, "invalid-parameter")


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
    game = {"state": SOLVED, "moves": ["L"] * 10_001}
    assert_problem(client.post("/v1/puzzles/avenger/grade", json=game), 413, "too-large")
    just = b'{"state": "' + SOLVED.encode() + b'"' + b" " * (MAX_BODY - 34) + b"}"
    for spaces, status in ((b"", 200), (b" ", 413)):
        chunked = {
            "wsgi.input_terminated": True,
            "wsgi.input": io.BytesIO(just + spaces),
            "CONTENT_LENGTH": "",
        }
        response = client.post("/v1/puzzles/avenger/solve", environ_overrides=chunked)
        assert response.status_code == status
    assert_problem(response, 413, "too-large")
