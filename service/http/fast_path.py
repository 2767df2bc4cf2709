"""The fast path, which bypasses Flask: plain lookups of tables in memory, and whether the service is alive.

Flask took two thirds of a lookup's time. And nothing here waits, so the server answers without a thread. The rest
goes to the app: a request with more fields than the state, one of a caller that has the answer already, one that
ends in an error, and every search. To a request that both can answer, both give the same response.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_plus

from puzzlebase.db.errors import TableError
from puzzlebase.puzzles import PuzzleError
from puzzlebase.service.answers import catalog, lookups
from puzzlebase.service.answers.limits import MAX_STATE
from puzzlebase.service.exact_json import to_json
from puzzlebase.service.http import caching
from puzzlebase.service.http.answer_json import plain_json
from puzzlebase.service.http.connection.exchange import Environ, PlainResponse, exchange_of
from puzzlebase.service.sources.folder import Tables

_HEALTH = "/healthz"
_HEALTHY = to_json(catalog.HEALTH)
_LOOKUP = "/v1/puzzles/{name}/lookup"
_LOOKUP_PATH = re.compile(r"/v1/puzzles/([^/]+)/lookup", re.ASCII)
_STATE_ALONE = re.compile(rf"state=([^&]{{1,{MAX_STATE}}})", re.ASCII)


class FastPath:
    """Answers plain requests from tables in memory."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def __call__(self, environ: Environ) -> PlainResponse | None:
        """The response to a request, or None where the app has to answer. Its route and source are noted."""
        if environ["REQUEST_METHOD"] != "GET" or "HTTP_IF_NONE_MATCH" in environ:
            return None
        path, query = environ["PATH_INFO"], environ["QUERY_STRING"]
        if path == _HEALTH and not query:
            exchange_of(environ).route = _HEALTH
            return plain_json(_HEALTHY)
        name, state = _LOOKUP_PATH.fullmatch(path), _STATE_ALONE.fullmatch(query)
        return self._lookup(environ, name[1], state[1]) if name and state else None

    def _lookup(self, environ: Environ, name: str, quoted_state: str) -> PlainResponse | None:
        source = self._tables.at_hand(name)
        state = unquote_plus(quoted_state)
        if source is None or not state.isascii():
            return None
        try:
            body = to_json(lookups.lookup(source, state))
        except (PuzzleError, TableError):
            return None
        exchange = exchange_of(environ)
        exchange.route = _LOOKUP
        exchange.source = source.origin.name
        return plain_json(body, caching.exact(source.puzzle, source.origin.tag))
