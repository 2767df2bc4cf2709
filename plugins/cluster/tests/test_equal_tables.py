"""A cluster builds the tables that one machine builds."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from puzzlebase.builder import Shortage
from puzzlebase.builder.errors import BuildError
from puzzlebase.plugins.cluster import driver
from tests.waiting import PATIENCE

from .conftest import digest_of, job_of, parts

pytestmark = pytest.mark.needs("panex", "panguru")

BUILDS = [
    ("novice", 2),  # fewer pieces than parts
    *(("challenger", workers) for workers in (1, 2, 4)),
    *(("panguru-4", workers) for workers in (1, 2, 4)),
    ("panex-4", 2),  # distances beyond a byte
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
def test_moves_that_are_no_tables_of_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="are no tables of rows"):
        job_of("sliding-3x3", tmp_path, 2).build()


@pytest.mark.usefixtures("cluster")
def test_too_little_memory_on_a_machine_is_refused_before_a_part_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "PROGRAM", 1 << 50)
    with pytest.raises(Shortage, match=r"2 parts need .* GB of memory each"):
        job_of("challenger", tmp_path, 2).build()
    _, alive = psutil.wait_procs(parts(), timeout=PATIENCE)
    assert not alive, "the processes that were to become parts end"
