"""A whole table as Parquet."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.sources import table
from puzzlebase.puzzles import Puzzle


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
@options.data
def verb(data: Path, puzzle: Puzzle, goal: str | None, parquet: Path | None, with_text: bool) -> None:
    """Write a whole table, the index and distance of every state, to a Parquet file."""
    from puzzlebase.service.sql.parquet import export

    source = table(data, puzzle, goal)
    path = parquet if parquet and parquet.name else Path(f"{puzzle.table_name(source.goal)}.parquet")
    export(source, path, with_text=with_text)
    click.echo(f"{path}: {source.space.size:,} states, {path.stat().st_size:,} bytes")
