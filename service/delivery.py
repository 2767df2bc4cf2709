"""Between the server and the app: what every response is given, a problem too, and what is noted of it.

A request id, leave for pages of any origin, and compression of what is large; a line in the log, and the
counts. It is done here and not in Flask's hooks because headers are a plain list here: four of them cost
0.3 microseconds in place of 5.
"""

from __future__ import annotations

import re
import secrets
import zlib
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from time import perf_counter
from typing import Any, NamedTuple

from service import logs, metrics

BEGAN = "puzzlebase.began"
"""Where the environment of a request has when its head came, by `time.perf_counter`."""

ROUTE = "puzzlebase.route"
"""Where it has the address as the documents write it, None for one that is not served."""

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
    """A response. Its body is whole, or comes bit by bit and has to be closed."""

    status: str
    headers: Headers
    body: bytes | Generator[bytes, None, None]


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
        status, headers, body = self.respond(environ)
        start_response(status, headers)
        return [body] if isinstance(body, bytes) else body

    def respond(self, environ: Environ) -> Delivered:
        """The response to a request."""
        environ.setdefault(BEGAN, perf_counter())
        given = environ.get("HTTP_X_REQUEST_ID")
        environ[logs.ID] = given if given is not None and _SANE_ID.fullmatch(given) else secrets.token_hex(8)
        status, headers, body = self._shortcut(environ) or self._answered(environ)
        headers += _EVERYWHERE
        headers.append(("X-Request-ID", environ[logs.ID]))
        if environ["REQUEST_METHOD"] == "OPTIONS":
            headers += _PREFLIGHT
        if not isinstance(body, bytes):
            return Delivered(status, headers, self._noting(environ, status, body))
        if len(body) >= COMPRESSED_FROM and _GZIP_ACCEPTED.search(environ.get("HTTP_ACCEPT_ENCODING", "")):
            headers, body = _compressed(headers, body)
        self._note(environ, status, len(body))
        return Delivered(status, headers, body)

    def _answered(self, environ: Environ) -> Delivered:
        """What the app answers."""
        start = _Start()
        body = _sent(self._app(environ, start))
        if any(name == "Content-Length" for name, _ in start.headers) or start.status.startswith(("204", "304")):
            return Delivered(start.status, start.headers, b"".join(body))
        return Delivered(start.status, start.headers, body)

    def _noting(
        self, environ: Environ, status: str, body: Generator[bytes, None, None]
    ) -> Generator[bytes, None, None]:
        """The same chunks; noted when they end, or nobody wants more of them."""
        size = 0
        try:
            with closing(body):
                for chunk in body:
                    size += len(chunk)
                    yield chunk
        finally:
            self._note(environ, status, size)

    def _note(self, environ: Environ, status: str, size: int) -> None:
        seconds = perf_counter() - environ[BEGAN]
        route = environ.get(ROUTE) or "other"
        metrics.count(environ["REQUEST_METHOD"], route, status[:3], seconds)
        if self._log:
            logs.log_request(environ, route, int(status[:3]), seconds, size, environ.get(SOURCE))


def _sent(chunks: Any) -> Generator[bytes, None, None]:
    """What an application sends, closed at the end as WSGI has it."""
    with closing(chunks):
        yield from chunks


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
