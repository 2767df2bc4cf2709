"""Searches over HTTP: few at a time, with a budget, and ended when their client has left."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from flask.testing import FlaskClient

from puzzlebase.builder import LayersJob
from puzzlebase.puzzles import find
from puzzlebase.service.http.app import create_app
from puzzlebase.service.sources.budget import SearchLimits
from puzzlebase.service.sources.search import Searchable
from tests.fixtures import build_table, quiet_job
from tests.http.asking import get
from tests.serving import Served, serving
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.needs("definitions")

NOVICE = "RBBBBBBBBBBBBRRRRRRRR"
COUNTER = """
from puzzlebase.puzzles import Family, rules_puzzle


def moves(number):
    if number < 10**8:
        yield "up", number + 1
    if number:
        yield "down", number - 1


FAMILY = Family.of(
    rules_puzzle("counter", start=0, solved=lambda number: number == 0, moves=moves, read=int)
)
"""
LONG = "/v1/puzzles/counter/solve?state=50000000"
"""A search of 50,000,000 layers of one state each, which ends by its time alone."""
SEARCH_SECONDS = 300


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one table."""
    data = tmp_path_factory.mktemp("searches")
    build_table(data, "novice")
    return data


@pytest.fixture
def client(folder: Path) -> FlaskClient:
    """A client of a service that searches for one at a time."""
    return create_app(folder, limits=SearchLimits(at_once=1)).test_client()


def running(metrics: str) -> float:
    """The number of searches running, from the metrics."""
    return sum(
        float(line.split()[-1])
        for line in metrics.splitlines()
        if line.startswith("puzzlebase_searches")
    )


def test_a_search_is_tagged_when_it_is_exact(client: FlaskClient) -> None:
    path, query = "/v1/puzzles/challenger/lookup", {"state": "YYYYKGGGGGKYYYYYKGGGG"}
    response = client.get(path, query_string=query)
    assert "max-age" in response.headers["Cache-Control"]
    again = client.get(
        path, query_string=query, headers={"If-None-Match": response.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")
    short = client.get(path, query_string={"state": "KYYYYGGGGGKYYYYYKGGGG", "max_states": "0"})
    assert short.json is not None
    assert short.json["exact"] is False
    assert short.headers["Cache-Control"] == "no-store"
    assert "ETag" not in short.headers


def test_the_tag_of_a_search_is_no_tag_of_another(client: FlaskClient) -> None:
    """A wrong request is an error although the caller had an exact answer of some search."""
    lookup = "/v1/puzzles/challenger/lookup?state="
    tag = client.get(f"{lookup}YYYYKGGGGGKYYYYYKGGGG").headers["ETag"]
    for known in (tag, "*"):
        for address, status in (
            (f"{lookup}YYYYKGGGGGKYYYYYKGGGK", 422),
            (f"{lookup}KYYYYGGGGGKYYYYYKGGGG&max_states=0", 200),
            ("/v1/puzzles/challenger/random?seed=1&distance=3", 409),
        ):
            assert client.get(address, headers={"If-None-Match": known}).status_code == status, (
                address
            )
    assert (
        client.get(f"{lookup}YYYYKGGGGGKYYYYYKGGGG", headers={"If-None-Match": "*"}).status_code
        == 304
    )


@pytest.mark.slow
def test_no_request_gets_a_larger_budget_than_the_service_has(folder: Path) -> None:
    client = create_app(folder, limits=SearchLimits(states=50, seconds=5.0)).test_client()
    hard = {"state": ".C.E.DAB.BDAEA.ECDBC."}
    answer = get(
        client, "/v1/puzzles/turnstile/lookup", **hard, max_states=str(2**53), max_seconds="1e9"
    )
    assert (answer["exact"], answer["solvable"], answer["distance"]) == (False, True, None)
    assert get(client, "/v1")["limits"]["budget"] == {"states": 50, "seconds": 5.0, "at_once": 2}


def test_a_request_waits_for_what_its_search_needs(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own seconds begin when all is ready."""
    clock, former = [0.0], Searchable.in_folder
    path, query = (
        "/v1/puzzles/challenger/lookup",
        {"state": "YYYYKGGGGGKYYYYYKGGGG", "max_seconds": "0.2"},
    )

    def in_folder(*arguments: Any) -> Searchable:
        clock[0] += PATIENCE
        return former(*arguments)

    monkeypatch.setattr(Searchable, "in_folder", in_folder)
    monkeypatch.setattr("puzzlebase.service.sources.budget.monotonic", lambda: clock[0])
    assert get(client, path, **query)["exact"]


@pytest.mark.slow
def test_stored_layers_are_described_and_read_anew(tmp_path: Path) -> None:
    client = create_app(tmp_path).test_client()
    assert get(client, "/v1/puzzles/novice")["coverage"] == "none"
    novice = find("novice")
    for depth in (3, 5):
        quiet_job(LayersJob, novice, tmp_path, depth=depth).build()
        time.sleep(0.15)  # the service looks at a file again after a tenth of a second
        about = get(client, "/v1/puzzles/novice")
        assert (about["coverage"], about["table"], about["layers"]["depth"]) == (
            "layers",
            None,
            depth,
        )
        assert get(client, "/v1/puzzles/novice/lookup", state=NOVICE)["distance"] == 5
    path = tmp_path / "novice.layers.indices"
    path.write_bytes(path.read_bytes()[:-5000])
    time.sleep(0.15)
    damaged = client.get("/v1/puzzles/novice/lookup", query_string={"state": NOVICE})
    assert damaged.status_code == 500
    assert damaged.json is not None
    assert "puzzlebase build novice --depth " in damaged.json["hint"]


@pytest.fixture(scope="module")
def served(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The service in a process of its own, which searches for one at a time."""
    rules = tmp_path_factory.mktemp("rules") / "counter.py"
    rules.write_text(COUNTER)
    limits = "--workers", "1", "--searches", "1", "--search-seconds", str(SEARCH_SECONDS)
    with serving(folder, *limits, PUZZLEBASE_RULES=str(rules)) as service:
        yield service


@pytest.mark.slow
def test_a_client_that_goes_away_ends_its_search(served: Served) -> None:
    host, port = served.address.removeprefix("http://").split(":")
    other = "/v1/puzzles/challenger/lookup?state=YYYYKGGGGGKYYYYYKGGGG&max_states=0"
    with socket.create_connection((host, int(port)), PATIENCE) as connection:
        connection.sendall(f"GET {LONG} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        wait_until(
            lambda: running(urlopen(f"{served.address}/metrics", timeout=PATIENCE).read().decode()),
            "the search runs",
        )
        with pytest.raises(HTTPError) as refused:
            urlopen(served.address + other, timeout=PATIENCE)
        with refused.value as problem:
            assert (problem.code, problem.headers["Retry-After"]) == (503, "1")
            assert json.load(problem)["type"] == "/docs#overloaded"
        assert served.get(f"/v1/puzzles/novice/lookup?state={NOVICE}")[1]["source"] == "table"
    wait_until(lambda: served.get(other)[0] != 503, "the search ends", SEARCH_SECONDS / 2)
