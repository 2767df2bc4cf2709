"""db/cached_checks.py: a table's file is opened when more than its header is needed, and is then the same file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.db import cached_checks, files, shared_arrays
from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.cached_checks import Identity
from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.db.table_file import TableFile
from tests.db.test_table import write

LONG_AGO = 1_000_000_000
TIMES = count(LONG_AGO)
VALUES = [0, 1, 2, *range(BLOCK_SIZE)]
OTHERS = [0, 1, 2, 3, *range(BLOCK_SIZE)]


@pytest.fixture
def headers(tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    folder.mkdir()
    return folder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return settled(write(tmp_path / "p.duckdb", VALUES))


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that DuckDB is asked to open from now on."""
    asked: list[Path] = []
    attached = files._attached

    def attach(path: Path, *given: object) -> object:
        asked.append(path)
        return attached(path, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(files, "_attached", attach)
    return asked


def settled(path: Path) -> Path:
    """Set a file's time long back, each time to another one."""
    os.utime(path, (LONG_AGO, next(TIMES)))
    return path


def test_a_file_whose_head_is_kept_is_opened_when_more_is_asked(path: Path, headers: Path, opened: list[Path]) -> None:
    with TableFile(path, headers) as first:
        assert len(opened) == 1
    with TableFile(path, headers) as second:
        assert len(opened) == 1
        assert (second.info, second.digest, second.size) == (first.info, first.digest, first.size)
        assert second.stored_size == len(VALUES)
        assert second.antipodes() == [(0, "x")]
        assert len(opened) == 2
        assert np.array_equal(second.block_headers()["first_index"], [0, BLOCK_SIZE])
        assert len(opened) == 2
    assert [each.suffix for each in headers.iterdir()] == [".head"]


def test_a_file_that_took_the_name_meanwhile_is_not_read(path: Path, headers: Path, tmp_path: Path) -> None:
    TableFile(path, headers).close()
    for remove in (False, True):
        with TableFile(path, headers) as held:
            saved = tmp_path / "saved"
            path.rename(saved)
            if not remove:
                settled(write(path, OTHERS))
            assert sum(block.n for block in held.blocks()) == len(VALUES)
            assert held.histograms().layers == held.info.layers
            saved.replace(path)


@pytest.mark.parametrize("replace", [True, False], ids=["replaced", "written to"])
def test_a_file_that_was_changed_is_opened(path: Path, headers: Path, opened: list[Path], replace: bool) -> None:
    TableFile(path, headers).close()
    write(path.with_name("other.duckdb"), OTHERS)
    if replace:
        path.with_name("other.duckdb").replace(path)
    else:
        shutil.copyfile(path.with_name("other.duckdb"), path)
    with TableFile(path, headers) as file:
        assert opened[-1] == path
        assert file.stored_size == len(OTHERS)
    path.write_bytes(b"no table")
    with pytest.raises(DamagedTable):
        TableFile(path, headers)
    path.unlink()
    with pytest.raises(MissingTable):
        TableFile(path, headers)


def test_only_the_last_head_of_a_file_stays(path: Path, headers: Path) -> None:
    TableFile(path, headers).close()
    (first,) = headers.iterdir()
    settled(write(path, OTHERS))
    TableFile(path, headers).close()
    (second,) = headers.iterdir()
    assert first != second


def test_a_head_is_not_kept_of_what_was_written_just_now(tmp_path: Path, headers: Path) -> None:
    """Within one tick of the clock it might be written to again, and look as before."""
    TableFile(write(tmp_path / "p.duckdb", [0, 1, 2]), headers).close()
    assert not [*headers.iterdir()]


def damage(header: Path) -> None:
    content = bytearray(header.read_bytes())
    content[-1] ^= 1
    header.write_bytes(content)


@pytest.mark.parametrize("spoil", [damage, Path.unlink, lambda header: header.write_bytes(b"")])
def test_a_head_that_is_not_sound_is_made_again(
    path: Path, headers: Path, opened: list[Path], spoil: Callable[[Path], object]
) -> None:
    TableFile(path, headers).close()
    (header,) = headers.iterdir()
    content = header.read_bytes()
    spoil(header)
    with TableFile(path, headers) as file:
        assert len(opened) == 2
        assert file.stored_size == len(VALUES)
    assert header.read_bytes() == content


def test_another_version_opens_the_file(
    path: Path, headers: Path, opened: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other version may check more than the one that cached the header."""
    TableFile(path, headers).close()
    monkeypatch.setattr(shared_arrays, "source_hash", lambda _folder: "another")
    TableFile(path, headers).close()
    assert len(opened) == 2


def rewritten(path: Path) -> None:
    """Write to the file and set back its time."""
    status = path.stat()
    shutil.copyfile(write(path.with_name("other.duckdb"), VALUES, goal="h"), path)
    assert path.stat().st_size == status.st_size
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_a_time_that_is_set_back_hides_nothing(path: Path, headers: Path) -> None:
    TableFile(path, headers).close()
    rewritten(path)
    with TableFile(path, headers) as file:
        assert file.info.goal == "h"
        assert len([*file.blocks()]) == 2


def test_a_head_that_is_not_the_files_own_is_noticed(path: Path, headers: Path) -> None:
    TableFile(path, headers).close()
    (former,) = headers.iterdir()
    rewritten(path)
    former.rename(cached_checks._file(headers, path, Identity.of(path.stat()), ".head"))
    with TableFile(path, headers) as file:
        with pytest.raises(DamagedTable, match="not what it was"):
            [*file.blocks()]
        with pytest.raises(DamagedTable):
            [*file.blocks()]


def test_a_folder_that_cannot_be_written_does_no_harm(path: Path) -> None:
    """Nobody can write this folder, root included."""
    with TableFile(path, Path("/proc/self")) as file:
        assert file.stored_size == len(VALUES)
