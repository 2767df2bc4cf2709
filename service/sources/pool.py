"""The searches of a service: a few at a time,
in threads of low priority, so that lookups stay fast.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from typing import Generic, TypeVar

from puzzlebase.puzzles import Goal, Puzzle
from puzzlebase.service.error_status import Overloaded
from puzzlebase.service.sources.budget import Budget, SearchLimits
from puzzlebase.service.sources.memory import Holding
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.sources import Sources
from puzzlebase.threads import lower_priority

_SHARE = 1 / 4  # of the worker's memory: the most for one search

T = TypeVar("T")


@dataclass(frozen=True)
class Running(Generic[T]):
    """A search under way, with its budget."""

    future: Future[T]
    budget: Budget


class Searches:
    """Runs few searches at a time, at low priority, each on a budget within the limits."""

    def __init__(self, sources: Sources, limits: SearchLimits) -> None:
        self.limits = replace(
            limits, memory=min(limits.memory, int(sources.folder.memory.bound * _SHARE))
        )
        self._sources, self._memory = sources, sources.folder.memory
        self._free = threading.BoundedSemaphore(self.limits.at_once)
        self._threads = ThreadPoolExecutor(
            self.limits.at_once, "search", initializer=lower_priority
        )

    def start(
        self,
        puzzle: Puzzle,
        goal: Goal,
        states: float | None,
        seconds: float | None,
        work: Callable[[OpenSearch], T],
    ) -> Running[T]:
        """Begin `work` on a budget of states and seconds, or less if the limits are lower.

        The seconds begin when all that the search needs is made. Raises Overloaded if no more
        searches may run. The search raises DamagedTable if the stored layers are damaged.
        """
        self._take_slot()
        limits = self.limits
        budget = Budget(
            min(inf if states is None else states, limits.states),
            min(inf if seconds is None else seconds, limits.seconds),
            limits.memory,
        )

        def run() -> T:
            try:
                searchable = self._memory.the(_Searchables).find(self._sources, puzzle, goal)
                with self._memory.reserve(searchable.memory(limits.memory)):
                    budget.restart()
                    return work(OpenSearch(searchable, budget))
            finally:  # before the caller has the result and may ask for the next search
                self._free.release()

        try:
            future = self._threads.submit(run)
        except BaseException:
            self._free.release()
            raise
        return Running(future, budget)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Use a search's slot for other slow work. Raises Overloaded if none is free."""
        self._take_slot()
        try:
            yield
        finally:
            self._free.release()

    def _take_slot(self) -> None:
        if not self._free.acquire(blocking=False):
            raise Overloaded(
                f"{self.limits.at_once} searches or slow batches are running, and no more may run "
                "at the same time",
                "try again in a moment, or build a table: lookups do not wait",
            )


class _Searchables(Holding):
    """The Searchables of goals, cached for later searches,
    with the tables and layers that they use.
    """

    keeps_others = True

    def __init__(self) -> None:
        self._of: dict[tuple[str, str], Searchable] = {}

    @property
    def nbytes(self) -> int:
        return sum(searchable.nbytes for searchable in [*self._of.values()])

    def free(self) -> None:
        self._of.clear()

    def find(self, sources: Sources, puzzle: Puzzle, goal: Goal) -> Searchable:
        """The Searchable of a goal, with a cached graph and the current layers of the folder."""
        key = puzzle.name, goal.key
        found = self._of[key] = Searchable.in_folder(sources, puzzle, goal, self._of.get(key))
        return found
