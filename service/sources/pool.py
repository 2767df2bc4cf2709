"""Searches of a service: few at a time, in threads that leave the processor to lookups."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Generic, TypeVar

from db import StoredLayers
from puzzles import Goal, Puzzle
from service.problems import Overloaded
from service.sources.budget import Budget, SearchLimits
from service.sources.folder import Tables
from service.sources.search import OpenSearch, Searchable

T = TypeVar("T")


class Searches:
    """Runs what searches beside what only looks up: few at a time, in threads that leave the processor to others."""

    def __init__(self, tables: Tables, limits: SearchLimits | None = None) -> None:
        self.limits = limits or SearchLimits()
        self._tables = tables
        self._free = threading.BoundedSemaphore(self.limits.at_once)
        self._threads = ThreadPoolExecutor(self.limits.at_once, "search", initializer=_yield_to_others)
        self._lock = threading.Lock()
        self._searchable: dict[tuple[str, str], Searchable] = {}

    def start(
        self, puzzle: Puzzle, goal: Goal, states: float | None, seconds: float | None, work: Callable[[OpenSearch], T]
    ) -> Running[T]:
        """Begin `work` on a budget no larger than the limits.

        Raises Overloaded where all searches are taken, and DamagedTable where the layers are: before an answer begins.
        """
        stored = self._tables.layers(puzzle.name, goal.name)
        if not self._free.acquire(blocking=False):
            raise Overloaded(
                f"{self.limits.at_once} searches are running, no more may at once",
                "try again in a moment, or build a table: lookups do not wait",
            )
        limits = self.limits
        budget = Budget(
            min(inf if states is None else states, limits.states),
            min(inf if seconds is None else seconds, limits.seconds),
            limits.memory,
        )

        def run() -> T:
            try:
                return work(OpenSearch(self._of(puzzle, goal, stored), budget))
            finally:  # before anybody hears of the result, and asks for the next
                self._free.release()

        try:
            future = self._threads.submit(run)
        except BaseException:
            self._free.release()
            raise
        return Running(future, budget)

    def _of(self, puzzle: Puzzle, goal: Goal, stored: StoredLayers | None) -> Searchable:
        """The last ones are kept: to make one may take a second; layers that changed are read anew."""
        key = puzzle.name, goal.key
        made = Searchable.of(puzzle, goal, stored, self._searchable.get(key))
        with self._lock:
            self._searchable.pop(key, None)
            while len(self._searchable) >= _KEPT:
                del self._searchable[next(iter(self._searchable))]
            self._searchable[key] = made
        return made


_KEPT = 16


@dataclass(frozen=True)
class Running(Generic[T]):
    """Work that is under way, and the budget that ends it."""

    future: Future[T]
    budget: Budget


def _yield_to_others() -> None:
    """Searches take what lookups leave: on Linux a thread has a niceness of its own."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


_NICE = 15
