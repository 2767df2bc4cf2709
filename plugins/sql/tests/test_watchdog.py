"""plugins/sql/watchdog.py: a statement far beyond its limits ends the process."""

from __future__ import annotations

import subprocess
import sys

import pytest

from puzzlebase.plugins.sql import watchdog
from tests.waiting import PATIENCE

PROGRAM = """
from time import monotonic, sleep
from types import SimpleNamespace
from puzzlebase.db.sql.limits import StatementLimits
from puzzlebase.plugins.sql import watchdog

session = SimpleNamespace(limits=StatementLimits(), busy_until={busy_until})
with watchdog.Watchdog(session, {other_memory}):
    sleep(600)
"""


@pytest.mark.parametrize(
    ("other_memory", "busy_until", "message"),
    [(str(watchdog.OTHER_MEMORY), "monotonic() - 60", "far more time"), ("-(1 << 50)", "None", "far more memory")],
)
def test_a_statement_far_beyond_its_limits_ends_the_process(other_memory: str, busy_until: str, message: str) -> None:
    program = PROGRAM.format(other_memory=other_memory, busy_until=busy_until)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
