"""db/table.py, block_cache.py, table_file.py:
a table's file, resident and in a cache, sound and damaged.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from puzzlebase.db.blocks import BLOCK_SIZE, encode
from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.db.histograms import Histograms
from puzzlebase.db.mapped import MappedFiles
from puzzlebase.db.table import Table
from puzzlebase.db.table_file import TableFile, TableInfo, TableWriter
from puzzlebase.paths import table_path


def write(path: Path, distances: list[int], **changes: object) -> Path:
    """Write a table of any distances."""
    values = np.array(distances, np.int32)
    layers = tuple(np.bincount(values[values >= 0]).tolist())
    fields: dict[str, Any] = {
        "puzzle": "p",
        "goal": "g",
        "states": len(values),
        "reachable": sum(layers),
        "gods_number": len(layers) - 1,
    }
    info = TableInfo(
        **fields | {"stored": "states", "stored_size": len(values), "layers": layers} | changes
    )
    writer = TableWriter(path)
    writer.add(
        [encode(at, values[at : at + BLOCK_SIZE]) for at in range(0, len(values), BLOCK_SIZE)]
    )
    ranges = [values[at : at + BLOCK_SIZE] for at in range(0, len(values), BLOCK_SIZE)]
    histograms = Histograms.of(BLOCK_SIZE, [(0, np.bincount(some[some >= 0])) for some in ranges])
    writer.finish(info, histograms, [(0, "x")])
    return path


def some_distances(seed: int) -> list[int]:
    """Five blocks and a bit of all three widths."""
    random = np.random.default_rng(seed)
    parts = [
        random.integers(low, high, BLOCK_SIZE)
        for low, high in ((0, 9), (3, 15), (0, 200), (100, 900), (7, 8))
    ]
    everything: list[int] = np.concatenate([*parts, [-1, 5, 0]]).tolist()
    return everything


@pytest.fixture(scope="module")
def distances() -> list[int]:
    return some_distances(9)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory, distances: list[int]) -> Path:
    return write(tmp_path_factory.mktemp("table") / "p.duckdb", distances)


@pytest.fixture(
    params=[
        "in own memory",
        "a block at a time",
        "in a small cache",
        "mapped",
        "mapped on the disk",
    ]
)
def table(request: pytest.FixtureRequest, path: Path, tmp_path: Path) -> Iterator[Table]:
    """The same table in each way of reading it."""
    memory = {"a block at a time": 1, "in a small cache": 200_000}.get(request.param, 1 << 30)
    mapped = {"mapped": inf, "mapped on the disk": 0}
    folder = tmp_path if request.param in mapped else None
    with Table(
        path, memory, MappedFiles(folder, in_memory=mapped.get(request.param, inf))
    ) as table:
        in_memory = request.param in ("in own memory", "mapped")
        assert table.load().in_memory == bool(table.load().packed()) == in_memory
        yield table


def test_every_distance_however_it_is_read(table: Table, distances: list[int]) -> None:
    assert table.probe(np.array([-1, 3, -1])).tolist() == [-1, distances[3], -1]
    assert table.probe(np.array([], np.int64)).tolist() == []
    shuffled = np.random.default_rng(4).permutation(len(distances))[:5000]
    assert table.probe(shuffled).tolist() == [distances[i] for i in shuffled.tolist()]
    assert (
        table.range(BLOCK_SIZE - 5, 3 * BLOCK_SIZE + 2).tolist()
        == distances[BLOCK_SIZE - 5 : 3 * BLOCK_SIZE + 2]
    )
    assert table.range(0, len(distances)).tolist() == distances
    assert table.probe(np.arange(len(distances))).tolist() == distances
    assert table.range(len(distances), len(distances)).tolist() == []


def test_many_threads_read_at_once(table: Table, distances: list[int]) -> None:
    def ask(seed: int) -> bool:
        indices = np.random.default_rng(seed).integers(0, len(distances), 200)
        return bool(table.probe(indices).tolist() == [distances[i] for i in indices.tolist()])

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(40)))


def test_what_is_no_stored_index_is_an_error(table: Table, distances: list[int]) -> None:
    """The error is the same however the table is read, and whatever is asked beside."""
    size = len(distances)
    for index in (size, 10**9, 1 << 62, -2, -(1 << 62)):
        for asked in ([index], [0, index, -1]):
            with pytest.raises(
                IndexError, match=f"{index} is no stored index: the table has {size}"
            ):
                table.probe(np.array(asked))
    for first, last in ((0, size + 1), (-1, 1), (5, 4), (10**9, 10**9 + 1)):
        with pytest.raises(IndexError, match=rf"{first} \.\. {last} are no stored indices"):
            table.range(first, last)


def test_equal_content_has_an_equal_digest(
    path: Path, distances: list[int], tmp_path: Path
) -> None:
    again = write(tmp_path / "again.duckdb", distances)
    other = write(tmp_path / "other.duckdb", [*distances[:-1], 1])
    with TableFile(path) as one, TableFile(again) as two, TableFile(other) as three:
        assert one.digest == two.digest != three.digest
        assert one.info == two.info


def test_no_file_is_a_missing_table(tmp_path: Path) -> None:
    for name, remedy in (("avenger", "build avenger"), ("panguru@X", "build panguru --goal X")):
        with pytest.raises(MissingTable) as caught:
            TableFile(table_path(tmp_path, name))
        assert remedy in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_a_header_that_lies_does_not_open(path: Path, distances: list[int], tmp_path: Path) -> None:
    with (
        pytest.raises(DamagedTable, match="lacks blocks"),
        Table(write(tmp_path / "long.duckdb", distances, stored_size=len(distances) + 1)) as table,
    ):
        table.probe(np.arange(3))
    copy = tmp_path / "p.duckdb"
    shutil.copy(path, copy)
    writer = TableWriter(tmp_path / "unfinished.duckdb")
    writer.close()
    with pytest.raises(DamagedTable):
        TableFile(tmp_path / "unfinished.duckdb")
    with TableFile(copy) as file:
        assert file.antipodes() == [(0, "x")]


@pytest.mark.slow
def test_a_file_larger_than_duckdbs_memory_is_read(tmp_path: Path) -> None:
    """320 MB of blocks that do not compress, where DuckDB may keep 256 MB."""
    count = 160 * 16
    distances = np.random.default_rng(1).integers(0, 40_000, BLOCK_SIZE, dtype=np.int32)
    block = encode(0, distances)
    writer = TableWriter(tmp_path / "p.duckdb")
    for first in range(0, count, 256):
        writer.add(
            [replace(block, first_index=(first + number) * BLOCK_SIZE) for number in range(256)]
        )
    size = count * BLOCK_SIZE
    histograms = Histograms.of(BLOCK_SIZE, [(0, [1])] * count)
    writer.finish(TableInfo("p", "g", size, 1, 0, "states", size, (1,)), histograms, [(0, "x")])
    with TableFile(tmp_path / "p.duckdb") as file:
        assert file.size > 300_000_000
        assert sum(1 for _ in file.blocks()) == count
