"""builder/verify.py: what a process compiles beside a first build is what the build then needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernel_process import KernelProcess

ROOT = Path(__file__).parents[2]
COMPILE = "from puzzlebase.builder.verify import compile_certificates\ncompile_certificates()"
BUILD = """
from pathlib import Path
from puzzlebase.builder import TableJob
from puzzlebase.puzzles import find
puzzle = find("novice")
TableJob(puzzle, puzzle.goal(), Path({data!r})).build()
"""
KERNELS = ("unpack", "unpack_rows", "_unpack_nibbles", "_lower", "_lower_and_make", "_first_wrong", "_count_bytes")


def compiled(cache: Path, script: str) -> list[str]:
    """The names of the kernels in the cache after a script, one for each file."""
    with KernelProcess(ROOT, cache, script) as process:
        process.go_on()
    return sorted(path.name.partition("-")[0].rpartition(".")[2] for path in (cache / "kernels").iterdir())


@pytest.mark.slow(8)
@pytest.mark.matrix
def test_a_build_compiles_no_kernel_of_its_certificates_again(tmp_path: Path) -> None:
    beside = compiled(tmp_path / "cache", COMPILE)
    assert set(KERNELS) <= set(beside)
    found = compiled(tmp_path / "cache", BUILD.format(data=str(tmp_path / "data")))
    assert "fetch" in found
    assert {name: found.count(name) for name in beside} == dict.fromkeys(beside, 1)
