"""Builds: their times, the memory they need, the files they leave.

A run of `puzzlebase build` is a process of its own, with a thread for each processor. Its total
seconds and its peak of resident memory are those of the process. Its phases come from the table's
log; start, imports and output are outside them. Numba finds every kernel in its cache.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure, Measured
from benchmarks.process import run
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import BESIDE_TABLES, table_path

_PUZZLES = {
    "avenger": (5, {"seconds": "≤ 1.6", "memory": "≤ 700", "file": "≤ 2,800,000"}),
    "panex-6": (3, {"seconds": "≤ 10", "memory": "≤ 400", "file": "≤ 8,000,000"}),
    "panex-7": (1, {"seconds": "≤ 40", "memory": "≤ 2,500"}),
    "hanoi-nnn-13": (3, {"seconds": "≤ 8", "memory": "≤ 1,000"}),
    "quantum-2x3-3": (3, {"seconds": "≤ 40"}),
    "turnstile": (1, {"seconds": "≤ 16", "memory": "≤ 1,500", "file": "≤ 300,000,000"}),
    "panguru": (
        1,
        {
            "seconds": "≤ 110",
            "write": "≤ 15",
            "certificate of the states": "≤ 20",
            "memory": "≤ 10,000",
            "file": "≤ 4,000,000,000",
        },
    ),
    "english": (1, {"seconds": "≤ 300", "memory": "≤ 8,000"}),
}
"""Runs, and targets."""
_LEVELS = {"english": Path(__file__).parents[1] / "examples" / "levels"}
"""The folder of a puzzle's level."""


@dataclass(frozen=True)
class Built:
    """One build: seconds in all, by phase, peak of memory, size of the file, states."""

    seconds: float
    phases: dict[str, float]
    peak: int
    size: int
    states: int


def build(name: str, data: Path) -> Built:
    """Run `puzzlebase build`."""
    words: list[str | Path] = ["--data", data]
    if name in _LEVELS:
        words += ["--puzzles", _LEVELS[name]]
    done = run([*words, "build", name])
    with TableFile(table_path(data, name)) as file:
        phases = {step.phase: step.seconds for step in file.build_steps()}
        return Built(done.seconds, phases, done.peak, file.size, file.info.states)


def need(name: str, data: Path) -> None:
    """Build a table unless it is there."""
    if not table_path(data, name).exists():
        build(name, data)


@contextmanager
def alone(names: Iterable[str], data: Path) -> Iterator[Path]:
    """A folder of these tables alone, built if need be,
    and of their cached files; it is deleted at the end.
    """
    with TemporaryDirectory() as folder:
        for name in names:
            need(name, data)
            table_path(Path(folder), name).symlink_to(table_path(data, name).resolve())
        if (cached := data / BESIDE_TABLES).is_dir():
            Path(folder, BESIDE_TABLES).symlink_to(cached.resolve())
        yield Path(folder)


def measure(data: Path) -> Measured:
    """Measure builds, whose tables stay."""
    # what they compile is not counted
    for small in ("novice", "panex-3", "hanoi-nnn-3", "quantum-2x3-1"):
        build(small, data)
    return {
        f"`puzzlebase build {name}`": _figures([build(name, data) for _ in range(runs)], targets)
        for name, (runs, targets) in _PUZZLES.items()
    }


def _figures(runs: list[Built], targets: dict[str, str]) -> list[Figure]:
    return [
        Figure("in all", "s", [run.seconds for run in runs], targets.get("seconds", "")),
        *(
            Figure(f"- {phase}", "s", [run.phases[phase] for run in runs], targets.get(phase, ""))
            for phase in runs[0].phases
        ),
        Figure("- outside phases", "s", [run.seconds - sum(run.phases.values()) for run in runs]),
        Figure("peak memory", "MB", [run.peak / 1e6 for run in runs], targets.get("memory", "")),
        Figure("file", "bytes", [run.size for run in runs], targets.get("file", "")),
        Figure("- for each state", "bits", [8 * run.size / run.states for run in runs]),
    ]
