"""Requests as they are read: fields each given once, bodies that are objects, and what is refused before either."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Any

import orjson
from flask import Request, request
from flask.json.provider import DefaultJSONProvider

from service import problems
from service.http.middleware import ROUTE

MAX_BODY = 1 << 20
"""Bytes of a body."""

BODY_SECONDS = 10.0
"""Seconds a body may take to come."""

MAX_QUERY = 1 << 14
"""Characters of the fields in an address."""

SUCH_AS = 'send an object such as {"state": ...}'
"""The hint where a body is wrong."""

_GIVEN_TWICE = "a field is given twice", "give each field once"


class _Query(dict[str, str]):
    """The fields of an address; InvalidRequest where one is given twice."""

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        given = list(pairs)
        super().__init__(given)
        if len(self) < len(given):
            raise problems.InvalidRequest(*_GIVEN_TWICE)

    def to_dict(self) -> dict[str, str]:
        """What the framework validates."""
        return self


class StrictRequest(Request):
    """A request whose address gives each field once; a plain dict holds them, which is cheaper than Flask's."""

    parameter_storage_class = _Query  # type: ignore[assignment]


class StrictJson(DefaultJSONProvider):
    """Bodies, which are objects, are read by orjson; it refuses what is nested too deep and text that is no Unicode.

    Of a field given twice it keeps the last. Every field has a colon, so only an object with more colons
    than fields is read again by Python's reader, which tells; that takes three times as long.
    """

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """The object; InvalidRequest for another value and for a field given twice, ValueError for no JSON."""
        value = orjson.loads(s)
        if not isinstance(value, dict):
            raise problems.InvalidRequest("the body is no JSON object", SUCH_AS)
        if _colons(s) > len(value):
            with suppress(RecursionError):  # nested deeper than any request's fields: refused for that
                json.loads(s, object_pairs_hook=_each_once)
        return value


def _colons(s: str | bytes) -> int:
    return s.count(":") if isinstance(s, str) else s.count(b":")


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise problems.InvalidRequest(*_GIVEN_TWICE)
    return fields


REFUSAL = "puzzlebase.refusal"
"""Where the environment of a request has the problem that the server found in it."""


@cache
def _documented(rule: str) -> str:
    """An address as the documents write it."""
    return rule.replace("<", "{").replace(">", "}")


def refuse_what_is_not_read() -> None:
    """Before each request: note its route, raise what the server found wrong in it and what no view looks at."""
    environ = request.environ
    environ[ROUTE] = request.url_rule and _documented(request.url_rule.rule)
    if refusal := environ.get(REFUSAL):
        raise refusal
    query = environ["QUERY_STRING"]
    if len(query) > MAX_QUERY:
        raise problems.AddressTooLong(f"{len(query):,} characters are too many", f"send at most {MAX_QUERY:,}")
    if not query.isascii():
        try:
            query.encode("latin-1").decode()
        except UnicodeDecodeError:
            raise problems.InvalidRequest("the address is no UTF-8", "write its bytes as %XX") from None
    if request.method == "POST" and request.routing_exception is None:
        if query:
            raise problems.InvalidRequest("a POST takes no fields in its address", "send them in the body")
        if len(request.get_data()) > MAX_BODY:
            raise problems.TooLarge("the body is too long", f"send at most {MAX_BODY:,} bytes")
