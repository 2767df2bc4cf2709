"""Long work says how long it takes, before or soon after it begins."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path
from time import sleep

import pytest
from rich.console import Console

from puzzlebase.builder import Reporter, TableJob
from puzzlebase.builder.verify import _say_how_long
from puzzlebase.command_line.printing import say_how_long
from puzzlebase.db.table_file import BuildStep
from puzzlebase.puzzles import find


def test_long_work_says_once_how_long(capsys: pytest.CaptureFixture[str]) -> None:
    tell = say_how_long("to write it")
    tell(0.001)
    sleep(0.3)
    for part in (0.02, 0.03, 1):
        tell(part)
    (line,) = capsys.readouterr().err.splitlines()
    before, _, seconds = line.removesuffix(" s").rpartition(" ")
    assert before == "to write it takes about"
    assert int(seconds) >= 15


def test_short_work_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    tell = say_how_long("to write it")
    for part in range(1, 101):
        tell(part / 100)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("seconds", "reported"), [(40, "this takes about 80 s, by the log of its build\n"), (4, "")])
def test_a_check_takes_as_long_as_that_at_the_end_of_the_build(tmp_path: Path, seconds: float, reported: str) -> None:
    """With half of the threads, twice as long; what only a build does counts for nothing."""
    shown, novice = io.StringIO(), find("novice")
    job = TableJob(novice, novice.goal(), tmp_path, "test", 1, Reporter(Console(file=shown, width=100)))
    phases = {"space": 100.0, "breadth-first search": 1000.0, "write": 500.0, "certificate of the states": seconds}
    _say_how_long(job, [BuildStep(datetime.now(UTC), "test", "here", 2, *each) for each in phases.items()])
    assert shown.getvalue() == reported
