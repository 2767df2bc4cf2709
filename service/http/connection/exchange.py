"""A request and its response on their way between the server, the app and the log."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, NamedTuple

from puzzlebase.service.error_status import Refusal
from puzzlebase.service.http.connection.byte_budget import ByteBudget

Environ = dict[str, Any]
Headers = list[tuple[str, str]]

KEY = "puzzlebase.exchange"
"""The key of a request's WSGI environment that holds its Exchange: the only key of ours there."""


@dataclass(slots=True)
class Exchange:
    """A request, and what the parts that serve it tell each other about it."""

    id: str
    """The request's id in its response and in the log."""

    began: float
    """When the head of the request came, by `time.perf_counter`."""

    method: str = "GET"

    path: str = ""
    """As WSGI has it: each character stands for one byte."""

    query: str = ""
    """The same."""

    client: str | None = None
    """The address that the request came from."""

    header: Callable[[str], str | None] = lambda _: None
    """A header of the request by its name in small letters."""

    route: str = "other"
    """The address as the documents write it; "other" for an address that is not served."""

    source: str | None = None
    """Where an answer about states came from: table, search or oracle."""

    gone: Future[None] | None = None
    """Done when the client has left, where the server can tell."""

    budget: ByteBudget | None = None
    """Where a large answer is counted until it is read, where the server holds it itself."""

    refusal: Refusal | None = None
    """The error that the server found before the app saw the request."""


class PlainResponse(NamedTuple):
    """A response as the server sends it."""

    status: str
    headers: Headers
    body: bytes


def exchange_of(environ: Environ) -> Exchange:
    """The Exchange of a request that has begun."""
    exchange: Exchange = environ[KEY]
    return exchange
