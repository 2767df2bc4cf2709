"""A whole table as Parquet, and the option of `sql` for the last result. Both load Arrow when they write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.sources import table
from puzzlebase.puzzles import Puzzle


@dataclass(frozen=True)
class ParquetOptions:
    """The file that the last result goes to."""

    flag: ClassVar[str] = "--parquet"

    parquet: Path | None

    def writer(self) -> Callable[[Any], None] | None:
        """What writes a Result to the file; None where no file is named."""
        return None if self.parquet is None else self._write

    def _write(self, result: Any) -> None:
        from puzzlebase.tools.parquet.writing import write_parquet

        assert self.parquet is not None
        write_parquet(result, self.parquet)


ADDED = options.Added(
    ParquetOptions, (click.option("--parquet", type=options.FILE, help="Write the last result to this Parquet file."),)
)


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
    from puzzlebase.tools.parquet.writing import export

    source = table(data, puzzle, goal)
    path = parquet if parquet and parquet.name else Path(f"{puzzle.table_name(source.goal)}.parquet")
    export(source, path, with_text=with_text)
    click.echo(f"{path}: {source.space.size:,} states, {path.stat().st_size:,} bytes")
