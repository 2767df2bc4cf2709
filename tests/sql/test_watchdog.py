"""service/sql/watchdog.py: a statement that heeds no limit ends the process, any other does not."""

from __future__ import annotations

import subprocess
import sys
from time import monotonic

import pytest

from db.sql.limits import DEFAULT_LIMITS
from service.sql import watchdog
from service.sql.watchdog import Watchdog

PROGRAM = """
from time import monotonic, sleep
from types import SimpleNamespace
from db.sql.limits import Limits
from service.sql import watchdog

watchdog._BESIDE = {beside}
session = SimpleNamespace(limits=Limits(), busy_until={busy_until})
with watchdog.Watchdog(session):
    sleep(600)
"""


class Ending:
    """A session whose statements end between one look and the next."""

    limits = DEFAULT_LIMITS

    def __init__(self) -> None:
        self.watchdog = Watchdog(self)  # type: ignore[arg-type]
        self._looks = 0

    @property
    def busy_until(self) -> float | None:
        """Not at every second look."""
        self._looks += 1
        if self._looks == 20:
            self.watchdog._done.set()
        return monotonic() + 60 if self._looks % 2 else None


def test_a_statement_may_end_while_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "_EVERY", 0)
    Ending().watchdog._watch()


@pytest.mark.parametrize(
    ("beside", "busy_until", "said"),
    [(str(watchdog._BESIDE), "monotonic() - 60", "far more time"), ("-(1 << 50)", "None", "far more memory")],
)
def test_far_more_than_it_may_have_ends_the_process(beside: str, busy_until: str, said: str) -> None:
    program = PROGRAM.format(beside=beside, busy_until=busy_until)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
