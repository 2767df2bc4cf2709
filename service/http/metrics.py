"""What is counted, for Prometheus: over all processes of the service, those that have ended too.

Each process counts in files of its own in the folder that PROMETHEUS_MULTIPROC_DIR names, which `serve`
makes; without it a scrape tells of its own process alone.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import psutil
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_REQUESTS = Counter("puzzlebase_requests", "Requests answered.", ["method", "route", "status"])
_SECONDS = Histogram(
    "puzzlebase_request_seconds", "From the head of a request to its answer, its body and queues too.", ["route"],
    buckets=_BOUNDS,
)  # fmt: skip
_BLOCKS = Counter("puzzlebase_blocks", "Blocks asked of tables too large for memory, by where they were.", ["found"])
SEARCHES = Gauge("puzzlebase_searches", "Searches running.", multiprocess_mode="livesum")
REFUSED = Counter("puzzlebase_refused", "Requests refused with 503, most because as many searches ran as may.")

_METHODS = {"GET", "HEAD", "POST", "OPTIONS"}


def count(method: str, route: str, status: str, seconds: float) -> None:
    """Count a request that has been answered."""
    _requests(method if method in _METHODS else "other", route, status).inc()
    _seconds(route).observe(seconds)


def count_blocks(in_memory: int, read: int) -> None:
    """Count blocks of a table that does not fit into memory."""
    _found("memory").inc(in_memory)
    _found("file").inc(read)


@cache
def _requests(method: str, route: str, status: str) -> Counter:
    return _REQUESTS.labels(method, route, status)


@cache
def _seconds(route: str) -> Histogram:
    return _SECONDS.labels(route)


@cache
def _found(where: str) -> Counter:
    return _BLOCKS.labels(where)


def scrape() -> bytes:
    """All of it, as Prometheus reads it."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        return generate_latest(REGISTRY)
    for kept in Path(folder).glob("gauge_live*.db"):  # what runs, but not in a process that was killed
        if not psutil.pid_exists(int(kept.stem.rpartition("_")[2])):
            kept.unlink(missing_ok=True)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
