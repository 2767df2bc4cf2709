"""Logs: one JSON object a line on standard error, a line a request and a line for whatever else is worth one."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import orjson
from flask import has_request_context, request

ID = "puzzlebase.id"
"""Where the environment of a request has its id."""

_STANDARD_ERROR = 2
_LONGEST = 500


class JsonLines(logging.Formatter):
    """Records of any logger; those of a request with its id."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if has_request_context():
            line["id"] = request.environ.get(ID)
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return orjson.dumps(line).decode()


_LINES = {"class": "logging.StreamHandler", "formatter": "lines"}
CONFIGURATION: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "service.http.logs.JsonLines"}},
    "handlers": {"lines": _LINES, "console": _LINES, "access": _LINES},  # the last two are granian's
    "root": {"handlers": ["lines"], "level": "INFO"},
}
"""For `logging.config.dictConfig`."""


def log_request(
    environ: dict[str, Any], route: str, status: int, seconds: float, size: int | None, source: str | None
) -> None:
    """The line of a request. It is written past `logging`, which takes three times as long."""
    line = {
        "time": datetime.now(UTC),
        "id": environ[ID],
        "client": environ.get("REMOTE_ADDR"),
        "method": environ["REQUEST_METHOD"],
        "route": route,
        "path": environ["PATH_INFO"][:_LONGEST].encode("latin-1").decode("utf-8", "replace"),
        "query": environ["QUERY_STRING"][:_LONGEST],
        "status": status,
        "ms": round(1000 * seconds, 3),
        "bytes": size,
        "source": source,
    }
    with suppress(OSError):
        os.write(_STANDARD_ERROR, orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
