"""service/http/middleware.py: large responses are compressed where that is accepted."""

from __future__ import annotations

import gzip
import json

from flask.testing import FlaskClient

from puzzlebase.service.http.middleware import MIN_BYTES
from tests.http.asking import SOLVED

LOOKUP = f"/v1/puzzles/avenger/lookup?state={SOLVED}"
ANTIPODES = "/v1/puzzles/avenger/antipodes"


def test_large_responses_are_compressed_where_that_is_accepted(client: FlaskClient) -> None:
    plain = client.get(ANTIPODES)
    packed = client.get(ANTIPODES, headers={"Accept-Encoding": "br, gzip"})
    assert len(plain.data) > MIN_BYTES > len(client.get(LOOKUP).data)
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
