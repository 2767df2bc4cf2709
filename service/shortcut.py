"""Plain lookups of tables in memory, answered without a way through Flask, which took two thirds of their time.

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
from service import answers
from service.delivery import ROUTE, SOURCE, Delivered
from service.fields import MAX_STATE
from service.responses import CACHED, JSON
from service.tables import OpenTable, Tables

_ROUTE = "/v1/puzzles/{name}/lookup"
_PATH = re.compile(r"/v1/puzzles/([^/]+)/lookup", re.ASCII)
_STATE = re.compile(rf"state=([^&]{{1,{MAX_STATE}}})", re.ASCII)


class Shortcut:
    """Answers what is plain; `tag` is what an exact answer of a table is known by."""

    def __init__(self, tables: Tables, tag: Callable[[OpenTable], str]) -> None:
        self._tables = tables
        self._tag = tag

    def __call__(self, environ: dict[str, Any]) -> Delivered | None:
        """The response to a request, None where the app has to answer."""
        path = _PATH.fullmatch(environ["PATH_INFO"])
        state = _STATE.fullmatch(environ["QUERY_STRING"])
        if not path or not state or environ["REQUEST_METHOD"] != "GET" or "HTTP_IF_NONE_MATCH" in environ:
            return None
        opened = self._tables.at_hand(path[1])
        text = unquote_plus(state[1])
        if opened is None or not text.isascii():
            return None
        try:
            body = orjson.dumps(answers.lookup(opened, text))
        except (PuzzleError, TableError):
            return None
        environ[ROUTE] = _ROUTE
        environ[SOURCE] = opened.name
        headers = [
            ("Content-Type", JSON),
            ("Content-Length", str(len(body))),
            ("ETag", f'"{self._tag(opened)}"'),
            ("Cache-Control", CACHED),
        ]
        return Delivered("200 OK", headers, body)
