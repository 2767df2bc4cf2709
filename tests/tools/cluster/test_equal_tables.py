"""A cluster builds the tables that one machine builds."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from puzzlebase.builder import Shortage
from puzzlebase.builder.publishing import BuildError
from puzzlebase.db.table_file import TableFile
from puzzlebase.tools.cluster import machines
from puzzlebase.tools.publish.folder import read_json
from tests.commands import ran
from tests.tools.cluster.conftest import digest_of, job_of, parts
from tests.waiting import PATIENCE

BUILDS = [
    ("novice", 2),  # fewer pieces than parts
    *(("challenger", workers) for workers in (1, 2, 4)),
    *(("panguru-4", workers) for workers in (1, 2, 4)),
    ("panex-4-halved", 2),  # distances beyond a byte
    ("avenger", 2),
]
LONG = "PUZZLEBASE_TEST_LONG" in os.environ
LONG_BUILDS = [(name, workers) for name in ("avenger", "panex-6") for workers in (1, 2, 4)]
"""Some minutes: `make test-cluster LONG=1` has these in place of the others."""


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize(("name", "workers"), LONG_BUILDS if LONG else BUILDS)
def test_a_cluster_builds_the_table_of_one_machine(
    tmp_path: Path, plain: Callable[[str], str], name: str, workers: int
) -> None:
    path = job_of(name, tmp_path, workers).build()
    assert digest_of(path) == plain(name)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("name", ["avenger", "panex-5"] if LONG else ["challenger", "panex-4"])
def test_a_cluster_publishes_a_table_as_one_machine_does(tmp_path: Path, name: str) -> None:
    """The header says where and when a table was built."""
    folders = [tmp_path / "one" / name, tmp_path / "parts" / name]
    job = job_of(name, tmp_path / "cluster", 2, publish=folders[1].parent)
    assert job.build() == folders[1]
    assert not [*job.data.iterdir()]
    data = tmp_path / "data"
    ran(data, "publish", name, str(folders[0].parent))
    one, by_parts = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders)
    headers = [read_json(files.pop("header.json")) for files in (one, by_parts)]
    for files in one, by_parts:
        del files["index.html"]  # which names the header's numbers
    assert one == by_parts
    for header in headers:
        header["about"]["table"] |= {"bytes": 0, "built": None}
    assert headers[0] == headers[1]


@pytest.mark.usefixtures("cluster")
def test_moves_that_are_no_tables_of_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="the moves of sliding-3x3 are no tables of rows"):
        job_of("sliding-3x3", tmp_path, 2).build()


@pytest.mark.usefixtures("cluster")
def test_the_log_says_what_was_exchanged(tmp_path: Path) -> None:
    path = job_of("challenger", tmp_path, 2).build()
    with TableFile(path) as file:
        steps = {step.phase: step for step in file.build_steps()}
    (exchange,) = (phase for phase in steps if phase.startswith("exchange of "))
    assert int(exchange.split()[2].replace(",", "")) > 10_000
    assert " bytes, 2 parts on 1 machines, Ray " in exchange


@pytest.mark.usefixtures("cluster")
def test_too_little_memory_on_a_machine_is_refused_before_a_part_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machines, "PROGRAM", 1 << 50)
    with pytest.raises(Shortage, match=r"part 0 of 2 of challenger needs about .* GB of memory"):
        job_of("challenger", tmp_path, 2).build()
    assert not [*tmp_path.iterdir()]
    _, alive = psutil.wait_procs(parts(), timeout=PATIENCE)
    assert not alive, "the processes that were to become parts end"
