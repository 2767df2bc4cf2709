"""Lookups and solutions in one process, for states drawn uniformly from all.

A lookup asks for the table, reads the state's text, and gives the distance and all moves, each with
the state it leads to and that state's distance; a solution is one shortest solution. A run's value
is its time divided by its states; a first run is not counted. Arrays of random indices are looked
up from Python, large ones by a thread for each processor.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import puzzlebase
from benchmarks.build import need
from benchmarks.figures import Figure, Measured, times_of
from puzzlebase.service.answers import lookups
from puzzlebase.service.answers.solutions import solve
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable

_RUNS = 9
_STATES = 1_000
_ARRAYS = (1_000_000, 10_000_000)


def random_texts(data: Path, name: str, seed: int, count: int) -> list[str]:
    """Random states of a puzzle with a table, as text."""
    source = Sources(data).table(name)
    indices = np.random.default_rng(seed).integers(source.space.size, size=count)
    return [source.puzzle.format(board) for board in source.space.unrank(indices)]


def measure(data: Path) -> Measured:
    """Needs the table of avenger, and builds it where it is missing."""
    need("avenger", data)
    tables = Sources(data)
    drawn = random_texts(data, "avenger", 1, (1 + _RUNS) * _STATES)
    return {
        "One state of avenger, uniform random states": [
            Figure("lookup", "µs", _microseconds(lookups.lookup, tables, drawn), "≤ 30"),
            Figure("solution", "µs", _microseconds(solve, tables, drawn)),
        ],
        "Distances of arrays of random indices": _arrays(data),
    }


def _arrays(data: Path) -> list[Figure]:
    figures = []
    random = np.random.default_rng(2)
    for name in ("avenger", "turnstile"):
        need(name, data)
        puzzle = puzzlebase.open(name, data=data)
        size = Sources(data).table(name).space.size
        for count in _ARRAYS:
            arrays = [random.integers(size, size=count) for _ in range(1 + _RUNS)]
            seconds = times_of(partial(puzzle.distances, indices) for indices in arrays)
            rates = [count / 1e6 / each for each in seconds]
            figures.append(Figure(f"{name}, {count:,}", "million/s", rates, "≥ 5"))
    return figures


def _microseconds(
    answer: Callable[[OpenTable, str], object], tables: Sources, states: list[str]
) -> list[float]:
    """Mean time of an answer in each run."""

    def run(first: int) -> None:
        for state in states[first : first + _STATES]:
            answer(tables.table("avenger"), state)

    runs = (partial(run, first) for first in range(0, len(states), _STATES))
    return [1e6 * each / _STATES for each in times_of(runs)]
