"""plugins/sql/parquet.py: results and whole tables as Parquet."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from puzzlebase.db.sql.errors import QueryError
from puzzlebase.db.sql.scan import SCHEMA
from puzzlebase.db.sql.session import Session
from puzzlebase.plugins.sql.parquet import write_parquet, write_table
from puzzlebase.service.error_status import InvalidRequest
from tests.small_disk import needs_mounts, on_small_disk
from tests.sql.conftest import all_distances, ask, one, table
from tests.waiting import PATIENCE


def test_rows_as_parquet(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "far.parquet"
    write_parquet(one(session, "FROM states('novice') WHERE distance >= 12 ORDER BY index"), path)
    assert parquet.read_table(path).to_pydict() == {
        "index": [
            row[0]
            for row in ask(session, "FROM states('novice') WHERE distance >= 12 ORDER BY index")
        ],
        "distance": [
            row[1]
            for row in ask(session, "FROM states('novice') WHERE distance >= 12 ORDER BY index")
        ],
    }
    write_parquet(one(session, "SELECT 1 AS n WHERE false"), path)
    assert parquet.read_table(path).num_rows == 0
    with pytest.raises(QueryError):
        write_parquet(
            one(session, "SELECT CAST(s AS INTEGER) AS n FROM (VALUES ('1'), ('a')) AS given(s)"),
            path,
        )
    assert parquet.read_table(path).num_rows == 0
    assert [each.name for each in tmp_path.iterdir()] == ["far.parquet"]


def test_more_states_than_can_be_written_are_refused(folder: Path, tmp_path: Path) -> None:
    novice = table(folder, "novice")
    many = replace(novice, space=replace(novice.space, size=1 << 41))
    with pytest.raises(InvalidRequest, match="2,199,023,255,552 states"):
        write_table(many, tmp_path / "novice.parquet", with_text=False)


@pytest.mark.slow
@needs_mounts
@pytest.mark.parametrize("megabytes", [1, pytest.param(2, marks=pytest.mark.matrix)])
def test_a_disk_that_is_full(folder: Path, tmp_path: Path, megabytes: int) -> None:
    """The export ends in one line and a remedy,
    at a full disk in a row group and at the end of the file.
    """
    command = [
        *on_small_disk(tmp_path, megabytes),
        sys.executable,
        "-m",
        "puzzlebase",
        "--data",
        folder,
    ]
    command += ["export", "challenger", "--text", "--parquet", tmp_path / "challenger.parquet"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    *before, line, remedy = done.stderr.splitlines()
    assert all(each.endswith(" s left") for each in before), "what it says of long work"
    assert "No space left on device" in line
    assert remedy.startswith("  ")


@pytest.mark.slow
def test_a_table_as_parquet(folder: Path, tmp_path: Path) -> None:
    challenger = table(folder, "challenger")
    path = tmp_path / "challenger.parquet"
    write_table(challenger, path, with_text=True)
    written = parquet.ParquetFile(path)
    columns = written.read()
    assert columns["index"].to_pylist() == list(range(challenger.space.size))
    assert (np.asarray(columns["distance"]) == all_distances(challenger)).all()
    assert columns.column_names == [*SCHEMA.names, "state"]
    some = range(0, challenger.space.size, 99_991)
    assert [columns["state"][n].as_py() for n in some] == [
        challenger.puzzle.text(n, challenger.goal) for n in some
    ]
    facts = {key.decode(): value.decode() for key, value in written.metadata.metadata.items()}
    assert facts["puzzle"] == "challenger"
    assert facts["digest"] == challenger.origin.tag
    first = 0
    for number in range(written.num_row_groups):
        group = written.metadata.row_group(number)
        index, distance = (group.column(column).statistics for column in (0, 1))
        part = np.asarray(columns["distance"])[first : first + group.num_rows]
        assert (index.min, index.max) == (first, first + group.num_rows - 1)
        assert (distance.min, distance.max, distance.null_count) == (part.min(), part.max(), 0)
        first += group.num_rows
    assert written.num_row_groups == 3
