"""An answer becomes a response of JSON, with Flask or without."""

from __future__ import annotations

from flask import Response

from puzzlebase.service.exact_json import to_json
from puzzlebase.service.http.connection.exchange import Headers, PlainResponse

_JSON = "application/json"


def json_response(answer: object, status: int = 200) -> Response:
    """The response of an answer."""
    return json_bytes_response(to_json(answer), status)


def json_bytes_response(body: bytes, status: int = 200) -> Response:
    """The response of an answer that is JSON already."""
    return Response(body, status=status, content_type=_JSON)


def plain_json(body: bytes, caching_headers: Headers | None = None) -> PlainResponse:
    """A response of JSON without Flask, for the fast path."""
    headers = [("Content-Type", _JSON), ("Content-Length", str(len(body)))]
    return PlainResponse("200 OK", headers + caching_headers if caching_headers else headers, body)
