"""The log: a line of JSON on standard error for each request and each message."""

from __future__ import annotations

import atexit
import logging
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from io import BufferedWriter, FileIO
from threading import Thread
from time import sleep
from typing import Any

import orjson
from flask import has_request_context, request

from puzzlebase.service.http.exchange import Exchange, exchange_of

_STANDARD_ERROR = 2
_GATHERED = 0.05  # seconds in which lines of requests are gathered
_BYTES = 1 << 20  # of lines that may be gathered
_MAX_CHARACTERS = 500  # of a path or a query that is logged


def log_request(exchange: Exchange, status: int, seconds: float, size: int) -> None:
    """Write the line of a request soon.
    Through `logging`, or at once, that would take a third of a lookup's time.
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
    with suppress(OSError):  # nobody reads it any more
        _lines().write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))


@cache
def _lines() -> BufferedWriter[FileIO]:
    """Standard error, to which a thread writes the lines of requests that were gathered."""
    lines = BufferedWriter(FileIO(_STANDARD_ERROR, "w", closefd=False), _BYTES)

    def write() -> None:
        while True:
            sleep(_GATHERED)
            flush_log()

    Thread(target=write, name="log", daemon=True).start()
    atexit.register(flush_log)
    return lines


def flush_log() -> None:
    """Write the lines of requests so far."""
    with suppress(OSError):  # as above
        _lines().flush()


def _sent(text: str) -> str:
    """The beginning of a text from a client, in WSGI's form of one character for each byte."""
    beginning = text[:_MAX_CHARACTERS]
    if beginning.isascii():
        return beginning
    return beginning.encode("latin-1").decode("utf-8", "replace")


class JsonLines(logging.Formatter):
    """Formats the messages of all loggers; one that belongs to a request has its id."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of JSON."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if has_request_context():
            line["id"] = exchange_of(request.environ).id
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return orjson.dumps(line).decode()


_LINES = {"class": "logging.StreamHandler", "formatter": "lines"}
CONFIGURATION: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": JsonLines}},
    # the last two are granian's
    "handlers": {"lines": _LINES, "console": _LINES, "access": _LINES},
    "root": {"handlers": ["lines"], "level": "INFO"},
}  # for `logging.config.dictConfig`
