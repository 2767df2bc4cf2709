"""`puzzlebase serve`: the app under granian, in several workers that share the page cache."""

from __future__ import annotations

import logging
import os
import resource
import signal
import socket
from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from tempfile import TemporaryDirectory
from threading import Thread, Timer
from time import sleep

import click
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import MPServer

from puzzlebase.paths import cache_folder
from puzzlebase.service.http.limits import IDLE_SECONDS, MAX_CONNECTIONS, MAX_HEADER, STOP_SECONDS
from puzzlebase.service.http.logs import CONFIGURATION
from puzzlebase.service.http.settings import BESIDE_MEMORY, Settings
from puzzlebase.terminal_text import fold_line

_APP = "puzzlebase.service.http.rsgi:rsgi_service"
_OF_THIS_MACHINE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- every address of the machine: one to connect to
_POLL = 0.05  # seconds between two attempts to connect to a worker


class _Service(MPServer):
    """granian.
    With a time-out of its own for workers that stop it warns of those that have just ended, too.
    """

    def shutdown(self, exit_code: int = 0) -> None:
        """Stop, and end the workers whose last answers take too long."""
        late = Timer(STOP_SECONDS, lambda: [worker.kill() for worker in self.wrks])  # type: ignore[no-untyped-call]
        late.daemon = True
        late.start()
        super().shutdown(exit_code)  # type: ignore[no-untyped-call]


def serve(settings: Settings, host: str, port: int, workers: int) -> None:
    """Serve until stopped, print the address, and end the process. A worker that dies is replaced.

    Raises OSError if the address cannot be used, or another program listens there.
    """
    address = _free(host, port)
    with TemporaryDirectory(prefix="puzzlebase-") as folder:
        os.environ |= settings.to_environment()
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = (
            folder  # no process has imported metrics.py yet, which reads it
        )
        _, most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(OSError, ValueError):  # macOS may refuse the number that it states
            resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files))
        Thread(target=_announce, args=(address, port), name="announce", daemon=True).start()
        server = _Service(
            _APP,
            factory=True,
            address=address,
            port=port,
            interface=Interfaces.RSGI,
            # in its automatic mode a connection that sends nothing stays for ever
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(
                header_read_timeout=1000 * IDLE_SECONDS, max_buffer_size=MAX_HEADER
            ),
            websockets=False,
            workers=workers,
            backlog=MAX_CONNECTIONS,
            backpressure=MAX_CONNECTIONS,
            respawn_failed_workers=True,
            log_dictconfig=CONFIGURATION,
            # its lines about a start and a stop would hide the line with the address
            log_level=LogLevels.warning,
        )
        log = logging.getLogger(__name__)
        if not ip_address(address).is_loopback:
            log.warning(
                "%s can be reached from elsewhere: put nginx or Caddy before it, as in deploy/",
                address,
            )
        cached = cache_folder(settings.data)
        if settings.log:
            log.info(
                "serving %s at %s: %d workers, each holds up to %d MiB (--memory) and takes "
                "up to %d MiB beside; their tables are %s",
                settings.data,
                _base(address, port),
                workers,
                settings.memory >> 20,
                BESIDE_MEMORY >> 20,
                f"mapped from {cached}, one copy for all" if cached else "copies of their own",
            )
        if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # granian handles it all the same
            server.on_startup(partial(signal.signal, signal.SIGINT, signal.SIG_IGN))
        with suppress(SystemExit):  # with status 1, if workers have ended by themselves
            server.serve()
    # Python's own end takes 0.15 s of a processor, longer beside others
    failed = bool(server.interrupt_children) and not server.interrupt_signal
    os._exit(failed)


def _free(host: str, port: int) -> str:
    """The number of a host's address, of IPv4 if it has one.
    Raises OSError if another program listens there.

    Workers share the port, and a service left running would share it too.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, _, _, _, where = min(found, key=lambda each: each[0] != socket.AF_INET)
        with socket.socket(family) as probe:
            # connections that have ended do not matter
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"{host}:{port}") from error
    return str(where[0])


def _base(address: str, port: int) -> str:
    """The URL of an address; a number of IPv6 is in brackets."""
    host = f"[{address}]" if ":" in address else address
    return f"http://{host}:{port}"


def _announce(address: str, port: int) -> None:
    """Print the address when a worker listens, which it does when its tables are open."""
    address = _OF_THIS_MACHINE.get(address, address)
    while True:
        with suppress(OSError):
            socket.create_connection((address, port), timeout=1).close()
            break
        sleep(_POLL)
    base = _base(address, port)
    with suppress(OSError):  # nobody reads it
        click.echo(
            fold_line(f"Puzzlebase answers at {base}/ and explains its addresses at {base}/docs")
        )
