"""Connections whose request was refused before all of its body had come are closed: granian would wait for the rest."""

from __future__ import annotations

import asyncio
import socket

from puzzlebase.service.http.limits import REFUSED_SECONDS
from puzzlebase.service.http.sockets import for_each_socket


class Refused:
    """The connections of this process that are to be closed, by the address of their client.

    A client has some time to take its answer: what it still sends would otherwise make the kernel throw that away. The
    sockets are looked through once for all that wait.
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
        for_each_socket(lambda opened: _close_if_of(opened, clients))


def _close_if_of(opened: socket.socket, clients: set[str]) -> None:
    if opened.family not in (socket.AF_INET, socket.AF_INET6):
        return
    host, port, *_ = opened.getpeername()
    if not clients.isdisjoint((f"{host}:{port}", f"[{host}]:{port}")):
        opened.shutdown(socket.SHUT_RDWR)
