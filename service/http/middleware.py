"""The layer between server and app, which adds headers,
counts, logs, and answers plain requests itself.

These are plain lookups of tables in memory: Flask took two thirds of a lookup's time. They never
wait, so they need no thread. The app would give the same responses. Flask's hooks could add headers
too, but to a plain list four of them cost 0.3 microseconds in place of 5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from io import BytesIO
from time import perf_counter
from typing import Any
from urllib.parse import unquote_plus

from werkzeug.test import run_wsgi_app
from werkzeug.wsgi import get_input_stream

from puzzlebase.db.errors import TableError
from puzzlebase.puzzles import PuzzleError
from puzzlebase.puzzles.discovery import discovery_version
from puzzlebase.service.answers.limits import MAX_STATE
from puzzlebase.service.answers.lookups import lookup
from puzzlebase.service.exact_json import to_json
from puzzlebase.service.http import metrics
from puzzlebase.service.http.exchange import (
    KEY,
    Environ,
    Exchange,
    Headers,
    PlainResponse,
    begin_wsgi,
    exchange_of,
)
from puzzlebase.service.http.headers import EVERY_RESPONSE, PREFLIGHT, exact
from puzzlebase.service.http.logs import log_request
from puzzlebase.service.sources.sources import Sources

_LOOKUP = "/v1/puzzles/{name}/lookup"
_LOOKUP_PATH = re.compile(r"/v1/puzzles/([^/]+)/lookup", re.ASCII)
_STATE_ALONE = re.compile(rf"state=([^&]{{1,{MAX_STATE}}})", re.ASCII)


class Middleware:
    """A WSGI application around another, `app`,
    which answers plain requests from tables in memory itself.
    """

    def __init__(self, app: Any, sources: Sources, *, log: bool) -> None:
        self._app = app
        self._sources = sources
        self._log = log

    def __call__(
        self, environ: Environ, start_response: Callable[[str, Headers], object]
    ) -> Iterable[bytes]:
        """Answer a request of WSGI. If the server has begun its Exchange,
        that is in the environment.
        """
        exchange = environ.get(KEY) or begin_wsgi(environ)
        exchange.body = get_input_stream(environ).read()
        status, headers, body = self.fast_response(exchange) or self.respond(environ)
        start_response(status, headers)
        return [body]

    def fast_response(self, exchange: Exchange) -> PlainResponse | None:
        """The response to a request, if it can be made from memory;
        None if the app has to answer.
        """
        response = self._from_memory(exchange)
        return None if response is None else self._completed(exchange, response)

    def respond(self, environ: Environ) -> PlainResponse:
        """The app's response to a request."""
        exchange = exchange_of(environ)
        # once more if files of definitions changed meanwhile: each answer has one version
        for _ in range(2):
            seen = discovery_version()
            environ["wsgi.input"] = BytesIO(exchange.body)
            pieces, status, headers = run_wsgi_app(self._app, environ, buffered=True)
            if seen == discovery_version():
                break
        return self._completed(exchange, PlainResponse(status, [*headers], b"".join(pieces)))

    def _completed(self, exchange: Exchange, response: PlainResponse) -> PlainResponse:
        """Add the headers of every response, count and log it."""
        status, headers, body = response
        headers += EVERY_RESPONSE
        headers.append(("X-Request-ID", exchange.id))
        if exchange.method == "OPTIONS":
            headers += PREFLIGHT
        seconds = perf_counter() - exchange.began
        method = exchange.method if exchange.method in metrics.METHODS else "other"
        metrics.requests(method, exchange.route, status[:3]).inc()
        metrics.seconds(exchange.route).observe(seconds)
        if self._log:
            log_request(exchange, int(status[:3]), seconds, len(body))
        return response

    def _from_memory(self, exchange: Exchange) -> PlainResponse | None:
        """The response to a plain request, whose route and source are noted; None for any other."""
        if (
            exchange.method != "GET"
            or exchange.refusal
            or exchange.header("if-none-match") is not None
        ):
            return None
        name = _LOOKUP_PATH.fullmatch(exchange.path)
        quoted_state = _STATE_ALONE.fullmatch(exchange.query)
        if not name or not quoted_state or (source := self._sources.in_memory(name[1])) is None:
            return None
        state = unquote_plus(quoted_state[1])
        if not state.isascii():
            return None
        try:
            body = to_json(lookup.make(source, state))
        except (PuzzleError, TableError):
            return None
        exchange.route = _LOOKUP
        exchange.source = source.origin.name
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        return PlainResponse(
            "200 OK", headers + exact(source.puzzle.about.rules, source.origin.tag), body
        )
