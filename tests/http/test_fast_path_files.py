"""A warm lookup of a table runs functions of few of our files, and meets no WSGI."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import quote

import pytest

from puzzlebase.puzzles import find
from puzzlebase.service.http import rsgi
from puzzlebase.service.http.app import create_app
from tests.conftest import build_table

ROOT = Path(rsgi.__file__).resolve().parents[2]
MOST = 12
"""Files, where a state is letters that a kernel ranks; the rules of others are Python in some more files."""
MOST_BESIDE_RULES = 10
OTHERS = {"hanoi-nnn-4", "sliding-3x3", "quantum-2x2-2"}


class Scope:
    """A request as granian gives it."""

    def __init__(self, name: str) -> None:
        self.method, self.path, self.scheme, self.client = "GET", f"/v1/puzzles/{name}/lookup", "http", "127.0.0.1:1"
        self.http_version = "1"
        self.query_string = f"state={quote(find(name).goal().start)}"
        self.headers = {"host": "x", "accept": "*/*"}


class Protocol:
    """Takes the response; fails where the answer is not given at once."""

    status = 0

    def response_bytes(self, status: int, _headers: object, _body: bytes) -> None:
        """Take it."""
        self.status = status


@contextmanager
def files_called() -> Iterator[set[str]]:
    """The files of the project whose functions are called meanwhile."""
    found: set[str] = set()

    def called(frame: FrameType, event: str, _: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_absolute() and "site-packages" not in path.parts:
            resolved = path.resolve()
            if resolved.is_relative_to(ROOT) and "tests" not in resolved.relative_to(ROOT).parts:
                found.add(resolved.relative_to(ROOT).as_posix())

    sys.setprofile(called)
    try:
        yield found
    finally:
        sys.setprofile(None)


def ask(server: Any, scope: Any) -> int:
    """The status of a lookup that is answered before anything is awaited."""
    protocol: Any = Protocol()
    with pytest.raises(StopIteration):
        server.__rsgi__(scope, protocol).send(None)
    return int(protocol.status)


@pytest.mark.parametrize("name", ["novice", "panex-4", *sorted(OTHERS)])
def test_a_warm_lookup_runs_functions_of_few_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that looks whether the table's file was replaced, as one does twenty times a second."""
    build_table(tmp_path, name)
    app = create_app(tmp_path, log=True)
    server, scope = rsgi.Server(app), Scope(name)
    rsgi.look_up_once(app.tables)
    monkeypatch.setattr(rsgi, "environ_of", None)  # WSGI is not met
    app.tables.get(name)
    assert ask(server, scope) == 200
    for seconds in (60.0, 0.0):
        monkeypatch.setattr(app.tables, "_recheck_after", seconds)
        with files_called() as found:
            assert ask(server, scope) == 200
        assert "service/http/rsgi.py" in found
        assert ("db/files.py" in found) == (seconds == 0)
        beside = {file for file in found if not file.startswith("puzzles/")}
        assert len(beside) <= MOST_BESIDE_RULES, sorted(beside)
        assert name in OTHERS or len(found) <= MOST, sorted(found)
