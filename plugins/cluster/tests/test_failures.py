"""Failures of machines: a part, a node or the driver is killed at a seeded moment."""

from __future__ import annotations

import io
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import ray
from ray.cluster_utils import Cluster
from rich.console import Console

from puzzlebase.builder import Reporter
from puzzlebase.paths import table_path
from tests.commands import command
from tests.waiting import PATIENCE

from .conftest import digest_of, job_of, parts

pytestmark = pytest.mark.needs("panex")

ROOT = Path(__file__).parents[3]


class Striking(Reporter):
    """A reporter that does something once, when a line that begins so is printed."""

    def __init__(self, line: str, strike: Callable[[], None]) -> None:
        super().__init__(Console(file=io.StringIO()))
        self.lines: list[str] = []
        self._line = line
        self.strike: Callable[[], None] | None = strike  # None once it is done

    def say(self, line: str) -> None:
        """Store the line, and strike."""
        self.lines.append(line)
        if self.strike and line.startswith(self._line):
            strike, self.strike = self.strike, None
            strike()


def build(name: str, data: Path, report: Reporter, **options: Any) -> str:
    """Build a table with two parts, and return its digest."""
    return digest_of(job_of(name, data, 2, report=report, **options).build())


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize(("name", "seed"), [("challenger", 0), ("panex-4", 1), ("challenger", 2)])
def test_a_killed_part_is_made_anew(tmp_path: Path, plain: Callable[[str], str], name: str, seed: int) -> None:
    at = random.Random(seed)
    moment = at.choice([f"  layer {at.randrange(1, 12):3}", "breadth-first search"])
    report = Striking(moment, lambda: at.choice(parts()).kill())
    assert build(name, tmp_path, report) == plain(name), report.lines
    assert not report.strike, moment
    assert any(line.endswith("going back to the last complete layer") for line in report.lines), report.lines


@pytest.fixture
def two_nodes() -> Iterator[Cluster]:
    """Two raylets on this machine. Builds would go on with the cluster of the tests before, so that is left."""
    ray.shutdown()
    os.environ.setdefault("RAY_worker_niceness", "0")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "object_store_memory": 200 << 20})
    cluster.add_node(num_cpus=2, object_store_memory=200 << 20)
    cluster.wait_for_nodes(120)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def test_a_killed_node_is_replaced_by_another(two_nodes: Cluster, tmp_path: Path, plain: Callable[[str], str]) -> None:
    (node,) = two_nodes.worker_nodes
    raylet = node.all_processes["raylet"][0].process.pid

    def strike() -> None:
        (part,) = (part for part in parts() if part.ppid() == raylet)
        os.kill(raylet, signal.SIGKILL)
        part.kill()

    report = Striking("  layer   8", strike)
    assert build("challenger", tmp_path, report, address=two_nodes.address) == plain("challenger"), report.lines
    assert not report.strike
    assert any(line.endswith("going back to the last complete layer") for line in report.lines), report.lines
    assert any(line.startswith(("continuing after layer ", "all layers are there")) for line in report.lines)


def test_a_killed_driver_goes_on_when_it_is_run_again(tmp_path: Path, plain: Callable[[str], str]) -> None:
    words = [sys.executable, "-m", "puzzlebase", "--data", str(tmp_path), "--cache", "none", "build", "challenger"]
    words += ["--cluster", "local", "--cluster-workers", "2"]
    driver = subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
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
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert "continuing after layer " in done.stderr
    assert digest_of(table_path(tmp_path, "challenger")) == plain("challenger")


def test_a_network_that_is_not_there_is_named() -> None:
    ray.shutdown()
    done = command(None, "build", "challenger", "--cluster", "127.0.0.1:1", "--dry-run")
    assert (done.status, "there is no Ray cluster at '127.0.0.1:1'" in done.stderr) == (1, True)
