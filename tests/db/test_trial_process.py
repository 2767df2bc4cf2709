"""db/crash_trial.py: a call that crashes ends its own fork alone, and no process is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from puzzlebase.db import crash_trial
from tests.waiting import PATIENCE, wait_until

SECONDS = 100.0
CALLS = 20


def write_pids(_: type, path: Path) -> None:
    """Write the process's own number and that of the helper, its grandparent."""
    helper = psutil.Process().parent()
    assert helper
    path.write_text(f"{os.getpid()} {helper.ppid()}")


def end(_: type, number: int) -> None:
    """End the process with a signal."""
    os.kill(os.getpid(), number)


def refuse(_: type, path: object) -> None:
    """Raise an error of two lines."""
    raise ValueError(f"no {path}\nand no more")


def meet(_: type, path: Path) -> None:
    """Write a file, and wait until its folder has as many as are called."""
    path.touch()
    wait_until(lambda: len([*path.parent.iterdir()]) == CALLS, "all are called")


@pytest.fixture
def pids(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """The numbers of a call's process and of the helper, for each call."""
    path = tmp_path / "pids"

    def called() -> Iterator[tuple[int, int]]:
        while True:
            assert crash_trial.run(write_pids, int, path, SECONDS) is None
            own, helper = map(int, path.read_text().split())
            yield own, helper

    return called()


def is_gone(pid: int) -> bool:
    """True where a process has ended, whether or not somebody has asked how."""
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT])
def test_a_crash_ends_its_own_process_alone(pids: Iterator[tuple[int, int]], number: signal.Signals) -> None:
    first, helper = next(pids)
    assert crash_trial.run(end, int, number, SECONDS) == f"a process that tried it ended with signal {number.value}"
    second, same = next(pids)
    assert first != second
    assert helper == same
    assert is_gone(first)


def test_an_error_is_told() -> None:
    found = crash_trial.run(refuse, int, 3, SECONDS)
    assert found == "a process that tried it ended with: ValueError: no 3\nand no more"


def test_nobody_waits_for_longer(tmp_path: Path) -> None:
    with pytest.raises(TimeoutError):
        crash_trial.run(meet, int, tmp_path / "alone", 0.2)


@pytest.mark.slow
def test_calls_of_many_threads_run_at_once(pids: Iterator[tuple[int, int]], tmp_path: Path) -> None:
    _, helper = next(pids)
    (folder := tmp_path / "called").mkdir()
    with ThreadPoolExecutor(CALLS) as pool:
        ended = pool.map(lambda call: crash_trial.run(meet, int, folder / str(call), PATIENCE), range(CALLS))
        assert {*ended} == {None}
    assert next(pids)[1] == helper


def test_an_idle_helper_ends_and_another_one_comes(
    pids: Iterator[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    os.kill(next(pids)[1], signal.SIGKILL)
    monkeypatch.setattr(crash_trial, "_IDLE", 0.1)
    _, helper = next(pids)
    wait_until(lambda: is_gone(helper), "an idle helper ended")
    monkeypatch.undo()
    assert next(pids)[1] != helper


def test_a_forked_process_has_a_helper_of_its_own(pids: Iterator[tuple[int, int]]) -> None:
    _, helper = next(pids)
    if not (forked := os.fork()):
        os._exit(next(pids)[1] == helper)
    assert os.waitpid(forked, 0)[1] == 0
    assert next(pids)[1] == helper


CALL = """
import sys, time
from pathlib import Path
from tests.db.test_trial_process import write_pids
from puzzlebase.db import crash_trial
crash_trial._IDLE = 3600
assert crash_trial.run(write_pids, int, Path(sys.argv[1]), 100) is None
print(flush=True)
time.sleep(100)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_helper_ends_with_its_parent(tmp_path: Path, number: signal.Signals) -> None:
    command: list[str | Path] = [sys.executable, "-c", CALL, tmp_path / "pids"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout
        parent.stdout.readline()
        parent.send_signal(number)
        parent.wait(PATIENCE)
    _, helper = map(int, (tmp_path / "pids").read_text().split())
    wait_until(lambda: is_gone(helper), "the helper ended")
