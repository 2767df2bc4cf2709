"""Builds: their times, the memory they need, the files they leave.

A run of `puzzlebase build` is a process of its own, with a thread for each processor. Its total seconds
and its peak of resident memory are those of the process. Its phases come from the table's log; start,
imports and output are outside them. With an *empty* cache numba compiles every kernel, with a *warm*
one it finds them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure, Measured, timed
from benchmarks.process import run
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import BESIDE_TABLES, table_path

_OF_PANGURU = {"write": "≤ 15", "certificate of the states": "≤ 20"}

_LARGER = {
    "panex-6": (3, {"seconds": "≤ 10", "memory": "≤ 400"}),
    "panex-7": (1, {"seconds": "≤ 40", "memory": "≤ 2,500"}),
    "hanoi-nnn-13": (3, {"seconds": "≤ 8", "memory": "≤ 1,000"}),
    "quantum-2x3-3": (3, {"seconds": "≤ 40"}),
    "turnstile": (1, {"seconds": "≤ 16", "memory": "≤ 1,500"}),
    "panguru": (1, {"seconds": "≤ 110", "memory": "≤ 10,000"} | _OF_PANGURU),
    "english": (1, {"seconds": "≤ 300", "memory": "≤ 8,000"}),
}
"""Larger tables: runs, and targets."""
_LEVELS = {"english": Path(__file__).parents[1] / "examples" / "levels"}
"""The folder of a puzzle's level."""

_EMPTY_RUNS = 3
_WARM_RUNS = 5


@dataclass(frozen=True)
class Built:
    """One build: seconds in all, of processors, by phase, peak of memory, size of the file, states."""

    seconds: float
    processors: float
    phases: dict[str, float]
    peak: int
    size: int
    states: int

    @property
    def certifying(self) -> float:
        """Seconds of the certificates."""
        return sum(seconds for phase, seconds in self.phases.items() if phase.startswith("certificate"))


def build(name: str, data: Path, cache: Path | None = None) -> Built:
    """Run `puzzlebase build`, with numba's cache in the folder given."""
    environment = {"NUMBA_CACHE_DIR": str(cache)} if cache else {}
    words: list[str | Path] = ["--data", data]
    if name in _LEVELS:
        words += ["--puzzles", _LEVELS[name]]
    done, seconds = timed(lambda: run([*words, "build", name], environment))
    with TableFile(table_path(data, name)) as file:
        phases = {step.phase: step.seconds for step in file.build_steps()}
        return Built(seconds, done.processors, phases, done.peak, file.size, file.info.states)


def need(name: str, data: Path) -> None:
    """Build a table unless it is there."""
    if not table_path(data, name).exists():
        build(name, data)


@contextmanager
def alone(names: Iterable[str], data: Path) -> Iterator[Path]:
    """A folder of these tables alone, built if need be, and of their cached files; it is deleted at the end."""
    with TemporaryDirectory() as folder:
        for name in names:
            need(name, data)
            table_path(Path(folder), name).symlink_to(table_path(data, name).resolve())
        if (cached := data / BESIDE_TABLES).is_dir():
            Path(folder, BESIDE_TABLES).symlink_to(cached.resolve())
        yield Path(folder)


def measure(data: Path) -> Measured:
    """Measure builds, whose tables stay."""
    with TemporaryDirectory() as folder:
        caches = [Path(folder, str(run)) for run in range(_EMPTY_RUNS)]
        empty = [build("avenger", data, cache) for cache in caches]
        warm = [build("avenger", data, caches[0]) for _ in range(_WARM_RUNS)]
        others = {name: [build(name, data, caches[0])] for name in ("avenger-sixths", "challenger", "novice")}
        for small in ("panex-3", "hanoi-nnn-3", "quantum-2x3-1"):  # what they compile is not counted
            build(small, data, caches[0])
        larger = {name: [build(name, data, caches[0]) for _ in range(runs)] for name, (runs, _) in _LARGER.items()}
    return {
        "`puzzlebase build avenger`, empty cache": _command(empty, _AVENGER | {"seconds": "≤ 6"}),
        "`puzzlebase build avenger`, warm cache": _command(warm, _AVENGER | {"seconds": "≤ 1.6"}),
        **{f"`puzzlebase build {name}`, warm cache": _command(larger[name], _LARGER[name][1]) for name in larger},
        "Files": _files({"avenger": empty + warm} | others | larger),
    }


_AVENGER = {"memory": "≤ 700", "incumbent's seconds": "65 minutes", "incumbent's memory": "13,800"}


def _command(runs: list[Built], beside: dict[str, str]) -> list[Figure]:
    seconds, memory = ([beside.get(key, "") for key in (what, f"incumbent's {what}")] for what in ("seconds", "memory"))
    return [
        Figure("in all", "s", [run.seconds for run in runs], *seconds),
        *(
            Figure(f"- {phase}", "s", [run.phases[phase] for run in runs], beside.get(phase, ""))
            for phase in runs[0].phases
        ),
        Figure("- certificates, share of all", "%", [100 * run.certifying / run.seconds for run in runs]),
        Figure("- outside phases", "s", [run.seconds - sum(run.phases.values()) for run in runs]),
        Figure("peak memory", "MB", [run.peak / 1e6 for run in runs], *memory),
    ]


def _files(built: dict[str, list[Built]]) -> list[Figure]:
    beside = {
        "avenger": ("≤ 2,800,000", "2,600,000,000"),
        "avenger-sixths": ("≤ 19,000,000",),
        "panex-6": ("≤ 8,000,000",),
        "turnstile": ("≤ 300,000,000",),
        "panguru": ("≤ 4,000,000,000",),
    }
    figures = []
    for name, runs in built.items():
        sizes = [run.size for run in runs]
        figures += [
            Figure(f"{name}, {runs[0].states:,} states", "bytes", sizes, *beside.get(name, ())),
            Figure("- for each state", "bits", [8 * size / runs[0].states for size in sizes]),
        ]
    return figures
