"""Requests per second of the lookup, the latency of the slowest, and distances a second in batches.

The service is as `make serve` runs it, its log and metrics included (the log goes to a file), with
two workers. Client and service share both processors: 64 connections over loopback, a request under
way on each, and the latency is from the last byte sent to the last byte received. Every lookup asks
for another state, drawn uniformly. Runs of different kinds take turns, and one run of each before
the others is not counted. A batch is 10,000 random states in one POST, one after another on one
connection; the client reads every answer to its end. Measuring begins when kernels have been
compiled. *Beside searches*: each worker runs as many searches as it may, of random states of the
Puzzler with its patterns. Panguru's packed distances, 5.1 GB, are mapped, and stay in the machine's
memory if it is that large.
"""

from __future__ import annotations

import json
import selectors
import socket
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import cycle, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import NamedTuple
from urllib.parse import quote

import httpx
import numpy as np

from benchmarks.build import alone
from benchmarks.figures import Figure, Measured
from benchmarks.lookup import random_texts
from puzzlebase.puzzles import find
from puzzlebase.service.sources.budget import SearchLimits
from tests.serving import serving

_HOST = "127.0.0.1"
_LOOKED_UP = ("avenger", "turnstile", "panguru")
_TABLES = (*_LOOKED_UP, "puzzler-edges")
_WORKERS = 2
_RUNS = 9
_SECONDS = 2.0
_BATCH = 10_000
_MANY = 64  # connections
_DRAWN = 20_000
_SETTLE = 3.0
_PATIENCE = 60.0
"""Seconds that the server may take to answer."""


def measure(data: Path) -> Measured:
    """Needs the tables of avenger,
    turnstile and panguru and the Puzzler's patterns, and builds those missing.
    """
    with alone(_TABLES, data) as folder, TemporaryDirectory() as logs, ExitStack() as stack:
        lookups = {name: cycle([*_lookups(folder, name)]) for name in _LOOKED_UP}
        batches = {moves: cycle([*_batches(folder, moves=moves)]) for moves in (False, True)}
        searched = _searched()
        served = stack.enter_context(
            serving(folder, "--workers", str(_WORKERS), errors=Path(logs, "log"))
        )
        port = int(served.address.rpartition(":")[2])
        time.sleep(_SETTLE)
        many = _take_turns(port, {str(moves): some for moves, some in batches.items()}, 1)
        runs = _take_turns(port, lookups)
        with _searching(port, searched, _WORKERS * SearchLimits.at_once):
            beside = _take_turns(port, {"lookup": lookups["avenger"]}, 16)["lookup"]
    plain, with_moves = ([_BATCH * run.rate for run in many[str(moves)]] for moves in (False, True))
    return {
        f"One connection, batches of {_BATCH:,} states": [
            Figure("distances", "states/s", plain, "≥ 1,200,000"),
            Figure("distances and all moves", "states/s", with_moves, "≥ 100,000"),
        ],
        (
            f"Two workers and the client on both processors, {_MANY} connections, runs of "
            f"{_SECONDS:g} s"
        ): [
            *_figures("lookup", runs["avenger"], "≤ 25"),
            *_figures("lookup of turnstile, in memory", runs["turnstile"], "≤ 25"),
            *_figures("lookup of panguru, mapped", runs["panguru"], rate="≥ 8,000"),
        ],
        "The same, 16 connections, beside searches of the Puzzler": _figures(
            "lookup", beside, "≤ 50"
        ),
    }


def _searched() -> list[str]:
    """Random states of the Puzzler, which are searched for."""
    puzzler = find("puzzler")
    size = puzzler.space(puzzler.goal()).size
    drawn = np.random.default_rng(4).integers(size, size=_BATCH)
    return [puzzler.text(index, puzzler.goal()) for index in drawn.tolist()]


class _Run(NamedTuple):
    rate: float
    latencies: list[float]


def _take_turns(
    port: int, kinds: Mapping[str, Iterator[bytes]], width: int = _MANY
) -> dict[str, list[_Run]]:
    runs: dict[str, list[_Run]] = {name: [] for name in kinds}
    for number in range(1 + _RUNS):
        for name, requests in kinds.items():
            run = _run(port, requests, width)
            if number:
                runs[name].append(run)
    return runs


def _figures(name: str, runs: list[_Run], target: str = "", rate: str = "") -> list[Figure]:
    """Requests per second and, in milliseconds,
    the median latency and the one that 1 of 100 exceeds.
    """
    parts = [np.percentile(run.latencies, (50, 99)) * 1000 for run in runs]
    return [
        Figure(name, "requests/s", [run.rate for run in runs], rate),
        Figure("- median", "ms", [float(half) for half, _ in parts]),
        Figure("- 99 of 100 within", "ms", [float(most) for _, most in parts], target),
    ]


def _lookups(data: Path, name: str) -> Iterator[bytes]:
    """Requests, each for another random state."""
    for text in random_texts(data, name, 2, _DRAWN):
        address = f"/v1/puzzles/{name}/lookup?state={quote(text, safe='')}"
        yield f"GET {address} HTTP/1.1\r\nHost: {_HOST}\r\n\r\n".encode("ascii")


def _batches(data: Path, *, moves: bool) -> Iterator[bytes]:
    """Some requests for many random states each."""
    for seed in range(4):
        states = random_texts(data, "avenger", seed, _BATCH)
        body = json.dumps({"states": states, "moves": moves})
        header = (
            f"POST /v1/puzzles/avenger/lookup HTTP/1.1\r\nHost: {_HOST}\r\nContent-Type: "
            "application/json\r\n"
        )
        yield f"{header}Content-Length: {len(body)}\r\n\r\n{body}".encode("ascii")


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


def _run(port: int, requests: Iterator[bytes], width: int) -> _Run:
    """Answers per second on `width` connections: what is answered first is asked again first."""
    latencies: list[float] = []
    with ExitStack() as stack:
        ready = stack.enter_context(selectors.DefaultSelector())
        sent: dict[socket.socket, float] = {}
        for connection in [stack.enter_context(_connect(port)) for _ in range(width)]:
            ready.register(connection, selectors.EVENT_READ)
            connection.sendall(next(requests))
            sent[connection] = time.perf_counter()
        began = time.perf_counter()
        while (now := time.perf_counter()) - began < _SECONDS:
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
def _searching(port: int, states: list[str], width: int) -> Iterator[None]:
    """So many searches of the Puzzler's states under way,
    until the end of the block, where they are given up.
    """
    stop = Event()
    address = f"http://{_HOST}:{port}/v1/puzzles/puzzler/lookup"
    ask = partial(httpx.stream, "POST", address, json={"states": states}, timeout=_PATIENCE)

    def search() -> None:
        while not stop.is_set():  # on a new connection, which may lead to the other worker
            with suppress(httpx.TransportError), ask() as answer:
                deque(takewhile(lambda _: not stop.is_set(), answer.iter_raw()), maxlen=0)
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
