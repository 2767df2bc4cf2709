"""From nothing to an answer: a process of its own, and a puzzle opened from Python.

A process is timed from its start to its end, so the interpreter, imports and opening the table are counted. Kernels and
ranking tables are in their caches, and the files in the system's, as after a first run. The lookup compiles nothing:
numba is loaded only with the first kernel that is called, the tables of rows and columns are mapped from a file, and
for one state kernels run as plain Python.

From Python, lookups are of uniform random states, a run's value is the mean of a thousand, and texts are 21 letters.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

import puzzlebase
from benchmarks.build import need
from benchmarks.figures import Figure, Measured, timed
from benchmarks.process import run
from puzzlebase import hooks
from puzzlebase.command_line.verbs import VERBS
from puzzlebase.opened import OpenPuzzle

_RUNS = 9
_STATES = 1_000
_MANY = 1_000_000
_ENVIRONMENT = {"PYTHONDONTWRITEBYTECODE": ""}  # an installed program has its bytecode
_STATE = ".C.E.DAB.BDAEA.ECDBC."


def measure(data: Path) -> Measured:
    """Needs the table of avenger, and builds it where it is missing."""
    need("avenger", data)
    avenger = puzzlebase.open("avenger", data=data)
    space = avenger.record.space(avenger.goal)
    drawn = np.random.default_rng(2).integers(space.size, size=_MANY)
    letters = space.unrank(drawn).tobytes().decode()
    texts = [letters[at : at + 21] for at in range(0, len(letters), 21)]
    return {
        "A process": [
            Figure("puzzlebase --version", "s", _process(["--version"]), "≤ 0.15"),
            Figure("puzzlebase --help", "s", _process(["--help"]), "≤ 0.15"),
            Figure("puzzlebase VERB --help, the slowest VERB", "s", _slowest_help(), "≤ 0.15"),
            Figure("puzzlebase list", "s", _process(["--data", data, "list"]), "≤ 1"),
            Figure(
                "puzzlebase lookup avenger STATE",
                "s",
                _process(["--data", data, "lookup", "avenger", _STATE]),
                "≤ 0.35",
            ),
        ],
        "From Python": [
            Figure("avenger.lookup(state)", "µs", _lookups(avenger, texts), "≤ 20"),
            Figure("avenger.distances(a million texts)", "s", _distances(avenger, texts), "≤ 1"),
            Figure("avenger.distances(a million indices)", "s", _distances(avenger, drawn)),
        ],
    }


def _process(words: list[str | Path]) -> list[float]:
    _, *seconds = [timed(partial(run, words, _ENVIRONMENT))[1] for _ in range(1 + _RUNS)]
    return seconds


def _slowest_help() -> list[float]:
    of_verbs = [_process([verb, "--help"]) for verb in {**hooks.references("verbs"), **VERBS}]
    return max(of_verbs, key=min)


def _lookups(avenger: OpenPuzzle, texts: list[str]) -> list[float]:
    def lookups(states: list[str]) -> None:
        for state in states:
            avenger.lookup(state)

    parts = [texts[at * _STATES : (at + 1) * _STATES] for at in range(1 + _RUNS)]
    _, *seconds = [timed(partial(lookups, part))[1] for part in parts]
    return [1e6 * each / _STATES for each in seconds]


def _distances(avenger: OpenPuzzle, states: list[str] | np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[float]:
    _, *seconds = [timed(partial(avenger.distances, states))[1] for _ in range(1 + _RUNS)]
    return seconds
