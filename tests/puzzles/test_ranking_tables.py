"""machinery/ranking_tables.py and db/shared_arrays.py: a damaged or foreign file is made anew."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.db.shared_arrays import Arrays, ArrayStore
from puzzlebase.puzzles import find
from puzzlebase.puzzles.discovery import forget
from puzzlebase.puzzles.machinery.ranking_tables import RANKING_TABLES, RankingTables

MADE = {
    "small": np.array(7),
    "empty": np.array([]),
    "rows": np.arange(12, dtype=np.int32).reshape(3, 4),
    "map": np.arange(70_000, dtype=np.uint32),
}


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[RankingTables]:
    made = RankingTables()
    with made.stored_in(ArrayStore(tmp_path / "numbering")):
        made.arrays("puzzle", lambda: MADE)
        yield made


def never() -> Arrays:
    raise AssertionError


def assert_made(found: Arrays) -> None:
    assert found.keys() == MADE.keys()
    for name, array in MADE.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert (found[name] == array).all()
        assert found[name].flags.writeable
        assert type(found[name]) is np.ndarray


def test_arrays_are_made_once(tables: RankingTables) -> None:
    assert_made(tables.arrays("puzzle", never))


def test_without_a_folder_or_where_nothing_can_be_written_they_are_made_each_time(
    tmp_path: Path,
) -> None:
    assert_made(RankingTables().arrays("puzzle", lambda: MADE))
    (tmp_path / "file").touch()
    tables = RankingTables()
    with tables.stored_in(ArrayStore(tmp_path / "file" / "numbering")):
        assert_made(tables.arrays("puzzle", lambda: MADE))


def test_files_of_other_sources_go(
    tables: RankingTables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlebase.db.shared_arrays.source_hash", lambda: "another")
    tables.arrays("puzzle", lambda: MADE)
    assert len([*(tmp_path / "numbering").iterdir()]) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("name", "files"), [("novice", 2), ("challenger-sixths", 1)])
def test_a_space_from_a_file_is_that_which_was_made(tmp_path: Path, name: str, files: int) -> None:
    folder = tmp_path / "numbering"
    spaces = []
    for _ in range(2):
        forget()
        puzzle = find(name)
        with RANKING_TABLES.stored_in(ArrayStore(folder)):
            spaces.append(puzzle.space(puzzle.goal()))
    made, read = spaces
    indices = np.random.default_rng(3).integers(0, made.size, 10_000)
    assert made.size == read.size
    assert (made.expand(indices) == read.expand(indices)).all()
    assert (made.rank(made.unrank(indices)) == read.rank(read.unrank(indices))).all()
    graphs = [space.searched() for space in spaces]
    vertices = [graph.vertices(indices) for graph in graphs]
    assert (vertices[0] == vertices[1]).all()
    assert (graphs[0].graph.expand(vertices[0]) == graphs[1].graph.expand(vertices[0])).all()
    assert len([*folder.iterdir()]) == files
    shutil.rmtree(folder)
    forget()
