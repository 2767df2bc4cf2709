"""A warm lookup of a table runs functions of few of our files, and meets no WSGI."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType, SimpleNamespace
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


def request_of(name: str) -> SimpleNamespace:
    """A request as granian gives it."""
    return SimpleNamespace(
        method="GET",
        path=f"/v1/puzzles/{name}/lookup",
        scheme="http",
        client="127.0.0.1:1",
        http_version="1",
        query_string=f"state={quote(find(name).goal().start)}",
        headers={"host": "x", "accept": "*/*"},
    )


@contextmanager
def files_called() -> Iterator[set[str]]:
    """The files of the project whose functions are called meanwhile."""
    found: set[str] = set()

    def called(frame: FrameType, event: str, _: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_absolute() and not {"site-packages", "tests"} & {*path.parts}:
            with suppress(ValueError):
                found.add(path.resolve().relative_to(ROOT).as_posix())

    sys.setprofile(called)
    try:
        yield found
    finally:
        sys.setprofile(None)


def ask(server: Any, scope: Any) -> int:
    """The status of a lookup that is answered before anything is awaited."""
    statuses: list[int] = []
    protocol = SimpleNamespace(response_bytes=lambda status, _headers, _body: statuses.append(status))
    with pytest.raises(StopIteration):
        server.__rsgi__(scope, protocol).send(None)
    return statuses.pop()


@pytest.mark.parametrize("name", ["novice", "panex-4", *sorted(OTHERS)])
def test_a_warm_lookup_runs_functions_of_few_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that looks whether the table's file was replaced, as one does twenty times a second."""
    build_table(tmp_path, name)
    app = create_app(tmp_path, log=True)
    server, scope = rsgi.Server(app), request_of(name)
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
        beside = [file for file in found if not file.startswith("puzzles/")]
        assert len(beside) <= MOST_BESIDE_RULES, sorted(beside)
        assert name in OTHERS or len(found) <= MOST, sorted(found)
