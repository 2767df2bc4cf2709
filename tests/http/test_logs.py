"""service/http/logs.py: every line is one JSON object, whatever the message."""

from __future__ import annotations

import json
import logging
import sys

from flask import Flask

from puzzlebase.service.http import logs
from puzzlebase.service.http.exchange import KEY, Exchange


def test_records_are_lines_of_json_with_the_id_of_their_request() -> None:
    try:
        int('a "quoted"\nnumber')
    except ValueError:
        record = logging.LogRecord(
            "x", logging.ERROR, "file", 1, "it %s", ("failed\n",), sys.exc_info()
        )
    lines = logs.JsonLines()
    text = lines.format(record)
    line = json.loads(text)
    assert (line["level"], line["message"]) == ("error", "it failed\n")
    assert "ValueError: invalid" in line["traceback"]
    assert "\n" not in text
    assert "id" not in line
    with Flask("x").test_request_context(environ_overrides={KEY: Exchange("abc", 0.0)}):
        assert json.loads(lines.format(record))["id"] == "abc"
