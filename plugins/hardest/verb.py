"""The verb hardest: its options and its text."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.db.sql.limits import StatementLimits
from puzzlebase.plugins.hardest.answer import MOST_EXAMINED, MOST_NAMED, HardestAnswer, hardest
from puzzlebase.service.answers.text import number
from puzzlebase.service.error_status import unsolvable_error
from puzzlebase.terminal_text import fold_line

if TYPE_CHECKING:
    from puzzlebase.puzzles import Puzzle


@click.command()
@options.puzzle
@options.goal
@options.with_default(
    "--limit", type=click.IntRange(1, MOST_NAMED), default=5, help="States of each kind to list."
)
@options.with_default(
    "--states",
    type=click.IntRange(1, 10**12),
    default=MOST_EXAMINED,
    help="Most states to examine. Of a larger table so many are drawn.",
)
@options.threads
@options.as_json
@options.data_option
def verb(
    data: Path,
    puzzle: Puzzle,
    goal: str | None,
    limit: int,
    states: int,
    threads: int,
    as_json: bool,
) -> None:
    """Find the hardest states of a puzzle that has a table.

    These are its antipodes, the farthest states with one shortest solution or with one optimal
    move, and local maxima. Every move of every state is examined, or of random states of a large
    table.
    """
    from puzzlebase.command_line.verb_sources import header_sources_of_verb
    from puzzlebase.machine import spare_memory

    source = header_sources_of_verb(data).table(puzzle.name, goal)
    if not source.table.info.layers:
        raise unsolvable_error(source.puzzle)
    limits = StatementLimits(options.MAX_SECONDS, spare_memory() // 3_000_000, threads)
    show(Shown(hardest(source, states, limits), partial(_lines, limit=limit)), as_json)


def _lines(answer: HardestAnswer, limit: int) -> list[str]:
    from puzzlebase.plugins.text_templates import text_template

    fold = partial(fold_line, indent=2)
    template = text_template(__package__, "hardest.txt")
    return template.render(**answer, limit=limit, number=number, fold=fold).splitlines()
