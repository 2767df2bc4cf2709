"""Connections whose request was refused before all of its body had come are closed: granian would wait for the rest."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from pathlib import Path

from puzzlebase.service.http.limits import REFUSED_SECONDS


class Refused:
    """The connections of this process that are to be closed, by the address of their client.

    A client has some time to take its answer: what it still sends would otherwise make the kernel throw that away.
    granian does not show its sockets, so they are looked for among the open files, once for all that wait. Does nothing
    where the system has no folder of them.
    """

    def __init__(self) -> None:
        self._clients: set[str] = set()

    def close(self, client: str) -> None:
        """Close the connection of a client, host:port, in a while; to be called on the event loop."""
        if not self._clients:
            asyncio.get_running_loop().call_later(REFUSED_SECONDS, self._close_all)
        self._clients.add(client)

    def _close_all(self) -> None:
        clients, self._clients = self._clients, set()
        with suppress(OSError):
            for file in Path("/dev/fd").iterdir():
                with suppress(OSError):  # most are no sockets, or have no other end
                    _close_if_of(socket.socket(fileno=int(file.name)), clients)


def _close_if_of(opened: socket.socket, clients: set[str]) -> None:
    try:
        if opened.family not in (socket.AF_INET, socket.AF_INET6):
            return
        host, port, *_ = opened.getpeername()
        if not clients.isdisjoint((f"{host}:{port}", f"[{host}]:{port}")):
            opened.shutdown(socket.SHUT_RDWR)
    finally:
        opened.detach()
