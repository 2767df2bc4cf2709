"""The metrics for Prometheus,
counted over all processes of the service by prometheus_client, those that ended too.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import psutil

# the folder in which processes count
if _folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
    # a megabyte is three times what all routes, methods and statuses need;
    # prometheus_client would make them sparse, and a count on a full disk would then end the
    # process with SIGBUS.
    for _kind in "counter", "histogram", "gauge_min", "gauge_livesum", "gauge_livemostrecent":
        Path(_folder, f"{_kind}_{os.getpid()}.db").write_bytes(bytes(1 << 20))

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from puzzlebase.version import VERSION

_REQUESTS = Counter("puzzlebase_requests", "Requests answered.", ["method", "route", "status"])
_SECONDS = Histogram(
    "puzzlebase_request_seconds",
    "Time from a header to its answer, body and queues included.",
    ["route"],
    buckets=[0.0005 * 2**number for number in range(18)],
)
SEARCHES = Gauge("puzzlebase_searches", "Searches running.", multiprocess_mode="livesum")
FILES = Gauge(
    "puzzlebase_files", "Files of tables and layers.", ["state"], multiprocess_mode="livemostrecent"
)
Gauge(
    "puzzlebase_start_time_seconds", "Start of the service.", ["version"], multiprocess_mode="min"
).labels(VERSION).set_to_current_time()

METHODS = {"GET", "HEAD", "POST", "OPTIONS"}  # those that are counted by their names
requests = cache(_REQUESTS.labels)  # by method, one of METHODS or "other", by route and by status
seconds = cache(_SECONDS.labels)  # by route


def scrape() -> bytes:
    """All metrics in the text format of Prometheus: of this process alone if there is no folder."""
    if not _folder:
        return generate_latest(REGISTRY)
    for file in Path(_folder).glob("gauge_live*.db"):
        if not psutil.pid_exists(int(file.stem.rpartition("_")[2])):
            file.unlink(missing_ok=True)  # as `mark_process_dead` does
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
