"""The verbs `sql`, for statements,
stored queries and a prompt over every table, and `export`, for a whole table.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, complain, show
from puzzlebase.db.sql.limits import DEFAULT_MEMORY_MB, DEFAULT_SECONDS, StatementLimits
from puzzlebase.terminal_text import fold_line

if TYPE_CHECKING:
    from puzzlebase.puzzles import Puzzle

_SECONDS, _MEMORY = options.FiniteFloat(0.001, options.MAX_SECONDS), click.IntRange(64, 10**9)


def _listed(queries: list[dict[str, str]]) -> Iterator[str]:
    width = max(len(query["query"]) for query in queries)
    for query in queries:
        yield fold_line(f"{query['query']:<{width}}  {query['shows']}", width + 2)


@click.command()
@click.argument("query", required=False)
@click.option(
    "--puzzle", help="Table for a stored query; other statements find it in the variable puzzle."
)
@click.option(
    "--list", "listed", is_flag=True, help="List the stored queries, each with a description."
)
@click.option("--csv", "as_csv", is_flag=True, help="Print the last result as CSV.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the last result as an array of objects."
)
@click.option("--parquet", type=options.FILE, help="Write the last result to this Parquet file.")
@options.with_default(
    "--rows", type=click.IntRange(1, 10**9), default=100, help="Max rows to print as text."
)
@options.options_as_record(
    StatementLimits,
    "limits",
    options.with_default(
        "--seconds",
        type=_SECONDS,
        default=DEFAULT_SECONDS,
        help="Time limit per statement, seconds.",
    ),
    options.with_default(
        "--memory",
        "memory_mb",
        type=_MEMORY,
        default=DEFAULT_MEMORY_MB,
        help="Memory limit of DuckDB, megabytes.",
    ),
    options.threads,
)
@options.data_option
def verb(
    data: Path,
    query: str | None,
    puzzle: str | None,
    listed: bool,
    as_csv: bool,
    as_json: bool,
    parquet: Path | None,
    rows: int,
    limits: StatementLimits,
) -> None:
    """Run SQL over every table. Without QUERY, open a prompt.

    QUERY is SQL, a file that ends in .sql, "-" for standard input, or the name of a stored query.
    docs/sql.md says what can be asked. No statement can change a table or reach another file.
    """
    from puzzlebase.plugins.csv_lines import write_csv
    from puzzlebase.plugins.sql import formats, prompt, statements

    if listed:
        show(Shown(statements.listed_queries(), _listed), as_json)
        return
    writers: list[prompt.Show] = []
    if as_csv:
        writers.append(lambda result: write_csv(*result.rows()))
    if as_json:
        writers.append(formats.write_json)
    if parquet:
        from puzzlebase.plugins.sql.parquet import write_parquet

        writers.append(partial(write_parquet, path=parquet))
    if len(writers) > 1:
        raise click.UsageError("give only one of --csv, --json and --parquet")
    output = partial(prompt.show, rows=rows, write=writers[0] if writers else None)
    prompt.run(data, query, puzzle, limits, output, complain)


@click.command()
@options.puzzle
@options.goal
@click.option(
    "--parquet",
    type=options.FILE,
    is_flag=False,
    flag_value="",
    help="File to write. The default is named like the table.",
)
@click.option("--text", "with_text", is_flag=True, help="Write the text of each state too.")
@options.data_option
def export_verb(
    data: Path, puzzle: Puzzle, goal: str | None, parquet: Path | None, with_text: bool
) -> None:
    """Write the index and distance of every state to a Parquet file."""
    from puzzlebase.builder.progress import Reporter
    from puzzlebase.plugins.sql.parquet import write_table
    from puzzlebase.service.sources.sources import Sources

    source = Sources(data).table(puzzle.name, goal)
    path = (
        parquet if parquet and parquet.name else Path(f"{puzzle.table_name(source.goal)}.parquet")
    )
    with Reporter().phase(f"write {path.name}", source.space.size, "states") as phase:
        write_table(source, path, with_text=with_text, report=phase.reached)
    click.echo(f"{path}: {source.space.size:,} states, {path.stat().st_size:,} bytes")
