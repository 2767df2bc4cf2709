"""`puzzlebase serve`: the app under granian, in several workers that share the page cache."""

from __future__ import annotations

import logging
import os
import resource
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import sleep

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server import Server

from puzzlebase.db.data_folder import cache_folder
from puzzlebase.service.http.connection.connections import most_connections
from puzzlebase.service.http.connection.heartbeat import watch_workers
from puzzlebase.service.http.connection.limits import IDLE_SECONDS, MAX_FILES, MAX_HEAD, MAX_UNACCEPTED
from puzzlebase.service.http.logs import CONFIGURATION
from puzzlebase.service.http.settings import BESIDE_MEMORY, Settings

_APP = "puzzlebase.service.http.rsgi:create"
_METRICS = "PROMETHEUS_MULTIPROC_DIR"
_OF_THIS_MACHINE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104, they are compared and not listened at
"""For what means every address of the machine, one by which the machine itself gets there."""
_POLL = 0.05
"""Seconds between two looks whether a worker accepts connections."""


def serve(settings: Settings, host: str, port: int, workers: int, *, app: str = _APP) -> None:
    """Serve until stopped. Each worker opens the tables for itself, and is replaced if it dies or hangs.

    When the first worker answers, one line on standard output says where. `app` is the function that makes what granian
    loads, as module:function. Raises OSError if there is no such address to listen at, or if another program listens
    there.
    """
    address = _free(host, port)
    with TemporaryDirectory(prefix="puzzlebase-") as folder:
        os.environ |= settings.to_environment()
        os.environ[_METRICS] = folder  # no process has imported metrics.py yet, which reads it
        _raise_file_limit()
        Thread(target=_announce, args=(address, port), name="announce", daemon=True).start()
        server = Server(
            app,
            factory=True,
            address=address,
            port=port,
            interface=Interfaces.RSGI,
            http=HTTPModes.http1,  # in its automatic mode a connection that says nothing stays for ever
            http1_settings=HTTP1Settings(header_read_timeout=1000 * IDLE_SECONDS, max_buffer_size=MAX_HEAD),
            websockets=False,
            workers=workers,
            backlog=MAX_UNACCEPTED,
            backpressure=most_connections(),
            respawn_failed_workers=True,
            respawn_interval=0.5,
            log_dictconfig=CONFIGURATION,
        )
        kept = cache_folder(settings.data)
        logging.getLogger(__name__).info(
            "serving %s at %s: %d workers, each holds up to %d MiB (--memory) and takes up to %d MiB beside; "
            "their tables are %s",
            settings.data,
            _base(address, port),
            workers,
            settings.memory >> 20,
            BESIDE_MEMORY >> 20,
            f"mapped from {kept}, one copy for all" if kept else "copies of their own",
        )
        os.register_at_fork(after_in_child=_end_when_told)
        # granian stops where a worker ends within seconds of its start, and others with it, even if it has answered.
        watch_workers(Path(folder), server.respawned_wrks.clear)
        server.serve()


def _end_when_told() -> None:
    """In a worker that starts: end at once when the service stops. A fork has the handler of the main process."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _free(host: str, port: int) -> str:
    """The number of a host's address, of IPv4 if it has one. Raises OSError if another program listens there.

    The workers share the port. A service that another command has left running would share it too, and get some of
    the requests.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, _, _, _, where = min(found, key=lambda each: each[0] != socket.AF_INET)
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections that have ended do not matter
            probe.bind(where)
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"{host}:{port}") from error
    return str(where[0])


def _base(address: str, port: int) -> str:
    """An address of the web, in which a number of IPv6 stands in brackets."""
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def _announce(address: str, port: int) -> None:
    """Wait until a worker listens, which it does when its tables are open, and say on standard output where."""
    address = _OF_THIS_MACHINE.get(address, address)
    while True:
        with suppress(OSError):
            socket.create_connection((address, port), timeout=1).close()
            break
        sleep(_POLL)
    base = _base(address, port)
    with suppress(OSError):  # nobody reads it
        sys.stdout.write(f"Puzzlebase answers at {base}/ and explains its addresses at {base}/docs\n")
        sys.stdout.flush()


def _raise_file_limit() -> None:
    """Allow this process as many open files as it may have, up to MAX_FILES: a connection is one.

    macOS refuses more than it has a limit for, which it does not tell here.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if most == resource.RLIM_INFINITY else min(most, MAX_FILES)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
