"""The sources of a verb's distances: the files of the data folder, or a search."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from puzzlebase.command_line.printing import Shown, print_note, show
from puzzlebase.db.block_cache import DEFAULT_MEMORY
from puzzlebase.paths import DataFolder, build_remedy, table_path
from puzzlebase.puzzles import PatternDatabases, Puzzle
from puzzlebase.service.sources.budget import Budget, SearchLimits
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.search import OpenSearch, Searchable, tables_of_search
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.sources import Sources, sources_of


def header_sources_of_verb(data: Path) -> Sources:
    """The sources of a verb that reads only the headers of the files in the data folder."""
    return Sources(Folder(data, memory=0))


def show_verb_of_source(
    verb: Callable[..., Shown],
    data: DataFolder,
    puzzle: Puzzle,
    goal: str | None,
    limits: SearchLimits,
    *,
    as_json: bool,
    added: Iterable[Any] = (),
    may_search: bool = True,
    **given: Any,
) -> None:
    """Show the result of a verb from its source of distances; exits with 1 if it failed.

    Without `may_search` no search answers, and a missing table raises MissingTable.
    """
    held = max(DEFAULT_MEMORY, limits.memory) if puzzle.engine(PatternDatabases) else DEFAULT_MEMORY
    sources = sources_of(data, held)
    if not may_search:
        sources.find(puzzle.name, goal, search=False)
    with _opened(sources, puzzle, goal, limits, _state(given), added) as (source, budget):
        shown = verb(source, **given)
    for each in added:
        shown = each.shown(puzzle, shown)
    show(shown, as_json)  # after the display of a search has left the screen
    if budget:
        _say_how_it_ended(budget, limits)
    if shown.failed:
        sys.exit(1)


def _state(given: Mapping[str, Any]) -> str | None:
    """The single state that a verb is asked about; None if there are several or none."""
    several = given.get("states")
    if isinstance(several, tuple):
        return several[0] if len(several) == 1 and several[0] != "-" else None
    return given.get("state")


@contextmanager
def _opened(
    sources: Sources,
    puzzle: Puzzle,
    goal: str | None,
    limits: SearchLimits,
    state: str | None,
    added: Iterable[Any],
) -> Iterator[tuple[Source, Budget | None]]:
    """The source of an added option, or a table, or else a search with its budget and its progress.

    Before a search, standard error names the missing table and the command that builds it. A wrong
    `state` raises InvalidState or ImpossibleState first.
    """
    asked = next(filter(None, (each.source(sources, puzzle, goal) for each in added)), None)
    if source := asked or sources.find(puzzle.name, goal, state=state):
        yield source, None
        return
    searchable = Searchable.in_folder(sources, puzzle, puzzle.goal(goal))
    if state is not None:
        OpenSearch(searchable, limits.begin()).index(state)
    # A line of the log says why tables of patterns are not used, if there are any.
    if not tables_of_search(sources.folder, puzzle, searchable.goal):
        for line in _why_a_search(sources.folder.data, searchable):
            print_note(line, 2)
    with _budget(limits) as budget:
        yield OpenSearch(searchable, budget), budget


def _why_a_search(data: Path, searchable: Searchable) -> Iterator[str]:
    """A note about the missing table, and the command that can build it."""
    puzzle, goal = searchable.puzzle, searchable.goal
    patterns = puzzle.engine(PatternDatabases)
    found = puzzle.found
    usable = puzzle.pattern_names(goal)
    if (searchable.space.grows and not found and not usable) or (patterns and not usable):
        yield f"puzzlebase: {puzzle.name} has too many states for a table, so this is a search"
        return
    path = table_path(data, puzzle.table_name(goal))
    if found and path.exists():
        yield (
            f"puzzlebase: the start does not lead to this state, so it is not in {path}, and "
            "this is a search"
        )
        return
    what = "are no tables of the patterns of" if patterns else "is no table of"
    yield f"puzzlebase: there {what} {path.stem} yet in {data}, so this is a search"
    yield f"  {build_remedy(path)}"


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
            bar.update(
                task, description=f"search: {expanded:,} states expanded, at least {bound:,} moves"
            )

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
        print_note(
            f"the search ended after {limits.seconds:g} s; --max-seconds {10 * limits.seconds:g} "
            "lets it take longer"
        )
