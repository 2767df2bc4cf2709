"""Long work says how long it takes, before or soon after it begins."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime
from pathlib import Path
from time import sleep

import pytest
from rich.console import Console

from puzzlebase.builder import Reporter, TableJob, progress
from puzzlebase.builder.verify import _say_how_long
from puzzlebase.db.table_file import BuildStep
from puzzlebase.puzzles import find


def lines_about_time(units: int, *, even: bool = True, terminal: bool = False, slow: int = 5) -> list[str]:
    """The lines of a phase whose first units take 0.03 s each, or the first `slow` of them twice that."""
    shown = io.StringIO()
    with Reporter(Console(file=shown, width=100, force_terminal=terminal)).phase(
        "write", units, "u", even=even
    ) as phase:
        for unit in range(5):
            phase.advance(1)
            sleep(0.03 if slow == 5 else 0.06 if unit < slow else 0.0)
        phase.reached(units)
    return [line for line in shown.getvalue().splitlines() if " left" in line]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rate of a phase is known sooner than elsewhere."""
    monkeypatch.setattr(progress, "_SOON", 0.05)


def test_long_work_says_once_how_long() -> None:
    (line,) = lines_about_time(2000)
    found = re.fullmatch(r"write \(u\): about (\d+) s left", line)
    assert found
    assert int(found[1]) >= 55


def test_what_is_short_or_uneven_or_has_a_bar_does_not_say_so() -> None:
    assert lines_about_time(20) == lines_about_time(2000, even=False) == lines_about_time(2000, terminal=True) == []


def test_what_was_slow_at_the_start_alone_does_not_say_so() -> None:
    """As if kernels were compiled while the first unit was done."""
    assert lines_about_time(2000, slow=1) == []


@pytest.mark.parametrize(("seconds", "reported"), [(40, "this takes about 80 s, by the log of its build\n"), (4, "")])
def test_a_check_takes_as_long_as_that_at_the_end_of_the_build(tmp_path: Path, seconds: float, reported: str) -> None:
    """With half of the threads, twice as long; what only a build does counts for nothing."""
    shown, novice = io.StringIO(), find("novice")
    job = TableJob(novice, novice.goal(), tmp_path, "test", 1, Reporter(Console(file=shown, width=100)))
    phases = {"space": 100.0, "breadth-first search": 1000.0, "write": 500.0, "certificate of the states": seconds}
    _say_how_long(job, [BuildStep(datetime.now(UTC), "test", "here", 2, *each) for each in phases.items()])
    assert shown.getvalue() == reported
