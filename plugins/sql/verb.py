"""The verb `sql`: statements, stored queries and a prompt, over every table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, complain, show
from puzzlebase.db.sql.limits import DEFAULT_MEMORY_MB, DEFAULT_SECONDS, StatementLimits
from puzzlebase.service.answers.text import folded

_SECONDS, _MEMORY = options.FiniteFloat(0.001, options.MAX_SECONDS), click.IntRange(64, 10**9)


def _listed(queries: list[dict[str, str]]) -> Iterator[str]:
    width = max(len(query["query"]) for query in queries)
    for query in queries:
        yield folded(f"{query['query']:<{width}}  {query['shows']}", width + 2)


@click.command()
@click.argument("query", required=False)
@click.option("--puzzle", help="Table for a stored query; other statements find it in the variable puzzle.")
@click.option("--list", "listed", is_flag=True, help="List the stored queries, each with a description.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the last result as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print the last result as an array of objects.")
@options.added("sql")
@options.with_default("--rows", type=click.IntRange(1, 10**9), default=100, help="Max rows to print as text.")
@options.record(
    StatementLimits,
    "limits",
    options.with_default(
        "--seconds", type=_SECONDS, default=DEFAULT_SECONDS, help="Time limit per statement, seconds."
    ),
    options.with_default(
        "--memory", "memory_mb", type=_MEMORY, default=DEFAULT_MEMORY_MB, help="Memory limit of DuckDB, megabytes."
    ),
    options.threads,
)
@options.data
def verb(
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
    from puzzlebase.plugins.sql import formats, prompt, statements

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
