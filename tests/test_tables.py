"""service/tables.py: tables come, change, break and go while the service runs."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest

from builder import build
from db import DamagedTable, MissingTable, table_path
from puzzles import find
from service import answers
from service.tables import Tables
from tests.conftest import TABLES, opened, quiet


def put(data: Path, folder: Path, name: str, source: str | None = None) -> Path:
    """A copy of a table, moved into place as the builder does."""
    path = table_path(folder, name)
    copy = path.with_suffix(".copy")
    copy.write_bytes(table_path(data, source or name).read_bytes())
    return copy.replace(path)


def test_a_table_is_served_once_it_is_there(data: Path, tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    with pytest.raises(MissingTable) as caught:
        opened(tables, "novice")
    assert "make build-db PUZZLE=novice" in caught.value.hint
    put(data, tmp_path, "novice")
    first = opened(tables, "novice")
    assert opened(tables, "novice") is first
    put(data, tmp_path, "novice")
    second = opened(tables, "novice")
    assert second is not first
    assert first.distances(first.space.zeros).tolist() == second.distances(second.space.zeros).tolist() == [0]
    assert [puzzle.name for puzzle, _ in tables.built()] == ["novice"]


def test_a_table_in_hand_outlives_its_file(data: Path, tmp_path: Path) -> None:
    tables = Tables(tmp_path, memory=1 << 14)
    put(data, tmp_path, "challenger")
    challenger = opened(tables, "challenger")
    indices = np.arange(0, challenger.space.size, 997)
    put(data, tmp_path, "challenger", source="novice")
    assert np.array_equal(challenger.distances(indices), opened(Tables(data), "challenger").distances(indices))
    with pytest.raises(DamagedTable):
        opened(tables, "challenger")
    table_path(tmp_path, "challenger").unlink()
    with pytest.raises(MissingTable):
        opened(tables, "challenger")


def test_the_table_of_another_goal_is_damaged(data: Path, tmp_path: Path) -> None:
    path = put(data, tmp_path, "novice")
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE table_info SET goal = 'other'")
    with pytest.raises(DamagedTable):
        opened(Tables(tmp_path), "novice")


def test_a_damaged_table_spoils_only_itself(data: Path, tmp_path: Path) -> None:
    put(data, tmp_path, "novice")
    path = put(data, tmp_path, "challenger")
    path.write_bytes(path.read_bytes()[:100_000])
    tables = Tables(tmp_path)
    ready = answers.readiness(tables)
    assert (ready["ready"], ready["tables"]) == (True, ["novice"])
    (damaged,) = ready["damaged"]
    assert damaged["table"] == "challenger"
    assert str(path) in damaged["detail"]
    assert "PUZZLE=challenger" in damaged["hint"]
    assert opened(tables, "novice")
    with pytest.raises(DamagedTable):
        opened(tables, "challenger")
    assert [line["coverage"] for line in answers.puzzle_list(tables)["puzzles"] if line["states"]] == ["table"]
    build(find("challenger"), find("challenger").goal(), tmp_path, "test", 2, quiet())
    assert answers.readiness(tables)["damaged"] == []


def test_an_empty_folder_and_strangers_in_it(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        tables = Tables(folder)
        assert tables.built() == []
        assert answers.readiness(tables) == {"ready": False, "tables": [], "damaged": []}
    (tmp_path / "unknown.duckdb").write_text("x")
    (tmp_path / "novice@unknown.duckdb").write_text("x")
    assert Tables(tmp_path).built() == []


def test_every_table_opens(tables: Tables) -> None:
    assert {puzzle.name for puzzle, _ in tables.built()} == set(TABLES)
    assert set(tables.warm().values()) == {None}
