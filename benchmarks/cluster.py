"""Builds on a Ray cluster of this machine beside those of one process, and the bytes that the model of cost expects.

The cluster is started once, and its start is stated beside the builds. A build is a run of `puzzlebase build`: a
process of its own, the plain ones with a thread for each processor, those on the cluster with two parts. They take
turns, after a run of each that is not counted. All of a run counts, also the processes of the parts, which start while
the driver numbers the states; how long it then waits for them, and for them to become parts, is the start of the parts.
Phases are those that the table's log has. Where Ray is not installed there is nothing to measure.

Then four machines with two processors each are simulated (benchmarks/simulated.py): eight parts, and a driver on a
fifth machine; the blocks stay in the parts. All share the processors of this machine, so their seconds by the clock say
little. What is measured is processor time and bytes on links; the time of four real machines is *derived* of these:

    derived = processor time of the driver + of the slowest part: its start, search (by layer), write and certificates
              + bytes of the busiest link / its rate + 2 ms for each layer

as if nothing of it overlapped. From a small and a large puzzle of a kind follow a fixed time and a time for each
vertex, and from these of a plain build and of the derived one the vertices from which the cluster is faster.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure, Measured, timed
from benchmarks.process import run
from benchmarks.simulated import can_simulate, network, ray_on
from puzzlebase.builder.breadth_first import find_layers, layout_of
from puzzlebase.builder.journal import Journal
from puzzlebase.db.paths import table_path
from puzzlebase.db.table_file import TableFile
from puzzlebase.puzzles import find
from puzzlebase.system import processors

_RUNS = {"avenger": 3, "panex-6": 3}
_PARTS = 2
_MACHINES, _PROCESSORS = 4, 2  # simulated, and of each
_RATES = {"1 Gbit/s": 1000, "10 Gbit/s": 10_000}
_SLOW = 100  # Mbit/s, at which the link is what takes long: it shows if the model of links is right
_KINDS = {"by rows": ("avenger", "turnstile"), "by expansion": ("sliding-2x5", "sliding-3x4")}
_LATENCY = 0.002  # seconds of a layer beside its work: a call of each part and its answer


@dataclass(frozen=True)
class _Built:
    """A build: its seconds in all and by phase, and its table's digest."""

    seconds: float
    phases: dict[str, float]
    digest: str
    vertices: int
    layers: int
    driver: float = 0.0  # seconds of processor time of its own process
    links: list[int] = field(default_factory=list)  # bytes, of the driver's machine first

    def processor(self, of: str) -> float:
        """Processor time of "the slowest part" or "all parts", but for its start."""
        phases = self.phases.items()
        return sum(took for phase, took in phases if phase.endswith(f"time of {of}") and not phase.startswith("start"))

    def derived(self, megabits: int) -> float:
        """Seconds on real machines with links of so many Mbit/s."""
        work = (
            self.driver + self.processor("the slowest part") + self.phases["start, processor time of the slowest part"]
        )
        return work + self.links_take(megabits) + _LATENCY * self.layers

    def links_take(self, megabits: int) -> float:
        """Seconds in which the busiest link carries its bytes."""
        return max(self.links) * 8 / (megabits * 1e6)

    @property
    def searching(self) -> float:
        return self.phases["breadth-first search"]

    @property
    def starting(self) -> float:
        return self.phases["processes"] + self.phases["parts"]

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
    ray.shutdown()
    if can_simulate():
        for kind, names in _KINDS.items():
            measured |= _on_machines(kind, *names)
    return measured


def _compared(name: str, runs: int, address: str) -> list[Figure]:
    on_cluster = "--cluster", address, "--cluster-workers", str(_PARTS)
    _, *both = [(_built(name), _built(name, *on_cluster)) for _ in range(1 + runs)]
    plain, cluster = zip(*both, strict=True)
    assert {each.digest for each in plain} == {each.digest for each in cluster}
    exchanged = cluster[0].exchanged
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
        Figure("exchanged", "bytes", [exchanged]),
        Figure("exchanged / expected by the model", "ratio", [exchanged / _expected(name)], "0.8 to 1.2"),
    ]


def _built(name: str, *options: str) -> _Built:
    with TemporaryDirectory() as folder:
        data = Path(folder)
        _, seconds = timed(lambda: run(["--data", data, "build", name, *options]))
        return _read(data, name, seconds)


def _read(data: Path, name: str, seconds: float, driver: float = 0.0, links: list[int] | None = None) -> _Built:
    with TableFile(table_path(data, name)) as file:
        phases = {step.phase: step.seconds for step in file.build_steps()}
        layers = len(file.info.layers)
        return _Built(seconds, phases, file.digest, file.info.stored_size, layers, driver, links or [])


def _on_machines(kind: str, small: str, large: str) -> Measured:
    """Builds of two puzzles on simulated machines, and the size from which these are faster."""
    plain = {name: _built(name) for name in (small, large)}
    shaped = {name: [_simulated(name, megabits) for megabits in _RATES.values()] for name in plain}
    slow = _simulated(small, _SLOW)
    measured = {}
    for name, runs in shaped.items():
        assert {plain[name].digest} == {each.digest for each in runs}
        figures = [
            Figure("plain build, here", "s", [plain[name].seconds]),
            *(
                Figure(f"- {phase}", "s", [each.phases[phase] for each in runs])
                for phase in runs[0].phases
                if "processor time" in phase
            ),
            Figure("- the driver, processor time", "s", [each.driver for each in runs]),
            Figure("bytes of the busiest link", "bytes", [max(each.links) for each in runs]),
            Figure("bytes of the driver's link", "bytes", [each.links[0] for each in runs]),
            Figure("exchanged by the search", "bytes", [each.exchanged for each in runs]),
        ]
        for each, (rate, megabits) in zip(runs, _RATES.items(), strict=True):
            figures += [
                Figure(f"with links of {rate}, all on this machine", "s", [each.seconds]),
                Figure(f"with links of {rate}, four real machines, derived", "s", [each.derived(megabits)]),
                Figure("- plain build / derived", "ratio", [plain[name].seconds / each.derived(megabits)]),
            ]
        if name == small:
            waited = slow.seconds - runs[0].seconds
            figures += [
                Figure(f"with links of {_SLOW} Mbit/s, longer than with 1 Gbit/s", "s", [waited]),
                Figure("- by the model of links", "s", [slow.links_take(_SLOW) - runs[0].links_take(1000)]),
            ]
        measured[f"{name} on {_MACHINES} simulated machines, {kind}: {plain[name].vertices:,} vertices"] = figures
    sizes = [_even(plain, shaped, at, rate) for at, rate in enumerate(_RATES.values())]
    measured[f"From so many vertices on four machines are faster, {kind}"] = [
        Figure(f"with links of {rate}", "vertices", [size]) for rate, size in zip(_RATES, sizes, strict=True) if size
    ]
    return measured


def _even(plain: dict[str, _Built], shaped: dict[str, list[_Built]], at: int, megabits: int) -> int:
    """The vertices at which both take as long, each a fixed time and one for each vertex; 0 where that is never."""
    (small, large), sizes = plain, [each.vertices for each in plain.values()]
    here = plain[small].seconds, plain[large].seconds
    there = [shaped[name][at].derived(megabits) for name in plain]
    of_vertex = [(last - first) / (sizes[1] - sizes[0]) for first, last in (here, there)]
    if of_vertex[1] >= of_vertex[0]:
        return 0
    return int(sizes[0] + max(there[0] - here[0], 0) / (of_vertex[0] - of_vertex[1]))


def _simulated(name: str, megabits: int) -> _Built:
    """A build on simulated machines, each with a folder of its own."""
    with (
        TemporaryDirectory() as folder,
        network(1 + _MACHINES, megabits) as machines,
        ray_on(machines, _PROCESSORS, Path(folder)) as address,
    ):
        before = [machine.bytes() for machine in machines]
        words = [sys.executable, "-m", "puzzlebase", "--data", folder, "build", name, "--cluster", address]
        words += ["--cluster-workers", str(_MACHINES * _PROCESSORS), "--cluster-parts"]
        words += ["--cluster-folder", str(Path(folder, "parts"))]
        silent = subprocess.DEVNULL
        environment = os.environ | {"RAY_AUTH_MODE": "disabled"}
        driver = machines[0].start(*words, env=environment, stdout=silent, stderr=silent)
        (_, status, usage), seconds = timed(lambda: os.wait4(driver.pid, 0))
        driver.returncode = os.waitstatus_to_exitcode(status)
        if driver.returncode:
            raise RuntimeError(f"the build of {name} ended with status {driver.returncode}")
        links = [machine.bytes() - count for machine, count in zip(machines, before, strict=True)]
        return _read(Path(folder), name, seconds, usage.ru_utime + usage.ru_stime, links)


def _expected(name: str) -> float:
    """Bytes that the model expects, of the layers that one machine finds."""
    from benchmarks.cluster_bytes import bytes_exchanged, flows  # noqa: PLC0415
    from puzzlebase.tools.cluster.plan import Division  # noqa: PLC0415

    puzzle = find(name)
    graph = puzzle.space(puzzle.goal()).stored()
    with TemporaryDirectory() as folder, Journal(Path(folder) / "layers", {}, layout_of(graph)) as journal:
        find_layers(graph, journal, processors(), lambda *_: None)
        return bytes_exchanged(flows(graph, Division.of(journal.layout, _PARTS)), journal.layers[:-1])
