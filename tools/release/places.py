"""Where a release is read: a folder, or an address of the web. Both give any file of it from any byte on."""

from __future__ import annotations

import socket
import ssl
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Self, cast
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import (
    AbstractHTTPHandler,
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
from puzzlebase.db.errors import MissingTable
from puzzlebase.tools.release.manifest import MANIFEST, MOST_BYTES_OF_A_MANIFEST

_PIECE = 1 << 20
_PATIENCE = 60
"""Seconds that a server may be silent, or send less of a file than the least rate."""
_LEAST_RATE = 1000
"""Bytes of a file in a second."""

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
        with _reading(address), _Transfer() as transfer:
            request = Request(address, headers=headers)  # noqa: S310 -- the opener knows http and https alone
            try:
                answer = cast("HTTPResponse", _opener(transfer).open(request, timeout=_PATIENCE))
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
                    transfer.came += len(some)
                    yield at, some
                    at += len(some)


class _Transfer:
    """One file on its way, given up where it comes too slowly, whatever else the server says meanwhile.

    `came` is how many bytes of the file have come. At the end TimeoutError is raised if it was given up.
    """

    def __init__(self) -> None:
        self.came = 0
        self._lock = Lock()
        self._sockets: list[socket.socket] = []
        self._given_up = False
        self._ended = Event()

    def connect(self, *where: Any) -> socket.socket:
        """A socket that is shut down when the transfer is given up; the arguments are those of create_connection."""
        made = socket.create_connection(*where)
        with self._lock:
            self._sockets.append(made.dup())  # TLS takes the first one over
            if self._given_up:
                self._shut_down()
        return made

    def __enter__(self) -> Self:
        Thread(target=self._watch, name="transfer", daemon=True).start()
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        with self._lock:
            self._ended.set()
            for each in self._sockets:
                each.close()
            self._sockets.clear()
        if self._given_up:
            raise TimeoutError(f"less than {_LEAST_RATE:,} bytes a second came for {_PATIENCE} s") from error

    def _watch(self) -> None:
        """Look every _PATIENCE seconds how much has come. They are counted one by one: a stopped process counts one."""
        before = 0
        while not any(self._ended.wait(1) for _ in range(_PATIENCE)):
            with self._lock:
                if self.came - before < _LEAST_RATE * _PATIENCE and not self._ended.is_set():
                    self._given_up = True
                    self._shut_down()
            before = self.came

    def _shut_down(self) -> None:
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


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
        fp.close()  # else all of its body would be read
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _Handler(AbstractHTTPHandler):
    """Opens connections for one transfer."""

    def __init__(self, transfer: _Transfer) -> None:
        super().__init__()
        self._transfer = transfer

    def do_open(self, http_class: Any, req: Request, **options: Any) -> HTTPResponse:
        """As the base class does, by a socket of the transfer."""

        def made(*where: Any, **how: Any) -> HTTPConnection:
            connection: HTTPConnection = http_class(*where, **how)
            connection._create_connection = self._transfer.connect  # type: ignore[attr-defined]  # noqa: SLF001 -- there is no public way
            return connection

        return super().do_open(made, req, **options)


class _HttpHandler(_Handler, HTTPHandler):
    """For http."""


class _HttpsHandler(_Handler, HTTPSHandler):
    """For https."""


def _opener(transfer: _Transfer) -> OpenerDirector:
    """What opens addresses of the web and nothing else: no files, no FTP."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        _HttpHandler(transfer),
        _HttpsHandler(transfer),
        HTTPDefaultErrorHandler(),
        _Redirects(),
        HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener
