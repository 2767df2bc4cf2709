"""SQL over whole tables, each run a process of its own:
start, imports and opening the tables are counted.

`puzzlebase sql` answers in JSON, with a thread for each processor, over every table in the folder;
`puzzlebase export` writes Parquet. Memory is the process's peak. The counts by distance come from
expanded states and are compared with the layers of the table; the Turnstile's histogram is that of
its file, and its antipodes come from the states of the ranges where the census counts any.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.build import need
from benchmarks.figures import Figure, Measured, timed
from benchmarks.process import Done, run
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import table_path

_RUNS = 5
_QUERIES = {
    "avenger": {
        "count of all states by distance": (
            "SELECT distance, count(*) AS states FROM states('avenger') GROUP BY 1 ORDER BY 1",
            "≤ 5",
        ),
        "antipodes with their text": (
            (
                "SELECT index, state_text('avenger', index) AS state FROM states('avenger') WHERE "
                "distance = 15"
            ),
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
            (
                "SELECT index, state_text('turnstile', index) AS state FROM states('turnstile') "
                "WHERE distance = 17"
            ),
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
            runs = _timed(data, "sql", query, "--json")
            rows = json.loads(runs[0][0].output)
            if "distance" in rows[0] and [row["states"] for row in rows] != layers:
                raise RuntimeError(f"{query} does not give the layers of the table")
            title = f"SQL over {puzzle}, {sum(layers):,} states"
            measured.setdefault(title, []).extend(_figures(name, runs, target))
    measured["`puzzlebase export avenger`"] = _export(data)
    return measured


def _export(data: Path) -> list[Figure]:
    figures = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "avenger.parquet"
        for name, words in (
            ("index and distance", []),
            ("with the text of each state", ["--text"]),
        ):
            runs = _timed(data, "export", "avenger", *words, "--parquet", path)
            figures += [
                *_figures(name, runs, "≤ 30", "≤ 1,000"),
                Figure("- size", "MB", [path.stat().st_size / 1e6]),
            ]
    return figures


def _timed(data: Path, *words: str | Path) -> list[tuple[Done, float]]:
    return [timed(partial(run, ["--data", data, *words])) for _ in range(_RUNS)]


def _figures(
    name: str, runs: list[tuple[Done, float]], most: str, memory: str = ""
) -> list[Figure]:
    return [
        Figure(name, "s", [seconds for _, seconds in runs], most),
        Figure("- memory", "MB", [done.peak / 1e6 for done, _ in runs], memory),
    ]
