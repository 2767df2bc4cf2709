"""From nothing to an answer: a process of its own, and a puzzle opened from Python.

A process is timed from its start to its end, so the interpreter, imports and opening the table are
counted. Kernels and ranking tables are in their caches, and the files in the system's, as after a
first run. The lookup compiles nothing: numba is loaded only with the first kernel that is called,
the tables of rows and columns are mapped from a file, and for one state kernels run as plain
Python.

From Python, states are uniform, and texts are 21 letters.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import puzzlebase
from benchmarks.build import need
from benchmarks.figures import Figure, Measured, times_of
from benchmarks.lookup import random_texts
from benchmarks.process import run

_RUNS = 9
_MANY = 1_000_000
_ENVIRONMENT = {"PYTHONDONTWRITEBYTECODE": ""}  # an installed program has its bytecode
_STATE = ".C.E.DAB.BDAEA.ECDBC."


def measure(data: Path) -> Measured:
    """Needs the table of avenger, and builds it where it is missing."""
    need("avenger", data)
    avenger = puzzlebase.open("avenger", data=data)
    texts = random_texts(data, "avenger", 2, _MANY)
    return {
        "A process": [
            Figure("puzzlebase --version", "s", _process(["--version"]), "≤ 0.15"),
            Figure("puzzlebase list", "s", _process(["--data", data, "list"]), "≤ 1"),
            Figure(
                "puzzlebase lookup avenger STATE",
                "s",
                _process(["--data", data, "lookup", "avenger", _STATE]),
                "≤ 0.35",
            ),
        ],
        "From Python": [
            Figure(
                "avenger.distances(a million texts)",
                "s",
                times_of([partial(avenger.distances, texts)] * (1 + _RUNS)),
                "≤ 1",
            ),
        ],
    }


def _process(words: list[str | Path]) -> list[float]:
    return [run(words, _ENVIRONMENT).seconds for _ in range(1 + _RUNS)][1:]
