"""The memory that more workers take, and the time until a restarted service answers.

The service runs as `puzzlebase serve` does, over the tables of avenger, turnstile and panex-7
alone. Memory is the proportional share of all workers (PSS): a page that several workers map counts
once. It is taken when each worker has answered batches of 10,000 random states of every table, so
that it has touched all of their pages. A start is timed until the first lookup of turnstile is
answered. As after a restart, the cached files exist and are in the system's cache.
"""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from pathlib import Path

import httpx

from benchmarks.build import alone
from benchmarks.figures import Figure, Measured
from benchmarks.lookup import random_texts
from tests.serving import Served, serving
from tests.waiting import PATIENCE

_TABLES = ("avenger", "turnstile", "panex-7")
_STATES = 10_000
_BATCHES = 12
"""For each worker: the kernel chooses who gets a connection,
and this many leave out one of four in 1 of 10^5 runs.
"""
_STARTS = 5


def measure(data: Path) -> Measured:
    """Needs the tables of avenger, turnstile and panex-7, and builds those that are missing."""
    with alone(_TABLES, data) as folder:
        states = {name: random_texts(folder, name, 5, _STATES) for name in _TABLES}
        one, four = (_memory(folder, states, workers) for workers in (1, 4))
        starts = [_start(folder, states["turnstile"][0]) for _ in range(1 + _STARTS)][1:]
    return {
        "Memory of the workers together, MB": [
            Figure("one worker", "MB", [one / 1e6]),
            Figure("four workers", "MB", [four / 1e6]),
            Figure("four by one", "times", [four / one], "≤ 1.5"),
        ],
        "Start of the service, two workers": [
            Figure("until the first lookup is answered", "s", starts, "≤ 1.5")
        ],
    }


def _memory(data: Path, states: dict[str, list[str]], workers: int) -> int:
    with _serving(data, workers) as served:
        for name, batch in states.items():
            for _ in range(_BATCHES * workers):
                _ask(served, name, batch)
        return sum(worker.memory_full_info().pss for worker in served.workers())


def _start(data: Path, state: str) -> float:
    began = time.perf_counter()
    with _serving(data, 2) as served:
        _ask(served, "turnstile", [state])
        return time.perf_counter() - began


def _serving(data: Path, workers: int) -> AbstractContextManager[Served]:
    return serving(data, "--workers", str(workers), "--memory", str(4 << 30), "--no-log")


def _ask(served: Served, name: str, states: list[str]) -> None:
    address = f"{served.address}/v1/puzzles/{name}/lookup"
    httpx.post(address, json={"states": states}, timeout=PATIENCE).raise_for_status()
