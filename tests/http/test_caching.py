"""service/http/headers.py: what callers may keep, and when their copy is still right."""

from __future__ import annotations

from flask.testing import FlaskClient

from tests.http.asking import SOLVED


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
