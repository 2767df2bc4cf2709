"""A watchdog for statements: DuckDB checks its limits only between batches, and one `repeat` takes gigabytes."""

from __future__ import annotations

import os
from threading import Event, Thread
from time import monotonic
from typing import Self

import psutil

from puzzlebase.db.sql.session import Session

_LOOK_EVERY = 0.05  # seconds
_GRACE = 2.0  # seconds in which DuckDB may stop by itself
# Bytes for libraries, kernels and Arrow's columns, beside the limit for DuckDB and the same again for open tables.
OTHER_MEMORY = 256 << 20


class Watchdog:
    """A timer that ends the process with status 1 and a message if a statement goes far beyond its session's limits."""

    def __init__(self, session: Session, other_memory: int = OTHER_MEMORY) -> None:
        self._session = session
        self._done = Event()
        self._process = psutil.Process()
        self._max_memory = self._process.memory_info().rss + 2 * session.limits.memory_mb * 1_000_000 + other_memory
        self._thread = Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while not self._done.wait(_LOOK_EVERY):
            busy_until = self._session.busy_until
            late = busy_until is not None and monotonic() > busy_until + _GRACE
            if late or self._process.memory_info().rss > self._max_memory:
                what = "time" if late else "memory"
                message = f"puzzlebase: the statement used far more {what} than its limit\n"
                os.write(2, f"{message}  ask for less, or raise the limit\n".encode())
                os._exit(1)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
