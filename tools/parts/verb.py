"""Split a table into parts that lie on several machines."""

from __future__ import annotations

from pathlib import Path

import click

from puzzlebase.builder import Reporter
from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.db.paths import table_path
from puzzlebase.puzzles import Puzzle
from puzzlebase.tools.parts.splitting import split_table


@click.command()
@options.puzzle
@click.argument("to", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path))
@options.goal
@click.option("--into", "parts", type=click.IntRange(1, 4096), required=True, help="How many parts to make.")
@options.as_json
@options.data
def verb(data: Path, puzzle: Puzzle, to: Path, goal: str | None, parts: int, as_json: bool) -> None:
    """Write a table into FOLDER in parts, and a small table beside them that says what lies where.

    The small table answers as the whole one does: from the parts beside it, or from those that --parts names, which any
    server of files may serve.
    """
    written = split_table(table_path(data, puzzle.table_name(puzzle.goal(goal))), to, parts, Reporter())
    files = [{"file": each.name, "bytes": each.stat().st_size} for each in written]
    show(Shown({"files": files}, lambda _: [f"{each['file']}  {each['bytes']:,} bytes" for each in files]), as_json)
