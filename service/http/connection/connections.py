"""The connections of this process; some are closed early.

granian shows no connection, so they are found among the open files. It would keep connections of clients that read
nothing, and wait for the rest of refused bodies. At its limit it accepts none until one ends, so a client that opens
many would shut all others out.
"""

from __future__ import annotations

import asyncio
import fcntl
import math
import os
import socket
import struct
import termios
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from heapq import nlargest
from pathlib import Path
from time import monotonic

from puzzlebase.service.http.connection.limits import LAST_SECONDS, MAX_CONNECTIONS, REFUSED_SECONDS, UNREAD_SECONDS
from puzzlebase.system import limit

_FILES = "/dev/fd"
_LOOK = 0.05  # seconds between two counts of the connections
_MANY, _FEWER = 3 / 4, 1 / 2  # shares of the most: when some are closed, and how many then stay, so that newcomers fit
_UNREAD = struct.calcsize("i")
_SILENT = struct.Struct("=44xI4xI")  # of Linux's tcp_info: milliseconds since data were last sent, and last received


def most_connections() -> int:
    """The most connections of this process. With no file left, granian would try to accept one again and again."""
    return min(MAX_CONNECTIONS, (limit("RLIMIT_NOFILE") or 2 * MAX_CONNECTIONS) // 2)


class AcceptedConnections:
    """The connections that this process has accepted, each known by its client, host:port.

    If there are too many, hosts with the most connections lose the longest silent ones, and `report` gets the number.
    Those in `busy`, fewer than half of `most`, stay. Only Linux tells enough for this; on other systems none is closed.
    """

    def __init__(self, report: Callable[[int], None]) -> None:
        self.most = most_connections()
        self.busy: set[str] = set()
        self.answered = 0.0  # when an answer was last passed to granian, whose own threads send it
        self._report = report
        self._other_files = 0
        self._listening: list[int] = []
        self._ports: set[int] = set()
        self._refused: set[str] = set()

    def begin(self) -> None:
        """Begin, on the event loop of a process that listens, to close unread and surplus connections."""
        for opened in _sockets(_files()):
            if opened.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                self._listening.append(opened.fileno())
                self._ports.add(opened.getsockname()[1])
                if hasattr(socket, "TCP_USER_TIMEOUT"):  # connections inherit it from the socket that accepts them
                    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * UNREAD_SECONDS)
        if self._listening and hasattr(socket, "TCP_INFO"):
            self._limiting = asyncio.get_running_loop().create_task(self._limit())

    def under_way(self) -> bool:
        """True if a connection is busy, or if something was answered, sent or received in the last second."""
        accepted = self._accepted(_files())
        return monotonic() - self.answered < LAST_SECONDS or any(
            client in self.busy or _silent(opened) < LAST_SECONDS for opened, client in accepted
        )

    def stop_listening(self) -> None:
        """Refuse new connections: a socket with an unknown port replaces granian's, which would close idle ones."""
        with socket.create_server(("127.0.0.1", 0)) as unknown:
            unknown.setblocking(False)
            for file in self._listening:
                os.dup2(unknown.fileno(), file, inheritable=False)

    def close_refused(self, client: str) -> None:
        """Close a client's connection later: now, the kernel would drop the answer if more of the body came."""
        if not self._refused:
            asyncio.get_running_loop().call_later(REFUSED_SECONDS, self._close_refused)
        self._refused.add(client)

    def _close_refused(self) -> None:
        refused, self._refused = self._refused, set()
        self._close(refused, _files())

    async def _limit(self) -> None:
        """Check on the event loop, which a thread would interrupt for longer; close in a thread."""
        while True:
            await asyncio.sleep(_LOOK)
            if _count() - self._other_files > self.most * _MANY:
                await asyncio.to_thread(self._close_surplus)

    def _close_surplus(self) -> None:
        """Rank the connections of each host by their silence, and close those of the highest rank."""
        files = _files()
        by_host: defaultdict[str, list[tuple[float, str, int]]] = defaultdict(list)
        for opened, client in self._accepted(files):
            by_host[client.rpartition(":")[0]].append((_silent(opened), client, opened.fileno()))
        count = sum(map(len, by_host.values()))
        self._other_files = len(files) - count
        if count <= self.most * _MANY:
            return
        ranked = [
            (rank, *one) for its in by_host.values() for rank, one in enumerate(sorted(its)) if one[1] not in self.busy
        ]
        surplus = nlargest(count - int(self.most * _FEWER), ranked)
        self._report(len(surplus))
        self._close({client for *_, client, _ in surplus}, [file for *_, file in surplus])

    def _close(self, clients: set[str], files: Iterable[int]) -> None:
        for opened, client in self._accepted(files):
            if client in clients:
                with suppress(OSError):
                    opened.shutdown(socket.SHUT_RDWR)

    def _accepted(self, files: Iterable[int]) -> Iterator[tuple[socket.socket, str]]:
        """The accepted connections among open files, each with its client."""
        for opened in _sockets(files):
            with suppress(OSError):
                if opened.getsockname()[1] in self._ports:
                    host, port = opened.getpeername()[:2]
                    yield opened, f"[{host}]:{port}" if opened.family == socket.AF_INET6 else f"{host}:{port}"


def _silent(opened: socket.socket) -> float:
    """Seconds since data last came or went; 0 if the system does not tell, or if unread data are here."""
    if not hasattr(socket, "TCP_INFO"):
        return 0.0
    try:
        if any(fcntl.ioctl(opened, termios.FIONREAD, bytes(_UNREAD))):
            return 0.0
        silent: tuple[int, int] = _SILENT.unpack(opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _SILENT.size))
    except OSError:  # it has just ended
        return math.inf
    return min(silent) / 1000


def _count() -> int:
    """The number of open files of this process; since 6.2 Linux knows it at once."""
    return Path(_FILES).stat().st_size or len(_files())


def _files() -> list[int]:
    """The numbers of the open files of this process; none if the system does not tell."""
    try:
        return [int(name) for name in os.listdir(_FILES)]  # noqa: PTH208, there may be thousands
    except OSError:
        return []


def _sockets(files: Iterable[int]) -> Iterator[socket.socket]:
    """The internet sockets among open files, which stay open."""
    for file in files:
        with suppress(OSError):  # most are no sockets
            opened = socket.socket(fileno=file)
            try:
                if opened.family in (socket.AF_INET, socket.AF_INET6):
                    yield opened
            finally:
                opened.detach()
