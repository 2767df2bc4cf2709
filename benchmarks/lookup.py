"""Lookups and solutions in one process, on one thread, for states of avenger.

A lookup asks for the table, reads the state's text, and gives the distance and all ten moves, each
with the state it leads to and that state's distance; a solution is one shortest solution. States are
drawn uniformly from all states, or from those within a range of distances, new ones for each run.
A run's value is its time divided by its states; a first run is not counted. Memory holds the whole
table, or the most recent blocks, a quarter of all.

Arrays of random indices are looked up from Python, large ones by a thread for each processor; a first run is not
counted. Beside them numpy gathers as many bytes, in one thread, from random places of an array as large as the
packed distances. A distance of avenger or turnstile follows from two stored distances.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

import puzzlebase
from benchmarks.build import need
from benchmarks.figures import Figure, Measured, timed
from puzzlebase.db.block_cache import offsets_of
from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.mapped import NOT_MAPPED
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import table_path
from puzzlebase.puzzles import Indices
from puzzlebase.service.answers import lookups
from puzzlebase.service.answers.solutions import solve
from puzzlebase.service.http.app import create_app
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable

_RUNS = 9
_STATES = 1_000
_STATES_OF_A_QUARTER = 50
_DRAWN = 10_000_000
_ARRAYS = (1_000_000, 10_000_000)
_RANGES = (0, 10, 12, 13, 14, 16)
"""The first distance of each range, and the end of the last one."""


def avenger(tables: Sources) -> OpenTable:
    """The table that answers are taken from."""
    return tables.table("avenger")


def texts(source: OpenTable, indices: Indices) -> list[str]:
    """States as text."""
    return [source.puzzle.format(board) for board in source.space.unrank(indices)]


def measure(data: Path) -> Measured:
    """Needs the table of avenger, and builds it where it is missing."""
    need("avenger", data)
    whole, quarter = Sources(data), Sources(Folder(data, _quarter(table_path(data, "avenger")), mapped=NOT_MAPPED))
    source = avenger(whole)
    drawn = np.random.default_rng(1).integers(source.space.size, size=_DRAWN)
    samples = {"all states": drawn} | _by_distance(source, drawn)
    return {
        "Lookup, the whole table in memory": [
            Figure(
                name,
                "µs",
                _microseconds(lookups.lookup, whole, indices, _STATES),
                *(("≤ 30", "under 1 s, 8 layers kept") if indices is drawn else ()),
            )
            for name, indices in samples.items()
        ],
        "Solution, the whole table in memory": [
            Figure(name, "µs", _microseconds(solve, whole, indices, _STATES)) for name, indices in samples.items()
        ],
        "Distances of arrays of random indices, the whole table in memory": _arrays(data),
        "The 881 moves from the start of panex-6, asked of the service": [
            Figure("solve", "ms", _long_solution(data), "≤ 50"),
        ],
        "Lookup with all moves, turnstile and panguru, uniform random states": _large(data),
        "A quarter of the table in memory, all states": [
            Figure("lookup", "µs", _microseconds(lookups.lookup, quarter, drawn, _STATES_OF_A_QUARTER)),
        ],
    }


def _arrays(data: Path) -> list[Figure]:
    figures = []
    random = np.random.default_rng(2)
    for name in ("avenger", "turnstile"):
        need(name, data)
        source, asked = Sources(data).table(name), puzzlebase.open(name, data=data)
        file = source.table.file
        content = np.ones(int(offsets_of(file.stored_size, file.block_headers())[-1]), np.uint8)
        for count in _ARRAYS:
            found, gathered = [], []
            for _ in range(1 + _RUNS):
                indices, places = (random.integers(size, size=count) for size in (source.space.size, len(content)))
                found.append(count / 1e6 / timed(partial(asked.distances, indices))[1])
                gathered.append(count / 1e6 / timed(partial(content.__getitem__, places))[1])
            figures.append(Figure(f"{name}, {count:,}", "million/s", found[1:], "≥ 5"))
            figures.append(Figure("- bytes gathered, one thread", "million/s", gathered[1:]))
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


def _microseconds(
    answer: Callable[[OpenTable, str], object], tables: Sources, indices: Indices, count: int
) -> list[float]:
    """Mean time of an answer in each run, for `count` states a run."""
    source = avenger(tables)

    def run(states: list[str]) -> None:
        for state in states:
            answer(tables.table(source.puzzle.name), state)

    states = [texts(source, some) for some in indices[: (1 + _RUNS) * count].reshape(-1, count)]
    _, *seconds = [timed(partial(run, some))[1] for some in states]
    return [1e6 * run / count for run in seconds]


def _by_distance(source: OpenTable, indices: Indices) -> dict[str, Indices]:
    """The indices within each range of distances, in the order they were drawn in."""
    distances = source.distances(indices)
    return {
        f"distance {first}" + (f" to {end - 1}" if end - first > 1 else ""): indices[
            (distances >= first) & (distances < end)
        ]
        for first, end in pairwise(_RANGES)
    }


def _quarter(path: Path) -> int:
    """Bytes that hold a quarter of a table's blocks."""
    with TableFile(path) as file:
        headers = file.block_headers()
    return len(headers) // 4 * BLOCK_SIZE * int(headers["width"].max()) // 8
