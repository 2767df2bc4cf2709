"""db/checked.py: a table's file is opened when more is asked of it than its head, and is then the one that it was."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.db import checked, files, shared_arrays
from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.checked import Identity
from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.db.table_file import TableFile
from tests.db.test_table import write

LONG_AGO = 1_000_000_000
TIMES = count(LONG_AGO)
VALUES = [0, 1, 2, *range(BLOCK_SIZE)]
OTHERS = [0, 1, 2, 3, *range(BLOCK_SIZE)]


@pytest.fixture
def heads(tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    folder.mkdir()
    return folder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return settled(write(tmp_path / "p.duckdb", VALUES))


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Every file that DuckDB is asked to open from now on."""
    asked: list[Path] = []
    attached = files._attached

    def attach(path: Path, *given: object) -> object:
        asked.append(path)
        return attached(path, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(files, "_attached", attach)
    return asked


def settled(path: Path) -> Path:
    """The file as if it had been written long ago, each one at another time."""
    os.utime(path, (LONG_AGO, next(TIMES)))
    return path


def test_a_file_whose_head_is_kept_is_opened_when_more_is_asked(path: Path, heads: Path, opened: list[Path]) -> None:
    with TableFile(path, heads) as first:
        assert len(opened) == 1
    with TableFile(path, heads) as second:
        assert len(opened) == 1
        assert (second.info, second.digest, second.size) == (first.info, first.digest, first.size)
        assert second.stored_size == len(VALUES)
        assert second.antipodes() == [(0, "x")]
        assert len(opened) == 2
        assert np.array_equal(second.block_headers()["first_index"], [0, BLOCK_SIZE])
        assert len(opened) == 2
    assert [each.suffix for each in heads.iterdir()] == [".head"]


def test_a_file_that_took_the_name_meanwhile_is_not_read(path: Path, heads: Path, tmp_path: Path) -> None:
    TableFile(path, heads).close()
    for remove in (False, True):
        with TableFile(path, heads) as held:
            saved = tmp_path / "saved"
            path.rename(saved)
            if not remove:
                settled(write(path, OTHERS))
            assert sum(block.n for block in held.blocks()) == len(VALUES)
            assert held.histograms().layers == held.info.layers
            saved.replace(path)


@pytest.mark.parametrize("replace", [True, False], ids=["replaced", "written to"])
def test_a_file_that_was_changed_is_opened(path: Path, heads: Path, opened: list[Path], replace: bool) -> None:
    TableFile(path, heads).close()
    write(path.with_name("other.duckdb"), OTHERS)
    if replace:
        path.with_name("other.duckdb").replace(path)
    else:
        shutil.copyfile(path.with_name("other.duckdb"), path)
    with TableFile(path, heads) as file:
        assert opened[-1] == path
        assert file.stored_size == len(OTHERS)
    path.write_bytes(b"no table")
    with pytest.raises(DamagedTable):
        TableFile(path, heads)
    path.unlink()
    with pytest.raises(MissingTable):
        TableFile(path, heads)


def test_only_the_last_head_of_a_file_stays(path: Path, heads: Path) -> None:
    TableFile(path, heads).close()
    (first,) = heads.iterdir()
    settled(write(path, OTHERS))
    TableFile(path, heads).close()
    (second,) = heads.iterdir()
    assert first != second


def test_a_head_is_not_kept_of_what_was_written_just_now(tmp_path: Path, heads: Path) -> None:
    """Within one tick of the clock it might be written to again, and look as before."""
    TableFile(write(tmp_path / "p.duckdb", [0, 1, 2]), heads).close()
    assert not [*heads.iterdir()]


def damage(head: Path) -> None:
    content = bytearray(head.read_bytes())
    content[-1] ^= 1
    head.write_bytes(content)


@pytest.mark.parametrize("spoil", [damage, Path.unlink, lambda head: head.write_bytes(b"")])
def test_a_head_that_is_not_sound_is_made_again(
    path: Path, heads: Path, opened: list[Path], spoil: Callable[[Path], object]
) -> None:
    TableFile(path, heads).close()
    (head,) = heads.iterdir()
    content = head.read_bytes()
    spoil(head)
    with TableFile(path, heads) as file:
        assert len(opened) == 2
        assert file.stored_size == len(VALUES)
    assert head.read_bytes() == content


def test_another_version_opens_the_file(
    path: Path, heads: Path, opened: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may check more than the one that kept the head."""
    TableFile(path, heads).close()
    monkeypatch.setattr(shared_arrays, "source_hash", lambda _folder: "another")
    TableFile(path, heads).close()
    assert len(opened) == 2


def rewritten(path: Path) -> None:
    """The file written to, and its time set back."""
    status = path.stat()
    shutil.copyfile(write(path.with_name("other.duckdb"), VALUES, goal="h"), path)
    assert path.stat().st_size == status.st_size
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_a_time_that_is_set_back_hides_nothing(path: Path, heads: Path) -> None:
    TableFile(path, heads).close()
    rewritten(path)
    with TableFile(path, heads) as file:
        assert file.info.goal == "h"
        assert len([*file.blocks()]) == 2


def test_a_head_that_is_not_the_files_own_is_noticed(path: Path, heads: Path) -> None:
    TableFile(path, heads).close()
    (former,) = heads.iterdir()
    rewritten(path)
    former.rename(checked._file(heads, path, Identity.of(path.stat()), ".head"))
    with TableFile(path, heads) as file:
        with pytest.raises(DamagedTable, match="not what it was"):
            [*file.blocks()]
        with pytest.raises(DamagedTable):
            [*file.blocks()]


def test_a_folder_that_cannot_be_written_does_no_harm(path: Path) -> None:
    """This one cannot be written by anybody, root included."""
    with TableFile(path, Path("/proc/self")) as file:
        assert file.stored_size == len(VALUES)
