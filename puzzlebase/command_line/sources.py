"""The sources of a verb's distances: the files of the data folder, or a search."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from typing import Any

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, say, show, with_folders
from puzzlebase.db.block_cache import DEFAULT_MEMORY
from puzzlebase.machine import spare_memory
from puzzlebase.paths import DataFolder, remedy, table_path
from puzzlebase.puzzles import PatternDatabases, Puzzle
from puzzlebase.service.answers.record import AnswerRecord
from puzzlebase.service.sources.budget import Budget, SearchLimits
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.search import OpenSearch, Searchable, pattern_tables
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.sources import Sources, sources_of
from puzzlebase.service.sources.table import OpenTable

FEW_BLOCKS = 1 << 22  # bytes of a table to hold for the answer about one state


def headers(data: Path) -> Sources:
    """The files of the data folder, opened for their headers only."""
    return Sources(Folder(data, memory=0))


def table(data: DataFolder, puzzle: Puzzle, goal: str | None) -> OpenTable:
    """The table of a puzzle and goal, which may be published at an address; raises MissingTable."""
    return sources_of(data).table(puzzle.name, goal)


def searching(
    verb: Callable[..., Shown], memory: Callable[[Mapping[str, Any]], int] = lambda _given: DEFAULT_MEMORY
) -> options.Verb:
    """Give a verb a source of distances, with the options of a search in case there is no table. Show its result.

    `memory` maps the verb's arguments to the bytes of a table to hold: for one state a few blocks are enough.
    """

    @options.goal
    @click.option(
        "--max-states",
        type=click.IntRange(0),
        default=sys.maxsize,
        help="States a search may expand if there is no table.",
    )
    @options.with_default(
        "--max-seconds", type=options.SECONDS, default=SearchLimits.seconds, help="Time limit of a search, seconds."
    )
    @click.option(
        "--memory",
        type=click.IntRange(1),
        default=lambda: spare_memory() // 2,
        help="Memory limit of a search, bytes. The default is half of the free memory.",
    )
    @options.as_json
    @click.pass_obj
    @wraps(verb)
    def with_source(data: DataFolder, /, **given: Any) -> None:
        puzzle, goal, as_json = given.pop("puzzle"), given.pop("goal"), given.pop("as_json")
        limits = SearchLimits(given.pop("max_states"), given.pop("max_seconds"), given.pop("memory"))
        held = max(DEFAULT_MEMORY, limits.memory) if puzzle.engine(PatternDatabases) else memory(given)
        added, state = given.pop("added", ()), _state(given)
        with _opened(sources_of(data, held), puzzle, goal, limits, state, added) as (source, budget):
            shown = verb(source, **given)
        show(shown, as_json)  # after the display of a search has left the screen
        if budget:
            _say_how_it_ended(budget, limits)
        if shown.failed:
            sys.exit(1)

    return with_source


@cache
def command_of(record: AnswerRecord[..., Any]) -> click.Command:
    """The verb of an answer about a puzzle: an option for each field, and `--json`, or `--output` for a document."""

    def shown(*subject: Any, **given: Any) -> Shown:
        return Shown(record(*subject, **options.given(**given)), record.printed, record.notes)

    verb = searching(shown) if record.subject == "state" else _at_once(record, shown)
    verb = options.together(map(options.of_field, record.fields.values()))(verb)
    verb = options.puzzle(options.added(record.name)(verb) if record.extensible else verb)
    return click.command(
        record.name,
        help=record.sentence,
        context_settings=options.TAKES_STATES if "state" in record.fields else None,
    )(verb)


def _at_once(record: AnswerRecord[..., Any], verb: Callable[..., Shown]) -> options.Verb:
    """Give a verb the table of a puzzle, or a puzzle and its goal. Show its result."""

    @options.goal
    @(options.as_json if record.media == "application/json" else options.output)
    @click.pass_obj
    def with_subject(
        data: DataFolder,
        /,
        puzzle: Puzzle,
        goal: str | None,
        as_json: bool = False,
        output: Path | None = None,
        **given: Any,
    ) -> None:
        subject = [table(data, puzzle, goal)] if record.subject == "table" else [puzzle, puzzle.goal(goal)]
        result = verb(*subject, **given)
        if output:
            output.write_text(result.answer, "utf-8")
        else:
            show(result, as_json)

    return with_subject


def _state(given: Mapping[str, Any]) -> str | None:
    """The single state that a verb is asked about; None if there are several or none."""
    several = given.get("states")
    if isinstance(several, tuple):
        return several[0] if len(several) == 1 and several[0] != "-" else None
    return given.get("state")


@contextmanager
def _opened(
    sources: Sources, puzzle: Puzzle, goal: str | None, limits: SearchLimits, state: str | None, added: Iterable[Any]
) -> Iterator[tuple[Source, Budget | None]]:
    """The source of an added option, or a table, or else a search with its budget and its progress.

    Before a search, standard error names the missing table and the command that builds it. A wrong `state` raises
    InvalidState or ImpossibleState first.
    """
    asked = next(filter(None, (each.source(sources, puzzle, goal) for each in added)), None)
    if source := asked or sources.find(puzzle.name, goal, state=state):
        yield source, None
        return
    searchable = Searchable.in_folder(sources, puzzle, puzzle.goal(goal))
    if state is not None:
        OpenSearch(searchable, limits.begin()).index(state)
    # A line of the log says why tables of patterns are not used, if there are any.
    if not pattern_tables(sources.folder, puzzle, searchable.goal):
        for line in _why_a_search(sources.folder.data, searchable):
            say(line, 2)
    with _budget(limits) as budget:
        yield OpenSearch(searchable, budget), budget


def _why_a_search(data: Path, searchable: Searchable) -> Iterator[str]:
    """A note about the missing table, and the command that can build it."""
    puzzle, goal = searchable.puzzle, searchable.goal
    patterns = puzzle.engine(PatternDatabases)
    found = puzzle.found
    needs = patterns.needs(puzzle.name, goal) if patterns else None
    if (searchable.space.grows and not found and not needs) or (patterns and needs is None):
        yield f"puzzlebase: {puzzle.name} has too many states for a table, so this is a search"
        return
    path = table_path(data, puzzle.table_name(goal))
    if found and path.exists():
        yield f"puzzlebase: the start does not lead to this state, so it is not in {path}, and this is a search"
        return
    what = "are no tables of the patterns of" if patterns else "is no table of"
    yield f"puzzlebase: there {what} {path.stem} yet in {data}, so this is a search"
    yield f"  {with_folders(remedy(path))}"


@contextmanager
def _budget(limits: SearchLimits) -> Iterator[Budget]:
    """A budget for a search. Ctrl-C ends the search, which then answers with its bounds.

    On a terminal, a line shows the progress until the block ends.
    """
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, highlight=False)
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=False,
    ) as bar:
        task = bar.add_task("search")

        def tell(expanded: int, bound: int) -> None:
            bar.update(task, description=f"search: {expanded:,} states expanded, at least {bound:,} moves")

        budget = limits.begin(tell)
        former = signal.getsignal(signal.SIGINT)
        if former != signal.SIG_IGN:  # a job in the background ignores it
            signal.signal(signal.SIGINT, lambda *_: budget.stop())
        try:
            yield budget
        finally:
            signal.signal(signal.SIGINT, former)


def _say_how_it_ended(budget: Budget, limits: SearchLimits) -> None:
    """Print a note if time ended a search, and exit if Ctrl-C did."""
    if budget.stopped:
        sys.exit(128 + signal.SIGINT)
    if budget.over:
        say(f"the search ended after {limits.seconds:g} s; --max-seconds {10 * limits.seconds:g} lets it take longer")
