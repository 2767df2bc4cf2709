"""Read requests. Malformed ones are rejected here."""

from __future__ import annotations

from typing import Any

import orjson
from flask import request

from puzzlebase.service.error_status import AddressTooLong, InvalidRequest, TooLarge
from puzzlebase.service.http.exchange import exchange_of
from puzzlebase.service.http.limits import MAX_BODY, MAX_QUERY

_BODY_HINT = 'send an object such as {"state": ...}'  # the hint of a problem with a body


def fields_of_body(content: bytes) -> dict[str, Any]:
    """The fields in a body. Raises InvalidRequest for what is no object of JSON,
    is nested deep or is no UTF-8.
    """
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError:
        raise InvalidRequest("the body is not JSON", _BODY_HINT) from None
    if not isinstance(value, dict):
        raise InvalidRequest("the body is not a JSON object", _BODY_HINT)
    return value


def check_request() -> None:
    """Reject a request whose query or body is malformed or too long, and note its route."""
    exchange = exchange_of(request.environ)
    if rule := request.url_rule:
        exchange.route = rule.rule.replace("<", "{").replace(">", "}")
    if exchange.refusal:
        raise exchange.refusal
    query = exchange.query
    if len(query) > MAX_QUERY:
        raise AddressTooLong(
            f"{len(query):,} characters are too many", f"send at most {MAX_QUERY:,}"
        )
    try:
        query.encode("latin-1").decode()
    except UnicodeDecodeError:
        raise InvalidRequest("the address is not valid UTF-8", "write its bytes as %XX") from None
    if request.method == "POST" and request.routing_exception is None:
        if query:
            raise InvalidRequest("a POST takes no fields in its address", "send them in the body")
        if len(request.get_data()) > MAX_BODY:
            raise request_too_long()


def request_too_long() -> TooLarge:
    """The error of a request whose body is over MAX_BODY."""
    return TooLarge("the body is too long", f"send at most {MAX_BODY:,} bytes")
