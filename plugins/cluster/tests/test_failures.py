"""Failures of machines: a part or the driver is killed."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
import ray
from rich.console import Console

from puzzlebase.builder import Reporter
from puzzlebase.builder.errors import BuildError
from puzzlebase.paths import table_path
from tests.commands import command
from tests.waiting import PATIENCE

from .conftest import digest_of, job_of, parts

ROOT = Path(__file__).parents[3]


class Striking(Reporter):
    """A reporter that kills a part when a layer is reported."""

    def __init__(self, layer: int) -> None:
        super().__init__(Console(file=io.StringIO()))
        self._line = f"  layer {layer:3}"

    def say(self, line: str) -> None:
        """Strike, instead of saying anything."""
        if line.startswith(self._line):
            parts()[0].kill()


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("layer", [1, 9])
def test_a_build_goes_on_after_a_part_is_killed(
    tmp_path: Path, plain: Callable[[str], str], layer: int
) -> None:
    """Run again, with other parts."""
    with pytest.raises(BuildError, match="the cluster failed: The actor died") as caught:
        job_of("challenger", tmp_path, 2, Striking(layer)).build()
    assert "continues after the last complete layer" in caught.value.hint
    assert digest_of(job_of("challenger", tmp_path, 3).build()) == plain("challenger")


def test_a_killed_driver_goes_on_when_it_is_run_again(
    tmp_path: Path, plain: Callable[[str], str]
) -> None:
    words = [
        sys.executable,
        "-m",
        "puzzlebase",
        "--data",
        str(tmp_path),
        "--cache",
        "none",
        "build",
        "challenger",
    ]
    words += ["--cluster", "local", "--cluster-workers", "2"]
    driver = subprocess.Popen(
        words, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    assert driver.stderr
    for line in driver.stderr:
        if line.startswith("  layer   7"):
            break
    started = parts(driver.pid)
    assert len(started) == 2
    driver.kill()
    driver.stderr.close()
    driver.wait(PATIENCE)
    _, alive = psutil.wait_procs(started, timeout=PATIENCE)
    assert not alive, "the parts end with the driver that made them"
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    assert "continuing after layer " in done.stderr
    assert digest_of(table_path(tmp_path, "challenger")) == plain("challenger")


def test_a_network_that_is_not_there_is_named() -> None:
    ray.shutdown()
    done = command(None, "build", "challenger", "--cluster", "127.0.0.1:1", "--dry-run")
    assert (done.status, "there is no Ray cluster at '127.0.0.1:1'" in done.stderr) == (1, True)
