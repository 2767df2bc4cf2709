"""The log: a line of JSON on standard error for each request and each message."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import orjson
from flask import has_request_context, request

from puzzlebase.service.http.exchange import Exchange, exchange_of

_STANDARD_ERROR = 2
_MAX_CHARACTERS = 500  # of a path or a query that is logged


def log_request(exchange: Exchange, status: int, seconds: float, size: int) -> None:
    """Write the line of a request. Through `logging` that would take a third of a lookup's time."""
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
        os.write(_STANDARD_ERROR, orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))


def _sent(text: str) -> str:
    """The beginning of a text from a client, in WSGI's form of one character for each byte."""
    return text[:_MAX_CHARACTERS].encode("latin-1").decode("utf-8", "replace")


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
