"""Between the server and the app: what is answered without the app, what every response gets, what is noted of it.

Plain lookups of tables in memory, and whether the service is alive, are answered here: Flask took two thirds of a
lookup's time. Nothing of it waits, so the server needs no thread for it. The rest goes to the app: a request with more
fields than the state, one of a caller that has the answer already, one that ends in an error, and every search. To a
request that both can answer, both give the same response.

A response gets the request's id, the headers of CORS and, if it is large, compression. A request is counted and
logged. Flask's hooks could do the same, but here headers are a plain list: four of them cost 0.3 microseconds in
place of 5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import closing
from secrets import token_hex
from time import perf_counter
from typing import Any
from urllib.parse import unquote_plus

import orjson

from puzzlebase.db.errors import TableError
from puzzlebase.puzzles import PuzzleError
from puzzlebase.service.answers import catalog, lookups
from puzzlebase.service.answers.limits import MAX_STATE
from puzzlebase.service.error_status import Overloaded
from puzzlebase.service.http import caching, compression, cors, metrics, safety
from puzzlebase.service.http.connection.exchange import KEY, Environ, Exchange, Headers, PlainResponse, exchange_of
from puzzlebase.service.http.connection.log_writer import log_request
from puzzlebase.service.http.connection.sending import LARGE
from puzzlebase.service.sources.folder import Tables

_ACCEPTED_ID = re.compile(r"[\w.:/+=@-]{1,128}", re.ASCII)
_HEALTH = "/healthz"
_LOOKUP = "/v1/puzzles/{name}/lookup"
_LOOKUP_PATH = re.compile(r"/v1/puzzles/([^/]+)/lookup", re.ASCII)
_STATE_ALONE = re.compile(rf"state=([^&]{{1,{MAX_STATE}}})", re.ASCII)


def begin(method: str, path: str, query: str, client: str | None, header: Callable[[str], str | None]) -> Exchange:
    """The Exchange of a request that begins. The caller's X-Request-ID is its id, if that is acceptable."""
    given = header("x-request-id")
    accepted = given if given and _ACCEPTED_ID.fullmatch(given) else token_hex(8)
    return Exchange(accepted, perf_counter(), method, path, query, client, header)


def begin_wsgi(environ: Environ) -> Exchange:
    """Put a new Exchange into a request's WSGI environment."""

    def header(name: str) -> str | None:
        value: str | None = environ.get(f"HTTP_{name.upper().replace('-', '_')}")
        return value

    path, query = environ["PATH_INFO"], environ["QUERY_STRING"]
    exchange = begin(environ["REQUEST_METHOD"], path, query, environ.get("REMOTE_ADDR"), header)
    environ[KEY] = exchange
    return exchange


class Middleware:
    """A WSGI application around another, `app`; `fast_path` answers what need not go there, and None to the rest."""

    def __init__(
        self,
        app: Callable[[Environ, Callable[..., Any]], Iterable[bytes]],
        fast_path: Callable[[Exchange], PlainResponse | None],
        *,
        log: bool,
    ) -> None:
        self._app = app
        self._fast_path = fast_path
        self._log = log
        self.every_response = [*cors.EVERY_RESPONSE, *compression.EVERY_RESPONSE, *safety.EVERY_RESPONSE]
        """Headers that every response gets from now on."""

    def __call__(self, environ: Environ, start_response: Callable[[str, Headers], object]) -> Iterable[bytes]:
        """Answer as WSGI has it. A server that keeps the request's Exchange itself has put it into the environment."""
        exchange = environ.get(KEY) or begin_wsgi(environ)
        status, headers, body = self.at_once(exchange) or self.respond(environ)
        start_response(status, headers)
        return [body]

    def at_once(self, exchange: Exchange) -> PlainResponse | None:
        """The response to a request that has begun, if it can be made from memory; None where the app has to answer."""
        response = self._fast_path(exchange)
        return None if response is None else self._completed(exchange, _compressed(exchange, response))

    def respond(self, environ: Environ) -> PlainResponse:
        """The app's response to a request that has begun. A large one is refused where its bytes do not fit."""
        exchange = exchange_of(environ)
        response = self._asked(environ)
        if exchange.budget and len(response.body) > LARGE and not exchange.budget.take(len(response.body), wait=True):
            exchange.refusal = Overloaded(
                "the service already holds as many unread answers as it may", "try again in a moment"
            )
            response = self._asked(environ)
        return self._completed(exchange, response)

    def _asked(self, environ: Environ) -> PlainResponse:
        """What the app responds, compressed if it is large."""
        start = _StartResponse()
        chunks: Any = self._app(environ, start)
        with closing(chunks):
            return _compressed(exchange_of(environ), PlainResponse(start.status, start.headers, b"".join(chunks)))

    def _completed(self, exchange: Exchange, response: PlainResponse) -> PlainResponse:
        status, headers, body = response
        headers += self.every_response
        headers.append(("X-Request-ID", exchange.id))
        if exchange.method == "OPTIONS":
            headers += cors.PREFLIGHT
        seconds = perf_counter() - exchange.began
        method = exchange.method if exchange.method in metrics.METHODS else "other"
        metrics.requests(method, exchange.route, status[:3]).inc()
        metrics.seconds(exchange.route).observe(seconds)
        if self._log:
            log_request(exchange, int(status[:3]), seconds, len(body))
        return response


def _compressed(exchange: Exchange, response: PlainResponse) -> PlainResponse:
    """The same response in fewer bytes, if it is large and its caller accepts that."""
    if len(response.body) < compression.MIN_BYTES:
        return response
    return compression.compressed(response, exchange.header("accept-encoding") or "")


class _StartResponse:
    """WSGI's start_response, which keeps what it is told."""

    __slots__ = ("headers", "status")

    def __call__(self, status: str, headers: Headers, _exc_info: object = None) -> None:
        self.status = status
        self.headers = headers


class FastPath:
    """Answers plain requests from tables in memory."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def __call__(self, exchange: Exchange) -> PlainResponse | None:
        """The response to a request, or None where the app has to answer. Its route and source are noted."""
        if exchange.method != "GET" or exchange.header("if-none-match") is not None:
            return None
        if exchange.path == _HEALTH and not exchange.query:
            exchange.route = _HEALTH
            return _plain_json(catalog.HEALTH)
        name, state = _LOOKUP_PATH.fullmatch(exchange.path), _STATE_ALONE.fullmatch(exchange.query)
        return self._lookup(exchange, name[1], state[1]) if name and state else None

    def _lookup(self, exchange: Exchange, name: str, quoted_state: str) -> PlainResponse | None:
        source = self._tables.at_hand(name)
        state = unquote_plus(quoted_state)
        if source is None or not state.isascii():
            return None
        try:
            response = _plain_json(
                lookups.lookup(source, state), caching.exact(source.puzzle.about.rules, source.origin.tag)
            )
        except (PuzzleError, TableError):
            return None
        exchange.route = _LOOKUP
        exchange.source = source.origin.name
        return response


def _plain_json(answer: object, caching_headers: Iterable[tuple[str, str]] = ()) -> PlainResponse:
    """A response of JSON without Flask; no integer of the answer is long."""
    body = orjson.dumps(answer)
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body))), *caching_headers]
    return PlainResponse("200 OK", headers, body)
