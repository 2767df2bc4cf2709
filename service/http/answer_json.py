"""An answer becomes a response of JSON."""

from __future__ import annotations

from flask import Response

from puzzlebase.service.exact_json import to_json


def json_response(answer: object, status: int = 200) -> Response:
    """The response of an answer."""
    return json_bytes_response(to_json(answer), status)


def json_bytes_response(body: bytes, status: int = 200) -> Response:
    """The response of an answer that is JSON already."""
    return Response(body, status=status, content_type="application/json")
