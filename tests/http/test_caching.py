"""service/http/headers.py: what callers may keep, and when their copy is still right."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.http.asking import SOLVED

EXACT = [
    f"/v1/puzzles/avenger/lookup?state={SOLVED}",
    f"/v1/puzzles/avenger/solve?state={SOLVED}",
    f"/v1/puzzles/avenger/hint?state={SOLVED}",
    f"/v1/puzzles/avenger/picture?state={SOLVED}",
    f"/v1/puzzles/avenger/board?state={SOLVED}",
    "/v1/puzzles/avenger/random?seed=1",
    "/v1/puzzles/avenger/random?daily=2026-11-21",
    "/v1/puzzles/avenger/histogram",
    "/v1/puzzles/avenger/antipodes",
]


@pytest.mark.parametrize("address", EXACT)
def test_exact_answers_may_be_kept_for_a_day_and_asked_for_again(client: FlaskClient, address: str) -> None:
    first = client.get(address)
    assert first.status_code == 200
    assert "max-age=86400" in first.headers["Cache-Control"]
    again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", first.headers["ETag"])


def test_every_form_of_if_none_match_is_understood(client: FlaskClient) -> None:
    for address in (f"/v1/puzzles/avenger/lookup?state={SOLVED}", "/v1/puzzles/avenger/histogram"):
        response = client.get(address)
        tag = response.headers["ETag"]
        assert "max-age" in response.headers["Cache-Control"]
        for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            again = client.get(address, headers={"If-None-Match": known})
            assert (again.status_code, again.data) == (304, b"")
        assert client.get(address, headers={"If-None-Match": '"other"'}).status_code == 200


def test_an_error_is_never_304(client: FlaskClient) -> None:
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
        ("/v1/puzzles/avenger/random?distance=99&seed=1", 400),
    ):
        for known in (*tags, "*"):
            assert client.get(address, headers={"If-None-Match": known}).status_code == status, address
    for verb in ("lookup", "picture"):
        address = f"/v1/puzzles/avenger/{verb}?state={SOLVED}"
        assert client.get(address, headers={"If-None-Match": ", ".join(tags)}).status_code == 304
