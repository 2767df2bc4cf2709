"""A source of distances: what every answer asks, whether a table, a search, an oracle or a construction knows it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from puzzlebase.puzzles import Boards, Goal, Indices, Puzzle, Space
from puzzlebase.puzzles.contract.puzzle import played

if TYPE_CHECKING:
    from puzzlebase.service.sources.solution import Solution
    from puzzlebase.service.sources.table import OpenTable

UNKNOWN = -2
"""The distance of a state where a search ended without finding it, or did not need it: not behind an optimal move."""
UNDECIDED = -3
"""The distance of a state that is not known, not even whether a move that leads there is optimal."""
NOT_FOLLOWED = -2
"""The index of a state outside the space whose moves lead too far to tell whether the goal can be reached from it."""


class Origin(NamedTuple):
    """Where answers come from."""

    name: str  # in answers
    tag: str  # tells the answers of this source from those of another build: a file's digest, where there is a file


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


def indices_of(source: Source, states: Sequence[str]) -> Indices:
    """The indices of many states, int64[n], as `Source.index` gives each; raises as it does for the first wrong one."""
    letters, space = source.puzzle.board.letters, source.space
    if letters is None or space is None:
        return np.array([source.index(state) for state in states], np.int64)
    indices = space.rank(boards_of(states, letters.length))
    for number in np.flatnonzero(indices < 0).tolist():
        indices[number] = source.index(states[number])
    return indices


def boards_of(states: Sequence[str], length: int) -> Boards:
    """The characters of each state, uint8[n, length]; zeros for one that has another length or is not ASCII."""
    joined = "".join(states)
    if not joined.isascii() or set(map(len, states)) - {length}:
        joined = "".join(s if len(s) == length and s.isascii() else "\0" * length for s in states)
    return np.frombuffer(joined.encode("ascii"), np.uint8).reshape(-1, length)


def after_moves_by_rules(puzzle: Puzzle, text: str) -> list[str]:
    """The text after each move, "" after an illegal one; slower, but for states outside every space too."""
    names = [move.name for move in puzzle.moves]
    after = played(puzzle.play, text, names)
    return [after.get(name, "") for name in names]
