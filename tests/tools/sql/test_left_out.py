"""The verb `sql` in a folder with a file that cannot be read: it is left out, and the others answer."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from puzzlebase.db.paths import table_path
from tests.serving import COMMAND
from tests.strange_tables import crashing
from tests.waiting import PATIENCE


@pytest.mark.slow
def test_a_pipe_is_left_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "novice.duckdb")
    assert "42" in queried(tmp_path, "SELECT 42 AS answer").stdout


@pytest.mark.slow
def test_a_table_that_ends_its_reader_is_left_out(data: Path, tmp_path: Path) -> None:
    crashing(table_path(data, "novice"), tmp_path / "novice.duckdb")
    shutil.copy(table_path(data, "challenger"), tmp_path)
    query = "SELECT puzzle, n FROM (FROM puzzles), (SELECT count(*) AS n FROM antipodes('challenger'))"
    answer = queried(tmp_path, query)
    assert answer.stdout.split() == ["puzzle,n", "challenger,82"]
    assert "is left out: cannot be read" in answer.stderr


def queried(folder: Path, query: str) -> subprocess.CompletedProcess[str]:
    command = [str(COMMAND), "--data", str(folder), "sql", "--csv", query]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
