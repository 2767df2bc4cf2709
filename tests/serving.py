"""The service as `make serve` runs it,
in a process of its own, for the tests that need a socket.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import sample
from threading import Event
from typing import Any, NamedTuple

import psutil

from tests.waiting import PATIENCE, wait_until

COMMAND = Path(sys.executable).with_name("puzzlebase")


class Served(NamedTuple):
    """A running service, its folder and its main process."""

    address: str
    data: Path
    process: int

    def workers(self) -> list[psutil.Process]:
        """The processes that answer, by their number; not those that try files for them."""
        return sorted(psutil.Process(self.process).children(), key=lambda worker: worker.pid)

    def get(self, path: str) -> tuple[int, Any]:
        """Status and body of an answer, a problem too."""
        try:
            with urllib.request.urlopen(self.address + path, timeout=PATIENCE) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)


def free_port() -> int:
    """A port nobody listens on, and no client is given."""
    return next(port for port in sample(range(10_000, 32_768), 20) if not _listens(port))


def with_limits(**limits: float) -> list[str]:
    """A command before the service's that gives some of service/http/limits.py other values."""
    program = f"""
import sys
from puzzlebase.service.http import limits
vars(limits).update({limits!r})
del sys.argv[0]
from puzzlebase.command_line.main import main
main()
"""
    return [sys.executable, "-c", program]


def metrics(served: Served) -> dict[str, float]:
    """The values of /metrics, by name and labels."""
    with urllib.request.urlopen(f"{served.address}/metrics", timeout=PATIENCE) as response:
        lines = response.read().decode().splitlines()
    return {
        name: float(value)
        for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")
    }


def lookups(served: Served) -> float:
    """The number of lookups answered so far."""
    return metrics(served)[
        'puzzlebase_requests_total{method="GET",route="/v1/puzzles/{name}/lookup",status="200"}'
    ]


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


@contextmanager
def asking(served: Served, path: str = "/healthz") -> Iterator[list[float]]:
    """Ask all the time, on a connection for each request;
    after the block, the seconds that each answer took.
    """
    seconds: list[float] = []
    stop = Event()

    def ask() -> None:
        while not stop.wait(0.05):
            began = time.monotonic()
            with urllib.request.urlopen(served.address + path, timeout=PATIENCE) as response:
                assert response.status == 200
            seconds.append(time.monotonic() - began)

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        try:
            yield seconds
        finally:
            stop.set()
        asked.result(PATIENCE)


@contextmanager
def running(
    command: list[str | Path],
    port: int,
    errors: int | None = subprocess.DEVNULL,
    **environment: str,
) -> Iterator[int]:
    """The number of a server process, from when it accepts connections until the end of the block.

    `errors` is the file its standard error goes to, or None: the test's report.
    """
    server = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        start_new_session=True,
        env={**os.environ, **environment},
    )
    try:
        wait_until(
            lambda: server.poll() is not None or _listens(port), "the server accepts connections"
        )
        assert server.poll() is None, "the server ended"
        yield server.pid
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(PATIENCE)
        finally:
            if server.poll() is None:
                os.killpg(server.pid, signal.SIGKILL)


@contextmanager
def serving(
    data: Path,
    *options: str,
    errors: int | Path = subprocess.DEVNULL,
    before: Sequence[str | Path] = (),
    **environment: str,
) -> Iterator[Served]:
    """The service over a folder of tables, started by a command `before` it, once it is healthy.

    What it logs goes to `errors`, a file that is open or the path of one.
    """
    port = free_port()
    command: list[str | Path] = [
        *before,
        COMMAND,
        "--data",
        data,
        "serve",
        "--port",
        str(port),
        *options,
    ]
    with ExitStack() as stack:
        if isinstance(errors, Path):
            errors = stack.enter_context(errors.open("ab")).fileno()
        process = stack.enter_context(running(command, port, errors, **environment))
        served = Served(f"http://127.0.0.1:{port}", data, process)
        assert served.get("/healthz") == (200, {"status": "ok"})
        for _ in range(8):  # of either worker: it is answered when kernels are compiled
            served.get("/readyz")
        yield served
