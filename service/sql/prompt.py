"""`puzzlebase sql`: statements from its arguments or as they are typed, and their rows for people or for programs."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path

import click
import orjson
from rich.console import Console

from db import TableError
from db.sql.limits import Limits, QueryError
from db.sql.session import Result, Session
from puzzles import PuzzleError
from service.problems import InvalidRequest
from service.sql import formats as rows
from service.sql import functions as sql
from service.sql.watchdog import Watchdog

_WIDE = 10_000  # columns of a line where no terminal breaks it

Show = Callable[[Result], None]
Complain = Callable[[Exception], None]


def run(data: Path, query: str | None, puzzle: str | None, limits: Limits, show: Show, complain: Complain) -> None:
    """Show what a query gives, or those of a prompt; complain of tables left out and, at a prompt, of statements."""
    with sql.session(data, limits) as session, Watchdog(session):
        for damage in session.damaged:
            complain(damage)
        if puzzle is not None:
            session.set_puzzle(puzzle)
        if query is None and sys.stdin.isatty():
            _converse(session, show, complain)
            return
        for result in session.run(sql.text(session, query or "-", puzzle)):
            show(result)


def showing(as_csv: bool, as_json: bool, parquet: Path | None, svg: Path | None, most: int) -> Show:
    """What writes the last result for other programs or, where none of these is wanted, prints every one for people."""
    writers: list[Show] = []
    if as_csv:
        writers.append(lambda result: rows.write_csv(result, sys.stdout))
    if as_json:
        writers.append(lambda result: rows.write_json(result, sys.stdout.buffer))
    if parquet:
        writers.append(lambda result: rows.write_parquet(result, parquet))
    if svg:
        writers.append(partial(_write_svg, path=svg))
    if len(writers) > 1:
        raise click.UsageError("give one of --csv, --json, --parquet and --svg")
    if not writers:
        return partial(_print_rows, most=most)
    return lambda result: writers[0](result) if result.last else deque(result.rows()[1], 0).clear()


def print_queries(as_json: bool) -> None:
    """What queries there are, and what each shows."""
    known = sql.queries()
    if as_json:
        click.echo(orjson.dumps([{"query": name, "shows": shown} for name, shown in known.items()]))
        return
    for name, shown in known.items():
        click.echo(f"{name:<{max(map(len, known))}}  {shown}")


def _print_rows(result: Result, most: int) -> None:
    table, more = rows.text(result, most)
    Console(width=None if sys.stdout.isatty() else _WIDE).print(table)
    if more:
        click.echo(f"only the first {most:,} rows; all with --csv, --json, --parquet or --rows", err=True)


def _write_svg(result: Result, path: Path) -> None:
    if rows.write_svg(result, path):
        click.echo(f"only the first {rows.POINTS:,} rows are drawn", err=True)


def _converse(session: Session, show: Show, complain: Complain) -> None:
    """Statements as they are typed, each to its semicolon, until the end of the input."""
    click.echo(
        "SQL over every table; statements end with a semicolon, the session with Ctrl-D. FROM puzzles; lists them."
    )
    with suppress(ImportError):  # lines can be edited and called back where Python was built with it
        import_module("readline")
    typed = ""
    while True:
        try:
            typed += input("      ...> " if typed else "puzzlebase> ") + "\n"
            if typed.rstrip().endswith(";"):
                text, typed = typed, ""
                for result in session.run(text):
                    show(result)
        except EOFError:
            break
        except KeyboardInterrupt:
            typed = ""
            click.echo()
        except (QueryError, TableError, PuzzleError, InvalidRequest) as error:
            complain(error)
