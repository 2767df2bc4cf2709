"""db/table_file.py: a table whose head is cached is opened when more is needed,
and is then the same file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzlebase.db import shared_arrays, stored_file
from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.errors import MissingTable, ReplacedTable
from puzzlebase.db.table_file import TableHeader
from tests.db.test_table import write

VALUES = [0, 1, 2, *range(BLOCK_SIZE)]
OTHERS = [0, 1, 2, 3, *range(BLOCK_SIZE)]


@pytest.fixture
def heads(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def path(tmp_path: Path, heads: Path) -> Path:
    """A table whose head is cached."""
    path = write(tmp_path / "p.duckdb", VALUES)
    TableHeader(path, heads).close()
    return path


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that DuckDB is asked to open from now on."""
    asked: list[Path] = []
    checked = stored_file.check_stored_file

    def check(path: Path) -> None:
        asked.append(path)
        checked(path)

    monkeypatch.setattr(stored_file, "check_stored_file", check)
    return asked


def test_the_file_is_opened_when_more_is_asked(path: Path, heads: Path, opened: list[Path]) -> None:
    with TableHeader(path) as whole, TableHeader(path, heads) as file:
        assert len(opened) == 1
        assert (file.info, file.digest, file.size, file.mark) == (
            whole.info,
            whole.digest,
            whole.size,
            whole.mark,
        )
        assert file.file.antipodes() == [(0, "x")]
        assert len(file.file.block_headers()) == len(opened) == 2
    assert [each.suffix for each in heads.iterdir()] == [".head"]


def test_another_file_that_took_the_name_meanwhile_is_not_read(path: Path, heads: Path) -> None:
    with TableHeader(path, heads) as file:
        write(path.with_name("other.duckdb"), OTHERS).replace(path)
        for _ in range(2):
            with pytest.raises(ReplacedTable):
                file.file.antipodes()
    with TableHeader(path, heads) as file:
        assert file.info.stored_size == len(OTHERS)
    assert len([*heads.iterdir()]) == 1, "the head of the former file goes"
    path.unlink()
    with pytest.raises(MissingTable):
        TableHeader(path, heads)


def test_another_version_opens_the_file(
    path: Path, heads: Path, opened: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other version may check more than the one that cached the head."""
    monkeypatch.setattr(shared_arrays, "source_hash", lambda: "another")
    TableHeader(path, heads).close()
    assert len(opened) == 1
