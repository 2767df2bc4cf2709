"""`make serve`: the app under granian, some workers sharing the page cache."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from granian.constants import Interfaces
from granian.server import Server

from service.searches import SearchLimits

APP = "service.app:create_app"


def serve(
    data: Path, host: str, port: int, workers: int, memory: int, limits: SearchLimits | None = None, app: str = APP
) -> None:
    """Serve until stopped. Each worker opens the tables for itself and is replaced if it dies.

    `app` names the factory of the application, as module:function. A request that waits for a search
    holds a thread, so there are as many more of these as searches may run.
    """
    limits = limits or SearchLimits()
    os.environ["PUZZLEBASE_DATA"] = str(data)
    os.environ["PUZZLEBASE_MEMORY"] = str(memory)
    limits.configure()
    Server(
        app,
        factory=True,
        address=socket.gethostbyname(host),
        port=port,
        interface=Interfaces.WSGI,
        workers=workers,
        blocking_threads=2 + limits.at_once,
        respawn_failed_workers=True,
        workers_kill_timeout=3,  # a worker that is still starting does not hear the first signal
    ).serve()
