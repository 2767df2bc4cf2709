"""tools/sql/watchdog.py: a statement far beyond its limits ends the process, and no other statement does."""

from __future__ import annotations

import os
import subprocess
import sys
from time import monotonic

import pytest

from puzzlebase.db.sql.limits import DEFAULT_LIMITS
from puzzlebase.tools.sql import watchdog
from puzzlebase.tools.sql.watchdog import Watchdog

LOOKS = 20
PROGRAM = """
from time import monotonic, sleep
from types import SimpleNamespace
from puzzlebase.db.sql.limits import StatementLimits
from puzzlebase.tools.sql import watchdog

watchdog._OTHER_MEMORY = {other_memory}
session = SimpleNamespace(limits=StatementLimits(), busy_until={busy_until})
with watchdog.Watchdog(session):
    sleep(600)
"""


class BusyAtTimes:
    """A session that is busy at every second look; after LOOKS looks it is late, or else it closes."""

    limits = DEFAULT_LIMITS

    def __init__(self, *, late: bool) -> None:
        self.watchdog = Watchdog(self)  # type: ignore[arg-type]
        self.looks = 0
        self._late = late

    @property
    def busy_until(self) -> float | None:
        """The end of a statement that has a minute left, or that should have ended a minute ago; None between two."""
        self.looks += 1
        if self.looks == LOOKS:
            if self._late:
                return monotonic() - 60
            self.watchdog._done.set()
        return monotonic() + 60 if self.looks % 2 else None


@pytest.mark.parametrize(("late", "ended"), [(False, []), (True, [1])])
def test_a_statement_may_end_between_two_looks(monkeypatch: pytest.MonkeyPatch, late: bool, ended: list[int]) -> None:
    session = BusyAtTimes(late=late)
    statuses: list[int] = []

    def end(status: int) -> None:
        statuses.append(status)
        session.watchdog._done.set()

    monkeypatch.setattr(watchdog, "_LOOK_EVERY", 0)
    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.setattr(os, "write", lambda _file, message: len(message))
    session.watchdog._watch()
    assert statuses == ended
    assert session.looks == LOOKS


@pytest.mark.parametrize(
    ("other_memory", "busy_until", "message"),
    [(str(watchdog._OTHER_MEMORY), "monotonic() - 60", "far more time"), ("-(1 << 50)", "None", "far more memory")],
)
def test_a_statement_far_beyond_its_limits_ends_the_process(other_memory: str, busy_until: str, message: str) -> None:
    program = PROGRAM.format(other_memory=other_memory, busy_until=busy_until)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
