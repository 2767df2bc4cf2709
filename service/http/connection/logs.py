"""The log: a line of JSON on standard error for each request and each message.

A thread writes, since a stalled reader would stop the event loop. Lines are then dropped; a later one says how many.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime
from threading import Event, Lock, Thread
from time import monotonic, sleep
from typing import Any

import orjson
from flask import has_request_context, request

from puzzlebase.service.http.connection.exchange import Exchange, exchange_of

_STANDARD_ERROR = 2
_MAX_WAITING = 1 << 20  # bytes of lines that may wait to be written
_GATHERED = 0.02  # seconds in which lines are gathered before a write, so that the thread seldom takes the interpreter
_MAX_CHARACTERS = 500  # of a path or a query that is logged
_AT_END = 1.0  # seconds that the end of the process may wait for the last lines


class LogWriter:
    """Writes lines in the order of `add`; safe to use from several threads."""

    def __init__(self) -> None:
        self._begin()
        os.register_at_fork(after_in_child=self._begin)  # a child has no thread, and leaves the lines to its parent

    def _begin(self) -> None:
        self.dropped = 0
        self._lines = deque[bytes]()
        self._waiting = 0  # bytes
        self._some = Event()
        self._lock = Lock()
        self._thread: Thread | None = None

    def add(self, line: bytes) -> None:
        """Write a line soon, or drop it if too many wait."""
        size = len(line)
        with self._lock:
            if self._waiting + size > _MAX_WAITING:
                self.dropped += 1
                return
            self._waiting += size
            self._lines.append(line)
            if len(self._lines) > 1:
                return  # the thread knows of the first
            if self._thread is None:
                self._thread = Thread(target=self._write, name="log", daemon=True)
                self._thread.start()
        self._some.set()

    def flush(self) -> None:
        """Wait until the lines so far are written, for at most a second."""
        end = monotonic() + _AT_END
        while self._waiting and monotonic() < end:
            sleep(_GATHERED / 4)

    def _write(self) -> None:
        told = 0
        while self._some.wait():
            sleep(_GATHERED)
            self._some.clear()
            with self._lock:
                lines, size, dropped = [*self._lines], self._waiting, self.dropped
                self._lines.clear()
            _write_all(b"".join(lines))
            if dropped > told:
                message = f"{dropped - told:,} lines of the log were dropped: standard error was not read"
                _write_all(_line({"time": datetime.now(UTC), "level": "warning", "message": message}))
                told = dropped
            with self._lock:
                self._waiting -= size


def _write_all(lines: bytes) -> None:
    left = memoryview(lines)
    with suppress(OSError):
        while left:
            left = left[os.write(_STANDARD_ERROR, left) :]


def _line(fields: dict[str, Any]) -> bytes:
    return orjson.dumps(fields, option=orjson.OPT_APPEND_NEWLINE)


WRITER = LogWriter()  # that of this process


def log_request(exchange: Exchange, status: int, seconds: float, size: int) -> None:
    """Write the line of a request soon. `logging` would take six times as long.

    If a request waits for its line to be made, the processor's caches lose more time than the line takes.
    """
    line = {
        "time": datetime.now(UTC),
        "id": exchange.id,
        "client": exchange.client,
        "method": exchange.method,
        "route": exchange.route,
        "path": _sent(exchange.path),
        "query": _sent(exchange.query),
        "status": status,
        "ms": round(1000 * seconds, 3),
        "bytes": size,
        "source": exchange.source,
    }
    WRITER.add(_line(line))


def _sent(text: str) -> str:
    """The beginning of a text from a client, in WSGI's form of one character for each byte."""
    beginning = text[:_MAX_CHARACTERS]
    return beginning if beginning.isascii() else beginning.encode("latin-1").decode("utf-8", "replace")


class Handler(logging.Handler):
    """Writes the messages of all loggers; one that belongs to a request has its id."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a message soon."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if has_request_context():
            line["id"] = exchange_of(request.environ).id
        if record.exc_info:
            line["traceback"] = logging.Formatter().formatException(record.exc_info)
        WRITER.add(_line(line))


_LINES = {"class": f"{__name__}.Handler"}
CONFIGURATION: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"lines": _LINES, "console": _LINES, "access": _LINES},  # the last two are granian's
    "root": {"handlers": ["lines"], "level": "INFO"},
}  # for `logging.config.dictConfig`
