"""Verbs about puzzles: a list of them, and the facts of one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, say_unreadable, show
from puzzlebase.db.errors import TableError
from puzzlebase.puzzles.contract.errors import NoSpace
from puzzlebase.service.answers import text

if TYPE_CHECKING:
    from puzzlebase.paths import DataFolder
    from puzzlebase.puzzles import Puzzle
    from puzzlebase.service.sources.folder import Folder


@click.command()
@options.as_json
@options.data
def list(data: Path, as_json: bool) -> None:  # noqa: A001 -- the verb's name
    """List the puzzles that have a table, and some that have none."""
    from puzzlebase.command_line.sources import headers
    from puzzlebase.service.answers import catalog

    say_unreadable()
    show(Shown(catalog.puzzle_list(headers(data)), text.puzzles), as_json)


@click.command()
@options.puzzle
@options.goal
@options.as_json
@click.pass_obj
def info(data: DataFolder, puzzle: Puzzle, goal: str | None, as_json: bool) -> None:
    """Show the moves, goals, notation and table of a puzzle."""
    from puzzlebase.command_line.sources import headers
    from puzzlebase.service.answers import catalog

    folder = headers(data.existing()).folder
    known = catalog.about(folder, puzzle, puzzle.goal(goal))
    facts = [*_memory(folder, puzzle, goal), text.fact("data folder", data)]
    show(Shown(known, lambda _: [*text.puzzle(known), *facts]), as_json)


def _memory(folder: Folder, puzzle: Puzzle, goal: str | None) -> Iterator[str]:
    """The memory of a table's distances."""
    with suppress(TableError, NoSpace):
        table = folder.tables.find(puzzle, puzzle.goal(goal))
        if table is None:
            return
        path = folder.mapped.path(table.header)
        if path and path.exists():
            yield text.fact("in memory", f"{path.stat().st_size:,} bytes for all processes, mapped from {path}")
        elif path is None:
            yield text.fact("in memory", "a copy in each process")
        else:
            yield text.fact("in memory", f"mapped from {path}, which the first process that needs all of it makes")
