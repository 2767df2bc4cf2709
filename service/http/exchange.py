"""A request and its response, as the server, the app and the log pass them on."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from random import getrandbits
from time import perf_counter
from typing import Any, NamedTuple

from puzzlebase.errors import ErrorWithHint

Environ = dict[str, Any]
Headers = list[tuple[str, str]]

KEY = (
    "puzzlebase.exchange"  # of a request's Exchange, the only thing of ours in its WSGI environment
)


@dataclass(slots=True)
class Exchange:
    """A request, with notes that the parts which serve it leave for one another."""

    id: str  # in the response and in the log
    began: float  # when its header came, by `time.perf_counter`
    method: str = "GET"
    path: str = ""  # in WSGI's form, one character for each byte; so is the query
    query: str = ""
    client: str | None = None  # the address that it came from
    # a header of it, by its name in small letters
    header: Callable[[str], str | None] = lambda _: None
    body: bytes | bytearray = b""
    scheme: str = "http"
    prefix: str = ""  # the beginning of the path that a proxy removed
    route: str = (
        "other"  # the address in the form of the documents; "other" for one that is not served
    )
    source: str | None = None  # of an answer about states: table, search, oracle or construction
    gone: Future[None] | None = None  # done when the client has left, if the server can tell
    refusal: ErrorWithHint | None = (
        None  # the error that the server found before the app saw the request
    )


class PlainResponse(NamedTuple):
    """A response for the server to send."""

    status: str
    headers: Headers
    body: bytes


def exchange_of(environ: Environ) -> Exchange:
    """The Exchange of a request, by its WSGI environment."""
    exchange: Exchange = environ[KEY]
    return exchange


_ACCEPTED_ID = re.compile(r"[\w.:/+=@-]{1,128}", re.ASCII)


def begin_exchange(
    method: str, path: str, query: str, client: str | None, header: Callable[[str], str | None]
) -> Exchange:
    """Begin the Exchange of a request.
    Its id is the caller's X-Request-ID if that is acceptable.
    """
    given = header("x-request-id")
    accepted = given if given and _ACCEPTED_ID.fullmatch(given) else f"{getrandbits(64):016x}"
    return Exchange(accepted, perf_counter(), method, path, query, client, header)


def begin_wsgi(environ: Environ) -> Exchange:
    """Put a new Exchange into a request's WSGI environment."""
    environ[KEY] = exchange = begin_exchange(
        environ["REQUEST_METHOD"],
        environ["PATH_INFO"],
        environ["QUERY_STRING"],
        environ.get("REMOTE_ADDR"),
        lambda name: environ.get(f"HTTP_{name.upper().replace('-', '_')}"),
    )
    return exchange
