"""The solution of a state, each part of it found when it is asked for; most are shortest ones, by optimal moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from puzzlebase.puzzles import Indices, Puzzle
from puzzlebase.service.sources.budget import Deadline
from puzzlebase.service.sources.source import Source

_SPACING = 10_000  # moves between two waypoints
_WAYPOINTS = 1_000  # waypoints of one table that are remembered: callers choose the states that they begin from


class Bounds(NamedTuple):
    """What is proven of a state whose distance is UNKNOWN."""

    solvable: bool | None  # whether the goal can be reached; None where that is not known
    lower: int  # every solution has at least so many moves
    upper: int | None = None  # there is a solution of so many moves; None where none is known


@dataclass(frozen=True)
class Solution(ABC):
    """The solution of a state at `distance`, which may be UNREACHED or UNKNOWN; always the same one."""

    puzzle: Puzzle
    text: str
    distance: int

    others: ShortestPaths | None
    """All that are as short; None where they are not known, as beside a construction."""

    @property
    def length(self) -> int:
        """How many names of moves it has; 0 where none is known."""
        return max(self.distance, 0)

    @abstractmethod
    def bounds(self) -> Bounds:
        """What is proven of the state, if its distance is UNKNOWN."""

    @abstractmethod
    def first(self) -> list[int]:
        """The moves that can begin a solution as good as this, in the puzzle's order."""

    @abstractmethod
    def moves(self, offset: int = 0) -> Iterator[str]:
        """Its moves, by name, from number `offset` on."""

    def part(self, offset: int) -> tuple[str, Iterator[str]]:
        """The state before its move number `offset`, or its last state; and the moves from there."""
        moves, text = self.moves(), self.text
        for move in islice(moves, min(offset, self.length)):
            text = self.puzzle.play(text, move)
        return text, moves


class Waypoints:
    """Every 10,000th state of the solutions followed lately, of one table; any thread may use them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._states: LRUCache[tuple[int, int], int] = LRUCache(_WAYPOINTS)

    def last_before(self, start: int, moves: int) -> tuple[int, int]:
        """The last known waypoint at most so many moves from the start: its moves from there, and its index."""
        with self._lock:
            for made in range(moves // _SPACING * _SPACING, 0, -_SPACING):
                if (start, made) in self._states:
                    return made, self._states[start, made]
        return 0, start

    def pass_by(self, start: int, made: int, index: int) -> None:
        """Note the state that so many moves of the solution of `start` lead to, if it is a waypoint."""
        if made % _SPACING == 0:
            with self._lock:
                self._states[start, made] = index


class ShortestPaths(Source):
    """A source that knows every optimal move on the shortest solutions of a state."""

    max_counted_states = 1_000_000  # may be visited to count the solutions of one
    max_listed_moves = 100_000  # in all solutions of one answer together

    deadline: Deadline  # of the answer that asks
    waypoints: Waypoints | None = None  # where long solutions can be entered, if anything is remembered of them

    def optimal_moves(self, index: int, distance: int) -> list[tuple[int, int]]:
        """The optimal moves of a state at `distance` and where they lead, in the puzzle's order."""
        if distance <= 0:
            return []
        self.deadline.check()
        successors, distances = self.neighbours(index)
        moves = range(len(successors) - 1)
        return [(move, successors[move]) for move in moves if distances[move] == distance - 1 and successors[move] >= 0]

    @abstractmethod
    def optimal_successors(self, states: Indices, distance: int) -> tuple[Indices, npt.NDArray[np.bool_]]:
        """Where the moves of states at `distance` lead, and whether each is optimal: int64 and bool [states, moves]."""

    def lower_bound(self, index: int) -> int:  # noqa: ARG002
        """What is proven of a state whose distance is UNKNOWN: it is not the goal."""
        return 1

    def solution(self, text: str, distance: int) -> Solution:
        """The solution that takes the first optimal move at each state."""
        return ShortestSolution(self.puzzle, text, distance, self)


@dataclass(frozen=True)
class ShortestSolution(Solution):
    """The shortest solution of a state by the first optimal move in the puzzle's order."""

    others: ShortestPaths

    def bounds(self) -> Bounds:
        """What has been proven; every state of a connected space can be solved."""
        index, space = self.others.index(self.text), self.others.space
        return Bounds((index >= 0 and space is not None and space.connected) or None, self.others.lower_bound(index))

    def first(self) -> list[int]:
        """The optimal moves."""
        return [move for move, _ in self.others.optimal_moves(self.others.index(self.text), self.distance)]

    def moves(self, offset: int = 0) -> Iterator[str]:
        """Its moves, by name, from number `offset` on; found from the last waypoint known."""
        paths, waypoints, start = self.others, self.others.waypoints, self.others.index(self.text)
        made, index = waypoints.last_before(start, min(offset, self.distance)) if waypoints else (0, start)
        for left in range(self.distance - made, 0, -1):
            move, index = paths.optimal_moves(index, left)[0]
            made = self.distance - left + 1
            if waypoints:
                waypoints.pass_by(start, made, index)
            if made > offset:
                yield self.puzzle.moves[move].name
