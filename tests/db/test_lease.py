"""lease.py: whoever writes to a mapped file changes no answer, and ends no process that has mapped it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.db import shared_arrays
from tests.waiting import wait_until

pytestmark = pytest.mark.plain

VALUES = np.random.default_rng(3).integers(0, 256, 3_000_000, dtype=np.uint8)
PATIENCE = 30.0


def write(draft: shared_arrays.Draft) -> None:
    draft.begin({"values": VALUES}, len(VALUES))
    draft.put(0, VALUES)
    draft.finish({"values": VALUES})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "cached" / "x-1.cached"
    shared_arrays.read_or_make(path, write, "x-*")
    return path


def overwrite(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(bytes(path.stat().st_size))


def cut(path: Path) -> None:
    os.truncate(path, 5000)


WRITES_MAPPED = """
import mmap, os, sys
with open(sys.argv[1], "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
    mapped[:] = bytes(len(mapped))
    mapped.flush()
"""


def write_mapped(path: Path) -> None:
    subprocess.run([sys.executable, "-c", WRITES_MAPPED, path], check=True, timeout=PATIENCE)


@pytest.mark.parametrize("change", [overwrite, cut, write_mapped])
def test_what_was_checked_stays_whatever_happens_to_the_file(path: Path, change: Callable[[Path], None]) -> None:
    """The arrays that somebody has taken, and the tail; others find the file changed."""
    found = shared_arrays.read(path)
    assert found
    assert found.lease
    assert found.lease.held
    began = time.monotonic()
    change(path)
    assert time.monotonic() - began < PATIENCE, "others wait until the pages are copied, not until the lease is broken"
    assert np.array_equal(found.arrays["values"], VALUES)
    assert np.array_equal(found.tail, VALUES)
    assert shared_arrays.read(path) is None


def test_a_file_that_is_open_for_writing_is_not_used(path: Path) -> None:
    with path.open("r+b"):
        assert shared_arrays.read(path) is None
    assert shared_arrays.read(path)


def test_a_file_too_large_to_copy_is_left_to_its_readers(path: Path) -> None:
    found = shared_arrays.read(path, in_memory=0)
    assert found
    assert found.lease
    assert not found.in_memory
    with pytest.raises(BlockingIOError):
        os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    assert not found.lease.held
    del found
    overwrite(path)


def descriptors(path: Path) -> int:
    """The open files of this process that are this one."""
    return sum(os.path.realpath(each) == str(path) for each in Path("/proc/self/fd").iterdir())


def test_a_lease_ends_with_the_last_array(path: Path) -> None:
    found = shared_arrays.read(path)
    assert found
    values = found.arrays["values"]
    del found
    with pytest.raises(BlockingIOError):
        os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    assert np.array_equal(values, VALUES)
    del values
    os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
    wait_until(lambda: not descriptors(path), "its file is closed", PATIENCE)


def test_a_lease_that_has_ended_is_not_one_that_was_lost(path: Path) -> None:
    """The thread may be about to ask for it; a descriptor closed at once could be another file's by then."""
    found = shared_arrays.read(path)
    assert found
    lease = found.lease
    assert lease
    assert lease.held
    del found
    assert not lease.held, "it can still be asked"
    lease.give_up()
    with pytest.raises(OSError, match="Bad file descriptor"):
        wait_until(lambda: lease.held, "its file is closed", PATIENCE)


FORKS = """
import os, sys
from pathlib import Path
from puzzlebase.db import shared_arrays
from tests.waiting import wait_until
found = shared_arrays.read(Path(sys.argv[1]))
total = int(found.tail.sum())
if os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
print("ready", flush=True)
sys.stdin.readline()
sys.exit(int(found.tail.sum()) != total)
"""


def test_a_forked_process_has_a_copy(path: Path) -> None:
    command: list[str | Path] = [sys.executable, "-c", FORKS, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as forked:
        assert forked.stdout
        assert forked.stdout.readline() == "ready\n"
        overwrite(path)
        forked.communicate("\n", timeout=PATIENCE)
    assert forked.returncode == 0


def test_stopped_for_longer_than_a_lease_lasts_is_the_end(path: Path) -> None:
    """The process may have read pages that it did not check; here its lease is gone as if it had been broken."""
    program = """
import fcntl, sys, time
from pathlib import Path
from puzzlebase.db import shared_arrays
from tests.waiting import wait_until
found = shared_arrays.read(Path(sys.argv[1]))
fcntl.fcntl(found.lease._descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
time.sleep(60)
"""
    ended = subprocess.run(
        [sys.executable, "-c", program, path], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ended.returncode == 1
    assert "was changed before it was copied" in ended.stderr
