"""shared_arrays.py: files of arrays that one process makes and all others map,
whatever happens to file or folder.
"""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from puzzlebase.atomic_files import locked_file
from puzzlebase.db import shared_arrays
from puzzlebase.paths import CACHE, NOWHERE, cache_folder
from tests.small_disk import needs_mounts, on_small_disk
from tests.waiting import PATIENCE

pytestmark = pytest.mark.plain

ARRAYS = {
    "one": np.array(7),
    "rows": np.arange(12, dtype=np.int32).reshape(3, 4),
    "none": np.array([]),
}
TAIL = np.random.default_rng(1).integers(0, 256, 5_000_000, dtype=np.uint8)
FORMER = "x-*.cached*"


def write(draft: shared_arrays.Draft) -> None:
    draft.begin(ARRAYS, len(TAIL))
    for at in range(0, len(TAIL), 70_001)[::-1]:
        draft.put(at, TAIL[at : at + 70_001])
    draft.finish(ARRAYS)


def never(_draft: shared_arrays.Draft) -> None:
    raise AssertionError


def assert_same(found: shared_arrays.SharedArrays | None) -> None:
    assert found is not None
    assert found.arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        mapped = found.arrays[name]
        assert (mapped.dtype, mapped.shape, mapped.flags.writeable) == (
            array.dtype,
            array.shape,
            True,
        )
        assert np.array_equal(mapped, array)
    assert np.array_equal(found.tail, TAIL)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cached" / "x-1.cached"


def test_what_was_written_is_read(path: Path) -> None:
    assert shared_arrays.read(path) is None
    assert_same(shared_arrays.read_or_make_arrays(path, write, FORMER))
    assert_same(shared_arrays.read_or_make_arrays(path, never, FORMER))
    assert [each.name for each in path.parent.iterdir()] == ["x-1.cached"]


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "longer"])
def test_a_damaged_head_is_made_anew(path: Path, damage: str) -> None:
    shared_arrays.read_or_make_arrays(path, write, FORMER)
    content = path.read_bytes()
    header = len(content) - len(TAIL)
    for at in np.linspace(0, header - 1, 9).astype(int).tolist():
        wrong = bytearray(content)
        wrong[at] ^= 1 << at % 8
        damaged = {
            "flip": bytes(wrong),
            "cut": content[:at],
            "empty": b"",
            "longer": content + b"x",
        }[damage]
        path.write_bytes(damaged)
        assert shared_arrays.read(path) is None
        assert_same(shared_arrays.read_or_make_arrays(path, write, FORMER))
    assert path.read_bytes() == content


def test_what_is_written_to_arrays_stays_with_the_process(path: Path) -> None:
    found = shared_arrays.read_or_make_arrays(path, write, FORMER)
    assert found is not None
    found.tail[:] = 0
    found.arrays["rows"][:] = 0
    assert_same(shared_arrays.read(path))


def test_former_files_go_unless_they_are_being_made(path: Path) -> None:
    path.parent.mkdir()
    others = {
        name: path.with_name(name)
        for name in ("x-0.cached", "x-0.cached.building", "x-2.cached.building", "y-0.cached")
    }
    for other in others.values():
        other.touch()
    with locked_file(others["x-2.cached.building"]):
        shared_arrays.read_or_make_arrays(path, write, FORMER)
    assert sorted(each.name for each in path.parent.iterdir()) == [
        "x-1.cached",
        "x-2.cached.building",
        "y-0.cached",
    ]


def test_where_making_fails_nothing_is_left(path: Path) -> None:
    def fails(draft: shared_arrays.Draft) -> None:
        draft.file.write(b"half")
        raise OSError(errno.EIO, "no")

    with pytest.raises(OSError, match="no"):
        shared_arrays.read_or_make_arrays(path, fails, FORMER)
    assert [*path.parent.iterdir()] == []


MAKES = """
import sys, time
from pathlib import Path
import numpy as np
from puzzlebase.db import shared_arrays

def make(draft):
    draft.begin({}, 10_000_000)
    for number in range(100):
        if number == 50 and sys.argv[2] == "slowly":
            print("half", flush=True)
            time.sleep(3600)
        draft.put(number * 100_000, np.full(100_000, number, np.uint8))
    draft.finish({})

try:
    found = shared_arrays.read_or_make_arrays(Path(sys.argv[1]), make, "*.cached*")
    print(int(found.tail.sum(dtype=np.int64)), flush=True)
except OSError as error:
    print(error.strerror, flush=True)
"""
SUM = sum(range(100)) * 100_000


def making(path: Path, how: str = "now", before: list[Any] | None = None) -> subprocess.Popen[str]:
    command = [*(before or []), sys.executable, "-c", MAKES, path, how]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def printed(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout
    return (line.strip() for line in process.stdout)


@pytest.mark.slow
def test_killed_while_it_is_made_leaves_nothing_that_is_used(path: Path) -> None:
    """Another process that waits makes the file."""
    with making(path, "slowly") as killed:
        assert next(printed(killed)) == "half"
        with making(path) as waiting:
            time.sleep(0.5)
            assert waiting.poll() is None
            os.kill(killed.pid, signal.SIGKILL)
            assert [*printed(waiting)] == [str(SUM)]
    assert (killed.wait(PATIENCE), waiting.wait(PATIENCE)) == (-signal.SIGKILL, 0)
    assert [each.name for each in path.parent.iterdir()] == ["x-1.cached"]


@needs_mounts
def test_a_full_disk_is_an_error_before_anything_is_written(path: Path) -> None:
    path.parent.mkdir()
    for megabytes, expected in ((8, "No space left on device"), (12, str(SUM))):
        with making(path, before=on_small_disk(path.parent, megabytes)) as process:
            assert [*printed(process)] == [expected]
        assert process.wait(PATIENCE) == 0


def test_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CACHE, raising=False)
    assert cache_folder(tmp_path) == tmp_path / "cache"
    monkeypatch.setenv(CACHE, "elsewhere")
    assert cache_folder(tmp_path) == Path("elsewhere")
    monkeypatch.setenv(CACHE, NOWHERE)
    assert cache_folder(tmp_path) is None


def test_no_file_is_written_through_a_link(path: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    path.parent.mkdir()
    path.with_name(f"{path.name}.building").symlink_to(victim)
    with pytest.raises(OSError, match="symbolic links"):
        shared_arrays.read_or_make_arrays(path, write, FORMER)
    assert victim.read_text() == "precious"


def test_a_pipe_is_not_waited_for(path: Path) -> None:
    """A pipe in place of the file is replaced;
    in place of the unfinished one nothing is written.
    """
    path.parent.mkdir()
    os.mkfifo(path)
    assert shared_arrays.read(path) is None
    assert_same(shared_arrays.read_or_make_arrays(path, write, FORMER))
    path.unlink()
    os.mkfifo(f"{path}.building")
    with pytest.raises(OSError, match="no regular file"):
        shared_arrays.read_or_make_arrays(path, write, FORMER)
