"""The metrics for Prometheus, counted over all processes of the service, including those that have ended.

Each process counts in its own files (metrics_files.py). Without their folder, or on a full disk, a scrape counts its
own process alone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from puzzlebase.service.http.connection.metrics_files import FOLDER, merged, reserve

reserve()  # before prometheus_client looks for the folder

# ruff: noqa: E402
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS_UP_TO = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_REQUESTS = Counter("puzzlebase_requests", "Requests answered.", ["method", "route", "status"])
_SECONDS = Histogram(
    "puzzlebase_request_seconds", "Time from a header to its answer, body and queues included.", ["route"],
    buckets=_SECONDS_UP_TO,
)  # fmt: skip
_BLOCKS = Counter("puzzlebase_blocks", "Blocks read from tables too large for memory, by origin.", ["found"])
SEARCHES = Gauge("puzzlebase_searches", "Searches running.", multiprocess_mode="livesum")
REFUSED = Counter("puzzlebase_refused", "Requests refused with 503, most of them because no more searches may run.")
SURPLUS = Counter("puzzlebase_closed_connections", "Connections closed because there were too many.")
_MEMORY = Gauge("puzzlebase_memory_bytes", "Memory held, by purpose.", ["part"], multiprocess_mode="livesum")

METHODS = {"GET", "HEAD", "POST", "OPTIONS"}  # those that are counted by their names
requests = cache(_REQUESTS.labels)  # by method, one of METHODS or "other", by route and by status
seconds = cache(_SECONDS.labels)  # by route
_found = cache(_BLOCKS.labels)


def count_blocks(in_memory: int, read: int) -> None:
    """Count the blocks requested of a table that does not fit into memory: those in the cache, and those read."""
    _found("memory").inc(in_memory)
    _found("file").inc(read)


def report_memory(parts: Mapping[str, int]) -> None:
    """Report the bytes that this process holds, by part."""
    for part, size in parts.items():
        _MEMORY.labels(part).set(size)


def scrape() -> bytes:
    """All metrics in the text format of Prometheus; merges the files of ended processes first."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    with merged(Path(folder)):
        return generate_latest(registry)


def merge_ended() -> None:
    """Merge the files of the service's ended processes into one."""
    if folder := os.environ.get(FOLDER):
        with suppress(OSError), merged(Path(folder)):
            pass
