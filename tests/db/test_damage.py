"""Damaged files: every byte flipped and every cut is an error that names the file,
or changes nothing.

The blocks themselves are read here. Files that are mapped in place of them are in test_mapped.py.
"""

from __future__ import annotations

import os
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pytest
from hypothesis import settings

from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.histograms import Histograms
from puzzlebase.db.table import Table
from puzzlebase.paths import table_path
from puzzlebase.service.answers import catalog, lookups, random_states, whole_tables
from puzzlebase.service.http.app import create_app
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from tests.fixtures import opened
from tests.http.asking import assert_problem

pytestmark = pytest.mark.usefixtures("unmapped")

FLIPS = settings().max_examples // 4
"""Bytes flipped for each kind of reading; `make fuzz` flips 40 times as many."""
NOVICE = "RBBBBBBBBBBBBRRRRRRRR"


class Everything(NamedTuple):
    """Read all of a table."""

    header: object
    distances: bytes
    histograms: Histograms
    antipodes: object
    certificates: object
    log: object
    answers: object


def everything(table: OpenTable) -> Everything:
    file = table.table.file
    return Everything(
        header=(file.info, file.digest, file.size),
        distances=table.table.probe(np.arange(file.info.stored_size)).tobytes(),
        histograms=table.table.histograms,
        antipodes=file.antipodes(),
        certificates=file.certificates(),
        log=file.build_steps(),
        answers=(
            lookups.lookup(table, NOVICE),
            whole_tables.histogram(table),
            whole_tables.antipodes(table, 0, 50),
            random_states.random_state(table, min=9, max=11, seed="x"),
        ),
    )


@pytest.fixture(scope="module")
def content(data: Path) -> bytes:
    return table_path(data, "novice").read_bytes()


@pytest.fixture(scope="module")
def sound(data: Path) -> Everything:
    return everything(opened(Sources(data), "novice"))


def put(data: Path, content: bytes) -> None:
    """Replace the table of a folder."""
    path = table_path(data, "novice")
    copy = path.with_suffix(".copy")
    copy.write_bytes(content)
    copy.replace(path)


def is_error(tables: Sources, sound: Everything) -> bool:
    """True if a damaged copy is an error that names the file and the remedy;
    else all it gives is right.
    """
    try:
        found = everything(opened(tables, "novice"))
    except DamagedTable as error:
        path = table_path(tables.folder.data, "novice")
        return (
            str(path) in str(error)
            and error.hint == f"build it: puzzlebase build novice --data {path.parent}"
        )
    assert found == sound
    return False


def noticed(tables: Sources, damaged: bytes, sound: Everything) -> bool:
    """True if such a copy is an error when it takes the table's place."""
    put(tables.folder.data, damaged)
    return is_error(tables, sound)


@pytest.mark.slow(8)
def test_a_flipped_byte_is_an_error_or_changes_nothing(
    content: bytes, sound: Everything, tmp_path: Path
) -> None:
    """Distances are all in memory, or read a block at a time."""
    random = np.random.default_rng(0)
    memories = [Sources(Folder(tmp_path, memory)) for memory in (1 << 30, 0)]
    errors = np.zeros(len(memories))
    for at, mask in zip(
        random.integers(0, len(content), FLIPS), random.integers(1, 256, FLIPS), strict=True
    ):
        damaged = bytearray(content)
        damaged[at] ^= mask
        put(tmp_path, bytes(damaged))
        errors += [is_error(tables, sound) for tables in memories]
    assert (errors > FLIPS * 0.9).all()


@pytest.mark.slow
def test_what_adds_nothing_up_is_an_error(content: bytes, tmp_path: Path) -> None:
    """Content that DuckDB holds for sound, as after a write that went astray."""
    path = table_path(tmp_path, "novice")
    tables = Sources(tmp_path)

    def changed(sql: str) -> OpenTable:
        copy = path.with_suffix(".copy")
        copy.write_bytes(content)
        with duckdb.connect(str(copy)) as connection:
            connection.execute(sql)
        copy.replace(path)
        return opened(tables, "novice")

    for sql in (
        "DELETE FROM antipode WHERE index = (SELECT min(index) FROM antipode)",
        "UPDATE antipode SET index = 0",
        "UPDATE antipode SET index = -1",
        "UPDATE antipode SET index = 1000000000000000",
    ):
        with pytest.raises(DamagedTable, match="antipodes"):
            whole_tables.antipodes(changed(sql), 0, 100)
    for sql in (
        "DELETE FROM census WHERE first_index = 0",
        "UPDATE census SET first_index = first_index + 1 << 40",
        "UPDATE census SET base = base + 1",
        "UPDATE census SET base = -1",
        "UPDATE census SET counts = list_reverse(counts)",
        "UPDATE census SET counts = range(100)",
        "UPDATE census SET counts = [NULL, 1]",
    ):
        with pytest.raises(DamagedTable, match=r"novice\.duckdb"):
            random_states.random_state(changed(sql), min=0)
    for sql in (
        "UPDATE block SET first_index = first_index + 1",
        "UPDATE block SET base = base + 1",
        "UPDATE block SET checksum = 'x'::BLOB",
        "UPDATE block SET data = 'part'::BLOB",
        "UPDATE layer SET states = states + 1 WHERE distance = 0",
        "DELETE FROM layer",
        "DELETE FROM table_info",
        "INSERT INTO table_info FROM table_info",
        "DROP TABLE layer",
        "ALTER TABLE block DROP COLUMN width",
        "ALTER TABLE block ALTER data TYPE VARCHAR",
        "ALTER TABLE block ALTER checksum DROP NOT NULL; UPDATE block SET checksum = NULL",
        "ALTER TABLE table_info ALTER states TYPE VARCHAR",
        "UPDATE table_info SET format = 99",
    ):
        with pytest.raises(DamagedTable, match=r"novice\.duckdb"):
            changed(sql)


def test_a_damaged_table_spoils_its_own_answers_only(
    data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A line of the log tells of each."""
    for name in ("novice", "challenger", "avenger"):
        table_path(tmp_path, name).write_bytes(table_path(data, name).read_bytes())
    path = table_path(tmp_path, "avenger")
    path.write_bytes(path.read_bytes()[:-70_000])
    service, solved = create_app(tmp_path).test_client(), ".AAA.BBB.CCC.DDD.EEE."
    caplog.clear()
    for verb in ("lookup", "solve", "hint"):
        response: Any = service.get(f"/v1/puzzles/avenger/{verb}?state={solved}")
        assert_problem(response, 500, "damaged-table")
        assert str(path) in response.json["detail"]
        assert response.json["hint"] == f"build it: puzzlebase build avenger --data {path.parent}"
        assert service.get(f"/v1/puzzles/novice/{verb}?state={NOVICE}").status_code == 200
    for verb in ("histogram", "antipodes", "random"):
        assert_problem(service.get(f"/v1/puzzles/avenger/{verb}"), 500, "damaged-table")
        assert service.get(f"/v1/puzzles/challenger/{verb}").status_code == 200
    assert len([line for line in caplog.messages if str(path) in line]) == 6
    assert_problem(
        service.post("/v1/puzzles/avenger/lookup", json={"states": [solved]}), 500, "damaged-table"
    )
    assert_problem(
        service.post("/v1/puzzles/avenger/grade", json={"state": solved, "moves": []}),
        500,
        "damaged-table",
    )
    assert service.get("/v1/puzzles/avenger").status_code == 200
    assert service.get(f"/v1/puzzles/avenger/picture?state={solved}").status_code == 200


@pytest.mark.slow
def test_damage_to_a_block_is_an_error_of_reads_of_that_block(data: Path, tmp_path: Path) -> None:
    """A table that does not fit is read block by block,
    each checked when it is; and no answer is wrong meanwhile.
    """
    path = table_path(tmp_path, "avenger")
    path.write_bytes(table_path(data, "avenger").read_bytes())
    tables = Sources(Folder(tmp_path, memory=1 << 20, recheck_after=inf))  # else it is opened anew
    table = opened(tables, "avenger").table
    assert opened(tables, "avenger").table is table
    source = opened(Sources(data), "avenger").table
    right = source.probe(np.arange(table.info.stored_size))
    rot(
        path,
        source.file.blocks_at([table.info.stored_size // 2 // BLOCK_SIZE * BLOCK_SIZE])[0].data,
    )
    first = np.arange(0, table.info.stored_size, BLOCK_SIZE)
    outcome = [
        read(table, np.arange(at, min(at + BLOCK_SIZE, len(right))), right) for at in first.tolist()
    ]
    assert 0 < outcome.count(False) < 10
    assert [read(table, np.array([at]), right) for at in first.tolist()] == outcome
    assert opened(tables, "avenger").table is table
    (damaged,) = catalog.readiness(tables)["damaged"]
    assert (damaged["table"], str(path) in damaged["detail"]) == ("avenger", True)


def rot(path: Path, data: bytes) -> None:
    """Change a bit amid these bytes of a file, and set back its time."""
    at = path.read_bytes().index(data[100:160])
    status = path.stat()
    with path.open("r+b") as file:
        file.seek(at)
        file.write(bytes([data[100] ^ 1]))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def read(table: Table, indices: Any, right: Any) -> bool:
    """True if a read succeeds; it is then right."""
    try:
        assert np.array_equal(table.probe(indices), right[indices])
    except DamagedTable:
        return False
    return True
