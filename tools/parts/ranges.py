"""Ranges of bytes of files, in a folder or behind an untrusted server of files over HTTP.

Connections are used again. A range is the 206 of RFC 9110. A server is refused if it answers otherwise, sends whole
files or redirects. No more is read than was requested.
"""

from __future__ import annotations

import socket
from collections import defaultdict
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from threading import Lock
from urllib.parse import SplitResult, quote, urlsplit
from weakref import finalize

from puzzlebase.puzzles.contract.errors import printable

_SILENCE = 6.0  # seconds in which a server must accept a connection or send something, if nobody gives up before
_REASONS = {404: "there is no such file", 416: "the file there is cut short"}
_HEADERS = {"Accept-Encoding": "identity", "User-Agent": "puzzlebase"}


class Unreadable(Exception):
    """A range cannot be read; the text says why."""


class ServerConnections:
    """Idle connections to servers; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._idle: defaultdict[tuple[str, str], list[HTTPConnection]] = defaultdict(list)
        self.close = finalize(self, _close, self._idle)

    def take(self, scheme: str, server: str) -> HTTPConnection:
        """Take an idle connection."""
        with self._lock:
            if idle := self._idle[scheme, server]:
                return idle.pop()
        return (HTTPSConnection if scheme == "https" else HTTPConnection)(server, timeout=_SILENCE)

    def give(self, scheme: str, server: str, connection: HTTPConnection) -> None:
        """Store a connection for the next request."""
        with self._lock:
            self._idle[scheme, server].append(connection)


def _close(idle: dict[tuple[str, str], list[HTTPConnection]]) -> None:
    for connections in idle.values():
        while connections:
            connections.pop().close()


class Range:
    """A range of bytes of one file. One thread reads it, and another may give up waiting."""

    def __init__(self, where: str, offset: int, size: int) -> None:
        self._where, self._offset, self._size = where, offset, size
        self._lock = Lock()
        self._connection: HTTPConnection | None = None
        self._given_up = False

    def read(self, connections: ServerConnections) -> bytes:
        """Read the bytes; raises Unreadable."""
        try:
            address = urlsplit(self._where)
            if address.scheme in ("http", "https"):
                return self._from_server(address, connections)
            return self._from_folder()
        except (OSError, HTTPException, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise Unreadable(printable(why[:200], "?")) from None

    def give_up(self) -> None:
        """Have `read` end soon, however slow the server is."""
        with self._lock:
            self._given_up = True
            if self._connection and self._connection.sock:
                with suppress(OSError):
                    socket.socket.shutdown(self._connection.sock, socket.SHUT_RDWR)  # of a TLS socket, what is below

    def _from_folder(self) -> bytes:
        with Path(self._where).open("rb") as file:
            file.seek(self._offset)
            content = file.read(self._size)
        if len(content) < self._size:
            raise Unreadable(_REASONS[416])
        return content

    def _from_server(self, address: SplitResult, connections: ServerConnections) -> bytes:
        server, path = (address.scheme, address.netloc), quote(address.path, safe="/%")  # what is encoded stays so
        connection = connections.take(*server)
        reused = connection.sock is not None
        try:
            self._use(connection)
            try:
                content = self._answered(connection, path)
            except ConnectionError:
                if not reused or self._given_up:
                    raise
                connection.close()  # the server had closed it; the next request opens it anew
                content = self._answered(connection, path)
        except BaseException:
            connection.close()
            raise
        finally:
            self._use(None)
        connections.give(*server, connection)
        return content

    def _use(self, connection: HTTPConnection | None) -> None:
        with self._lock:
            self._connection = connection

    def _answered(self, connection: HTTPConnection, path: str) -> bytes:
        wanted = f"{self._offset}-{self._offset + self._size - 1}"
        connection.request("GET", path, headers=_HEADERS | {"Range": f"bytes={wanted}"})
        with connection.getresponse() as answer:
            if answer.status == 200:
                raise Unreadable("the server sends whole files, not ranges of bytes")
            if answer.status != 206:
                raise Unreadable(f"status {answer.status}, {_REASONS.get(answer.status, 'where 206 was expected')}")
            stated = answer.headers["Content-Range"] or ""
            if answer.length != self._size or not stated.startswith(f"bytes {wanted}/"):
                raise Unreadable("the server sends other bytes than were asked for")
            content = answer.read(self._size)
        if len(content) < self._size:
            raise Unreadable("the connection broke off")
        return content
