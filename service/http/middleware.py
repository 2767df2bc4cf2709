"""Between the server and the app: what every response is given, a problem too, and what is noted of it.

A request id, leave for pages of any origin, and compression of what is large; a line in the log, and the
counts. It is done here and not in Flask's hooks because headers are a plain list here: four of them cost
0.3 microseconds in place of 5.
"""

from __future__ import annotations

import re
import secrets
import zlib
from collections.abc import Callable, Iterable
from contextlib import closing
from time import perf_counter
from typing import Any, NamedTuple

from service.http import logs, metrics

BEGAN = "puzzlebase.began"
"""Where the environment of a request has when its head came, by `time.perf_counter`."""

ROUTE = "puzzlebase.route"
"""Where it has the address as the documents write it, None for one that is not served."""

GONE = "puzzlebase.gone"
"""Where it may have a future that is done when the client has gone."""

SOURCE = "puzzlebase.source"
"""Where it has what an answer about a state came from."""

COMPRESSED_FROM = 2048
"""Bytes. What is smaller fits into a packet or two as it is; to compress a lookup of 1.4 kB takes 40 microseconds."""

_COMPRESSIBLE = ("application/json", "image/svg+xml", "text/")
_GZIP = 31  # zlib's code for a gzip header around its largest window
_GZIP_ACCEPTED = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)
_SANE_ID = re.compile(r"[\w.:/+=@-]{1,128}", re.ASCII)

_EVERYWHERE = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", "ETag, Retry-After, X-Request-ID"),
    ("Vary", "Accept-Encoding"),
]
_PREFLIGHT = [
    ("Access-Control-Allow-Methods", "GET, HEAD, POST"),
    ("Access-Control-Allow-Headers", "Content-Type, If-None-Match, X-Request-ID"),
    ("Access-Control-Max-Age", "86400"),
]

Environ = dict[str, Any]
Headers = list[tuple[str, str]]


class Delivered(NamedTuple):
    """A response."""

    status: str
    headers: Headers
    body: bytes


class Delivery:
    """A WSGI application around one; `shortcut` answers what need not go there."""

    def __init__(
        self,
        app: Callable[[Environ, Callable[..., Any]], Iterable[bytes]],
        shortcut: Callable[[Environ], Delivered | None],
        *,
        log: bool,
    ) -> None:
        self._app = app
        self._shortcut = shortcut
        self._log = log

    def __call__(self, environ: Environ, start_response: Callable[[str, Headers], object]) -> Iterable[bytes]:
        """As WSGI has it."""
        environ[BEGAN] = perf_counter()
        status, headers, body = self.at_once(environ) or self.respond(environ)
        start_response(status, headers)
        return [body]

    def at_once(self, environ: Environ) -> Delivered | None:
        """The response to a request for what is in memory; None where the app has to answer."""
        answered = self._shortcut(environ)
        if answered is None:
            return None
        _identify(environ)
        return self._delivered(environ, answered)

    def respond(self, environ: Environ) -> Delivered:
        """What the app responds, whenever it does."""
        _identify(environ)
        start = _Start()
        chunks: Any = self._app(environ, start)
        with closing(chunks):
            return self._delivered(environ, Delivered(start.status, start.headers, b"".join(chunks)))

    def _delivered(self, environ: Environ, answered: Delivered) -> Delivered:
        status, headers, body = answered
        headers += _EVERYWHERE
        headers.append(("X-Request-ID", environ[logs.ID]))
        if environ["REQUEST_METHOD"] == "OPTIONS":
            headers += _PREFLIGHT
        if len(body) >= COMPRESSED_FROM and _GZIP_ACCEPTED.search(environ.get("HTTP_ACCEPT_ENCODING", "")):
            headers, body = _compressed(headers, body)
        self._note(environ, status, len(body))
        return Delivered(status, headers, body)

    def _note(self, environ: Environ, status: str, size: int) -> None:
        seconds = perf_counter() - environ[BEGAN]
        route = environ.get(ROUTE) or "other"
        metrics.count(environ["REQUEST_METHOD"], route, status[:3], seconds)
        if self._log:
            logs.log_request(environ, route, int(status[:3]), seconds, size, environ.get(SOURCE))


def _identify(environ: Environ) -> None:
    """Give a request the id that it has in its response and in the log."""
    given = environ.get("HTTP_X_REQUEST_ID")
    environ[logs.ID] = given if given is not None and _SANE_ID.fullmatch(given) else secrets.token_hex(8)


class _Start:
    """WSGI's start_response."""

    __slots__ = ("headers", "status")

    def __call__(self, status: str, headers: Headers, _exc_info: object = None) -> None:
        self.status = status
        self.headers = headers


def _compressed(headers: Headers, body: bytes) -> tuple[Headers, bytes]:
    """Fewer bytes, where that is worth it. A tag is of the bytes that it came with, so it gets weak."""
    given = {name.lower(): value for name, value in headers}
    if not given.get("content-type", "").startswith(_COMPRESSIBLE):
        return headers, body
    body = zlib.compress(body, 1, _GZIP)
    changed = {"Content-Length": str(len(body))}
    if "etag" in given:
        changed["ETag"] = f"W/{given['etag']}"
    return [(name, changed.get(name, value)) for name, value in headers] + [("Content-Encoding", "gzip")], body
