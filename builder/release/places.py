"""Where a release is read: a folder, or an address of the web. Both give any file of it from any byte on."""

from __future__ import annotations

import ssl
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import cast
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from puzzlebase.builder.publishing import BuildError
from puzzlebase.db import MANIFEST, MOST_BYTES_OF_A_MANIFEST, MissingTable

_PIECE = 1 << 20
_PATIENCE = 60.0
"""Seconds that a server may be silent."""

AGAIN = "run the same command again, which goes on where this one stopped"
"""The remedy for what is not the file's fault."""


class Place(ABC):
    """Where a release lies; `name` is what the user calls it."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def read(self, file: str, offset: int = 0) -> Iterator[tuple[int, bytes]]:
        """The bytes of a file from `offset` on, or from 0 where that cannot be, in pieces, each with where it lies.

        Raises MissingTable where there is no such file, BuildError where it cannot be read.
        """

    def manifest(self) -> bytes:
        """The content of the manifest, as far as one may be long; raises MissingTable and BuildError."""
        content = b""
        for _, some in self.read(MANIFEST):
            content += some
            if len(content) > MOST_BYTES_OF_A_MANIFEST:
                raise BuildError(f"the manifest at {self.name!r} has no end", "take another --from")
        return content

    def _missing(self, file: str) -> MissingTable:
        return MissingTable(
            f"there is no {file!r} at {self.name!r}",
            "--from takes the folder that `puzzlebase release` wrote, or the address where that is served",
        )


def place_of(name: str) -> Place:
    """The place that a user names: http and https are addresses, anything else is a folder."""
    scheme = urlsplit(name).scheme.lower() if "://" in name else ""
    if scheme in ("http", "https"):
        return _Web(name)
    if scheme:
        raise MissingTable(
            f"{name!r} cannot be fetched from", "--from takes a folder, or an address with http or https"
        )
    return _Folder(name)


class _Folder(Place):
    def read(self, file: str, offset: int = 0) -> Iterator[tuple[int, bytes]]:
        path = Path(self.name) / file
        if not path.is_file():
            raise self._missing(file)
        try:
            with path.open("rb") as source:
                source.seek(offset)
                while some := source.read(_PIECE):
                    yield offset, some
                    offset += len(some)
        except OSError as error:
            raise BuildError(f"{str(path)!r} cannot be read: {error.strerror or error}", AGAIN) from error


class _Web(Place):
    def read(self, file: str, offset: int = 0) -> Iterator[tuple[int, bytes]]:
        address = f"{self.name.rstrip('/')}/{quote(file)}"
        headers = {"Accept-Encoding": "identity", "User-Agent": "puzzlebase"}
        if offset:
            headers["Range"] = f"bytes={offset}-"
        with _reading(address):
            request = Request(address, headers=headers)  # noqa: S310 -- the opener knows http and https alone
            try:
                answer = cast("HTTPResponse", _opener().open(request, timeout=_PATIENCE))
            except HTTPError as error:
                error.close()
                if error.code in (404, 410):
                    raise self._missing(file) from None
                if error.code == 416:  # of what is there, there is no more
                    return
                raise _unreadable(address, f"{error.code} {error.reason}") from None
            with answer:
                at = offset if answer.status == 206 and _begins_at(answer, offset) else 0
                while some := answer.read1(_PIECE):
                    yield at, some
                    at += len(some)


def _begins_at(answer: HTTPResponse, offset: int) -> bool:
    return (answer.headers["Content-Range"] or "").startswith(f"bytes {offset}-")


@contextmanager
def _reading(address: str) -> Iterator[None]:
    """Turn what goes wrong on the way into BuildError."""
    try:
        yield
    except (URLError, HTTPException, TimeoutError, ConnectionError, ssl.SSLError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        why = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        raise _unreadable(address, why) from error


def _unreadable(address: str, why: str) -> BuildError:
    """An error with what a server or a library said, which is shown without signs that steer a terminal."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in why[:200])
    return BuildError(f"{address!r} cannot be read: {shown}", f"check the address and the network, then {AGAIN}")


class _Redirects(HTTPRedirectHandler):
    """Follows a redirection to another address of the web, and never one away from https."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        scheme = urlsplit(newurl).scheme
        if scheme not in ("http", "https") or (req.type == "https" and scheme == "http"):
            raise URLError(f"it leads to {newurl!r}, which is less safe")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener() -> OpenerDirector:
    """What opens addresses of the web and nothing else: no files, no FTP."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        HTTPHandler(),
        HTTPSHandler(),
        HTTPDefaultErrorHandler(),
        _Redirects(),
        HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener
