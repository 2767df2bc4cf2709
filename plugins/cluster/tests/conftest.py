"""Tests on Ray clusters of this machine; only `make test-cluster` runs those that need Ray."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest

from puzzlebase.builder import Reporter, TableJob
from puzzlebase.db.table_file import TableFile
from puzzlebase.puzzles import find
from tests.fixtures import quiet, quiet_job

WITHOUT_RAY = {"test_parts.py", "test_kuberay.py"}

if "PUZZLEBASE_TEST_CLUSTER" not in os.environ:
    collect_ignore = [
        path.name
        for path in Path(__file__).parent.glob("test_*.py")
        if path.name not in WITHOUT_RAY
    ]


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The digest of a table that one machine has built."""
    known: dict[str, str] = {}

    def digest(name: str) -> str:
        if name not in known:
            puzzle = find(name)
            job = quiet_job(TableJob, puzzle, tmp_path_factory.mktemp("plain"))
            known[name] = digest_of(job.build())
        return known[name]

    return digest


def digest_of(path: Path) -> str:
    with TableFile(path) as file:
        return file.digest


def job_of(name: str, data: Path, workers: int, report: Reporter | None = None) -> TableJob:
    """A build on the cluster."""
    from puzzlebase.plugins.cluster.driver import engine_of

    puzzle = find(name)
    engine = partial(engine_of, workers)
    return TableJob(puzzle, puzzle.goal(), data, "test", 1, report or quiet(), engine=engine)


def parts(of: int | None = None) -> list[psutil.Process]:
    """The processes on clusters of a process, by default this one,
    that are parts, or wait to become parts.
    """
    found = []
    for process in psutil.Process(of).children(recursive=True):
        try:
            if " ".join(process.cmdline()).startswith("ray::Part"):
                found.append(process)
        except psutil.Error:
            continue
    return sorted(found, key=lambda process: process.pid)


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """A cluster of this machine, as `--cluster local` starts it."""
    import ray

    from puzzlebase.plugins.cluster.machines import LOCAL, connect

    connect(LOCAL, 4)
    yield
    ray.shutdown()
