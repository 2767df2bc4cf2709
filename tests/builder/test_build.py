"""builder/table.py and builder/verify.py: tables end to end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from puzzlebase.builder import BuildError, TableJob, VerificationError, proofs, verify
from puzzlebase.builder.journal import BitLayout, Journal
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.mapped import MappedFiles
from puzzlebase.db.table import Table
from puzzlebase.db.table_file import Certificate, TableFile
from puzzlebase.paths import table_path
from puzzlebase.puzzles import Puzzle, find
from puzzlebase.service.sources.sources import Sources
from tests import naive
from tests.fixtures import TABLES, opened, quiet_job


@pytest.mark.parametrize("name", TABLES)
def test_layers_are_the_published_ones(tables: Sources, golden: dict[str, Any], name: str) -> None:
    info = opened(tables, name).table.info
    assert sum(info.layers) == info.reachable == info.states
    assert len(info.layers) - 1 == info.gods_number
    if name == "avenger":
        assert list(info.layers) == golden["avenger"]["layers"]
        assert (info.gods_number, info.layers[-1]) == (15, 304)
    elif name in golden:
        assert (info.states, info.gods_number) == (
            golden[name]["states"],
            golden[name]["max_distance"],
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["novice", "novice-sixths"])
def test_all_of_novice_agrees_with_the_twin(
    tables: Sources, known: dict[str, int], name: str
) -> None:
    table = opened(tables, name)
    sixths = naive.wheel_neighbours(naive.SIXTH_TURNS, interchangeable=False)
    expected = known if name == "novice" else naive.distances(table.goal.start, sixths)
    assert len(expected) == table.space.size
    boards = np.frombuffer("".join(expected).encode(), np.uint8).reshape(-1, 21)
    assert table.distances(table.space.rank(boards)).tolist() == list(expected.values())


def test_certificates_cover_every_state(data: Path) -> None:
    with TableFile(table_path(data, "avenger")) as file:
        proved = file.certificates()
        assert [(one.graph, one.vertices) for one in proved] == [
            ("orbits", 92 * 113_400),
            ("states", 52_390_800),
        ]
        assert proved[1].edges == 10 * 52_390_800
        assert {step.phase for step in file.build_steps()} >= {
            "breadth-first search",
            "certificate of the states",
        }
    with TableFile(table_path(data, "novice-sixths")) as file:
        assert file.certificates() == [Certificate("states", 97_020, 4 * 97_020)]


@pytest.mark.parametrize("name", ["novice", pytest.param("challenger", marks=pytest.mark.matrix)])
@pytest.mark.parametrize("memory", [0, 1 << 30])
@pytest.mark.parametrize("states", [0, 1 << 28])
def test_states_are_counted_alike_however_they_are_read(
    data: Path, monkeypatch: pytest.MonkeyPatch, name: str, memory: int, states: int
) -> None:
    """States are read while orbits are certified,
    or range by range; they are certified or only counted.
    """
    monkeypatch.setattr(proofs, "STATES_IN_MEMORY", states)
    puzzle = find(name)
    job = quiet_job(TableJob, puzzle, data)
    with Table(job.path, memory) as table:
        assert (table.load().packed() is None) == (memory == 0)
        findings = verify.examine_graph(job, job.space.stored(), table.load())
        assert findings.histograms == table.histograms
        assert findings.layers == table.info.layers
        assert findings.antipodes == [index for index, _ in table.file.antipodes()]
        assert [one.graph for one in findings.certificates] == ["orbits", "states"][
            : 2 if states else 1
        ]


def test_a_build_goes_on_where_its_distances_cannot_be_mapped(data: Path, tmp_path: Path) -> None:
    novice, folder = find("novice"), tmp_path / "cached"
    folder.touch()
    path = quiet_job(TableJob, novice, tmp_path, mapped=MappedFiles(folder)).build()
    with TableFile(path) as file, TableFile(table_path(data, "novice")) as other:
        assert file.digest == other.digest


@pytest.mark.slow
def test_digests_do_not_depend_on_the_threads(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "not yet" / "there"
    for name, threads in (("challenger", 3), ("novice-sixths", 1)):
        quiet_job(TableJob, find(name), folder, threads=threads).build()
        with TableFile(table_path(data, name)) as one, TableFile(table_path(folder, name)) as other:
            assert one.digest == other.digest


def wrong_novice() -> Puzzle:
    novice = find("novice")
    published = novice.goals[0].published
    assert published is not None
    return replace(
        novice, goals=(replace(novice.goals[0], published=replace(published, gods_number=12)),)
    )


def test_a_table_that_fails_is_not_published(tmp_path: Path) -> None:
    with pytest.raises(VerificationError, match="God's number published in"):
        quiet_job(TableJob, wrong_novice(), tmp_path).build()
    assert not list(tmp_path.iterdir())
    novice = find("novice")
    path = quiet_job(TableJob, novice, tmp_path).build()
    before = path.read_bytes()
    with pytest.raises(VerificationError):
        quiet_job(TableJob, wrong_novice(), tmp_path).build()
    assert path.read_bytes() == before


def test_one_build_of_a_table_at_a_time(tmp_path: Path) -> None:
    novice = find("novice")
    held = Journal(tmp_path / "novice.journal", {}, BitLayout(1, 1))
    with held, pytest.raises(BuildError, match="another build") as caught:
        quiet_job(TableJob, novice, tmp_path).build()
    assert "--data" in caught.value.hint


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE census SET counts = list_transform(counts, lambda x: x + 1) WHERE first_index = 0",
        "UPDATE antipode SET index = index - 1",
        "UPDATE antipode SET state = 'RBBBBBBBBBBBBRRRRRRRR'",
        "DELETE FROM antipode",
        "INSERT INTO certificate VALUES ('none', 1, 2)",
        "UPDATE certificate SET links = links + 1",
        "DELETE FROM certificate",
        "UPDATE block SET base = base + 1",
        "DELETE FROM block",
        "UPDATE layer SET states = states + 1 WHERE distance = 3",
        "UPDATE table_info SET gods_number = 12",
        "UPDATE table_info SET goal = 'other'",
        "UPDATE table_info SET format = 0",
    ],
)
def test_verification_finds_what_was_changed(data: Path, tmp_path: Path, statement: str) -> None:
    path = table_path(tmp_path, "novice")
    path.write_bytes(table_path(data, "novice").read_bytes())
    with duckdb.connect(str(path)) as connection:
        connection.execute(statement)
    novice = find("novice")
    with pytest.raises((VerificationError, DamagedTable)):
        quiet_job(TableJob, novice, path.parent).verify()


def test_the_table_of_another_puzzle_is_refused(data: Path, tmp_path: Path) -> None:
    path = table_path(tmp_path, "novice")
    path.write_bytes(table_path(data, "novice-sixths").read_bytes())
    with pytest.raises(VerificationError, match="novice-sixths"):
        quiet_job(TableJob, find("novice"), path.parent).verify()
    with pytest.raises(DamagedTable, match="novice-sixths"):
        opened(Sources(tmp_path), "novice")
