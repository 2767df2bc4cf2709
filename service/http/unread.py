"""Connections whose client takes nothing of what was sent are closed by the kernel: granian would keep them."""

from __future__ import annotations

import socket

from puzzlebase.service.http.limits import UNREAD_SECONDS
from puzzlebase.service.http.sockets import for_each_socket


def close_unread_connections() -> None:
    """Have the kernel close connections to this process whose client has taken nothing for UNREAD_SECONDS.

    A connection has the settings of the socket that accepted it. Does nothing where the system has no such setting: it
    is Linux's.
    """
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        for_each_socket(_set_if_listening)


def _set_if_listening(opened: socket.socket) -> None:
    if opened.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * UNREAD_SECONDS)
