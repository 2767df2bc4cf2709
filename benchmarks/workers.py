"""The memory that more workers take, and the time until a restarted service answers.

The service runs as `puzzlebase serve` does, over the tables of avenger, turnstile and panex-7 alone. Memory is the
proportional share of all workers (PSS): a page that several workers map counts once. It is taken when each worker has
answered batches of 10,000 random states of every table, so that it has touched all of their pages. *Mapped* is the
default; *own copies* is with `--cache none`. A start is timed until the first lookup of turnstile is answered. As after
a restart, the cached files exist and are in the system's cache.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

import numpy as np
import psutil

from benchmarks.build import alone
from benchmarks.figures import Figure, Measured
from benchmarks.lookup import texts
from puzzlebase.paths import CACHE, NOWHERE
from puzzlebase.service.sources.sources import Sources

_HOST = "127.0.0.1"
_TABLES = ("avenger", "turnstile", "panex-7")
_STATES = 10_000
_BATCHES = 12
"""For each worker: the kernel chooses who gets a connection, and this many leave out one of four in 1 of 10^5 runs."""
_STARTS = 5
_PATIENCE = 600.0


def measure(data: Path) -> Measured:
    """Needs the tables of avenger, turnstile and panex-7, and builds those that are missing."""
    with alone(_TABLES, data) as folder:
        states = {name: _drawn(folder, name) for name in _TABLES}
        own, mapped = ([_memory(folder, states, workers, cache) for workers in (1, 4)] for cache in (NOWHERE, ""))
        starts = [_start(folder, states["turnstile"][0]) for _ in range(1 + _STARTS)][1:]
    return {
        "Memory of the workers together, MB": [
            Figure(f"{workers}, {what}", "MB", [size / 1e6])
            for what, sizes in (("mapped", mapped), ("own copies", own))
            for workers, size in zip(("one worker", "four workers"), sizes, strict=True)
        ]
        + [
            Figure("four by one, mapped", "times", [mapped[1] / mapped[0]], "≤ 1.5"),
            Figure("four by one, own copies", "times", [own[1] / own[0]]),
        ],
        "Start of the service, two workers": [Figure("until the first lookup is answered", "s", starts, "≤ 1.5")],
    }


def _drawn(data: Path, name: str) -> list[str]:
    source = Sources(data).table(name)
    return texts(source, np.random.default_rng(5).integers(source.space.size, size=_STATES))


def _memory(data: Path, states: dict[str, list[str]], workers: int, cache: str) -> int:
    with _serving(data, workers, cache) as (process, port):
        for name, some in states.items():
            body = json.dumps({"states": some})
            for _ in range(_BATCHES * workers):
                _ask(port, "POST", f"/v1/puzzles/{name}/lookup", body)
        return sum(worker.memory_full_info().pss for worker in psutil.Process(process).children(recursive=True))


def _start(data: Path, state: str) -> float:
    began = time.perf_counter()
    with _serving(data, 2, "") as (_, port):
        _ask(port, "GET", f"/v1/puzzles/turnstile/lookup?state={quote(state)}")
        return time.perf_counter() - began


@contextmanager
def _serving(data: Path, workers: int, cache: str) -> Iterator[tuple[int, int]]:
    """The number of a service's main process and its port, from when it listens; it is stopped at the end."""
    with socket.create_server((_HOST, 0)) as unused:
        port = unused.getsockname()[1]
    words = ("--data", data, "serve", "--port", port, "--workers", workers, "--memory", 4 << 30, "--no-log")
    command = [sys.executable, "-m", "puzzlebase", *map(str, words)]
    environment = os.environ | {CACHE: cache}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:  # noqa: S603 (ours)
        try:
            _await(server, port)
            yield server.pid, port
        finally:
            server.terminate()


def _await(server: subprocess.Popen[bytes], port: int) -> None:
    began = time.monotonic()
    while server.poll() is None and time.monotonic() - began < _PATIENCE:
        try:
            socket.create_connection((_HOST, port)).close()
        except ConnectionError:
            time.sleep(0.01)
        else:
            return
    raise RuntimeError(f"the service did not answer within {_PATIENCE:g} s")


def _ask(port: int, method: str, address: str, body: str | None = None) -> None:
    connection = HTTPConnection(_HOST, port, timeout=_PATIENCE)
    connection.request(method, address, body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    content = response.read()
    connection.close()
    if response.status != 200:
        raise RuntimeError(f"{method} {address}: {response.status} {content[:200]!r}")
