"""Lookups from a table in two parts, each behind a server of files of its own on this machine, beside the whole table.

The servers are nginx if it is installed; otherwise they are written in Python, which is several times slower. A lookup
is that of `lookup`, for uniformly random states, new ones for each run. Threads ask at the same time, as those of a
worker do. *An eighth*: an eighth of the distances is in memory, the most recent blocks. Then the whole table reads
blocks from its file, and the table in parts from the servers. Runs of different kinds take turns, and a first run of
each is not counted. `python -m benchmarks.parts FOLDER PUZZLE` measures another built table.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest import mock

import click
import numpy as np

from benchmarks.build import need
from benchmarks.figures import Figure, Measured, markdown
from benchmarks.lookup import texts
from puzzlebase.builder import Reporter
from puzzlebase.db.block_cache import offsets_of
from puzzlebase.db.mapped import NOT_MAPPED, MappedFiles
from puzzlebase.db.paths import BESIDE_TABLES, table_path
from puzzlebase.db.paths import PARTS as VARIABLE
from puzzlebase.db.table_file import TableFile
from puzzlebase.service.answers.lookups import lookup
from puzzlebase.service.sources.folder import Tables
from puzzlebase.tools.parts.splitting import split_table
from tests.part_server import part_process
from tests.serving import free_port, running

_PARTS = 2
_RUNS = 5
_THREADS = (1, 4)
_SECONDS = 2.0
_BATCH = 2_000
_NGINX = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 256; }}
http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3;
uwsgi_temp_path {folder}/4; scgi_temp_path {folder}/5;
server {{ listen 127.0.0.1:{port}; root {parts}; }} }}
"""


class _Run(NamedTuple):
    latencies: list[float]
    seconds: float


def measure(data: Path) -> Measured:
    """Needs the table of avenger, and builds it where it is missing."""
    need("avenger", data)
    return compared(data, "avenger")


def compared(data: Path, name: str) -> Measured:
    """Compare a table with itself in parts."""
    path = table_path(data, name)
    with TableFile(path) as file:
        headers = file.block_headers()
        blocks, distances = len(headers), int(offsets_of(file, headers["width"])[-1])
    with TemporaryDirectory(dir=data) as folder, ExitStack() as stack:
        *files, front = split_table(path, Path(folder), _PARTS, Reporter())
        size = sum(each.stat().st_size for each in files)
        places = [stack.enter_context(_served(each)) for each in files]
        stack.enter_context(mock.patch.dict("os.environ", {VARIABLE: ",".join(places)}))
        asked: Counter[str] = Counter()

        def count(there: int, read: int) -> None:
            asked.update(there=there, read=read)

        kinds = {
            "the whole table, mapped": Tables(data, mapped=MappedFiles(data / BESIDE_TABLES, always=True)),
            "the whole table, an eighth": Tables(data, distances, mapped=NOT_MAPPED),
            "in two parts, an eighth": Tables(front.parent, distances, count_blocks=count, mapped=NOT_MAPPED),
            "in two parts, in memory once they were read": Tables(front.parent, 2 * distances, mapped=NOT_MAPPED),
        }
        for tables in kinds.values():
            tables.get(name)
        measured: Measured = {}
        for threads in _THREADS:
            runs: dict[str, list[_Run]] = {what: [] for what in kinds}
            for run in range(1 + _RUNS):
                for what, tables in kinds.items():
                    runs[what].append(_run(tables, name, threads, (run, threads)))
            title = f"Lookups of {name}, {threads} {'thread' if threads == 1 else 'threads'}"
            measured[title] = [figure for what, each in runs.items() for figure in _figures(what, each[1:])]
        measured["What the parts send"] = [
            Figure("blocks asked of the servers / all blocks asked for", "ratio", [asked["read"] / asked.total()]),
            Figure("a block", "bytes", [size / blocks]),
        ]
    return measured


def _run(tables: Tables, name: str, threads: int, seed: tuple[int, int]) -> _Run:
    source = tables.get(name)
    states = texts(source, np.random.default_rng(seed).integers(source.space.size, size=_BATCH * threads))
    began = time.perf_counter()

    def ask(some: list[str]) -> list[float]:
        latencies = []
        for state in some:
            before = time.perf_counter()
            if before - began > _SECONDS:
                break
            lookup(tables.get(name), state)
            latencies.append(time.perf_counter() - before)
        return latencies

    with ThreadPoolExecutor(threads) as pool:
        found = [*pool.map(ask, (states[number::threads] for number in range(threads)))]
    return _Run([each for some in found for each in some], time.perf_counter() - began)


def _figures(name: str, runs: list[_Run]) -> list[Figure]:
    parts = [np.percentile(run.latencies, (50, 99)) * 1000 for run in runs]
    return [
        Figure(name, "lookups/s", [len(run.latencies) / run.seconds for run in runs]),
        Figure("- median", "ms", [float(half) for half, _ in parts]),
        Figure("- 99 of 100 within", "ms", [float(most) for _, most in parts]),
    ]


@contextmanager
def _served(part: Path) -> Iterator[str]:
    """The address of a server that has this part alone."""
    nginx = shutil.which("nginx")
    with TemporaryDirectory(dir=part.parent) as folder, ExitStack() as stack:
        root = Path(folder, "parts")
        root.mkdir()
        part.rename(root / part.name)
        if nginx:
            port = free_port()
            settings = Path(folder, "nginx.conf")
            settings.write_text(_NGINX.format(folder=folder, port=port, parts=root), "utf-8")
            stack.enter_context(running([nginx, "-p", folder, "-c", settings], port))
        else:
            port, _ = stack.enter_context(part_process(root))
        yield f"http://127.0.0.1:{port}"


if __name__ == "__main__":
    click.echo(markdown(compared(Path(sys.argv[1]), sys.argv[2])))
