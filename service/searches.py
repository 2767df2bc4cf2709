"""Answers by search: what one may spend, what it found, and how many run at once."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, fields
from math import inf
from time import monotonic
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from db import StoredLayers
from puzzles import UNREACHED, Distances, Goal, Indices, Puzzle, SearchGraph, Space, among
from service.problems import Overloaded
from service.search import shortest
from service.sources import UNKNOWN, Source
from service.tables import Tables

T = TypeVar("T")

MEMORY = 1 << 29


@dataclass(frozen=True)
class SearchLimits:
    """What the searches of one request may spend, and how many requests may search at once.

    `states` are those expanded, `memory` is in bytes.
    """

    states: int = 1_000_000_000
    seconds: float = 30.0
    memory: int = MEMORY
    at_once: int = 2

    @classmethod
    def configured(cls) -> SearchLimits:
        """As the environment says, PUZZLEBASE_SEARCH_STATES and so on, or the defaults."""
        given = {field.name: os.environ.get(f"{_PREFIX}{field.name.upper()}") for field in fields(cls)}
        return cls(**{name: type(getattr(cls, name))(text) for name, text in given.items() if text})

    def configure(self) -> None:
        """Put them into the environment, for the processes that serve."""
        for field in fields(self):
            os.environ[f"{_PREFIX}{field.name.upper()}"] = str(getattr(self, field.name))


_PREFIX = "PUZZLEBASE_SEARCH_"


class Budget:
    """What the searches of a request may still spend: states, and seconds from now on.

    `tell` hears of the states expanded so far and the bound proven of the state searched now.
    """

    def __init__(
        self,
        states: float = inf,
        seconds: float = inf,
        memory: int = MEMORY,
        tell: Callable[[int, int], None] | None = None,
    ) -> None:
        self.memory = memory
        self.states = 0
        self._most = states
        self._until = monotonic() + seconds
        self._tell = tell
        self.stopped = False

    def spend(self, states: int, lower_bound: int) -> bool:
        """Whether a search that has expanded so many more states may go on."""
        self.states += states
        if self._tell:
            self._tell(self.states, lower_bound)
        return not self.over and self.states < self._most

    @property
    def over(self) -> bool:
        """Whether no search need begin: nobody waits for it any more, or the time is up."""
        return self.stopped or monotonic() >= self._until

    def stop(self) -> None:
        """Have the search under way end, and let no other begin; from any thread."""
        self.stopped = True


@dataclass(frozen=True)
class Searchable:
    """A puzzle and a goal that states can be searched to, from the goal's first layers on."""

    puzzle: Puzzle
    goal: Goal
    space: Space
    whole: SearchGraph
    near: Sequence[Indices]

    @classmethod
    def of(
        cls, puzzle: Puzzle, goal: Goal, stored: StoredLayers | None, former: Searchable | None = None
    ) -> Searchable:
        """With the layers stored for this goal, if there are any; from a former one what does not change.

        Raises DamagedTable, NoSpace.
        """
        space = former.space if former else puzzle.space(goal)
        whole = former.whole if former else space.searched()
        if stored is None:
            return cls(puzzle, goal, space, whole, [whole.graph.zeros])
        if stored.info.stored_size != whole.graph.size or stored.layers[0].tolist() != whole.graph.zeros.tolist():
            raise stored.file.damaged("is from another version")
        return cls(puzzle, goal, space, whole, stored.layers)


class OpenSearch(Source):
    """Distances found by search within a budget, and all that the searches so far have come upon."""

    name = "search"

    def __init__(self, searchable: Searchable, budget: Budget) -> None:
        self.puzzle, self.goal, self.space = searchable.puzzle, searchable.goal, searchable.space
        self._whole, self._near = searchable.whole, searchable.near
        self.budget = budget
        self._known: dict[int, int] = dict.fromkeys(self.space.zeros.tolist(), 0)
        self._bounds: dict[int, int] = {}
        self._nodes = np.empty(0, np.int64)
        self._distances = np.empty(0, np.int32)

    def lower_bound(self, index: int) -> int:
        """What is proven of a state whose distance is UNKNOWN."""
        return self._bounds.get(index, 1)  # a zero needs no search

    def distance(self, index: int) -> int:
        """Distance of a state; UNREACHED for -1 and where there is no way, UNKNOWN where the budget did not do."""
        if index < 0:
            return UNREACHED
        if index not in self._known:
            self._known[index] = self._search(index)
        return self._known[index]

    def distances(self, indices: Indices) -> Distances:
        """Distances of states that may follow one another: behind an optimal move nothing is searched."""
        found = []
        for index in indices.tolist():
            found.append(self.distance(index))
            if found[-1] > 0:
                self.around(index)
        return np.array(found, np.int32)

    def around(self, index: int) -> tuple[list[int], list[int]]:
        """Where each move of a state leads, -1 for an illegal one, and last the state itself; and their distances.

        Of a move that is not optimal it is UNKNOWN, unless something else has told.
        """
        distance = self.distance(index)
        successors, near = self.nearer(np.array([index]), distance)
        around: list[int] = successors[0].tolist()
        if distance > 0:
            self._known |= {to: distance - 1 for to, closer in zip(around, near[0].tolist(), strict=True) if closer}
        # Moves can be taken back: beside a solved state all are solved or a move away, beside a hopeless one none.
        other = {0: 1, UNREACHED: UNREACHED}.get(distance, UNKNOWN)
        distances = [UNREACHED if to < 0 else self._known.get(to, other) for to in around]
        return [*around, index], [*distances, distance]

    def nearer(self, states: Indices, distance: int) -> tuple[Indices, npt.NDArray[np.bool_]]:
        """Where the moves of states at this distance lead, and which are optimal: int64 and bool [states, moves].

        The states must be on shortest ways that a search has found.
        """
        successors = self.space.expand(states)
        distances = self.space.distances(successors.reshape(-1), self._probe).reshape(successors.shape)
        return successors, (distances == distance - 1) & (successors >= 0)

    def _search(self, index: int) -> int:
        """The distance of a state, UNKNOWN when the budget ends; keeps the nodes of all shortest ways, or the bound."""
        if self.budget.over:
            return UNKNOWN
        further = 0 if self.space.orbits is None else 1
        if self.space.shortest:
            found = self.space.shortest(index, self.budget.spend)
        else:
            nodes = self._whole.nodes(np.array([index]))
            found = shortest(self._whole.graph, nodes, self._near, self.budget.spend, self.budget.memory)
        if found.distance is None:
            self._bounds[index] = found.lower_bound + further
            return UNKNOWN
        if found.distance == UNREACHED:
            return UNREACHED
        nodes = np.concatenate([self._nodes, *found.levels])
        distances = np.repeat(np.arange(len(found.levels), dtype=np.int32), [len(level) for level in found.levels])
        self._nodes, first = np.unique(nodes, return_index=True)
        self._distances = np.concatenate([self._distances, distances])[first]
        return found.distance + further

    def _probe(self, nodes: Indices) -> Distances:
        """Distances of the nodes that lie on ways found, UNREACHED for all others."""
        distances = np.full(len(nodes), UNREACHED, np.int32)
        least = self._whole.least(nodes)
        known = among(least, self._nodes)
        distances[known] = self._distances[np.searchsorted(self._nodes, least[known])]
        return distances


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
