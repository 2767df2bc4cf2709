"""builder/preflight.py: the needs of a build beside what is free, and refusals."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from puzzlebase.builder import Shortage, TableJob
from puzzlebase.puzzles import find
from tests.waiting import PATIENCE

MB = 1 << 20


PEAK = """
import sys
from pathlib import Path
from puzzlebase.builder import Reporter, TableJob
from puzzlebase.puzzles import find

puzzle = find("avenger")
TableJob(puzzle, puzzle.goal(), Path(sys.argv[1]), "test", 2).build()
lines = Path("/proc/self/status").read_text().splitlines()
print(next(line.split()[1] for line in lines if "VmHWM" in line))
"""


@pytest.mark.slow(14)
def test_a_build_stays_within_its_estimate(tmp_path: Path) -> None:
    child = [sys.executable, "-c", PEAK, str(tmp_path)]
    peak = (
        int(
            subprocess.run(
                child, capture_output=True, check=True, text=True, timeout=PATIENCE
            ).stdout
        )
        * 1024
    )
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
    assert caught.value.hint == "free some memory, or go on anyway with --force"
    with pytest.raises(Shortage, match=r"needs about 1.\d+ MB of disk, 600 kB are free"):
        replace(needed, spare_disk=600_000).check("novice")
    assert "97,020 states" in needed.describe()
