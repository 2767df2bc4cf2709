"""The starts of games of a puzzle, from light to hard."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import NamedTuple

from puzzlebase.puzzles import Goal, Puzzle
from puzzlebase.service.answers.difficulties import DifficultyAnswer, difficulties, difficulty_of, levels
from puzzlebase.service.answers.random_states import random, random_turns
from puzzlebase.service.sources.budget import SearchLimits
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.sources import Sources

_TURNS = (3, 6, 12)  # random turns from solved, where no table tells how far states are
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


class Rung(NamedTuple):
    """One difficulty: its name, a description, and a state of it by a key or None."""

    name: str
    words: str
    state: Callable[[str | None], str]
    least: float = 0  # its distances
    most: float = 0


class Ladder:
    """The difficulties of a puzzle and a goal. `open_source` gives a source of distances for each question."""

    def __init__(self, puzzle: Puzzle, goal: Goal, open_source: Callable[[], Source]) -> None:
        self.puzzle, self.goal, self._open = puzzle, goal, open_source
        table = self.ask().as_table()
        self._layers = table.table.info.layers if table else ()
        self._levels, self._words = self._named(levels(self._layers)), self._named(difficulties(self._layers))
        self.rungs = [*self._words]
        begins = goal.start not in goal.states
        if begins and self._source.one_way:
            self.rungs = []  # a level begins where its maker wants
        elif not self._layers:
            self.rungs = [Rung(f"{turns} turns", f"{turns} random turns", self._turned(turns)) for turns in _TURNS]
        if begins:
            self.rungs.append(Rung("start", "where the puzzle begins", lambda _key: goal.start, inf, inf))

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

    def rung(self, name: str | None, distance: int | None) -> Rung:
        """The rung of a word, of a level's number or of a distance, by default the first. Raises as `random` does."""
        if distance is not None:
            return Rung(str(distance), _away(distance, distance), self._at(distance=distance), distance, distance)
        known = {rung.name: rung for rung in (*self._words, *self.rungs, *self._levels)}
        if name is None:
            return self.rungs[0]
        if name not in known and len(self._layers) < 2:
            return Rung(name, name, self._at(difficulty=name))  # which raises MissingTable
        return known.get(name) or known[difficulty_of(name, self._layers)["name"]]

    def harder(self, rung: Rung) -> Rung | None:
        """The rung above; None for the last."""
        among = self._levels if rung in self._levels else self.rungs
        above = among[among.index(rung) + 1 :] if rung in among else among
        return next((each for each in above if each.least > rung.most or not self._layers), None)

    def _named(self, answers: Iterable[DifficultyAnswer]) -> list[Rung]:
        def rung(name: str, least: int, most: int) -> Rung:
            level = "level " if name.isdecimal() else ""
            return Rung(name, f"{level}{name}: {_away(least, most)}", self._at(difficulty=name), least, most)

        return [rung(each["name"], each["min"], each["max"]) for each in answers]

    def _at(self, distance: int | None = None, difficulty: str | None = None) -> Callable[[str | None], str]:
        def state(key: str | None) -> str:
            near, far = distance, distance
            return random(self.ask(), min_distance=near, max_distance=far, difficulty=difficulty, key=key)["state"]

        return state

    def _turned(self, turns: int) -> Callable[[str | None], str]:
        def state(key: str | None) -> str:
            keys = [key and f"{key} {number}" for number in range(_TRIES)]
            drawn = (random_turns(self.ask(), turns, "no-undo", each) for each in keys)
            return next((each["state"] for each in drawn if each["distance"] != 0), self.goal.start)

        return state


def _away(least: int, most: int) -> str:
    return f"{f'{least} to ' * (least < most)}{most} move{'s' * (most != 1)} away"
