"""Where a verb's distances come from: the files of the data folder, or a search."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from math import inf
from pathlib import Path
from typing import Any

import click

from puzzlebase.command_line import options
from puzzlebase.db import DEFAULT_MEMORY, MissingTable
from puzzlebase.machine import spare_memory
from puzzlebase.puzzles import Puzzle
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.table import OpenTable

FEW_BLOCKS = 1 << 22
"""Bytes of a table to hold for the answer about one state."""


def headers(data: Path) -> Tables:
    """The files of the data folder, to say what they are: no table is read into memory as a whole."""
    return Tables(data, memory=0)


def table(data: Path, puzzle: Puzzle, goal: str | None) -> OpenTable:
    """The table of a puzzle and goal; raises MissingTable."""
    return Tables(data).get(puzzle.name, goal)


def searching(
    verb: options.Verb, memory: Callable[[Mapping[str, Any]], int] = lambda _given: DEFAULT_MEMORY
) -> options.Verb:
    """Give a verb a source and the options of a search, which answers if there is no table.

    `memory` says by the verb's arguments how much of a table to hold, bytes: for one state a few blocks are enough.
    """

    @options.goal
    @click.option("--max-states", type=click.IntRange(0), help="States a search may expand if there is no table.")
    @click.option("--max-seconds", type=options.Number(0, options.MAX_SECONDS), help="Time limit of a search, seconds.")
    @click.option(
        "--memory",
        type=click.IntRange(1),
        default=lambda: spare_memory() // 2,
        help="Memory limit of a search, bytes. The default is half of the free memory.",
    )
    @options.as_json
    @click.pass_context
    @wraps(verb)
    def with_source(context: click.Context, /, **given: Any) -> None:
        tables, puzzle, goal = Tables(context.obj, memory(given)), given.pop("puzzle"), given.pop("goal")
        limits = given.pop("max_states"), given.pop("max_seconds"), given.pop("memory")
        try:
            source = tables.source(puzzle.name, goal)
        except MissingTable:
            if not puzzle.enumerable:
                raise
            with _budget(*limits) as budget:
                meant = puzzle.goal(goal)
                layers = tables.layers(puzzle.name, meant.name)
                verb(source=OpenSearch(Searchable.of(puzzle, meant, layers), budget), **given)
        else:
            verb(source=source, **given)

    return with_source


@contextmanager
def _budget(states: int | None, seconds: float | None, memory: int) -> Iterator[Budget]:
    """A budget for a search. Ctrl-C ends it too, and the answer is what is proven by then.

    On a terminal, a line shows how far the search is.
    """
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, highlight=False)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("search")

        def tell(expanded: int, bound: int) -> None:
            bar.update(task, description=f"search: {expanded:,} states expanded, at least {bound:,} moves")

        budget = Budget(inf if states is None else states, inf if seconds is None else seconds, memory, tell)
        former = signal.signal(signal.SIGINT, lambda *_: budget.stop())
        try:
            yield budget
        finally:
            signal.signal(signal.SIGINT, former)
    if budget.stopped:
        sys.exit(128 + signal.SIGINT)
