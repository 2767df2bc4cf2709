"""Builds on a Ray cluster of this machine beside those of one process, and the bytes that the model of cost expects.

The cluster is started once, and its start is stated beside the builds. Each build makes its parts anew. The plain
builds use a thread for each processor, those on the cluster two parts; all are started by this process, after a run of
each that is not counted. Where Ray is not installed there is nothing to measure.
"""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from benchmarks.figures import Figure, Measured, timed
from puzzlebase.builder import Reporter, TableJob, default_threads
from puzzlebase.builder.breadth_first import layout_of
from puzzlebase.db import TableFile
from puzzlebase.puzzles import find
from puzzlebase.version import VERSION

_RUNS = {"avenger": 3, "panex-6": 3}
_PARTS = 2


def measure(_data: Path) -> Measured:
    """Compare the builds; empty where Ray is not installed."""
    if not find_spec("ray"):
        return {}
    from puzzlebase.builder.cluster.nodes import LOCAL, connect  # noqa: PLC0415

    _, starting = timed(lambda: connect(LOCAL, _PARTS))
    measured = {"A cluster of this machine": [Figure("start", "s", [starting])]}
    for name, runs in _RUNS.items():
        measured[f"{name} on {_PARTS} parts"] = _compared(name, runs)
    return measured


def _compared(name: str, runs: int) -> list[Figure]:
    _, *plain = [_plain(name) for _ in range(1 + runs)]
    _, *cluster = [_on_cluster(name) for _ in range(1 + runs)]
    layers, exchanged = cluster[0][2:]
    expected = _expected(name, layers)
    return [
        Figure("plain build", "s", [seconds for seconds, _ in plain]),
        Figure("- breadth-first search", "s", [searching for _, searching in plain]),
        Figure("on the cluster, its parts made anew", "s", [each[0] for each in cluster]),
        Figure("- breadth-first search", "s", [each[1] for each in cluster]),
        Figure(
            "on the cluster / plain",
            "ratio",
            [each[0] / seconds for each, (seconds, _) in zip(cluster, plain, strict=True)],
            "≤ 2.5",
        ),
        Figure("exchanged", "bytes", [exchanged]),
        Figure("exchanged / expected by the model", "ratio", [exchanged / expected], "0.8 to 1.2"),
    ]


def _plain(name: str) -> tuple[float, float]:
    """Seconds of a build in one process, and of its search."""
    puzzle = find(name)
    with TemporaryDirectory() as folder:
        job = TableJob(puzzle, puzzle.goal(), Path(folder), VERSION, default_threads(), _quiet())
        _, seconds = timed(job.build)
        return seconds, job.report.seconds["breadth-first search"]


def _on_cluster(name: str) -> tuple[float, float, tuple[int, ...], int]:
    """Seconds of a build on the cluster and of its search, the stored graph's layers, and the bytes exchanged."""
    from puzzlebase.builder.cluster.job import ClusterTableJob  # noqa: PLC0415

    puzzle = find(name)
    with TemporaryDirectory() as folder:
        job = ClusterTableJob(puzzle, puzzle.goal(), Path(folder), VERSION, 1, _quiet(), workers=_PARTS)
        path, seconds = timed(job.build)
        with TableFile(path) as file:
            (said,) = (step.phase for step in file.build_steps() if step.phase.startswith("exchange of "))
        return seconds, job.report.seconds["breadth-first search"], job.found[0], int(said.split()[2].replace(",", ""))


def _expected(name: str, layers: tuple[int, ...]) -> float:
    from puzzlebase.builder.cluster.cost import bytes_exchanged, flows  # noqa: PLC0415
    from puzzlebase.builder.cluster.division import Division  # noqa: PLC0415

    puzzle = find(name)
    graph = puzzle.space(puzzle.goal()).stored()
    return bytes_exchanged(flows(graph, Division.of(layout_of(graph), _PARTS)), layers)


def _quiet() -> Reporter:
    return Reporter(Console(file=io.StringIO()))
