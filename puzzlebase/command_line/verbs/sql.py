"""SQL over every table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from puzzlebase.command_line import completion, options
from puzzlebase.command_line.printing import Shown, complain, show
from puzzlebase.db.sql.limits import DEFAULT_MEMORY_MB, DEFAULT_SECONDS, Limits
from puzzlebase.service.sql.output import Output

_SECONDS, _MEMORY_MB = options.FiniteFloat(0.001, options.MAX_SECONDS), click.IntRange(64, 10**9)


@click.command()
@click.argument("query", required=False, shell_complete=completion.queries)
@click.option(
    "--puzzle",
    shell_complete=completion.tables,
    help="Table that a stored query asks; other statements find it in the variable puzzle.",
)
@click.option("--list", "listed", is_flag=True, help="List the stored queries, and what each shows.")
@options.record(
    Output,
    "output",
    click.option("--csv", is_flag=True, help="Print the last result as CSV."),
    click.option("--json", is_flag=True, help="Print the last result as an array of objects."),
    click.option("--parquet", type=options.FILE, help="Write the last result to this Parquet file."),
    options.added("sql"),
    options.with_default(
        "--rows", type=click.IntRange(1, 10**9), default=Output.rows, help="Max rows to print as text."
    ),
)
@options.record(
    Limits,
    "limits",
    options.with_default(
        "--seconds", type=_SECONDS, default=DEFAULT_SECONDS, help="Time limit per statement, seconds."
    ),
    options.with_default(
        "--memory", "memory_mb", type=_MEMORY_MB, default=DEFAULT_MEMORY_MB, help="Memory limit of DuckDB, megabytes."
    ),
    options.threads,
)
@options.data
def verb(
    data: Path, query: str | None, puzzle: str | None, listed: bool, output: Output, limits: Limits, added: list[Any]
) -> None:
    """Run SQL over every table. Without QUERY, open a prompt.

    QUERY is SQL, a file that ends in .sql, "-" for standard input, or the name of a stored query. docs/sql.md says what
    can be asked. No statement can change a table or reach another file.
    """
    from puzzlebase.service.sql import prompt, statements

    if listed:
        show(Shown(statements.listed_queries(), statements.listed_lines), output.json)
        return
    writers = [write for each in added if (write := each.writer())]
    if output.formats + len(writers) > 1:
        *first, last = "--csv", "--json", "--parquet", *(each.flag for each in added)
        raise click.UsageError(f"give only one of {', '.join(first)} and {last}")
    output = replace(output, write=writers[0] if writers else None)
    prompt.run(data, query, puzzle, limits, output, complain)
