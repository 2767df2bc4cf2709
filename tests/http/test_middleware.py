"""service/http/middleware.py: what every response is given, whatever it is."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.http.app import create_app
from service.http.middleware import COMPRESSED_FROM

SOLVED = ".AAA.BBB.CCC.DDD.EEE."
LOOKUP = f"/v1/puzzles/avenger/lookup?state={SOLVED}"
ANTIPODES = "/v1/puzzles/avenger/antipodes"
EXACT = [
    LOOKUP,
    LOOKUP.replace("lookup", "solve"),
    LOOKUP.replace("lookup", "hint"),
    LOOKUP.replace("lookup", "picture"),
    "/v1/puzzles/avenger/random?seed=1",
    "/v1/puzzles/avenger/random?daily=2026-11-21",
    "/v1/puzzles/avenger/histogram",
    ANTIPODES,
]


@pytest.fixture(scope="module")
def client(data: Path) -> FlaskClient:
    return create_app(data).test_client()


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("GET", LOOKUP),
        ("HEAD", LOOKUP),
        ("GET", "/v1/puzzles/avenger/lookup?state=x"),
        ("GET", "/v1/puzzles/avenger/lookup?x=1&x=2"),
        ("GET", "/nowhere"),
        ("PUT", "/v1"),
        ("POST", "/v1/puzzles/avenger/grade"),
        ("OPTIONS", "/v1/puzzles/avenger/grade"),
        ("GET", "/metrics"),
        ("GET", "/docs"),
    ],
)
def test_every_response_has_an_id_and_may_be_read_from_any_page(client: FlaskClient, method: str, address: str) -> None:
    for given in (None, "a-1_b:2.c/3", "x" * 129, "no spaces", 'no"quotes', "ünicode", ""):
        headers = {"Origin": "https://game.example"} | ({} if given is None else {"X-Request-ID": given})
        response = client.open(address, method=method, headers=headers)
        returned = response.headers["X-Request-ID"]
        assert returned == given if given == "a-1_b:2.c/3" else re.fullmatch("[0-9a-f]{16}", returned)
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "X-Request-ID" in response.headers["Access-Control-Expose-Headers"]
        assert response.headers["Vary"] == "Accept-Encoding"


def test_a_page_may_ask_first_and_need_not_ask_again_for_a_day(client: FlaskClient) -> None:
    asked = {"Origin": "https://game.example", "Access-Control-Request-Method": "POST"}
    response = client.options("/v1/puzzles/avenger/grade", headers=asked)
    assert response.status_code == 200
    assert "POST" in response.headers["Access-Control-Allow-Methods"]
    assert "Content-Type" in response.headers["Access-Control-Allow-Headers"]
    assert response.headers["Access-Control-Max-Age"] == "86400"
    assert "Access-Control-Max-Age" not in client.get(LOOKUP).headers


def test_what_is_large_is_compressed_where_that_is_accepted(client: FlaskClient) -> None:
    plain = client.get(ANTIPODES)
    packed = client.get(ANTIPODES, headers={"Accept-Encoding": "br, gzip"})
    assert len(plain.data) > COMPRESSED_FROM > len(client.get(LOOKUP).data)
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["Content-Length"] == str(len(packed.data))
    assert "Content-Encoding" not in plain.headers
    assert "Content-Encoding" not in client.get(LOOKUP, headers={"Accept-Encoding": "gzip"}).headers
    batch = client.post(
        "/v1/puzzles/avenger/lookup", json={"states": [SOLVED] * 50}, headers={"Accept-Encoding": "gzip"}
    )
    assert len(json.loads(gzip.decompress(batch.data))["results"]) == 50
    for refused in ("gzip;q=0", "identity", "*;q=0"):
        assert "Content-Encoding" not in client.get(ANTIPODES, headers={"Accept-Encoding": refused}).headers


def test_a_compressed_answer_has_a_weak_tag_that_is_known_again(client: FlaskClient) -> None:
    strong = client.get(ANTIPODES).headers["ETag"]
    weak = client.get(ANTIPODES, headers={"Accept-Encoding": "gzip"}).headers["ETag"]
    assert weak == f"W/{strong}"
    assert client.get(ANTIPODES, headers={"Accept-Encoding": "gzip", "If-None-Match": weak}).status_code == 304


@pytest.mark.parametrize("address", EXACT)
def test_what_is_exact_may_be_kept_and_is_not_made_again(client: FlaskClient, address: str) -> None:
    first = client.get(address)
    assert first.status_code == 200
    assert "max-age=86400" in first.headers["Cache-Control"]
    again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
