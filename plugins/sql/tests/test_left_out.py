"""The verb `sql` in a folder with a file that cannot be read:
it is left out, and the others answer.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.serving import COMMAND
from tests.waiting import PATIENCE


@pytest.mark.slow
def test_a_pipe_is_left_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "novice.duckdb")
    assert "42" in queried(tmp_path, "SELECT 42 AS answer").stdout


def queried(folder: Path, query: str) -> subprocess.CompletedProcess[str]:
    command = [str(COMMAND), "--data", str(folder), "sql", "--csv", query]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
