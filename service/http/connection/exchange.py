"""A request and its response on their way between the server, the app and the log."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from puzzlebase.service.error_status import Refusal
from puzzlebase.service.http.connection.byte_budget import ByteBudget

Environ = dict[str, Any]
Headers = list[tuple[str, str]]

KEY = "puzzlebase.exchange"
"""The key of a request's WSGI environment that holds its Exchange: the only key of ours there."""


class Transport(Protocol):
    """Takes a response, for granian."""

    def response_bytes(self, status: int, headers: Headers, body: bytes) -> None:
        """Send a whole response."""

    def response_file(self, status: int, headers: Headers, file: str) -> None:
        """Send a response whose body is read from a file."""


@dataclass(slots=True)
class Exchange:
    """A request, and what the parts that serve it tell each other about it.

    Attributes:
        id: that of the request in its response and in the log.
        began: when its header came, by `time.perf_counter`.
        path: as WSGI has it, each character for one byte; so is the query.
        client: the address that the request came from.
        header: a header of the request by its name in small letters.
        route: the address as the documents write it; "other" for an address that is not served.
        source: where an answer about states came from: table, search or oracle.
        gone: done when the client has left, where the server can tell.
        budget: where a large answer is counted until it is read, where the server holds it itself.
        refusal: the error that the server found before the app saw the request.
    """

    id: str
    began: float
    method: str = "GET"
    path: str = ""
    query: str = ""
    client: str | None = None
    header: Callable[[str], str | None] = lambda _: None
    route: str = "other"
    source: str | None = None
    gone: Future[None] | None = None
    budget: ByteBudget | None = None
    refusal: Refusal | None = None


class PlainResponse(NamedTuple):
    """A response as the server sends it."""

    status: str
    headers: Headers
    body: bytes


def exchange_of(environ: Environ) -> Exchange:
    """The Exchange of a request that has begun."""
    exchange: Exchange = environ[KEY]
    return exchange
