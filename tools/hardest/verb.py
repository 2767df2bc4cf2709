"""The verb hardest: its options and its text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.command_line.sources import headers
from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.paths import DataFolder
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers.random_states import unsolvable
from puzzlebase.service.answers.text import folded
from puzzlebase.tools.hardest.answer import HardestAnswer, hardest
from puzzlebase.tools.hardest.file import MOST_NAMED
from puzzlebase.version import VERSION


@click.command()
@options.puzzle
@options.goal
@options.with_default("--limit", type=click.IntRange(1, MOST_NAMED), default=5, help="States of each kind to list.")
@click.option("--force", is_flag=True, help="Search even if memory or disk seem too small.")
@options.threads
@options.as_json
@click.pass_obj
def verb(
    folder: DataFolder, puzzle: Puzzle, goal: str | None, limit: int, force: bool, threads: int, as_json: bool
) -> None:
    """Find the hardest states of a puzzle that has a table.

    These are its antipodes up to symmetry, the farthest states with one shortest solution or with one optimal move,
    and local maxima. Every move of every state is examined. The results are stored beside the table.
    """
    source = headers(folder.existing()).get(puzzle.name, goal)
    if not source.table.info.layers:
        raise unsolvable(source)
    try:
        found = hardest(source)
    except (MissingTable, DamagedTable):
        from puzzlebase.tools.hardest.job import HardestJob

        HardestJob(source.puzzle, source.goal, folder.path, VERSION, threads, force=force).build()
        found = hardest(source)
    show(Shown(found, partial(_lines, limit=limit)), as_json)


def _lines(answer: HardestAnswer, limit: int) -> Iterator[str]:
    yield f"{answer['puzzle']}, goal {answer['goal']}: the hardest states"
    for kind in answer["kinds"]:
        yield ""
        yield folded(f"{kind['kind']}: {kind['meaning']}", 2)
        if kind["distance"] is None:
            yield "  there is none"
            continue
        alike = "" if kind["different"] is None else f", {kind['different']:,} up to symmetry"
        yield f"  {kind['states']:,} in all; {kind['count']:,} at distance {kind['distance']:,}{alike}:"
        yield from (f"  {state}" for state in kind["named"][:limit])
