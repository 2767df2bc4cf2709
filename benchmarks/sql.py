"""SQL over whole tables, each run a process of its own:
start, imports and opening the tables are counted.

`puzzlebase sql` answers in JSON, with a thread for each processor, over every table in the folder;
`puzzlebase export` writes Parquet. Memory is the process's peak. The counts by distance come from
expanded states and are compared with the layers of the table; the Turnstile's histogram is that of
its file, and its antipodes come from the states of the ranges where the census counts any.
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.build import need
from benchmarks.figures import Figure, Measured
from benchmarks.process import Done, run
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import table_path

_RUNS = 5
_QUERIES = Path(__file__).with_name("queries")
"""Each file is named after its puzzle; it begins with what it asks, and the target in seconds."""


def measure(data: Path) -> Measured:
    """Needs the tables of avenger and turnstile, and builds them where they are missing."""
    measured: Measured = {}
    for path in sorted(_QUERIES.iterdir()):
        puzzle, lines = path.stem.partition("-")[0], path.read_text("utf-8").splitlines()
        name, target = (line.removeprefix("--").strip() for line in lines[:2])
        need(puzzle, data)
        with TableFile(table_path(data, puzzle)) as file:
            layers = list(file.info.layers)
        runs = _runs(data, "sql", path, "--json")
        rows = json.loads(runs[0].output)
        if "distance" in rows[0] and [row["states"] for row in rows] != layers:
            raise RuntimeError(f"{path} does not give the layers of the table")
        title = f"SQL over {puzzle}, {sum(layers):,} states"
        measured.setdefault(title, []).extend(_figures(name, runs, target))
    return measured | {"`puzzlebase export avenger`": _export(data)}


def _export(data: Path) -> list[Figure]:
    figures = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "avenger.parquet"
        for name, words in (
            ("index and distance", []),
            ("with the text of each state", ["--text"]),
        ):
            runs = _runs(data, "export", "avenger", *words, "--parquet", path)
            figures += [
                *_figures(name, runs, "≤ 30", "≤ 1,000"),
                Figure("- size", "MB", [path.stat().st_size / 1e6]),
            ]
    return figures


def _runs(data: Path, *words: str | Path) -> list[Done]:
    return [run(["--data", data, *words]) for _ in range(_RUNS)]


def _figures(name: str, runs: list[Done], most: str, memory: str = "") -> list[Figure]:
    return [
        Figure(name, "s", [run.seconds for run in runs], most),
        Figure("- memory", "MB", [run.peak / 1e6 for run in runs], memory),
    ]
