"""service/http/app.py: the addresses, the fields, the problems."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient

from service.http.app import create_app
from service.http.requests import MAX_BODY
from service.problems import EVERY_KIND
from tests import naive
from tests.conftest import COMMON, TABLES

SOLVED = ".AAA.BBB.CCC.DDD.EEE."
BUDGET = {"states": 1_000_000_000, "seconds": 30.0, "at_once": 2}


@pytest.fixture(scope="session")
def client(data: Path) -> FlaskClient:
    return create_app(data).test_client()


def get(client: FlaskClient, address: str, **query: str) -> Any:
    response = client.get(address, query_string=query)
    assert response.status_code == 200, response.text
    assert response.content_type == "application/json"
    return response.json


def assert_problem(response: Any, status: int, slug: str) -> None:
    """The shape of every error."""
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    assert set(response.json) == {"type", "title", "status", "detail", "hint"}
    assert response.json["type"] == f"/docs#{slug}"
    assert response.json["status"] == status
    assert all(response.json[field] for field in ("title", "detail", "hint"))
    assert len(response.text) < 2000


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
    assert set(about) == set(puzzles["avenger"]) | {"moves", "goals", "notation", "table", "layers"}
    assert set(about["table"]) >= {"encoding", "bytes", "digest", "built"}
    for example in about["notation"]["examples"]:
        assert get(client, "/v1/puzzles/avenger/lookup", state=example)["solvable"]


def test_solve_takes_the_same_fields_in_a_body(client: FlaskClient) -> None:
    state = naive.play(SOLVED, "L R2 L' R")
    by_query = get(client, "/v1/puzzles/avenger/solve", state=state, states="true", goal="solved")
    body = {"state": state, "states": True, "goal": "solved"}
    assert client.post("/v1/puzzles/avenger/solve", json=body).json == by_query
    assert len(by_query["states"]) == by_query["distance"] + 1 == 5


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


def test_hints_and_grades(client: FlaskClient) -> None:
    state = naive.play(SOLVED, "L R")
    fields = {"state": state, "level": 4}
    hint = get(client, "/v1/puzzles/avenger/hint", state=state, level="4")
    assert client.post("/v1/puzzles/avenger/hint", json=fields).json == hint
    assert hint["solution"][0] == hint["move"]
    assert get(client, "/v1/puzzles/avenger/hint", state=state)["level"] == 1
    game = {"state": state, "moves": ["R2", *hint["solution"]], "stars": [0, None]}
    grade: Any = client.post("/v1/puzzles/avenger/grade", json=game).json
    assert grade["first_mistake"]["step"] == 1
    assert grade["steps"][0]["move"] == "R2"
    states = [step["state"] for step in grade["steps"]]
    again: Any = client.post("/v1/puzzles/avenger/grade", json={"state": state, "states": states}).json
    assert [step["state"] for step in again["steps"]] == states


def test_random_states_can_be_drawn_again(client: FlaskClient) -> None:
    for query in ({"distance": "14", "seed": "a"}, {"daily": "2026-11-21"}, {"percentile": "10", "seed": ""}):
        first = client.get("/v1/puzzles/avenger/random", query_string=query)
        assert first.status_code == 200
        assert "max-age" in first.headers["Cache-Control"]
        assert client.get("/v1/puzzles/avenger/random", query_string=query).json == first.json
    response = client.get("/v1/puzzles/avenger/random?min=3&max=5")
    assert response.headers["Cache-Control"] == "no-store"
    assert 3 <= response.json["distance"] <= 5  # type: ignore[index]


def test_every_answer_about_a_state_has_the_common_fields(client: FlaskClient) -> None:
    for state, distance in ((SOLVED, 0), (naive.play(SOLVED, "R L"), 2)):
        asked = [
            client.get(f"/v1/puzzles/avenger/{verb}", query_string={"state": state})
            for verb in ("lookup", "solve", "hint")
        ]
        asked.append(client.post("/v1/puzzles/avenger/grade", json={"state": state, "moves": []}))
        asked.append(client.get(f"/v1/puzzles/avenger/random?distance={distance}"))
        bodies: list[Any] = [response.json for response in asked]
        bodies += client.post("/v1/puzzles/avenger/lookup", json={"states": [state]}).json["results"]  # type: ignore[index]
        for body in bodies:
            assert set(body) >= COMMON
            assert body["distance"] == body["lower_bound"] == body["upper_bound"] == distance
            assert body["solvable"] is body["exact"] is True
            assert body.get("solution", []) == [] or distance


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
        (f"/v1/puzzles/avenger/lookup?state={SOLVED}&moves=1", 400, "invalid-parameter"),
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
        (f"/v1/puzzles/avenger/solve?state={SOLVED}&states=perhaps", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/antipodes?limit=0", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/antipodes?limit=10001", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/antipodes?offset=-1", 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/antipodes?offset={10**30}", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/antipodes?offset=x", 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/solve?state={SOLVED}&all=0", 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/solve?state={SOLVED}&all=1001", 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/solve?state={SOLVED}&limit=0", 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/solve?state={SOLVED}&state={SOLVED}", 400, "invalid-parameter"),
        (f"/v1/puzzles/avenger/hint?state={SOLVED}&level=5", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/hint?level=1", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?distance=16", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?distance=-1", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?min=9&max=8", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?distance=1&percentile=5", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?percentile=nan", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?percentile=100.5", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?daily=2026-02-30", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?daily=0", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?daily=2026-11-21T00:00", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/lookup?state=" + "A" * 20_000, 414, "address-too-long"),
        ("/v1/puzzles//lookup?state=x", 404, "no-such-address"),
        ("/healthz?x=1", 400, "invalid-parameter"),
        ("/readyz?x=1", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger/random?daily=2026-02-03&seed=1", 400, "invalid-parameter"),
        ("/v1/puzzles/avenger-sixths/random?distance=9", 409, "missing-table"),
        ("/v1/puzzles/avenger/grade", 405, "wrong-method"),
        ("/v1/puzzles/avenger/picture?state=x", 400, "invalid-state"),
        (f"/v1/puzzles/avenger/picture?state={SOLVED}&goal=x", 404, "unknown-goal"),
        ("/v1/puzzles/avenger/picture", 400, "invalid-parameter"),
        ("/v1/puzzles?x=1", 400, "invalid-parameter"),
        ("/v1?x=1", 400, "invalid-parameter"),
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
        b'{"state": "x", "x": 1}',
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
        ("lookup", {"states": [SOLVED], "moves": "true"}),
    ],
)
def test_a_body_says_numbers_as_numbers(client: FlaskClient, verb: str, field: dict[str, Any]) -> None:
    body = field if verb == "lookup" else {"state": SOLVED, **field}
    assert_problem(client.post(f"/v1/puzzles/avenger/{verb}", json=body), 400, "invalid-parameter")


def test_a_post_takes_its_fields_from_the_body_alone(client: FlaskClient) -> None:
    response = client.post("/v1/puzzles/avenger/solve?goal=x", json={"state": SOLVED})
    assert_problem(response, 400, "invalid-parameter")


@pytest.mark.parametrize("body", [b"[]", b"null", b'"x"', b"5", b"true"])
@pytest.mark.parametrize("verb", ["lookup", "solve", "hint", "grade"])
def test_a_body_is_an_object(client: FlaskClient, verb: str, body: bytes) -> None:
    problem = client.post(f"/v1/puzzles/avenger/{verb}", data=body).get_json()
    assert (problem["status"], problem["detail"]) == (400, "the body is no JSON object")
    assert problem["hint"] == 'send an object such as {"state": ...}'


def test_many_errors_make_a_short_problem(client: FlaskClient) -> None:
    body = {"state": SOLVED, "moves": [1] * 5000}
    assert_problem(client.post("/v1/puzzles/avenger/grade", json=body), 400, "invalid-parameter")
    query = "&".join(f"x{number}=1" for number in range(1000))
    assert_problem(client.get(f"/v1/puzzles/avenger/lookup?{query}"), 400, "invalid-parameter")


def test_other_methods_and_large_bodies(client: FlaskClient) -> None:
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


def test_a_damaged_table_is_a_problem_of_its_own(data: Path, tmp_path: Path) -> None:
    (tmp_path / "novice.duckdb").write_bytes((data / "novice.duckdb").read_bytes())
    (tmp_path / "avenger.duckdb").write_bytes((data / "avenger.duckdb").read_bytes()[:1_000_000])
    client = create_app(tmp_path).test_client()
    assert_problem(client.get("/v1/puzzles/avenger/histogram"), 500, "damaged-table")
    assert client.get("/v1/puzzles/novice/histogram").status_code == 200
    ready: Any = client.get("/readyz")
    assert ready.status_code == 200
    assert [damaged["table"] for damaged in ready.json["damaged"]] == ["avenger"]


def test_health(client: FlaskClient, tmp_path: Path) -> None:
    assert get(client, "/healthz") == {"status": "ok"}
    assert set(get(client, "/readyz")["tables"]) == set(TABLES)
    assert create_app(tmp_path).test_client().get("/readyz").status_code == 503


def test_exact_answers_can_be_kept(client: FlaskClient) -> None:
    for address in (f"/v1/puzzles/avenger/lookup?state={SOLVED}", "/v1/puzzles/avenger/histogram"):
        response = client.get(address)
        tag = response.headers["ETag"]
        assert "max-age" in response.headers["Cache-Control"]
        for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            again = client.get(address, headers={"If-None-Match": known})
            assert (again.status_code, again.data) == (304, b"")
        assert client.get(address, headers={"If-None-Match": '"other"'}).status_code == 200


def test_nobody_has_an_answer_that_there_is_not(client: FlaskClient) -> None:
    tags = [client.get(f"/v1/puzzles/avenger/{verb}?state={SOLVED}").headers["ETag"] for verb in ("lookup", "picture")]
    for address, status in (
        ("/v1/puzzles/avenger/lookup?state=nonsense", 400),
        (f"/v1/puzzles/avenger/solve?state={SOLVED[:-1]}D", 422),
        ("/v1/puzzles/avenger/hint?state=.", 400),
        (f"/v1/puzzles/nothing/lookup?state={SOLVED}", 404),
        (f"/v1/puzzles/avenger/lookup?state={SOLVED}&goal=none", 404),
        (f"/v1/puzzles/nothing/picture?state={SOLVED}", 404),
        ("/v1/puzzles/avenger/picture?state=nonsense", 400),
        (f"/v1/puzzles/avenger/picture?state={SOLVED}&style=gold", 400),
    ):
        for known in (*tags, "*"):
            assert client.get(address, headers={"If-None-Match": known}).status_code == status, address
    for verb in ("lookup", "picture"):
        address = f"/v1/puzzles/avenger/{verb}?state={SOLVED}"
        assert client.get(address, headers={"If-None-Match": ", ".join(tags)}).status_code == 304


def test_the_specification_covers_every_address(client: FlaskClient) -> None:
    spec = get(client, "/openapi.json")
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in client.application.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.endpoint not in ("static", "openapi.spec", "docs", "root")
    }
    assert {(path, method) for path, methods in spec["paths"].items() for method in methods} == served
    for methods in spec["paths"].values():
        for operation in methods.values():
            assert operation["description"]
            assert operation["responses"]["default"]["content"].keys() == {"application/problem+json"}
            assert operation["responses"]["200"]["content"]
            assert all(answer["description"] for answer in operation["responses"].values())
    used = set(re.findall(r'"#/components/schemas/([^"]+)"', client.get("/openapi.json").text))
    assert used <= set(spec["components"]["schemas"])


def test_the_docs_page_stands_alone(client: FlaskClient) -> None:
    page = client.get("/docs").text
    assert client.get("/").headers["Location"] == "/docs"
    assert not re.search(r"<(script|link|img)\b|@import|url\(", page)
    for address in get(client, "/openapi.json")["paths"]:
        assert address in page
    for kind in EVERY_KIND:
        assert f'id="{kind.slug}"' in page
