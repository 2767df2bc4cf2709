"""service/http/connection/logs.py: every line is one JSON object, whatever the message."""

from __future__ import annotations

import json
import logging
import sys

import pytest
from flask import Flask

from puzzlebase.service.http.connection import logs
from puzzlebase.service.http.connection.exchange import KEY, Exchange


def test_records_are_lines_of_json_with_the_id_of_their_request(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[bytes] = []
    monkeypatch.setattr(logs.WRITER, "add", lines.append)
    try:
        int('a "quoted"\nnumber')
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "file", 1, "it %s", ("failed\n",), sys.exc_info())
    handler = logs.Handler()
    handler.emit(record)
    line = json.loads(lines[0])
    assert (line["level"], line["message"]) == ("error", "it failed\n")
    assert "ValueError: invalid" in line["traceback"]
    assert lines[0].count(b"\n") == 1
    assert lines[0].endswith(b"\n")
    assert "id" not in line
    with Flask("x").test_request_context(environ_overrides={KEY: Exchange("abc", 0.0)}):
        handler.emit(record)
    assert json.loads(lines[1])["id"] == "abc"
