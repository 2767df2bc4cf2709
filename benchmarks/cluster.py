"""Builds on a Ray cluster of this machine beside those of one process.

The cluster is started once, and its start is stated beside the builds. A build is a run of `puzzlebase build`, a
process of its own. Plain builds have a thread for each processor, builds on the cluster two parts. They take turns,
after a run of each that is not counted. The whole run counts, including the start of the parts, for which the driver
waits. Phases come from the table's log. Without Ray there is nothing to measure.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure, Measured, timed
from benchmarks.process import run
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import table_path

_RUNS = {"avenger": 3, "panex-6": 3}
_PARTS = 2


@dataclass(frozen=True)
class _Built:
    """A build: its seconds in all and by phase, and its table's digest."""

    seconds: float
    phases: dict[str, float]
    digest: str

    @property
    def searching(self) -> float:
        return self.phases["breadth-first search"]

    @property
    def starting(self) -> float:
        return self.phases["parts"]

    @property
    def exchanged(self) -> int:
        (exchange,) = (phase for phase in self.phases if phase.startswith("exchange of "))
        return int(exchange.split()[2].replace(",", ""))


def measure(_data: Path) -> Measured:
    """Compare the builds; empty where Ray is not installed."""
    if not find_spec("ray"):
        return {}
    import ray  # noqa: PLC0415

    from puzzlebase.tools.cluster.machines import LOCAL, connect  # noqa: PLC0415

    _, starting = timed(lambda: connect(LOCAL, _PARTS))
    measured = {"A cluster of this machine": [Figure("start", "s", [starting])]}
    address = ray.get_runtime_context().gcs_address
    for name, runs in _RUNS.items():
        measured[f"{name} on {_PARTS} parts"] = _compared(name, runs, address)
    return measured


def _compared(name: str, runs: int, address: str) -> list[Figure]:
    on_cluster = "--cluster", address, "--cluster-workers", str(_PARTS)
    _, *both = [(_built(name), _built(name, *on_cluster)) for _ in range(1 + runs)]
    plain, cluster = zip(*both, strict=True)
    assert {each.digest for each in plain} == {each.digest for each in cluster}
    return [
        Figure("plain build", "s", [each.seconds for each in plain]),
        Figure("- breadth-first search", "s", [each.searching for each in plain]),
        Figure("on the cluster", "s", [each.seconds for each in cluster]),
        Figure("- start of the parts", "s", [each.starting for each in cluster]),
        Figure("- breadth-first search", "s", [each.searching for each in cluster]),
        Figure("on the cluster / plain", "ratio", [each.seconds / other.seconds for other, each in both], "≤ 2.5"),
        Figure(
            "the same without the start of the parts",
            "ratio",
            [(each.seconds - each.starting) / other.seconds for other, each in both],
        ),
        Figure("exchanged", "bytes", [cluster[0].exchanged]),
    ]


def _built(name: str, *options: str) -> _Built:
    with TemporaryDirectory() as folder:
        data = Path(folder)
        _, seconds = timed(lambda: run(["--data", data, "build", name, *options]))
        with TableFile(table_path(data, name)) as file:
            phases = {step.phase: step.seconds for step in file.build_steps()}
            return _Built(seconds, phases, file.digest)
