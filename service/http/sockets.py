"""The sockets of this process. granian has made them and does not show them, so they are looked for among the files."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def for_each_socket(action: Callable[[socket.socket], None]) -> None:
    """Do something with every open socket, which stays open; errors of the system are passed over.

    Does nothing where the system has no folder of open files.
    """
    with suppress(OSError):
        for file in Path("/dev/fd").iterdir():
            with suppress(OSError):  # most are no sockets
                opened = socket.socket(fileno=int(file.name))
                try:
                    action(opened)
                finally:
                    opened.detach()
