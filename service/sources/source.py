"""A source of distances: what every answer asks, whether a table, a search, an oracle or a construction knows it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from puzzlebase.puzzles import Goal, Puzzle, Space
from puzzlebase.service.sources.solution import Solution

if TYPE_CHECKING:
    from puzzlebase.service.sources.table import OpenTable

UNKNOWN = -2
"""The distance of a state where a search ended without finding it, or did not need it: not behind an optimal move."""

UNDECIDED = -3
"""The distance of a state that is not known, not even whether a move that leads there is optimal."""


NOT_FOLLOWED = -2
"""The index of a state outside the space whose moves lead too far to tell whether the goal can be reached from it."""


class Origin(NamedTuple):
    """Where answers come from."""

    name: str
    """What answers call it."""
    tag: str
    """What tells the answers of this source from those of another build: a file's digest, where there is a file."""


class Source(ABC):
    """Distances of one puzzle and goal, by the index of a state."""

    puzzle: Puzzle
    goal: Goal
    space: Space | None
    """The space that the indices belong to; None for a source that numbers states as they are asked about."""

    @property
    @abstractmethod
    def origin(self) -> Origin:
        """Where the answers come from."""

    @property
    def whole(self) -> OpenTable | None:
        """This source if it is a whole table; else None."""
        return None

    @abstractmethod
    def index(self, text: str) -> int:
        """The index of a state, -1 outside the space, or NOT_FOLLOWED; raises as the puzzle's `parse` does.

        Raises NoSpace where a move leads into the space and none leads back.
        """

    @abstractmethod
    def distances_of(self, indices: Sequence[int], *, along: bool = False) -> list[int]:
        """Distances of states, integers of any length: those of an oracle may be too large for arrays.

        UNREACHED for -1 and for states that cannot reach the goal, UNKNOWN where a search had to stop and for
        NOT_FOLLOWED. `along`: these are the states of one game, in order, and those between the first and the last may
        be UNDECIDED.
        """

    @abstractmethod
    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """Where each move of a state leads, -1 for an illegal one, and last the state itself; and their distances.

        Behind a move that is not optimal the distance may be UNKNOWN, and UNDECIDED behind one that may be.
        """

    @abstractmethod
    def solution(self, text: str, distance: int) -> Solution:
        """The solution of a state at `distance`, which may be UNREACHED or UNKNOWN."""
