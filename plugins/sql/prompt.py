"""`puzzlebase sql`: run statements, given or typed at a prompt, and show their results."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import click
from rich.console import Console

from puzzlebase.db.errors import TableError
from puzzlebase.db.sql.errors import QueryError
from puzzlebase.db.sql.limits import StatementLimits
from puzzlebase.db.sql.session import QueryResult, Session
from puzzlebase.plugins.sql import formats
from puzzlebase.plugins.sql.statements import statements
from puzzlebase.puzzles import PuzzleError
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sql.tables import session_over_tables

_UNBROKEN = 10_000  # columns of a line that no terminal breaks

_ENDS = {"exit", "quit", "q"}
Show = Callable[[QueryResult], None]
Complain = Callable[[Exception], None]


def run(
    data: Path,
    query: str | None,
    puzzle: str | None,
    limits: StatementLimits,
    show: Show,
    complain: Complain,
) -> None:
    """Run a query over the tables of a folder and show its results;
    without one, open a prompt or read standard input.

    `complain` gets two kinds of errors: of damaged tables,
    which are left out, and of statements at the prompt.
    """
    with session_over_tables(data, limits) as session:
        for damage in session.damaged:
            complain(damage)
        if puzzle is not None:
            session.set_puzzle(puzzle)
        if query is None and sys.stdin.isatty():
            converse(session, show, complain)
            return
        for result in session.run(statements(session, query or "-", puzzle)):
            show(result)


def converse(session: Session, show: Show, complain: Complain) -> None:
    """Run statements as they are typed, each up to its semicolon, until the input ends."""
    click.echo(
        "SQL over every table; FROM puzzles; lists them. A statement ends with a semicolon, the "
        "prompt with exit."
    )
    with suppress(ImportError):  # with Python's readline, lines can be edited and recalled
        import_module("readline")
    typed = ""
    while True:
        try:
            line = input("      ...> " if typed else "puzzlebase> ")
            if not typed and line.strip().removesuffix(";").lower() in _ENDS:
                break
            typed += line + "\n"
            if not typed.strip():
                typed = ""
            elif typed.rstrip().endswith(";"):
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


def show(result: QueryResult, rows: int, write: Show | None = None) -> None:
    """Print at most so many rows of each result. With `write`,
    write the last result only, and print none.
    """
    if write and result.last:
        write(result)
    elif write:
        deque(result.rows()[1], 0)
    else:
        console = Console(width=None if sys.stdout.isatty() else _UNBROKEN)
        table, more = formats.text_table(result, rows, console.width)
        console.print(table)
        if more:
            click.echo(f"only the first {rows:,} rows; all with --csv, --json or --rows", err=True)
