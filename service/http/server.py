"""`make serve`: the app under granian, some workers sharing the page cache."""

from __future__ import annotations

import os
import resource
import socket
from pathlib import Path
from tempfile import TemporaryDirectory

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server import Server

from service.http.logs import CONFIGURATION
from service.sources.budget import SearchLimits

APP = "service.http.rsgi:create"
CONNECTIONS = 8192
"""That a worker holds open at most; those that wait for nothing are closed after IDLE_SECONDS."""

IDLE_SECONDS = 30
_MOST_FILES = 1 << 16


def serve(
    data: Path,
    host: str,
    port: int,
    workers: int,
    memory: int,
    limits: SearchLimits | None = None,
    *,
    log: bool = True,
    app: str = APP,
) -> None:
    """Serve until stopped. Each worker opens the tables for itself and is replaced if it dies.

    `app` names the factory of what granian loads, as module:function; `log` asks for a line a request.
    Raises OSError where there is no such address to listen at, or another program does.
    """
    address = _free(host, port)
    limits = limits or SearchLimits()
    limits.configure()
    with TemporaryDirectory(prefix="puzzlebase-") as counted:
        os.environ |= {
            "PUZZLEBASE_DATA": str(data),
            "PUZZLEBASE_MEMORY": str(memory),
            "PUZZLEBASE_LOG": "1" if log else "",
            "PROMETHEUS_MULTIPROC_DIR": counted,  # before any process imports what counts
        }
        _allow_files()
        Server(
            app,
            factory=True,
            address=address,
            port=port,
            interface=Interfaces.RSGI,
            http=HTTPModes.http1,  # in its automatic mode a connection that says nothing stays for ever
            http1_settings=HTTP1Settings(header_read_timeout=1000 * IDLE_SECONDS, max_buffer_size=_HEAD),
            websockets=False,
            workers=workers,
            backlog=_BACKLOG,
            backpressure=CONNECTIONS,
            respawn_failed_workers=True,
            respawn_interval=0.5,
            workers_kill_timeout=3,  # a worker that is still starting does not hear the first signal
            log_dictconfig=CONFIGURATION,
        ).serve()


def _free(host: str, port: int) -> str:
    """The number of a host's address, if nobody listens at this port of it.

    The workers share the port, and so would a service that another command has left running: each would get
    some of the requests.
    """
    try:
        address = socket.gethostbyname(host)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections that have ended do not matter
            probe.bind((address, port))
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"{host}:{port}") from error
    return address


_BACKLOG = 4096
_HEAD = 1 << 16  # bytes; by default a client that never ends its head may have the server hold 400 kB of it


def _allow_files() -> None:
    """As many open files as this process may have: a connection is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if most == resource.RLIM_INFINITY else min(most, _MOST_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
