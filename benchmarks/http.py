"""Requests per second of the lookup, beside those of a route that does nothing; and the latency of the slowest.

The app has one more route here, which answers `{}`: through Flask as every route, and without a thread as a
lookup. It is served as `make serve` does, its log and metrics included (the log goes to a file), by one worker
on one processor or by two on both. With one worker the client, on another processor, keeps eight connections
alive over loopback and a request waiting on each, so that the server never waits for it. With two, client and
service share both processors: 64 connections, a request under way on each, and the latency is from the last
byte sent to the last byte received. Every lookup asks for another state, drawn uniformly. Runs of different
kinds take turns, and a share is that of two neighbouring runs; one run of each before the others is not
counted. A batch is 10,000 random states in one POST, one after another on one connection; the client reads
every answer to its end. The *bare handler* is a function that granian calls in a server of its own,
with no app and no framework: it answers `{}` to everything, the least that a worker can do in Python. Measuring
begins when kernels have been compiled. *A part in memory*: of turnstile's 530 MB of distances, 64 MB are in
memory, and none mapped. *Beside searches*: each worker runs as many searches as it may, of turnstile-sixths
without a table or of random states of the Puzzler with its patterns. Panguru's packed distances, 5.1 GB, are
mapped, and stay in the machine's memory if it is that large.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from itertools import cycle, islice, repeat
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event, Thread
from typing import Any, NamedTuple
from urllib.parse import quote

import numpy as np

from benchmarks.build import alone
from benchmarks.figures import Figure, Measured
from benchmarks.lookup import texts
from puzzlebase.db.block_cache import DEFAULT_MEMORY
from puzzlebase.paths import CACHE, NOWHERE
from puzzlebase.puzzles import find
from puzzlebase.service.http import rsgi
from puzzlebase.service.http.server import serve
from puzzlebase.service.http.settings import Settings
from puzzlebase.service.sources.budget import SearchLimits
from puzzlebase.service.sources.sources import Sources

_HOST = "127.0.0.1"
_LOOKED_UP = ("avenger", "turnstile", "panguru")
_TABLES = (*_LOOKED_UP, "puzzler-edges")
_RUNS = 31
_SECONDS = 0.5
_BATCH = 10_000
_BATCH_RUNS = 9
_CONNECTIONS = 8
_MANY = 64
_MANY_RUNS = 9
_MANY_SECONDS = 2.0
_DRAWN = 20_000
_PART = 850_000_000  # of a worker: an eighth of what it has for tables are 64 MB
_SETTLE = 3.0
_PATIENCE = 60.0
"""Seconds that the server may take to start, or to answer."""


class _Server(rsgi.Server):
    """The service, with the empty route answered on the event loop as lookups are."""

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        if scope.path == "/empty":
            environ = rsgi.environ_of(scope, rsgi.begun(scope))
            status, headers, body = self.app.middleware.respond(environ)
            protocol.response_bytes(int(status[:3]), headers, body)
        else:
            await super().__rsgi__(scope, protocol)


def create() -> rsgi.Server:
    """The service that granian loads, with one route more."""
    server = _Server(rsgi.create().app)

    @server.app.get("/empty")
    def empty() -> dict[str, str]:
        return {}

    return server


class _Bare:
    """An RSGI application that does nothing."""

    async def __rsgi__(self, _scope: object, protocol: Any) -> None:
        protocol.response_bytes(200, [("content-type", "application/json")], b"{}")


def create_bare() -> _Bare:
    """The application that granian loads in the other server."""
    return _Bare()


def measure(data: Path) -> Measured:
    """Needs the tables of avenger, turnstile and panguru and the Puzzler's patterns, and builds those missing."""
    with alone(_TABLES, data) as folder:
        tables = Sources(folder)
        lookups = {name: list(islice(_lookups(tables, name), _DRAWN)) for name in _LOOKED_UP}
        batches = {moves: cycle(_batches(tables, moves=moves)) for moves in (False, True)}
        del tables
        return {
            **_one_worker(data, cycle(lookups["avenger"]), batches),
            **_two_workers(folder, {name: cycle(some) for name, some in lookups.items()}),
        }


def _one_worker(data: Path, lookups: Iterator[bytes], batches: Mapping[bool, Iterator[bytes]]) -> Measured:
    processors = os.sched_getaffinity(0)
    empty = repeat(_request("/empty"))
    with ExitStack() as services:
        bare_port = services.enter_context(_serving(data, [min(processors)], app=create_bare))
        began = time.perf_counter()
        port = services.enter_context(_serving(data, [min(processors)]))
        started = time.perf_counter() - began
        time.sleep(_SETTLE)
        os.sched_setaffinity(0, {max(processors)})
        try:
            _, *runs = [(_rate(port, lookups), _rate(port, empty), _rate(bare_port, empty)) for _ in range(1 + _RUNS)]
            _, *many = [[_rate(port, batches[moves], 1) for moves in (False, True)] for _ in range(1 + _BATCH_RUNS)]
        finally:
            os.sched_setaffinity(0, processors)
    plain, with_moves = ([_BATCH * rate for rate in rates] for rates in zip(*many, strict=True))
    return {
        "Start of the service": [Figure("until it answers lookups", "s", [started], "", "105 s")],
        f"One worker, one connection, batches of {_BATCH:,} states": [
            Figure("distances", "states/s", plain, "≥ 1,200,000", "GamesmanPy 25,000"),
            Figure("distances and all moves", "states/s", with_moves, "≥ 100,000"),
        ],
        f"One worker, {_CONNECTIONS} connections, runs of {_SECONDS:g} s": [
            Figure("lookup", "requests/s", [lookup for lookup, _, _ in runs]),
            Figure("empty route", "requests/s", [empty for _, empty, _ in runs]),
            Figure("lookup's share", "%", [100 * lookup / empty for lookup, empty, _ in runs], "≥ 60"),
            Figure("bare handler of granian", "requests/s", [bare for _, _, bare in runs]),
            Figure("lookup's share of it", "%", [100 * lookup / bare for lookup, _, bare in runs], "≥ 50"),
        ],
    }


def _two_workers(data: Path, lookups: dict[str, Iterator[bytes]]) -> Measured:
    processors = sorted(os.sched_getaffinity(0))
    empty = repeat(_request("/empty"))
    drawn = np.random.default_rng(4)
    states = texts(Sources(data).table("turnstile"), drawn.integers(10**9, size=_BATCH))
    puzzler = find("puzzler")
    space = puzzler.space(puzzler.goal())
    oriented = [puzzler.text(index, puzzler.goal()) for index in drawn.integers(space.size, size=_BATCH).tolist()]
    searched = {"turnstile-sixths": states, "puzzler": oriented}
    beside = {}
    with _serving(data, processors) as port:
        time.sleep(_SETTLE)
        kinds = {"lookup": lookups["avenger"], "turnstile": lookups["turnstile"], "empty route": empty}
        large = _take_turns(port, {"panguru": lookups["panguru"]})["panguru"]
        runs = _take_turns(port, kinds)
        for name, some in searched.items():
            with _searching(port, name, some, len(processors) * SearchLimits.at_once):
                beside[name] = _take_turns(port, {"lookup": lookups["avenger"]}, 16)["lookup"]
    with _serving(data, processors, _PART, NOWHERE) as port:
        time.sleep(_SETTLE)
        part = _take_turns(port, {"turnstile": lookups["turnstile"]})["turnstile"]
    shares = [100 * one.rate / other.rate for one, other in zip(runs["lookup"], runs["empty route"], strict=True)]
    return {
        f"Two workers and the client on both processors, {_MANY} connections, runs of {_MANY_SECONDS:g} s": [
            *_figures("lookup", runs["lookup"], "≤ 25"),
            *_figures("empty route", runs["empty route"]),
            Figure("lookup's share", "%", shares, "≥ 60"),
            *_figures("lookup of turnstile, in memory", runs["turnstile"], "≤ 25"),
            *_figures("lookup of turnstile, a part in memory", part),
            *_figures("lookup of panguru, mapped", large, rate="≥ 8,000"),
        ],
        **{
            f"The same, 16 connections, beside searches of {name}": _figures("lookup", each, "≤ 50")
            for name, each in beside.items()
        },
    }


class _Run(NamedTuple):
    rate: float
    latencies: list[float]


def _take_turns(port: int, kinds: dict[str, Iterator[bytes]], width: int = _MANY) -> dict[str, list[_Run]]:
    runs: dict[str, list[_Run]] = {name: [] for name in kinds}
    for number in range(1 + _MANY_RUNS):
        for name, requests in kinds.items():
            run = _run(port, requests, width)
            if number:
                runs[name].append(run)
    return runs


def _figures(name: str, runs: list[_Run], target: str = "", rate: str = "") -> list[Figure]:
    """Requests per second and, in milliseconds, the median latency and the one that 1 of 100 exceeds."""
    parts = [np.percentile(run.latencies, (50, 99)) * 1000 for run in runs]
    return [
        Figure(name, "requests/s", [run.rate for run in runs], rate),
        Figure("- median", "ms", [float(half) for half, _ in parts]),
        Figure("- 99 of 100 within", "ms", [float(most) for _, most in parts], target),
    ]


def _lookups(tables: Sources, name: str) -> Iterator[bytes]:
    """Requests without end, each for another random state."""
    source = tables.table(name)
    random = np.random.default_rng(2)
    while True:
        for text in texts(source, random.integers(source.space.size, size=1_000)):
            yield _request(f"/v1/puzzles/{name}/lookup?state={quote(text, safe='')}")


def _batches(tables: Sources, *, moves: bool) -> list[bytes]:
    """Some requests for many random states each."""
    source = tables.table("avenger")
    random = np.random.default_rng(3)
    requests = []
    for _ in range(4):
        states = list(texts(source, random.integers(source.space.size, size=_BATCH)))
        body = json.dumps({"states": states, "moves": moves})
        header = f"POST /v1/puzzles/avenger/lookup HTTP/1.1\r\nHost: {_HOST}\r\nContent-Type: application/json\r\n"
        requests.append(f"{header}Content-Length: {len(body)}\r\n\r\n{body}".encode("ascii"))
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
    header = bytes(answer[:end]).lower()
    if not header.startswith(b"http/1.1 200 "):
        raise RuntimeError(f"the server answered {bytes(answer)!r}")
    length = int(header.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
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


def _run(port: int, requests: Iterator[bytes], width: int) -> _Run:
    """The same, but what is answered first is asked again first, and each request's latency is kept."""
    latencies: list[float] = []
    with ExitStack() as stack:
        ready = stack.enter_context(selectors.DefaultSelector())
        sent: dict[socket.socket, float] = {}
        for connection in [stack.enter_context(_connect(port)) for _ in range(width)]:
            ready.register(connection, selectors.EVENT_READ)
            connection.sendall(next(requests))
            sent[connection] = time.perf_counter()
        began = time.perf_counter()
        while (now := time.perf_counter()) - began < _MANY_SECONDS:
            for key, _ in ready.select(_PATIENCE):
                assert isinstance(key.fileobj, socket.socket)
                connection = key.fileobj
                _receive(connection)
                latencies.append(time.perf_counter() - sent[connection])
                connection.sendall(next(requests))
                sent[connection] = time.perf_counter()
        for connection in sent:
            _receive(connection)
    return _Run(len(latencies) / (now - began), latencies)


@contextmanager
def _searching(port: int, name: str, states: list[str], width: int) -> Iterator[None]:
    """So many searches of a puzzle's states under way, until the end of the block, where they are given up."""
    stop, body = Event(), json.dumps({"states": states}).encode("ascii")

    def search() -> None:
        while not stop.is_set():  # on a new connection, which may lead to the other worker
            connection = HTTPConnection(_HOST, port, timeout=_PATIENCE)
            with closing(connection), suppress(OSError, HTTPException):
                connection.request("POST", f"/v1/puzzles/{name}/lookup", body, {"Content-Type": "application/json"})
                answer = connection.getresponse()
                while answer.status == HTTPStatus.OK and answer.read(1) and not stop.is_set():
                    pass
            stop.wait(0.05)

    threads = [Thread(target=search, daemon=True) for _ in range(width)]
    for thread in threads:
        thread.start()
    time.sleep(_SETTLE)
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


# The server: a process of its own, `python -m benchmarks.http APP PORT PROCESSOR ...` with a worker for each
# processor, that stops when its standard input ends, so that it never outlives the benchmark.


@contextmanager
def _serving(
    data: Path,
    processors: list[int],
    memory: int = DEFAULT_MEMORY,
    cache: str = "",
    app: Callable[[], object] = create,
) -> Iterator[int]:
    """The port of a server that answers; it is stopped at the end."""
    with socket.create_server((_HOST, 0)) as unused:
        port = unused.getsockname()[1]
    command = [sys.executable, "-m", __name__, app.__name__, *map(str, (port, *processors))]
    environment = os.environ | Settings(data, memory).to_environment() | {CACHE: cache}
    with (
        TemporaryFile() as log,
        subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stderr=log) as server,  # noqa: S603 (ours)
    ):
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


def _serve(app: str, port: int, *processors: int) -> None:
    os.sched_setaffinity(0, processors)
    Thread(target=_stop_at_end_of_input, daemon=True).start()
    serve(Settings.from_environment(), _HOST, port, len(processors), app=f"{__package__}.http:{app}")


def _stop_at_end_of_input() -> None:
    """Reads past `sys.stdin`, whose lock, held when the worker forks, would hang the worker."""
    os.read(sys.stdin.fileno(), 1)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    _serve(sys.argv[1], *map(int, sys.argv[2:]))
