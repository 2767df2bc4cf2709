"""Between the server and the app: what every response gets, and what is noted of every request.

A response gets the request's id, the headers of CORS and, if it is large, compression. A request is counted and
logged. Flask's hooks could do the same, but here headers are a plain list: four of them cost 0.3 microseconds in
place of 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from time import perf_counter
from typing import Any

from puzzlebase.service.error_status import Overloaded
from puzzlebase.service.http import compression, cors, logs, metrics, safety
from puzzlebase.service.http.connection.exchange import KEY, Environ, Headers, PlainResponse, begin, exchange_of
from puzzlebase.service.http.connection.sending import LARGE


class Middleware:
    """A WSGI application around another, `app`; `fast_path` answers what need not go there, and None to the rest."""

    def __init__(
        self,
        app: Callable[[Environ, Callable[..., Any]], Iterable[bytes]],
        fast_path: Callable[[Environ], PlainResponse | None],
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
        if KEY not in environ:
            begin(environ)
        status, headers, body = self.at_once(environ) or self.respond(environ)
        start_response(status, headers)
        return [body]

    def at_once(self, environ: Environ) -> PlainResponse | None:
        """The response to a request that has begun, if it can be made from memory; None where the app has to answer."""
        response = self._fast_path(environ)
        return None if response is None else self._completed(environ, _compressed(environ, response))

    def respond(self, environ: Environ) -> PlainResponse:
        """The app's response to a request that has begun. Room is taken for a large one; without room it is refused."""
        response = self._asked(environ)
        exchange = exchange_of(environ)
        if exchange.room and len(response.body) > LARGE and not exchange.room.take(len(response.body), wait=True):
            exchange.refusal = Overloaded(
                "the service already holds as many unread answers as it may", "try again in a moment"
            )
            response = self._asked(environ)
        return self._completed(environ, response)

    def _asked(self, environ: Environ) -> PlainResponse:
        """What the app responds, compressed if it is large."""
        start = _StartResponse()
        chunks: Any = self._app(environ, start)
        with closing(chunks):
            return _compressed(environ, PlainResponse(start.status, start.headers, b"".join(chunks)))

    def _completed(self, environ: Environ, response: PlainResponse) -> PlainResponse:
        exchange = exchange_of(environ)
        status, headers, body = response
        headers += self.every_response
        headers.append(("X-Request-ID", exchange.id))
        method = environ["REQUEST_METHOD"]
        if method == "OPTIONS":
            headers += cors.PREFLIGHT
        seconds = perf_counter() - exchange.began
        metrics.count_request(method, exchange.route, status[:3], seconds)
        if self._log:
            logs.log_request(environ, exchange, int(status[:3]), seconds, len(body))
        return response


def _compressed(environ: Environ, response: PlainResponse) -> PlainResponse:
    """The same response in fewer bytes, if it is large and its caller accepts that."""
    if len(response.body) < compression.MIN_BYTES:
        return response
    return compression.compressed(response, environ.get("HTTP_ACCEPT_ENCODING", ""))


class _StartResponse:
    """WSGI's start_response, which keeps what it is told."""

    __slots__ = ("headers", "status")

    def __call__(self, status: str, headers: Headers, _exc_info: object = None) -> None:
        self.status = status
        self.headers = headers
