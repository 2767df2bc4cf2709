"""The states where games of a puzzle begin: of a difficulty, at a distance, or after random turns."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from puzzlebase.puzzles import Goal, Puzzle
from puzzlebase.service.answers.difficulties import difficulty_of
from puzzlebase.service.answers.random_states import random, random_turns
from puzzlebase.service.sources.budget import SearchLimits
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.sources import Sources

_TURNS = 3  # random turns from solved, where no table tells how far states are
_TRIES = 20  # until these do not lead back to solved


def asking(
    sources: Sources, puzzle: Puzzle, goal: str | None, limits: SearchLimits, state: str | None
) -> Callable[[], Source]:
    """The function that gives the source without a search, or else a search, each time with a new budget.

    The source answers for `state`, by default where play to the goal begins, and for the states it leads to.
    """
    source = sources.find(puzzle.name, goal, state=state)
    if source is not None:
        return lambda: source
    searchable = Searchable.in_folder(sources, puzzle, puzzle.goal(goal))
    return lambda: OpenSearch(searchable, limits.begin())


class Start(NamedTuple):
    """Where a game begins: a description, and a state by a key or None."""

    words: str
    state: Callable[[str | None], str]


class Starts:
    """The starts of games of a puzzle to a goal. `open_source` gives a source of distances for each question."""

    def __init__(self, puzzle: Puzzle, goal: Goal, open_source: Callable[[], Source]) -> None:
        self.puzzle, self.goal, self._open = puzzle, goal, open_source
        table = self.ask().as_table()
        self._layers = table.table.info.layers if table else ()

    def ask(self) -> Source:
        """Open a source."""
        self._source = self._open()
        return self._source

    @property
    def leveled(self) -> bool:
        """True if a table tells the distances of states."""
        return len(self._layers) > 1

    def stop(self) -> None:
        """End the running search."""
        if isinstance(self._source, OpenSearch):
            self._source.budget.stop()

    def start(self, difficulty: str | None, distance: int | None) -> Start:
        """The start at a distance or of a difficulty, by default a light one. Its state raises as `random` does."""
        if distance is not None:
            return Start(_away(distance, distance), partial(self._drawn, distance, None))
        begins = self.goal.start not in self.goal.states
        if begins and (difficulty == "start" or (difficulty is None and self._source.one_way)):
            return Start("where the puzzle begins", lambda _key: self.goal.start)
        if self.leveled:
            known = difficulty_of(difficulty or "first", self._layers)
            level = "level " if known["name"].isdecimal() else ""
            words = f"{level}{known['name']}: {_away(known['min'], known['max'])}"
            return Start(words, partial(self._drawn, None, known["name"]))
        if difficulty is not None:
            return Start(difficulty, partial(self._drawn, None, difficulty))
        return Start(f"{_TURNS} random turns", self._turned)

    def _drawn(self, distance: int | None, difficulty: str | None, key: str | None) -> str:
        near, far = distance, distance
        return random(self.ask(), min_distance=near, max_distance=far, difficulty=difficulty, key=key)["state"]

    def _turned(self, key: str | None) -> str:
        keys = [key and f"{key} {number}" for number in range(_TRIES)]
        drawn = (random_turns(self.ask(), _TURNS, "no-undo", each) for each in keys)
        return next((each["state"] for each in drawn if each["distance"] != 0), self.goal.start)


def _away(least: int, most: int) -> str:
    return f"{f'{least} to ' * (least < most)}{most} move{'s' * (most != 1)} away"
