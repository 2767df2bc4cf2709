"""Requests per second of the lookup, beside those of a route that does nothing.

The app has one more route here, which answers `{}`. It is served as the service is, by one worker on
one processor; the client, on another one of the same machine, keeps eight connections alive over
loopback and a request waiting on each, so that the server never waits for it. Every lookup asks for
another state of avenger, drawn uniformly. The two routes take turns, and the share is that of two
neighbouring runs; one run of each before the others is not counted. A batch is 10,000 random states
in one POST, one after another on one connection; the client reads every answer to its end.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle, repeat
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import numpy as np
from apiflask import APIFlask

from benchmarks.build import need
from benchmarks.figures import Figure, Measured
from benchmarks.lookup import avenger, texts
from db import DEFAULT_MEMORY
from service import app as service
from service.server import serve
from service.tables import Tables

_HOST = "127.0.0.1"
_RUNS = 31
_SECONDS = 0.5
_BATCH = 10_000
_BATCH_RUNS = 9
_CONNECTIONS = 8
_PATIENCE = 60.0
"""Seconds that the server may take to start, or to answer."""


def create_app() -> APIFlask:
    """The service with the empty route."""
    app = service.create_app()

    @app.get("/empty")
    def empty() -> dict[str, str]:
        return {}

    return app


def measure(data: Path) -> Measured:
    """Needs the table of avenger, and builds it where it is missing."""
    need("avenger", data)
    processors = os.sched_getaffinity(0)
    lookups = _lookups(Tables(data))
    empty = repeat(_request("/empty"))
    batches = {moves: cycle(_batches(Tables(data), moves=moves)) for moves in (False, True)}
    began = time.perf_counter()
    with _serving(data, min(processors)) as port:
        started = time.perf_counter() - began
        os.sched_setaffinity(0, {max(processors)})
        try:
            _, *runs = [(_rate(port, lookups), _rate(port, empty)) for _ in range(1 + _RUNS)]
            _, *many = [[_rate(port, batches[moves], 1) for moves in (False, True)] for _ in range(1 + _BATCH_RUNS)]
        finally:
            os.sched_setaffinity(0, processors)
    plain, with_moves = ([_BATCH * rate for rate in rates] for rates in zip(*many, strict=True))
    return {
        "Start of the service": [Figure("until it answers lookups", "s", [started], "", "105 s")],
        f"One worker, one connection, batches of {_BATCH:,} states": [
            Figure("distances", "states/s", plain, "≥ 800,000", "GamesmanPy 25,000"),
            Figure("distances and all moves", "states/s", with_moves, "≥ 100,000"),
        ],
        f"One worker, {_CONNECTIONS} connections, runs of {_SECONDS:g} s": [
            Figure("lookup", "requests/s", [lookup for lookup, _ in runs]),
            Figure("empty route", "requests/s", [empty for _, empty in runs]),
            Figure("lookup's share", "%", [100 * lookup / empty for lookup, empty in runs], "≥ 60"),
        ],
    }


def _lookups(tables: Tables) -> Iterator[bytes]:
    """Requests without end, each for another random state."""
    opened = avenger(tables)
    random = np.random.default_rng(2)
    while True:
        for text in texts(opened, random.integers(opened.space.size, size=1_000)):
            yield _request(f"/v1/puzzles/avenger/lookup?state={quote(text, safe='')}")


def _batches(tables: Tables, *, moves: bool) -> list[bytes]:
    """Some requests for many random states each."""
    opened = avenger(tables)
    random = np.random.default_rng(3)
    requests = []
    for _ in range(4):
        states = list(texts(opened, random.integers(opened.space.size, size=_BATCH)))
        body = json.dumps({"states": states, "moves": moves})
        head = f"POST /v1/puzzles/avenger/lookup HTTP/1.1\r\nHost: {_HOST}\r\nContent-Type: application/json\r\n"
        requests.append(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode("ascii"))
    return requests


# The client.


def _request(address: str) -> bytes:
    return f"GET {address} HTTP/1.1\r\nHost: {_HOST}\r\n\r\n".encode("ascii")


def _connect(port: int) -> socket.socket:
    connection = socket.create_connection((_HOST, port), timeout=_PATIENCE)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _receive(connection: socket.socket) -> None:
    """Read one answer to its end, which its Content-Length gives; it has to be a good one."""
    answer = bytearray()
    while (end := answer.find(b"\r\n\r\n")) < 0:
        answer += _more(connection)
    head = bytes(answer[:end]).lower()
    if not head.startswith(b"http/1.1 200 "):
        raise RuntimeError(f"the server answered {bytes(answer)!r}")
    length = int(head.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
    left = end + len(b"\r\n\r\n") + length - len(answer)
    while left > 0:
        left -= len(_more(connection))


def _more(connection: socket.socket) -> bytes:
    if received := connection.recv(65_536):
        return received
    raise ConnectionError("the server closed the connection")


def _rate(port: int, requests: Iterator[bytes], width: int = _CONNECTIONS) -> float:
    """Answers per second on `width` connections, with a request always waiting on each but the one being read."""
    with ExitStack() as stack:
        connections = [stack.enter_context(_connect(port)) for _ in range(width)]
        for connection in connections:
            connection.sendall(next(requests))
        answers, began = 0, time.perf_counter()
        while (seconds := time.perf_counter() - began) < _SECONDS:
            for connection in connections:
                _receive(connection)
                connection.sendall(next(requests))
            answers += width
        for connection in connections:
            _receive(connection)
    return answers / seconds


# The server: a process of its own, `python -m benchmarks.http PORT PROCESSOR`, that stops when its
# standard input ends, so that it never outlives the benchmark.


@contextmanager
def _serving(data: Path, processor: int) -> Iterator[int]:
    """The port of a server that answers; it is stopped at the end."""
    with socket.create_server((_HOST, 0)) as unused:
        port = unused.getsockname()[1]
    command = [sys.executable, "-m", __name__, str(port), str(processor)]
    environment = os.environ | {"PUZZLEBASE_DATA": str(data)}
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE) as server:  # noqa: S603 (our own command)
        _await(server, port)
        yield port


def _await(server: subprocess.Popen[bytes], port: int) -> None:
    """Return once the server has answered a request."""
    began = time.monotonic()
    while server.poll() is None and time.monotonic() - began < _PATIENCE:
        try:
            with _connect(port) as connection:
                connection.sendall(_request("/healthz"))
                return _receive(connection)
        except ConnectionError:
            time.sleep(0.05)
    raise RuntimeError(f"the server did not answer within {_PATIENCE:g} s")


def _serve(port: int, processor: int) -> None:
    os.sched_setaffinity(0, {processor})
    Thread(target=_stop_at_end_of_input, daemon=True).start()
    serve(Path(os.environ["PUZZLEBASE_DATA"]), _HOST, port, 1, DEFAULT_MEMORY, app=f"{__package__}.http:create_app")


def _stop_at_end_of_input() -> None:
    """Reads past `sys.stdin`, whose lock, held when the worker forks, would hang the worker."""
    os.read(sys.stdin.fileno(), 1)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    _serve(*map(int, sys.argv[1:]))
