"""A warm lookup of a table runs functions of few of our files, and meets no WSGI."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from puzzlebase.puzzles import find
from puzzlebase.service.http import rsgi
from puzzlebase.service.http.app import create_app

ROOT = Path(rsgi.__file__).resolve().parents[2]
MOST = 12


class Scope:
    """A request as granian gives it."""

    method, path, scheme, client = "GET", "/v1/puzzles/avenger/lookup", "http", "127.0.0.1:1"
    query_string = f"state={find('avenger').goal().start}"
    headers = {"host": "x", "accept": "*/*"}  # noqa: RUF012


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


def ask(server: rsgi.Server) -> int:
    """The status of a lookup that is answered before anything is awaited."""
    scope: Any = Scope
    protocol: Any = Protocol()
    with pytest.raises(StopIteration):
        server.__rsgi__(scope, protocol).send(None)
    return int(protocol.status)


def test_a_warm_lookup_runs_functions_of_twelve_files(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(data, log=True)
    server = rsgi.Server(app)
    app.tables.get("avenger")
    rsgi.look_up_once(app.tables)
    monkeypatch.setattr(rsgi, "environ_of", None)  # WSGI is not met
    app.tables.get("avenger")
    counted = []
    for _ in range(5):  # twenty times a second one of them also looks whether the table's file was replaced
        with files_called() as found:
            assert ask(server) == 200
        counted.append(sorted(found))
    fewest = min(counted, key=len)
    assert "service/http/rsgi.py" in fewest
    assert len(fewest) <= MOST, fewest
