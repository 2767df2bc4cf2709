"""SQL over whole tables, each run a process of its own: start, imports and opening the tables are counted.

`puzzlebase sql` answers in JSON, with a thread for each processor, over every table in the folder; `puzzlebase
export` writes Parquet. Memory is the process's peak. In a session the table is open already. The counts by
distance come from expanded states and are compared with the layers of the table; the Turnstile's histogram is that
of its file, and its antipodes come from the states of the ranges where the census counts any. Beside the session is
the time one thread takes to make all distances of the avenger as the rows need them, without rows.
"""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.build import need
from benchmarks.figures import Figure, Measured, timed
from benchmarks.process import run
from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.sql.session import Session
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import table_path
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sql.tables import open_session

_RUNS = 5
_QUERIES = {
    "avenger": {
        "count of all states by distance": (
            "SELECT distance, count(*) AS states FROM states('avenger') GROUP BY 1 ORDER BY 1",
            "≤ 5",
        ),
        "antipodes with their text": (
            "SELECT index, state_text('avenger', index) AS state FROM states('avenger') WHERE distance = 15",
            "≤ 2",
        ),
        "all ten moves of 100,000 drawn states": (
            "SELECT avg(len(successors('avenger', index))) AS moves FROM drawn('avenger', 100_000)",
            "",
        ),
    },
    "turnstile": {
        "histogram": ("FROM histogram('turnstile')", ""),
        "antipodes with their text": (
            "SELECT index, state_text('turnstile', index) AS state FROM states('turnstile') WHERE distance = 17",
            "",
        ),
        "antipodes with their text, as the file keeps them": ("FROM antipodes('turnstile')", ""),
    },
}


def measure(data: Path) -> Measured:
    """Needs the tables of avenger and turnstile, and builds them where they are missing."""
    measured: Measured = {}
    for puzzle, queries in _QUERIES.items():
        need(puzzle, data)
        with TableFile(table_path(data, puzzle)) as file:
            layers = list(file.info.layers)
        for name, (query, target) in queries.items():
            runs = [timed(partial(run, ["--data", data, "sql", query, "--json"])) for _ in range(_RUNS)]
            rows = json.loads(runs[0][0].output)
            if "distance" in rows[0] and [row["states"] for row in rows] != layers:
                raise RuntimeError(f"{query} does not give the layers of the table")
            measured.setdefault(f"SQL over {puzzle}, {sum(layers):,} states", []).extend(
                [
                    Figure(name, "s", [seconds for _, seconds in runs], target),
                    Figure("- memory", "MB", [done.peak / 1e6 for done, _ in runs]),
                ]
            )
    measured["`puzzlebase export avenger`"] = _export(data)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:  # as this process is to stay small
        return measured | pool.submit(_in_sessions, data).result()


def _in_sessions(data: Path) -> Measured:
    """The same queries once more where the table is open, one run before the others not counted."""
    measured: Measured = {}
    for puzzle, queries in _QUERIES.items():
        with open_session(data) as begun:
            for name, (query, target) in queries.items():
                _, *seconds = [timed(partial(_asked, begun, query))[1] for _ in range(1 + _RUNS)]
                figures = measured.setdefault(f"The same in a session, {puzzle} open", [])
                figures.append(Figure(name, "s", seconds, target))
    source = Sources(data).table("avenger")
    _, *seconds = [timed(partial(_made, source))[1] for _ in range(1 + _RUNS)]
    measured["The same in a session, avenger open"].append(Figure("- distances alone, one thread", "s", seconds))
    return measured


def _made(source: OpenTable) -> None:
    """Make all distances, in the pieces in which they are scanned."""
    for first in range(0, source.space.size, BLOCK_SIZE):
        last = min(first + BLOCK_SIZE, source.space.size)
        source.space.distance_range(first, last, source.table.range)


def _asked(begun: Session, query: str) -> int:
    """Run it to its last row; how many there are."""
    return sum(1 for result in begun.run(query) for _ in result.rows()[1])


def _export(data: Path) -> list[Figure]:
    figures = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "avenger.parquet"
        for name, words in (("index and distance", []), ("with the text of each state", ["--text"])):
            runs = [
                timed(partial(run, ["--data", data, "export", "avenger", *words, "--parquet", path]))
                for _ in range(_RUNS)
            ]
            figures += [
                Figure(name, "s", [seconds for _, seconds in runs], "≤ 30"),
                Figure("- memory", "MB", [done.peak / 1e6 for done, _ in runs], "≤ 1,000"),
                Figure("- size", "MB", [path.stat().st_size / 1e6]),
            ]
    return figures
