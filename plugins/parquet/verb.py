"""The verb `export` for a whole table, and the option of `sql` for its last result. Both load Arrow when they write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from puzzlebase.command_line import options

if TYPE_CHECKING:
    from puzzlebase.puzzles import Puzzle


@dataclass(frozen=True)
class ParquetOptions:
    """The file that the last result goes to."""

    flag: ClassVar[str] = "--parquet"

    parquet: Path | None

    def writer(self) -> Callable[[Any], None] | None:
        """The function that writes a result to the file; None if no file is named."""
        if self.parquet is None:
            return None
        from puzzlebase.plugins.parquet.writing import write_parquet

        return partial(write_parquet, path=self.parquet)


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
    """Write the index and distance of every state to a Parquet file."""
    from puzzlebase.builder.progress import Reporter
    from puzzlebase.plugins.parquet.writing import export
    from puzzlebase.service.sources.sources import Sources

    source = Sources(data).table(puzzle.name, goal)
    path = parquet if parquet and parquet.name else Path(f"{puzzle.table_name(source.goal)}.parquet")
    with Reporter().phase(f"write {path.name}", source.space.size, "states") as phase:
        export(source, path, with_text=with_text, report=phase.reached)
    click.echo(f"{path}: {source.space.size:,} states, {path.stat().st_size:,} bytes")
