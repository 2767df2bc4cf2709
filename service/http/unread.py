"""Connections whose client takes nothing of what was sent are closed by the kernel: granian would keep them."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path

from puzzlebase.service.http.limits import UNREAD_SECONDS


def close_unread_connections() -> None:
    """Have the kernel close connections to this process whose client has taken nothing for UNREAD_SECONDS.

    A connection has the settings of the socket that accepted it. granian has made that one and does not show it, so
    it is looked for among the open files. Does nothing where the system has no such setting: it is Linux's.
    """
    if not hasattr(socket, "TCP_USER_TIMEOUT"):
        return
    for file in Path("/dev/fd").iterdir():
        with suppress(OSError):  # most are no sockets
            _set_if_listening(socket.socket(fileno=int(file.name)))


def _set_if_listening(opened: socket.socket) -> None:
    try:
        if opened.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * UNREAD_SECONDS)
    finally:
        opened.detach()
