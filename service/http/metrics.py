"""The metrics for Prometheus,
counted over all processes of the service by prometheus_client, those that ended too.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import psutil

# the environment variable that names the folder in which processes count
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_KINDS = "counter", "histogram", "gauge_livesum"  # of files there
_SIZE = 1 << 20  # bytes of each file: three times what all routes, methods and statuses need

if _folder := os.environ.get(FOLDER):
    # prometheus_client would make them sparse, and a count on a full disk would then end the
    # process with SIGBUS.
    for _kind in _KINDS:
        Path(_folder, f"{_kind}_{os.getpid()}.db").write_bytes(bytes(_SIZE))

# ruff: noqa: E402
from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS_UP_TO = (
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
    30.0,
    60.0,
)
_REQUESTS = Counter("puzzlebase_requests", "Requests answered.", ["method", "route", "status"])
_SECONDS = Histogram(
    "puzzlebase_request_seconds", "Time from a header to its answer, body and queues included.",
    ["route"],
    buckets=_SECONDS_UP_TO,
)  # fmt: skip
SEARCHES = Gauge("puzzlebase_searches", "Searches running.", multiprocess_mode="livesum")

METHODS = {"GET", "HEAD", "POST", "OPTIONS"}  # those that are counted by their names
requests = cache(_REQUESTS.labels)  # by method, one of METHODS or "other", by route and by status
seconds = cache(_SECONDS.labels)  # by route


def scrape() -> bytes:
    """All metrics in the text format of Prometheus: of this process alone if there is no folder."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        return generate_latest(REGISTRY)
    for file in Path(folder).glob(f"{_KINDS[-1]}_*.db"):
        process = int(file.stem.rpartition("_")[2])
        if not psutil.pid_exists(process):
            mark_process_dead(process)  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
