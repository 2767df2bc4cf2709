"""Builds on a cluster of four machines, which are simulated on this one, and what they would take on real ones.

Four machines with two processors each are namespaces with shaped links (benchmarks/namespaces.py): eight parts, and a
driver on a fifth machine. All share the processors of this machine, so their seconds by
the clock say little. What counts is the processor time of each process and the bytes on each link. The time of real
machines is *derived* from these, as if nothing overlapped:

    derived = processor time of the driver + of the slowest part: start, layers of the search, write, certificates
              + bytes of the busiest link / its rate + 2 ms for each layer

A small and a large puzzle of a kind give a fixed time and a time for each vertex, for the plain build and for the
derived one. These four numbers give the number of vertices from which the cluster is faster. A plain build's time is
that of a machine without other work: its processor time, shared by two threads that never wait. With links of 100
Mbit/s, which make a build wait, the model of links is compared with the clock. Without Ray, or without the right to
make namespaces, there is nothing to measure.

The last table is a prediction for 10^12 vertices, on machines of 16 processors. What a vertex takes is the difference
of the two puzzles, divided by that of their vertices:

    hours = vertices * (processor time of a vertex / all processors + the driver's time of a vertex)
            + bytes of all links / (machines * rate)
    memory of a machine = 3 bits for each of its vertices (and by rows 2 bits for each vertex of its parts' margins)
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure, Measured, timed
from benchmarks.namespaces import can_simulate, network, ray_on
from benchmarks.process import run
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import table_path

_MACHINES, _PROCESSORS = 4, 2  # that are simulated, and of each
_GIGABIT, _TEN_GIGABIT = 1000, 10_000  # Mbit/s
_SLOW = 100  # Mbit/s
_LATENCY = 0.002  # seconds of a layer beside its work: a call of each part and its answer
_KINDS = {"by rows": ("avenger", "turnstile"), "by expansion": ("sliding-2x5", "sliding-3x4")}
_VERTICES = 10**12
_LARGE = ((16, _TEN_GIGABIT), (64, _TEN_GIGABIT), (64, _GIGABIT))  # machines and their links
_PROCESSORS_OF_LARGE = 16
_HOUR = 3600


@dataclass(frozen=True)
class _Built:
    """A build: seconds by the clock in all and by phase; of a cluster also the driver's and the bytes on links."""

    seconds: float
    phases: dict[str, float]
    digest: str
    vertices: int
    layers: int
    size: int  # of the table, in bytes
    driver: float = 0.0  # seconds of processor time; of a plain build, of all its threads
    links: tuple[int, ...] = ()  # bytes; the driver's first

    def processor(self, of: str) -> float:
        """Processor time of "the slowest part" or "all parts", but for their start."""
        phases = self.phases.items()
        return sum(took for phase, took in phases if phase.endswith(f"time of {of}") and not phase.startswith("start"))

    def links_take(self, megabits: int) -> float:
        """Seconds in which the busiest link carries its bytes."""
        return max(self.links) * 8 / (megabits * 1e6)

    @property
    def alone(self) -> float:
        """Seconds of a plain build on a machine without other work, at least."""
        return self.driver / _PROCESSORS

    def derived(self, megabits: int) -> float:
        """Seconds on real machines."""
        start = self.phases["start, processor time of the slowest part"]
        work = self.driver + start + self.processor("the slowest part")
        return work + self.links_take(megabits) + _LATENCY * self.layers


def measure(_data: Path) -> Measured:
    """Measure both kinds of search; empty where that cannot be."""
    if not find_spec("ray") or not can_simulate():
        return {}
    measured: Measured = {}
    for kind, (small, large) in _KINDS.items():
        plain = {name: _plain(name) for name in (small, large)}
        shaped = {name: _simulated(name, _GIGABIT) for name in (small, large)}
        for name in (small, large):
            title = f"{name}, {kind}: {plain[name].vertices:,} vertices, {plain[name].layers} layers"
            measured[title] = _compared(plain[name], shaped[name])
        if kind == "by rows":
            measured[f"Links: {small}"] = _links(
                shaped[small], *(_simulated(small, each) for each in (_TEN_GIGABIT, _SLOW))
            )
        measured[f"Vertices from which four machines are faster, {kind}"] = [
            Figure(f"with links of {megabits / 1000:g} Gbit/s", "vertices", [_even(plain, shaped, megabits)])
            for megabits in (_GIGABIT, _TEN_GIGABIT)
        ]
        measured[f"10^12 vertices, {kind}, as {large}"] = [
            Figure(
                f"{machines} machines of {_PROCESSORS_OF_LARGE} processors, links of {megabits / 1000:g} Gbit/s",
                "hours",
                [_predicted(shaped[small], shaped[large], machines, megabits) / _HOUR],
            )
            for machines, megabits in _LARGE
        ]
    return measured


def _compared(plain: _Built, shaped: _Built) -> list[Figure]:
    assert plain.digest == shaped.digest
    times = [phase for phase in shaped.phases if "processor time" in phase]
    derived = {megabits: shaped.derived(megabits) for megabits in (_GIGABIT, _TEN_GIGABIT)}
    return [
        Figure("plain build, by the clock", "s", [plain.seconds]),
        Figure("- processor time, shared by two processors", "s", [plain.alone]),
        *(Figure(f"- {phase}", "s", [took]) for phase, took in plain.phases.items()),
        Figure("four machines, all on this one, links of 1 Gbit/s", "s", [shaped.seconds]),
        *(Figure(f"- {phase}", "s", [shaped.phases[phase]]) for phase in times),
        Figure("- processor time of the driver", "s", [shaped.driver]),
        Figure("- bytes of the busiest link", "bytes", [max(shaped.links)]),
        Figure("- bytes of the driver's link", "bytes", [shaped.links[0]]),
        Figure("- bytes of the table", "bytes", [shaped.size]),
        *(
            Figure(f"four real machines, links of {megabits / 1000:g} Gbit/s, derived", "s", [seconds])
            for megabits, seconds in derived.items()
        ),
        *(
            Figure(f"plain / derived, links of {megabits / 1000:g} Gbit/s", "ratio", [plain.alone / seconds])
            for megabits, seconds in derived.items()
        ),
    ]


def _links(shaped: _Built, faster: _Built, slower: _Built) -> list[Figure]:
    waited = slower.seconds - shaped.seconds
    expected = slower.links_take(_SLOW) - shaped.links_take(_GIGABIT)
    return [
        Figure("with 10 Gbit/s", "s", [faster.seconds]),
        Figure("with 1 Gbit/s", "s", [shaped.seconds]),
        Figure("with 100 Mbit/s", "s", [slower.seconds]),
        Figure("longer with 100 Mbit/s than with 1 Gbit/s", "s", [waited]),
        Figure("longer by the model of links", "s", [expected]),
    ]


def _more(small: _Built, large: _Built, figure: Callable[[_Built], float]) -> float:
    """The increase of a figure for each vertex more, from the small build to the large one."""
    return (figure(large) - figure(small)) / (large.vertices - small.vertices)


def _even(plain: dict[str, _Built], shaped: dict[str, _Built], megabits: int) -> int:
    """The vertices at which both take as long, if each takes a fixed time and one for each vertex; 0 if never."""
    (small, large), (small_there, large_there) = plain.values(), shaped.values()
    here = _more(small, large, lambda built: built.alone)
    there = _more(small_there, large_there, lambda built: built.derived(megabits))
    if there >= here:
        return 0
    return int(max(small.vertices + (small_there.derived(megabits) - small.alone) / (here - there), 0))


def _predicted(small: _Built, large: _Built, machines: int, megabits: int) -> float:
    """Seconds that _VERTICES of a kind take on machines of many processors."""
    parts = _more(small, large, lambda built: built.processor("all parts"))
    driver = _more(small, large, lambda built: built.driver)
    sent = _more(small, large, lambda built: sum(built.links[1:])) * (1 - 1 / machines) / (1 - 1 / _MACHINES)
    work = parts / (machines * _PROCESSORS_OF_LARGE) + driver
    return (work + sent * 8 / (machines * megabits * 1e6)) * _VERTICES


def _plain(name: str) -> _Built:
    with TemporaryDirectory() as folder:
        before = os.times()
        _, seconds = timed(lambda: run(["--data", folder, "build", name]))
        after = os.times()
        processor = after.children_user + after.children_system - before.children_user - before.children_system
        return _read(Path(folder), name, seconds, processor)


def _simulated(name: str, megabits: int) -> _Built:
    """A build on simulated machines, whose parts have a folder of their own."""
    with (
        TemporaryDirectory() as folder,
        network(1 + _MACHINES, megabits) as machines,
        ray_on(machines, _PROCESSORS, Path(folder)) as address,
    ):
        before = [machine.bytes() for machine in machines]
        words = ["--data", folder, "build", name, "--cluster", address]
        words += ["--cluster-workers", str(_MACHINES * _PROCESSORS), "--cluster-folder", str(Path(folder, "parts"))]
        environment = os.environ | {"RAY_AUTH_MODE": "disabled"}
        with Path(folder, "driver.log").open("w+") as log:
            command = [sys.executable, "-m", "puzzlebase", *words]
            driver = machines[0].start(*command, env=environment, stdout=log, stderr=subprocess.STDOUT)
            (_, status, usage), seconds = timed(lambda: os.wait4(driver.pid, 0))
            driver.returncode = os.waitstatus_to_exitcode(status)
            if driver.returncode:
                log.seek(0)
                raise RuntimeError(f"the build of {name} ended with status {driver.returncode}:\n{log.read()}")
        links = tuple(machine.bytes() - count for machine, count in zip(machines, before, strict=True))
        return _read(Path(folder), name, seconds, usage.ru_utime + usage.ru_stime, links)


def _read(data: Path, name: str, seconds: float, driver: float = 0.0, links: tuple[int, ...] = ()) -> _Built:
    with TableFile(table_path(data, name)) as file:
        phases = {step.phase: step.seconds for step in file.build_steps()}
        info = file.info
        return _Built(seconds, phases, file.digest, info.stored_size, len(info.layers), file.size, driver, links)
