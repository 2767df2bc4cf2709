"""A request and its response on their way between the server, the app and the log."""

from __future__ import annotations

import re
import secrets
from concurrent.futures import Future
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

from puzzlebase.service.error_status import Refusal
from puzzlebase.service.http.connection.room import Room

Environ = dict[str, Any]
Headers = list[tuple[str, str]]

KEY = "puzzlebase.exchange"
"""The key of a request's WSGI environment that holds its Exchange: the only key of ours there."""

_ACCEPTED_ID = re.compile(r"[\w.:/+=@-]{1,128}", re.ASCII)


@dataclass(slots=True)
class Exchange:
    """What the parts that serve one request tell each other about it."""

    id: str
    """The request's id in its response and in the log."""

    began: float
    """When the head of the request came, by `time.perf_counter`."""

    route: str = "other"
    """The address as the documents write it; "other" for an address that is not served."""

    source: str | None = None
    """Where an answer about states came from: table, search or oracle."""

    gone: Future[None] | None = None
    """Done when the client has left, where the server can tell."""

    room: Room | None = None
    """Where a large answer is counted until it is read, where the server holds it itself."""

    refusal: Refusal | None = None
    """The error that the server found before the app saw the request."""


class PlainResponse(NamedTuple):
    """A response as the server sends it."""

    status: str
    headers: Headers
    body: bytes


def begin(environ: Environ) -> Exchange:
    """Put a new Exchange into a request's environment. The caller's X-Request-ID is its id, if that is acceptable."""
    given: str = environ.get("HTTP_X_REQUEST_ID", "")
    accepted = given and _ACCEPTED_ID.fullmatch(given)
    environ[KEY] = exchange = Exchange(given if accepted else secrets.token_hex(8), perf_counter())
    return exchange


def exchange_of(environ: Environ) -> Exchange:
    """The Exchange of a request that has begun."""
    exchange: Exchange = environ[KEY]
    return exchange
