"""db/crash_trial.py: a process of its own reads a file from elsewhere once, and its end ends no other."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from puzzlebase.db import crash_trial
from puzzlebase.db.blobs import BlobsFile, BlobsWriter
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.layers import LayersFile
from puzzlebase.db.paths import CACHE, NOWHERE, table_path
from puzzlebase.db.table_file import TableFile
from puzzlebase.service.http.app import create_app
from tests.conftest import build_table
from tests.db.test_table import write
from tests.http.asking import assert_problem
from tests.strange_tables import crashing

PATIENCE = 60.0


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of all files that are tried from now on."""
    paths: list[str] = []
    run = crash_trial.run

    def running(function: Callable[..., None], kind: type, path: object, seconds: float) -> str | None:
        paths.append(str(path))
        return run(function, kind, path, seconds)

    monkeypatch.setattr(crash_trial, "run", running)
    monkeypatch.setattr(crash_trial, "_TRIED", set())
    monkeypatch.setattr(crash_trial, "_WRITTEN", set())
    return paths


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "cache").mkdir()
    return write(tmp_path / "p.duckdb", [0, 1, 2])


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Act as another process, which knows only what the folder says."""
    monkeypatch.setattr(crash_trial, "_TRIED", set())


def test_a_file_is_tried_once(path: Path, tried: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        with TableFile(path) as file:
            assert file.antipodes() == [(0, "x")]
        forget(monkeypatch)
    assert tried == [str(path)]
    assert [each.suffix for each in (path.parent / "cache").iterdir()] == [".tried"]


def test_where_nothing_is_kept_each_process_tries(
    path: Path, tried: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE, NOWHERE)
    for _ in range(2):
        TableFile(path).close()
        TableFile(path).close()
        forget(monkeypatch)
    assert tried == [str(path)] * 2
    assert [*(path.parent / "cache").iterdir()] == []


def test_a_file_that_was_written_to_is_tried_again(path: Path, tried: list[str]) -> None:
    """The file is tried again even if its time is set back and its size is the same."""
    TableFile(path).close()
    status = path.stat()
    with path.open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"\0")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    TableFile(path).close()
    assert tried == [str(path)] * 2
    assert len([*(path.parent / "cache").glob("*.tried")]) == 1


def test_what_a_build_has_written_needs_none(tmp_path: Path, tried: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").mkdir()
    path = build_table(tmp_path, "novice")
    forget(monkeypatch)
    crash_trial._WRITTEN.clear()
    TableFile(path).close()
    assert tried == []


def test_layers_and_blobs_are_tried_too(tmp_path: Path, tried: list[str]) -> None:
    with BlobsWriter(tmp_path / "p.oracle.duckdb") as writer:
        writer.finish("p", {"one": b"1" * 1000, "two": b""})
    crash_trial._WRITTEN.clear()
    with BlobsFile(tmp_path / "p.oracle.duckdb") as file:
        assert file.blobs() == {"one": b"1" * 1000, "two": b""}
    (tmp_path / "p.layers.duckdb").write_bytes(b"no layers")
    with pytest.raises(DamagedTable):
        LayersFile(tmp_path / "p.layers.duckdb")
    assert tried == [str(tmp_path / name) for name in ("p.oracle.duckdb", "p.layers.duckdb")]


def test_what_ends_the_process_is_damage(data: Path, tmp_path: Path, tried: list[str]) -> None:
    path = crashing(table_path(data, "novice"), tmp_path / "novice.duckdb")
    for _ in range(2):
        with pytest.raises(DamagedTable, match=f"{path}.* ended with signal {signal.SIGSEGV.value}"):
            TableFile(path)
    assert tried == [str(path)] * 2


def test_the_service_goes_on(data: Path, tmp_path: Path) -> None:
    crashing(table_path(data, "novice"), tmp_path / "novice.duckdb")
    shutil.copy(table_path(data, "challenger"), tmp_path)
    service = create_app(tmp_path).test_client()
    for verb in ("antipodes", "histogram", "lookup?state=RBBBBBBBBBBBBRRRRRRRR"):
        assert_problem(service.get(f"/v1/puzzles/novice/{verb}"), 500, "damaged-table")
    assert service.get("/v1/puzzles/challenger/antipodes").status_code == 200
    ready: Any = service.get("/readyz")
    assert [damaged["table"] for damaged in ready.json["damaged"]] == ["novice"]


PIPE = """
import sys
from collections.abc import Callable
from pathlib import Path
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.table_file import TableFile
try:
    TableFile(Path(sys.argv[1]), Path(sys.argv[1]).parent)
except DamagedTable as error:
    print(error)
"""


@pytest.mark.slow
def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "novice.duckdb"
    os.mkfifo(path)
    opened = subprocess.run(
        [sys.executable, "-c", PIPE, path], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert opened.stdout.strip() == f"the table in {str(path)!r} is no regular file"
