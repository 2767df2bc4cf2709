"""Tables of half the size: `panex-N-halved` stores one of each two mirror images, `panex-N` every state.

Builds of the two take turns, as processes of their own with a thread for each processor and machine code that is there.
Phases are those of the table's log. The disk is that of the file.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.build import Built, build
from benchmarks.figures import Figure, Measured

_RUNS = {"panex-5": 3, "panex-6": 3, "panex-7": 1}


def measure(_data: Path) -> Measured:
    """Build each pair in turns, in a folder of its own."""
    found: Measured = {}
    with TemporaryDirectory() as folder:
        data = Path(folder)
        for small in ("panex-3", "panex-3-halved"):  # what they compile is not counted
            build(small, data)
        for name, runs in _RUNS.items():
            pairs = [(build(name, data), build(f"{name}-halved", data)) for _ in range(runs)]
            whole, halved = map(list, zip(*pairs, strict=True))
            found[f"`{name}`, {whole[0].states:,} states"] = [*_figures("whole", whole), *_figures("halved", halved)]
            found[f"`{name}`, halved beside whole"] = _shares(whole, halved)
    return found


def _figures(kind: str, runs: list[Built]) -> list[Figure]:
    return [
        Figure(f"{kind}, in all", "s", [run.seconds for run in runs]),
        Figure("- of processors", "s", [run.processors for run in runs]),
        Figure("- breadth-first search", "s", [run.phases["breadth-first search"] for run in runs]),
        Figure("- write", "s", [run.phases["write"] for run in runs]),
        Figure("- certificates", "s", [run.certifying for run in runs]),
        Figure("peak memory", "MB", [run.peak / 1e6 for run in runs]),
        Figure("disk", "bytes", [run.size for run in runs]),
    ]


def _shares(whole: list[Built], halved: list[Built]) -> list[Figure]:
    def share(name: str, of: list[float], beside: list[float]) -> Figure:
        return Figure(name, "%", [100 * median(of) / median(beside)])

    processors = ([run.processors for run in runs] for runs in (halved, whole))
    searches = ([run.phases["breadth-first search"] for run in runs] for runs in (halved, whole))
    return [
        share("in all", [run.seconds for run in halved], [run.seconds for run in whole]),
        share("seconds of processors", *processors),
        share("breadth-first search", *searches),
        share("disk", [run.size for run in halved], [run.size for run in whole]),
    ]
