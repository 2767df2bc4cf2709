"""A test that never ends fails alone, with all stacks, and those after it still run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent

NEVER_END = """
from threading import Event
import pytest

@pytest.fixture
def never_closes():
    yield
    Event().wait()

def test_waits(): Event().wait()
def test_fails(never_closes): assert never_closes
def test_counts(): sum(range(10**15))
def test_after(): pass
"""


@pytest.mark.matrix
@pytest.mark.slow
def test_tests_that_never_end(tmp_path: Path) -> None:
    """One waits, one fails and closes nothing, one is in machine code, which no signal interrupts."""
    tests = tmp_path / "test_never_end.py"
    tests.write_text(NEVER_END, "utf-8")
    command = [sys.executable, "-m", "pytest", str(tests), "-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest"]
    command += ["--numprocesses=1", "--timeout=2", "-o", "faulthandler_timeout=6"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "500"},  # of lines that are not cut
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    ended = re.findall(r"^(FAILED|ERROR) \S*::(\w+) - (\w+)", done.stdout, re.MULTILINE)
    assert sorted(ended) == [
        ("ERROR", "test_fails", "Failed"),
        ("FAILED", "test_counts", "worker"),
        ("FAILED", "test_fails", "assert"),
        ("FAILED", "test_waits", "Failed"),
    ]
    assert "3 failed, 1 passed, 1 error" in done.stdout
    assert "Timeout (>2.0s)" in done.stdout
    assert "in test_counts" in done.stderr
