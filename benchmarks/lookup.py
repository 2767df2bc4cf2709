"""Lookups and solutions in one process, for states drawn uniformly from all.

A lookup asks for the table, reads the state's text, and gives the distance and all moves, each with the state it leads
to and that state's distance; a solution is one shortest solution. A run's value is its time divided by its states; a
first run is not counted. Arrays of random indices are looked up from Python, large ones by a thread for each processor.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import puzzlebase
from benchmarks.build import need
from benchmarks.figures import Figure, Measured, timed
from puzzlebase.puzzles import Indices
from puzzlebase.service.answers import lookups
from puzzlebase.service.answers.solutions import solve
from puzzlebase.service.http.app import create_app
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable

_RUNS = 9
_STATES = 1_000
_ARRAYS = (1_000_000, 10_000_000)


def avenger(tables: Sources) -> OpenTable:
    """The table that answers are taken from."""
    return tables.table("avenger")


def texts(source: OpenTable, indices: Indices) -> list[str]:
    """States as text."""
    return [source.puzzle.format(board) for board in source.space.unrank(indices)]


def measure(data: Path) -> Measured:
    """Needs the table of avenger, and builds it where it is missing."""
    need("avenger", data)
    tables = Sources(data)
    drawn = np.random.default_rng(1).integers(avenger(tables).space.size, size=(1 + _RUNS) * _STATES)
    return {
        "One state of avenger, uniform random states": [
            Figure("lookup", "µs", _microseconds(lookups.lookup, tables, drawn), "≤ 30", "under 1 s, 8 layers kept"),
            Figure("solution", "µs", _microseconds(solve, tables, drawn)),
        ],
        "Distances of arrays of random indices": _arrays(data),
        "The 881 moves from the start of panex-6, asked of the service": [
            Figure("solve", "ms", _long_solution(data), "≤ 50"),
        ],
        "Lookup with all moves, turnstile and panguru, uniform random states": _large(data),
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
            _, *seconds = [timed(partial(puzzle.distances, indices))[1] for indices in arrays]
            rates = [count / 1e6 / each for each in seconds]
            figures.append(Figure(f"{name}, {count:,}", "million/s", rates, "≥ 5"))
    return figures


def _large(data: Path) -> list[Figure]:
    """Each state's time is a value; as many states were looked up before."""
    figures = []
    for name, target in (("turnstile", "≤ 0.05"), ("panguru", "≤ 50")):
        need(name, data)
        source = Sources(data).table(name)
        drawn = np.random.default_rng(7).integers(source.space.size, size=4 * _STATES)
        states = texts(source, drawn)
        for state in states[: 2 * _STATES]:
            lookups.lookup(source, state)
        seconds = [timed(partial(lookups.lookup, source, state))[1] for state in states[2 * _STATES :]]
        figures.append(Figure(name, "ms", [1e3 * each for each in seconds], target))
    return figures


def _long_solution(data: Path) -> list[float]:
    """Milliseconds of each run, from the request's fields to the answer's bytes."""
    need("panex-6", data)
    client = create_app(data).test_client()

    def run() -> None:
        answer = client.get("/v1/puzzles/panex-6/solve", query_string={"state": "abcdef||ABCDEF"})
        assert len(answer.get_json()["solution"]) == 881

    _, *seconds = [timed(run)[1] for _ in range(1 + _RUNS)]
    return [1e3 * run for run in seconds]


def _microseconds(answer: Callable[[OpenTable, str], object], tables: Sources, indices: Indices) -> list[float]:
    """Mean time of an answer in each run."""
    source = avenger(tables)

    def run(states: list[str]) -> None:
        for state in states:
            answer(tables.table(source.puzzle.name), state)

    states = [texts(source, drawn) for drawn in indices.reshape(-1, _STATES)]
    _, *seconds = [timed(partial(run, of_run))[1] for of_run in states]
    return [1e6 * each / _STATES for each in seconds]
