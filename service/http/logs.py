"""The log: a JSON object a line on standard error, one for each request and one for each message.

A thread of its own writes the lines (log_writer.py), so nobody who logs waits for the reader of standard error.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any

import orjson
from flask import has_request_context, request

from puzzlebase.service.http.connection.exchange import exchange_of
from puzzlebase.service.http.connection.log_writer import WRITER


class JsonLines(logging.Formatter):
    """Formats the messages of any logger; one that belongs to a request has its id."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a message, without its line break."""
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


class Handler(logging.Handler):
    """Writes the messages of any logger."""

    def emit(self, record: logging.LogRecord) -> None:
        """Have a message written soon."""
        WRITER.add(self.format(record).encode() + b"\n")


_LINES = {"class": "puzzlebase.service.http.logs.Handler", "formatter": "lines"}
CONFIGURATION: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "puzzlebase.service.http.logs.JsonLines"}},
    "handlers": {"lines": _LINES, "console": _LINES, "access": _LINES},  # the last two are granian's
    "root": {"handlers": ["lines"], "level": "INFO"},
}
"""For `logging.config.dictConfig`."""
