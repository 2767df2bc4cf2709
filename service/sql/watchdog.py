"""What ends a process whose statement heeds neither its clock nor its memory.

DuckDB looks at both between batches of rows, and a single call may be larger: `repeat('x', 3_000_000_000)` takes
minutes and gigabytes of which its limits know nothing.
"""

from __future__ import annotations

import os
from threading import Event, Thread
from time import monotonic
from typing import Self

import psutil

from db import DEFAULT_MEMORY
from db.sql.session import Session

_EVERY = 0.1
_GRACE = 2.0  # seconds for DuckDB to stop by itself
_BESIDE = 3 * DEFAULT_MEMORY
"""Bytes that tables in memory, their puzzles and Arrow's columns may take beside DuckDB's own."""


class Watchdog:
    """Ends the process, with status 1 and a word why, when a statement goes far beyond its limits."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._done = Event()
        self._process = psutil.Process()
        self._most = self._process.memory_info().rss + session.limits.memory_mb * 1_000_000 + _BESIDE
        self._thread = Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while not self._done.wait(_EVERY):
            until = self._session.busy_until
            late = until is not None and monotonic() > until + _GRACE
            if late or self._process.memory_info().rss > self._most:
                what = "time" if late else "memory"
                word = (
                    f"puzzlebase: the statement took far more {what} than it may have\n  ask for less, or allow more\n"
                )
                os.write(2, word.encode())
                os._exit(1)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
