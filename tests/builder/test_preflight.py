"""builder/preflight.py: the needs of a build beside what is free, and refusals."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from puzzlebase.builder import LayersJob, Shortage, TableJob
from puzzlebase.db.layers import LayersFile
from puzzlebase.puzzles import find
from tests.conftest import quiet_job
from tests.waiting import PATIENCE

MB = 1 << 20


PEAK = """
import sys
from pathlib import Path
from puzzlebase.builder import Reporter, TableJob
from puzzlebase.puzzles import find

puzzle = find("avenger")
TableJob(puzzle, puzzle.goal(), Path(sys.argv[1]), "test", 2).build()
print(next(line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line))
"""


@pytest.mark.slow(14)
def test_a_build_stays_within_its_estimate(tmp_path: Path) -> None:
    child = [sys.executable, "-c", PEAK, str(tmp_path)]
    peak = int(subprocess.run(child, capture_output=True, check=True, text=True, timeout=PATIENCE).stdout) * 1024
    avenger = find("avenger")
    needed = TableJob(avenger, avenger.goal(), tmp_path, threads=2).estimate()
    assert needed.memory / 3 < peak < needed.memory
    assert (tmp_path / "avenger.duckdb").stat().st_size < needed.disk


def test_what_does_not_fit_is_refused_before_it_begins(tmp_path: Path) -> None:
    novice = find("novice")
    needed = TableJob(novice, novice.goal(), tmp_path, threads=2).estimate()
    needed.check("novice")
    with pytest.raises(Shortage, match=r"needs about \d+ MB of memory, 1 kB are free") as caught:
        replace(needed, spare_memory=1000).check("novice")
    assert "no space" in caught.value.hint
    with pytest.raises(Shortage, match=r"needs about 1.\d+ MB of disk, 600 kB are free") as caught:
        replace(needed, spare_disk=600_000).check("novice")
    assert "this one has 97,020" in caught.value.hint
    assert "97,020 states" in needed.describe()


@pytest.mark.slow
def test_layers_say_the_most_that_they_may_need(tmp_path: Path) -> None:
    for name in ("novice", "panex-4", "sliding-2x3"):
        puzzle = find(name)
        for depth in (0, 1, 4, 1000):
            job = quiet_job(LayersJob, puzzle, tmp_path, depth=depth)
            needed = job.estimate()
            path = job.build()
            with LayersFile(path) as file:
                assert needed.stored is not None
                assert sum(file.info.layers) <= needed.stored <= file.info.stored_size
            assert path.stat().st_size < needed.disk
    assert f"at most {needed.stored:,} distances to store: needs up to" in needed.describe()
    replace(needed, spare_memory=1000, spare_disk=1000).check(puzzle.name)  # an upper bound refuses nothing
    turnstile = find("turnstile")
    needed = LayersJob(turnstile, turnstile.goal(), tmp_path, depth=9).estimate()
    assert needed.memory < 1 << 29, "no more than for few nodes"
