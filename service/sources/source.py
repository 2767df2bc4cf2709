"""Where distances come from: what every answer asks, of a table, a search or another source alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from copy import copy
from itertools import islice
from math import inf
from time import monotonic
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from puzzles import Goal, Indices, Puzzle, Signed, Space, played
from service.problems import TooMuchWork

UNKNOWN = -2
"""The distance of a state that a search had to stop at, or did not need."""


class Source(ABC):
    """Distances of one puzzle and goal, by the index of a state; `name` is what answers call it."""

    name: ClassVar[str]
    counted: ClassVar[int] = 1_000_000  # states that may be visited to count solutions
    listed: ClassVar[int] = 100_000  # moves that may be listed in all solutions together
    puzzle: Puzzle
    goal: Goal
    space: Space
    until: float = inf
    """When the answer that asks has to be there, by the monotonic clock."""

    def within(self, seconds: float) -> Self:
        """The same for one answer that takes no longer: what it asks later raises TooMuchWork."""
        bounded = copy(self)
        object.__setattr__(bounded, "until", monotonic() + seconds)
        return bounded

    def go_on(self) -> None:
        """Raises TooMuchWork where the answer has taken too long; for every loop as long as the caller likes."""
        if monotonic() > self.until:
            raise TooMuchWork(
                "this takes longer than an answer may",
                "ask for less: fewer states or moves, a lower offset, or no `all`; a long solution goes on from any "
                "state of it",
            )

    @abstractmethod
    def distance(self, index: int) -> int:
        """Distance of a state; UNREACHED for -1 and where there is no way, UNKNOWN where a search had to stop."""

    @abstractmethod
    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """Where each move of a state leads, -1 for an illegal one, and last the state itself; and their distances.

        Of a move that is not optimal the distance may be UNKNOWN.
        """

    def successors(self, states: Indices) -> Indices:
        """Where the moves of states lead, int64[n] -> int64[n, moves]; -1 for an illegal one."""
        self.go_on()
        return self.space.expand(states)

    def nearer(self, states: Indices, distance: int) -> tuple[Indices, npt.NDArray[np.bool_]]:
        """Where the moves of states at this distance lead, and which are optimal: int64 and bool [states, moves]."""
        successors = self.successors(states)
        near = self.distances(successors.reshape(-1)).reshape(successors.shape) == distance - 1
        return successors, near & (successors >= 0)

    @property
    def tag(self) -> str:
        """What tells these answers from another build's."""
        return self.name

    def lower_bound(self, index: int) -> int:
        """What is proven of a state whose distance is UNKNOWN."""
        raise NotImplementedError(index)

    def distances(self, indices: Indices) -> Signed:
        """The same as `distance` for many, int64[n] -> int32[n], or int64[n] where distances are larger."""
        return np.array([self.distance(index) for index in indices.tolist()], np.int64)

    def index(self, text: str) -> int:
        """The index of a state, -1 outside the space; raises as the puzzle's `parse` does."""
        letters = self.puzzle.letters
        if letters and len(text) == letters.length and text.isascii():
            index: int = self.space.rank(np.frombuffer(text.encode(), np.uint8).reshape(1, -1)).item()
            if index >= 0:
                return index
        return int(self.space.rank(self.puzzle.parse(text)[None, :])[0])

    def played(self, text: str, leads: Sequence[int]) -> list[str]:
        """The states after each move of a state of the space, where they lead being known; any text after illegal ones.

        To find that one of two hundred moves is not legal takes the board side as long as to play it.
        """
        letters = self.puzzle.letters
        if letters is None:
            names = [move.name for move in self.puzzle.moves]
            return [self.puzzle.play(text, name) if to >= 0 else "" for name, to in zip(names, leads, strict=True)]
        length = letters.length
        after = letters.play(np.frombuffer(text.encode(), np.uint8).reshape(1, length)).tobytes().decode()
        return [after[at : at + length] for at in range(0, len(after), length)]

    def played_by_rules(self, text: str) -> list[str]:
        """The same, slowly, an illegal move having no text: for states outside the space too."""
        names = [move.name for move in self.puzzle.moves]
        after = played(self.puzzle.play, text, names)
        return [after.get(name, "") for name in names]

    def optimal_moves(self, index: int, distance: int) -> list[tuple[int, int]]:
        """The optimal moves of a state at `distance` and where they lead, in the puzzle's order."""
        if distance <= 0:
            return []
        self.go_on()
        around, distances = self.neighbours(index)
        moves = range(len(around) - 1)
        return [(move, around[move]) for move in moves if distances[move] == distance - 1 and around[move] >= 0]

    def line(self, index: int, distance: int, offset: int = 0) -> Iterator[int]:
        """The moves of one shortest solution from the given one on, lazily: the first optimal one at each state."""
        return (move for move, _ in islice(self.walk(index, distance), offset, None))

    def part(self, text: str, distance: int, offset: int) -> tuple[str, Iterator[int]]:
        """The state before move number `offset` of that solution, at its end the last one, and the moves from there."""
        line = self.line(self.index(text), distance)
        for move in islice(line, offset):
            text = self.puzzle.play(text, self.puzzle.moves[move].name)
        return text, line

    def walk(self, index: int, distance: int) -> Iterator[tuple[int, int]]:
        """The moves of that solution and where they lead."""
        for left in range(distance, 0, -1):
            move, index = self.optimal_moves(index, left)[0]
            yield move, index
