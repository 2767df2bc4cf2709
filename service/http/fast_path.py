"""Plain lookups of tables in memory, and whether the service is alive: answered without a way through Flask.

That took two thirds of a lookup's time. And nothing here waits, so the server need not take a thread for it.
What is not plain (more fields than the state, a caller who has the answer already, an error) is left to the app,
and so is a search. The app answers the same to the same request.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_plus

import orjson

from db import TableError
from puzzles import PuzzleError
from service.answers import catalog, lookups
from service.http.fields import MAX_STATE
from service.http.middleware import ROUTE, SOURCE, Delivered, Headers
from service.http.responses import CACHED, JSON
from service.sources.folder import Tables
from service.sources.table import OpenTable

_HEALTH = "/healthz"
_HEALTHY = orjson.dumps(catalog.HEALTH)
_ROUTE = "/v1/puzzles/{name}/lookup"
_LOOKUP = re.compile(r"/v1/puzzles/([^/]+)/lookup", re.ASCII)
_STATE = re.compile(rf"state=([^&]{{1,{MAX_STATE}}})", re.ASCII)


class Shortcut:
    """Answers what is plain; `tag` is what an exact answer of a table is known by."""

    def __init__(self, tables: Tables, tag: Callable[[OpenTable], str]) -> None:
        self._tables = tables
        self._tag = tag

    def __call__(self, environ: dict[str, Any]) -> Delivered | None:
        """The response to a request, None where the app has to answer."""
        if environ["REQUEST_METHOD"] != "GET" or "HTTP_IF_NONE_MATCH" in environ:
            return None
        path, query = environ["PATH_INFO"], environ["QUERY_STRING"]
        if path == _HEALTH and not query:
            environ[ROUTE] = _HEALTH
            return Delivered("200 OK", _described(_HEALTHY), _HEALTHY)
        asked, state = _LOOKUP.fullmatch(path), _STATE.fullmatch(query)
        return self._lookup(environ, asked[1], state[1]) if asked and state else None

    def _lookup(self, environ: dict[str, Any], name: str, state: str) -> Delivered | None:
        source = self._tables.at_hand(name)
        text = unquote_plus(state)
        if source is None or not text.isascii():
            return None
        try:
            body = orjson.dumps(lookups.lookup(source, text))
        except (PuzzleError, TableError):
            return None
        environ[ROUTE] = _ROUTE
        environ[SOURCE] = source.name
        kept = [("ETag", f'"{self._tag(source)}"'), ("Cache-Control", CACHED)]
        return Delivered("200 OK", _described(body) + kept, body)


def _described(body: bytes) -> Headers:
    return [("Content-Type", JSON), ("Content-Length", str(len(body)))]
