"""Verbs over every table: the service, and SQL."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from puzzlebase import system
from puzzlebase.command_line import completion, options
from puzzlebase.command_line.printing import Shown, complain, say_unreadable, show
from puzzlebase.db.sql.limits import DEFAULT_MEMORY_MB, DEFAULT_SECONDS, StatementLimits
from puzzlebase.puzzles import find
from puzzlebase.service.answers.text import folded
from puzzlebase.service.sources.budget import SearchLimits

_SQL_SECONDS, _SQL_MEMORY = options.FiniteFloat(0.001, options.MAX_SECONDS), click.IntRange(64, 10**9)


def _puzzles(_context: click.Context, _parameter: click.Parameter, names: str) -> tuple[str, ...]:
    return tuple(find(name.strip()).name for name in names.split(",") if name.strip())


def _limit(name: str, field: str, kind: click.ParamType[float], text: str) -> Callable[[options.Verb], options.Verb]:
    return click.option(name, field, type=kind, default=getattr(SearchLimits, field), show_default=True, help=text)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", type=click.IntRange(1, 65535), default=8080, show_default=True, help="Port to listen at.")
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes that answer.")
@click.option(
    "--memory",
    "worker_memory",
    type=click.IntRange(1),
    show_default="half of what is free, shared, at most 4 GiB",
    envvar="PUZZLEBASE_MEMORY",
    help="Memory of each process, bytes: tables, spaces, oracles, searches and requests.",
)
@click.option(
    "--log/--no-log",
    default=lambda: not sys.stderr.isatty(),
    show_default="log, unless that is a terminal",
    help="Log the start and each request as JSON on standard error.",
)
@click.option(
    "--warm",
    callback=_puzzles,
    default="",
    help="Puzzles without a table, with commas between, whose searches are prepared before the first request.",
)
@options.added("serve")
@options.record(
    SearchLimits,
    "limits",
    _limit("--searches", "at_once", click.IntRange(1, 64), "Requests that may search at a time in each process."),
    _limit("--search-states", "states", click.IntRange(0), "States the searches of a request may expand."),
    _limit("--search-seconds", "seconds", options.SECONDS, "Time limit of the searches of a request, seconds."),
    _limit("--search-memory", "memory", click.IntRange(1), "Memory limit of the searches of a request, bytes."),
)
@options.data
def serve(
    data: Path,
    host: str,
    port: int,
    workers: int,
    worker_memory: int | None,
    log: bool,
    warm: tuple[str, ...],
    limits: SearchLimits,
    added: list[Any],
) -> None:
    """Answer over HTTP until stopped. New and rebuilt tables are served without a restart."""
    if not system.SERVES:
        raise click.UsageError("serve needs Linux or macOS: on Windows run it in WSL; all other verbs run here too")
    from puzzlebase.service.http import server
    from puzzlebase.service.http.settings import Settings, default_memory

    say_unreadable()
    for each in added:
        os.environ |= each.to_environment()
    server.serve(Settings(data, worker_memory or default_memory(workers), log, limits, warm), host, port, workers)


def _listed(queries: list[dict[str, str]]) -> Iterator[str]:
    width = max(len(query["query"]) for query in queries)
    for query in queries:
        yield folded(f"{query['query']:<{width}}  {query['shows']}", width + 2)


@click.command()
@click.argument("query", required=False, shell_complete=completion.queries)
@click.option(
    "--puzzle",
    shell_complete=completion.tables,
    help="Table for a stored query; other statements find it in the variable puzzle.",
)
@click.option("--list", "listed", is_flag=True, help="List the stored queries, each with a description.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the last result as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print the last result as an array of objects.")
@options.added("sql")
@options.with_default("--rows", type=click.IntRange(1, 10**9), default=100, help="Max rows to print as text.")
@options.record(
    StatementLimits,
    "limits",
    options.with_default(
        "--seconds", type=_SQL_SECONDS, default=DEFAULT_SECONDS, help="Time limit per statement, seconds."
    ),
    options.with_default(
        "--memory", "memory_mb", type=_SQL_MEMORY, default=DEFAULT_MEMORY_MB, help="Memory limit of DuckDB, megabytes."
    ),
    options.threads,
)
@options.data
def sql(
    data: Path,
    query: str | None,
    puzzle: str | None,
    listed: bool,
    as_csv: bool,
    as_json: bool,
    rows: int,
    limits: StatementLimits,
    added: list[Any],
) -> None:
    """Run SQL over every table. Without QUERY, open a prompt.

    QUERY is SQL, a file that ends in .sql, "-" for standard input, or the name of a stored query. docs/sql.md says what
    can be asked. No statement can change a table or reach another file.
    """
    from puzzlebase.service.sql import formats, prompt, statements

    if listed:
        show(Shown(statements.listed_queries(), _listed), as_json)
        return
    writers = [write for each in added if (write := each.writer())]
    writers += [write for write, asked in ((formats.write_csv, as_csv), (formats.write_json, as_json)) if asked]
    if len(writers) > 1:
        *first, last = "--csv", "--json", *(each.flag for each in added)
        raise click.UsageError(f"give only one of {', '.join(first)} and {last}")
    output = partial(prompt.show, rows=rows, write=writers[0] if writers else None)
    prompt.run(data, query, puzzle, limits, output, complain)
