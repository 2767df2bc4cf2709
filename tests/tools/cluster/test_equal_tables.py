"""A cluster builds the tables that one machine builds."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
import pytest

from puzzlebase.builder import Shortage
from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.table_file import TableFile
from puzzlebase.puzzles import find
from puzzlebase.tools.cluster import machines
from puzzlebase.tools.cluster.job import ClusterTableJob
from puzzlebase.tools.cluster.part import packed, unpacked
from tests.conftest import quiet
from tests.tools.cluster.conftest import SILENCE, digest_of, parts
from tests.waiting import PATIENCE


def job_of(name: str, folder: Path, workers: int, goal: str | None = None) -> ClusterTableJob:
    puzzle = find(name)
    return ClusterTableJob(puzzle, puzzle.goal(goal), folder, "test", 1, quiet(), workers=workers, silence=SILENCE)


BUILDS = [
    ("novice", 2),  # fewer pieces than parts
    *(("challenger", workers) for workers in (1, 2, 4)),
    *(("sliding-3x3", workers) for workers in (1, 2, 4)),  # by expansion
    *(("panguru-4", workers) for workers in (1, 2, 4)),
    ("quantum-2x2-8", 4),
    ("panex-4-halved", 2),  # distances beyond a byte
    ("avenger", 2),
]
LONG_BUILDS = [(name, workers) for name in ("avenger", "quantum-2x2-8", "panex-6") for workers in (1, 2, 4)]
"""Some minutes: `make test-cluster LONG=1` has these in place of the others."""


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize(("name", "workers"), LONG_BUILDS if "PUZZLEBASE_TEST_LONG" in os.environ else BUILDS)
def test_a_cluster_builds_the_table_of_one_machine(
    tmp_path: Path, plain: Callable[[str], str], name: str, workers: int
) -> None:
    path = job_of(name, tmp_path, workers).build()
    assert digest_of(path) == plain(name)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_counts_come_out_as_they_went_in() -> None:
    counted = [(3, 1, np.array([5, 6])), (4, 0, np.empty(0, np.int64)), (5, 2, np.array([BLOCK_SIZE]))]
    for some in counted, []:
        found = unpacked(*packed(some))
        assert [(*rest, counts.tolist()) for *rest, counts in found] == [(*rest, each.tolist()) for *rest, each in some]


@pytest.mark.usefixtures("cluster")
def test_the_log_says_what_was_exchanged(tmp_path: Path) -> None:
    path = job_of("challenger", tmp_path, 2).build()
    with TableFile(path) as file:
        steps = {step.phase: step for step in file.build_steps()}
    (exchange,) = (phase for phase in steps if phase.startswith("exchange of "))
    assert int(exchange.split()[2].replace(",", "")) > 10_000
    assert {"search, processor time of the slowest part", "breadth-first search", "table"} <= steps.keys()
    assert "2 parts on 1 machines, Ray " in steps["write"].machine


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
