"""service/http/middleware.py, exchange.py and headers.py:
the headers of every response, and tags.
"""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from tests.http.asking import SOLVED

LOOKUP = f"/v1/puzzles/avenger/lookup?state={SOLVED}"


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
def test_every_response_has_an_id_and_may_be_read_from_any_page(
    client: FlaskClient, method: str, address: str
) -> None:
    for given in (None, "a-1_b:2.c/3", "x" * 129, "no spaces", 'no"quotes', "ünicode", ""):
        headers = {"Origin": "https://game.example"} | (
            {} if given is None else {"X-Request-ID": given}
        )
        response = client.open(address, method=method, headers=headers)
        returned = response.headers["X-Request-ID"]
        assert (
            returned == given if given == "a-1_b:2.c/3" else re.fullmatch("[0-9a-f]{16}", returned)
        )
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "X-Request-ID" in response.headers["Access-Control-Expose-Headers"]
        assert response.headers["Vary"] == "Accept-Encoding"


def test_preflight_is_answered_and_holds_for_a_day(client: FlaskClient) -> None:
    asked = {"Origin": "https://game.example", "Access-Control-Request-Method": "POST"}
    response = client.options("/v1/puzzles/avenger/grade", headers=asked)
    assert response.status_code == 200
    assert "POST" in response.headers["Access-Control-Allow-Methods"]
    assert "Content-Type" in response.headers["Access-Control-Allow-Headers"]
    assert response.headers["Access-Control-Max-Age"] == "86400"
    assert "Access-Control-Max-Age" not in client.get(LOOKUP).headers


def test_every_form_of_if_none_match_is_understood(client: FlaskClient) -> None:
    for address in (LOOKUP, "/v1/puzzles/avenger/histogram"):
        response = client.get(address)
        tag = response.headers["ETag"]
        assert "max-age" in response.headers["Cache-Control"]
        for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            again = client.get(address, headers={"If-None-Match": known})
            assert (again.status_code, again.data) == (304, b"")
        assert client.get(address, headers={"If-None-Match": '"other"'}).status_code == 200
