"""puzzlebase/command_line/main.py and machine.py: a sentence in place of a crash."""

from __future__ import annotations

import resource
import subprocess
from functools import partial
from pathlib import Path

import pytest

from puzzlebase.command_line.main import ADDRESSES
from puzzlebase.machine import ran_out
from tests.commands import command
from tests.serving import COMMAND
from tests.waiting import PATIENCE


def begun(command: list[str | Path], addresses: int) -> subprocess.CompletedProcess[str]:
    """A command that has ended, in a process with so many bytes of addresses."""
    limited = partial(resource.setrlimit, resource.RLIMIT_AS, (addresses, addresses))
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE, preexec_fn=limited)


@pytest.mark.parametrize("addresses", [100 << 20, ADDRESSES - 1])
def test_too_few_addresses_are_said_before_a_library_crashes(addresses: int) -> None:
    done = begun([COMMAND, "lookup", "avenger"], addresses)
    assert (done.returncode, done.stdout) == (1, "")
    problem, remedy = done.stderr.splitlines()
    assert problem.startswith(f"puzzlebase: a process may have {addresses >> 10:,} kB")
    assert f"ulimit -v {ADDRESSES >> 10}" in remedy


@pytest.mark.slow
def test_enough_addresses_are_enough(data: Path) -> None:
    done = begun([COMMAND, "--data", data, "verify", "novice"], ADDRESSES)
    assert done.returncode == 0, done.stderr


def test_which_errors_say_that_memory_ran_out() -> None:
    errors = [MemoryError("Unable to allocate 5 GiB"), RuntimeError("can't start new thread")]
    assert all(map(ran_out, [*errors, ImportError("x.so: failed to map segment from shared object")]))
    assert not any(map(ran_out, [RuntimeError("no"), ImportError("no module named x"), ValueError("memory")]))


def test_memory_that_runs_out_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("Unable to allocate 5 GiB")

    monkeypatch.setattr("puzzlebase.service.answers.catalog.puzzle_list", fail)
    done = command(tmp_path, "list")
    assert done.status == 1
    assert done.stderr.startswith("puzzlebase: memory ran out: Unable to allocate 5 GiB\n  free some")
