"""The searches of a service: a few at a time, in threads of low priority, so that lookups stay fast."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from time import monotonic
from typing import Generic, TypeVar

from puzzlebase.puzzles import Goal, Puzzle
from puzzlebase.service.error_status import Overloaded
from puzzlebase.service.sources.budget import Budget, SearchLimits
from puzzlebase.service.sources.memory import Holding
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.sources import Sources
from puzzlebase.system import lower_priority

_AT_LEAST = 1.0  # seconds that a request waits until its search can begin
_SHARE = 1 / 4  # of the worker's memory: the most for one search

T = TypeVar("T")


@dataclass(frozen=True)
class Running(Generic[T]):
    """A search under way, with its budget."""

    future: Future[T]
    budget: Budget


class Searches:
    """Runs few searches at a time, at low priority, each on a budget within the limits."""

    def __init__(self, sources: Sources, limits: SearchLimits | None = None) -> None:
        limits = limits or SearchLimits()
        self.limits = replace(limits, memory=min(limits.memory, int(sources.folder.memory.bound * _SHARE)))
        self._sources, self._memory = sources, sources.folder.memory
        self._free = threading.BoundedSemaphore(self.limits.at_once)
        self._threads = ThreadPoolExecutor(self.limits.at_once, "search", initializer=lower_priority)
        self._lock = threading.Lock()
        self._cached: dict[tuple[str, str], _CachedSearchable] = {}

    def start(
        self, puzzle: Puzzle, goal: Goal, states: float | None, seconds: float | None, work: Callable[[OpenSearch], T]
    ) -> Running[T]:
        """Begin `work` on a budget of states and seconds, or less if the limits are lower.

        Raises Overloaded if no more searches may run, and if the states are not numbered after `seconds`, or a second:
        that goes on for later searches. The search raises DamagedTable if the stored layers are damaged.
        """
        self._take_slot()
        limits = self.limits
        budget = Budget(
            min(inf if states is None else states, limits.states),
            min(inf if seconds is None else seconds, limits.seconds),
            limits.memory,
        )

        prepared = threading.Event()

        def run() -> T:
            try:
                try:
                    searchable = self._searchable(puzzle, goal)
                finally:
                    prepared.set()
                with self._memory.reserve("searches", searchable.memory(limits.memory)):
                    budget.restart()
                    return work(OpenSearch(searchable, budget))
            finally:  # before the caller has the result and may ask for the next search
                self._free.release()

        try:
            future = self._threads.submit(run)
        except BaseException:
            self._free.release()
            raise
        if seconds is not None and not prepared.wait(max(seconds, _AT_LEAST)):
            budget.stop()
            raise Overloaded(f"{puzzle.name} is being prepared for its first search", "ask again in a moment")
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
                f"{self.limits.at_once} searches or slow batches are running, and no more may run at the same time",
                "try again in a moment, or build a table: lookups do not wait",
            )

    def _searchable(self, puzzle: Puzzle, goal: Goal) -> Searchable:
        """The Searchable of a goal, with a cached graph and the current layers of the folder."""
        key = puzzle.name, goal.key
        with self._lock:
            cached = self._cached.get(key)
        searchable = Searchable.in_folder(self._sources, puzzle, goal, cached.searchable if cached else None)
        with self._lock:
            cached = self._cached.get(key)  # another search may have put it there meanwhile
            if cached is not None:
                cached.searchable, cached.used = searchable, monotonic()
                return searchable
            cached = self._cached[key] = _CachedSearchable(searchable, partial(self._forget, key))
        self._memory.hold(cached)
        return searchable

    def _forget(self, key: tuple[str, str]) -> None:
        """Drop the cached Searchable of a goal."""
        with self._lock:
            cached = self._cached.pop(key, None)
        if cached:
            self._memory.forget(cached)


class _CachedSearchable(Holding):
    """The Searchable of a goal, cached for later searches."""

    part = "searchables"

    def __init__(self, searchable: Searchable, forget: Callable[[], None]) -> None:
        self.searchable = searchable
        self._forget = forget

    @property
    def nbytes(self) -> int:
        return self.searchable.nbytes

    def free(self) -> None:
        self._forget()
