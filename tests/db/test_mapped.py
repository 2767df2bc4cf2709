"""db/mapped.py: distances that all processes map.
They are those of the table, whatever happens to the file.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.db import shared_arrays
from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.mapped import NOT_MAPPED, MappedFiles
from puzzlebase.db.table import Table
from puzzlebase.paths import table_path
from puzzlebase.service.answers import lookups
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.sources import Sources
from tests.db.test_table import write
from tests.fixtures import opened, some_states
from tests.matrix import one_in
from tests.serving import serving

ALL = 1 << 30


@pytest.fixture(scope="module")
def values() -> list[int]:
    """Three blocks and a bit, of three widths, whose neighbours differ."""
    random = np.random.default_rng(12)
    parts = [random.integers(low, high, BLOCK_SIZE) for low, high in ((0, 9), (100, 300), (5, 900))]
    everything: list[int] = np.concatenate([*parts, [-1, 5, 0]]).tolist()
    return everything


@pytest.fixture
def path(tmp_path: Path, values: list[int]) -> Path:
    return write(tmp_path / "p.duckdb", values)


@pytest.fixture
def files(tmp_path: Path) -> MappedFiles:
    return MappedFiles(tmp_path / "cache")


def test_whoever_opens_a_table_makes_its_file(path: Path, files: MappedFiles) -> None:
    assert files.folder
    with Table(path, ALL, NOT_MAPPED) as own:
        assert own.load().in_memory
        assert own.nbytes > 200_000
        assert not files.folder.exists()
    with Table(path, 1, files) as small:
        assert small.load().in_memory
        assert small.nbytes < 1000, "mapped bytes are not this process's own"
        (made,) = files.folder.glob("*.distances")
        assert re.fullmatch(f"p-[0-9a-f]{{8}}-{small.header.mark}[.]distances", made.name)


def file_of(path: Path, files: MappedFiles) -> Path:
    """Make the file of a table."""
    with Table(path, ALL, files) as table:
        table.load()
        found = files.path(table.header)
    assert found
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", one_in(4, range(4)))
def test_any_flipped_bit_is_found_before_it_answers(
    path: Path, files: MappedFiles, values: list[int], caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    """Damage in the header has the file made anew;
    in a block it has the table read and the file removed.
    """
    file = file_of(path, files)
    content, right = file.read_bytes(), np.array(values)
    data = (sum((BLOCK_SIZE // 2, BLOCK_SIZE, 2 * BLOCK_SIZE)) + 6) // 4096 * 4096
    random = np.random.default_rng(seed)
    in_header = 0
    for at in [
        *random.integers(0, len(content) - data, 5).tolist(),
        *random.integers(0, len(content), 3).tolist(),
    ]:
        damaged = bytearray(content)
        damaged[at] ^= 1 << at % 8
        file.write_bytes(damaged)
        caplog.clear()
        with Table(path, ALL, files) as table:
            anew = shared_arrays.read(file) is None
            assert np.array_equal(table.probe(np.arange(len(right))), right)
            assert np.array_equal(table.range(0, len(right)), right)
            assert table.load().in_memory
        in_header += anew
        if anew:
            assert file.read_bytes() == content
        elif not file.exists():
            assert f"{file} was damaged" in caplog.text
            assert file_of(path, files).read_bytes() == content
        else:  # between the arrays, or behind the last block
            assert not caplog.messages
    assert in_header >= 5


def test_a_file_of_a_former_table_is_not_used(
    path: Path, files: MappedFiles, values: list[int]
) -> None:
    file = file_of(path, files)
    file_of(write(path, values[::-1]), files)
    assert not file.exists(), "files of former tables go"
    with Table(path, ALL, files) as table:
        assert table.probe(np.arange(len(values))).tolist() == values[::-1]


def test_two_data_folders_with_one_cache(
    path: Path, files: MappedFiles, values: list[int], tmp_path: Path
) -> None:
    """Tables of one name leave each other's files alone."""
    (tmp_path / "other").mkdir()
    other = write(tmp_path / "other" / "p.duckdb", values[::-1])
    made = {file_of(path, files), file_of(other, files)}
    inodes = {each: each.stat().st_ino for each in made}
    for each_path, expected in ((path, values), (other, values[::-1])):
        with Table(each_path, ALL, files) as table:
            assert table.probe(np.arange(len(values))).tolist() == expected
    assert {each: each.stat().st_ino for each in made} == inodes
    assert len(made) == 2


def test_a_file_that_is_replaced_or_removed_while_it_is_mapped(
    path: Path, files: MappedFiles, values: list[int]
) -> None:
    everything = np.arange(len(values))
    for replaced in (True, False):
        file = file_of(path, files)
        with Table(path, ALL, files) as table:
            table.load()
            if replaced:
                new = file.with_suffix(".new")
                new.write_bytes(bytes(file.stat().st_size))
                new.replace(file)
            else:
                file.unlink()
            assert table.probe(everything).tolist() == values


def test_a_damaged_block_of_the_table_makes_no_file(path: Path, files: MappedFiles) -> None:
    with Table(path, ALL, NOT_MAPPED) as table:
        data = table.file.blocks_at([BLOCK_SIZE])[0].data
    content = path.read_bytes()
    at = content.index(data[200:260])
    path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    assert files.folder
    with Table(path, ALL, files) as table, pytest.raises(DamagedTable, match=r"p\.duckdb"):
        table.probe(np.array([0]))
    assert [*files.folder.glob("*.distances*")] == []


def test_where_it_cannot_be_made_each_process_has_its_own(
    tmp_path: Path, path: Path, values: list[int]
) -> None:
    (tmp_path / "file").touch()
    with Table(path, ALL, MappedFiles(tmp_path / "file" / "cache")) as table:
        assert table.probe(np.arange(len(values))).tolist() == values
        assert table.nbytes > 200_000


@pytest.mark.slow(8)
def test_two_workers_map_one_file(data: Path, tmp_path: Path) -> None:
    """Every block is damaged before they start, and yet they answer as from memory of their own."""
    shutil.copy(table_path(data, "challenger"), tmp_path)
    tables = Sources(Folder(tmp_path, mapped=MappedFiles(tmp_path / "cache")))
    own, states = (
        opened(Sources(Folder(data, mapped=NOT_MAPPED)), "challenger"),
        some_states(tables, "challenger", 40),
    )
    expected = [lookups.lookup(own, state)["distance"] for state in states]
    (file,) = (tmp_path / "cache").glob("challenger-*.distances")
    for damaged in (False, True):
        if damaged:
            with file.open("r+b") as content:
                for at in range(file.stat().st_size - 1, 8192, -BLOCK_SIZE // 2):
                    content.seek(at)
                    (byte,) = content.read(1)
                    content.seek(at)
                    content.write(bytes([byte ^ 1]))
        with serving(tmp_path, "--workers", "1" if damaged else "2") as served:
            maps = [
                Path(f"/proc/{worker.pid}/maps").read_text("utf-8") for worker in served.workers()
            ]
            # A worker that is ready has looked up a state, and may have found the damage by that.
            assert damaged or any(str(file) in each for each in maps)
            for state, distance in zip(states, expected, strict=True):
                assert (
                    served.get(f"/v1/puzzles/challenger/lookup?state={state}")[1]["distance"]
                    == distance
                )
        assert file.exists() != damaged
