"""db/sql/session.py: what becomes of files that are damaged,
replaced or rebuilt, and of what statements create.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.sql.errors import QueryError
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import table_path
from puzzlebase.service.sql.tables import session_over_tables
from tests.sql.conftest import ask


def test_a_file_that_is_replaced_stays_attached(folder: Path, tmp_path: Path) -> None:
    shutil.copy(table_path(folder, "novice"), tmp_path)
    with session_over_tables(tmp_path) as begun:
        shutil.copy(table_path(folder, "novice-sixths"), tmp_path / "new")
        (tmp_path / "new").replace(table_path(tmp_path, "novice"))
        assert ask(begun, "SELECT count(*), max(distance) FROM novice.layer") == [(14, 13)]
        assert ask(begun, "SELECT sum(states) FROM census('novice')") == [(97_020,)]
        with pytest.raises(DamagedTable):
            ask(begun, "SELECT count(*) FROM states('novice')")


def test_damage_in_the_blocks_is_reported(folder: Path, tmp_path: Path) -> None:
    content = table_path(folder, "avenger").read_bytes()
    with TableFile(table_path(folder, "avenger")) as file:
        (block,) = file.blocks_at([100 * BLOCK_SIZE])
    part = block.data[:32]
    damaged = bytes([*part[:16], part[16] ^ 1, *part[17:]])
    assert part in content
    content = content.replace(part, damaged)  # every copy: pages that are free may have one too
    table_path(tmp_path, "avenger").write_bytes(content)
    with session_over_tables(tmp_path) as begun, pytest.raises(DamagedTable):
        ask(begun, "SELECT count(*) FROM states('avenger')")


def test_states_of_a_table_that_was_rebuilt_are_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copy(table_path(folder, "novice"), tmp_path)
    with session_over_tables(tmp_path) as begun:
        begun.tables["novice"] = "another"
        with pytest.raises(DamagedTable, match="'novice' was replaced") as caught:
            ask(begun, "SELECT count(*) FROM states('novice')")
        assert caught.value.hint == "begin another session"
        assert ask(begun, "SELECT count(*) FROM antipodes('novice')") == [(21,)]


def test_what_is_created_lives_in_memory_only(folder: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()}
    with session_over_tables(folder) as begun:
        ask(
            begun,
            "CREATE TABLE far AS FROM states('novice') WHERE distance = 13; CREATE MACRO m(x) AS "
            "x + 1; SELECT 1",
        )
        assert ask(begun, "SELECT count(*), m(1) FROM far") == [(21, 2)]
        assert ask(
            begun,
            "SET VARIABLE d = 13; SELECT count(*) FROM states('novice') WHERE distance = "
            "getvariable('d')",
        ) == [(21,)]
    with session_over_tables(folder) as begun, pytest.raises(QueryError, match="far"):
        ask(begun, "FROM far")
    assert {
        path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()
    } == before
