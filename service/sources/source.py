"""A source of distances: what every answer asks, whether a table, a search, an oracle or a construction knows it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Goal, Indices, Puzzle, Space
from puzzlebase.service.sources.deadline import Deadline
from puzzlebase.service.sources.waypoints import Waypoints

if TYPE_CHECKING:
    from puzzlebase.service.sources.table import OpenTable

UNKNOWN = -2
"""The distance of a state where a search ended without finding it, or did not need it: not behind an optimal move."""

UNDECIDED = -3
"""The distance of a state that is not known, not even whether a move that leads there is optimal."""


NOT_FOLLOWED = -2
"""The index of a state outside the space whose moves lead too far to tell whether the goal can be reached from it."""


class Lines(Protocol):
    """Gives any part of a solution at once."""

    def line(self, text: str, offset: int = 0) -> Iterator[str]:
        """The moves of a solution of a state, by name, from number `offset` on; always of the same solution."""

    def state_at(self, text: str, offset: int) -> str:
        """The state before move number `offset` of that solution, or the last state."""


class Source(ABC):
    """Distances of one puzzle and goal, by the index of a state.

    Sources differ in what they have: a whole table, a space, a solver. Each says so in its attributes.
    """

    max_counted_states: ClassVar[int] = 1_000_000
    """So many states may be visited to count the solutions of one."""
    max_listed_moves: ClassVar[int] = 100_000
    """So many moves may be listed in all solutions of one answer together."""

    puzzle: Puzzle
    goal: Goal
    deadline: Deadline
    """When the answer that asks must be ready."""
    space: Space | None
    """The space that the indices belong to; None for a source that numbers states as they are asked about."""
    solver: Lines | None = None
    """Gives any part of a solution at once; None for a source whose solutions are walked move by move."""
    waypoints: Waypoints | None = None
    """Where long solutions can be entered; None where nothing is remembered of them."""

    max_solutions: ClassVar[int | None] = None
    """So many solutions of one state are known; None for all shortest ones."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What answers call it."""

    @property
    def tag(self) -> str:
        """What tells the answers of this source from those of another build: a file's digest, where there is a file."""
        return self.name

    @property
    def whole(self) -> OpenTable | None:
        """This source if it is a whole table, which knows the distance of every state in advance; else None."""
        return None

    @property
    def fast(self) -> bool:
        """Whether a distance takes microseconds rather than milliseconds."""
        return False

    @abstractmethod
    def index(self, text: str) -> int:
        """The index of a state, -1 outside the space, or NOT_FOLLOWED; raises as the puzzle's `parse` does.

        Raises NoSpace where a move leads into the space and none leads back.
        """

    @abstractmethod
    def distances_of(self, indices: Sequence[int]) -> list[int]:
        """Distances of states, integers of any length: those of an oracle may be too large for arrays.

        UNREACHED for -1 and for states that cannot reach the goal, UNKNOWN where a search had to stop and for
        NOT_FOLLOWED.
        """

    @abstractmethod
    def successors(self, states: Indices) -> Indices:
        """Where each move of each state leads, int64[n] -> int64[n, moves]; -1 for an illegal move."""

    @abstractmethod
    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """Where each move of a state leads, -1 for an illegal one, and last the state itself; and their distances.

        Behind a move that is not optimal the distance may be UNKNOWN, and UNDECIDED behind one that may be.
        """

    def distance(self, index: int) -> int:
        """Distance of one state, as in `distances_of`."""
        return self.distances_of([index])[0]

    def lower_bound(self, index: int) -> int:  # noqa: ARG002
        """What is proven of a state whose distance is UNKNOWN: so many moves at least."""
        return 0

    def upper_bound(self, index: int) -> int | None:  # noqa: ARG002
        """The length of a solution that is known of a state whose distance is UNKNOWN; None where none is."""
        return None

    def solvable(self, index: int) -> bool | None:
        """Whether the goal can be reached from a state whose distance is UNKNOWN; None where that is not known."""
        return (index != NOT_FOLLOWED and self.space is not None and self.space.connected) or None

    def weight(self, move: str) -> int:  # noqa: ARG002
        """How many moves the name of a move stands for."""
        return 1

    def listed(self, text: str, distance: int) -> int:  # noqa: ARG002
        """How many names of moves the solution of a state at `distance` has, which may be UNKNOWN."""
        return max(distance, 0)

    def along(self, indices: Sequence[int]) -> list[int]:
        """Distances of the states of one game, in order. Those between the first and the last may be UNDECIDED."""
        return self.distances_of(indices)

    def optimal_moves(self, index: int, distance: int) -> list[tuple[int, int]]:
        """The optimal moves of a state at `distance` and where they lead, in the puzzle's order."""
        if distance <= 0:
            return []
        self.deadline.check()
        successors, distances = self.neighbours(index)
        moves = range(len(successors) - 1)
        return [(move, successors[move]) for move in moves if distances[move] == distance - 1 and successors[move] >= 0]

    def optimal_successors(self, states: Indices, distance: int) -> tuple[Indices, npt.NDArray[np.bool_]]:
        """Where the moves of states at `distance` lead, and whether each is optimal: int64 and bool [states, moves]."""
        self.deadline.check()
        successors = self.successors(states)
        nearer = [found == distance - 1 for found in self.distances_of(successors.reshape(-1).tolist())]
        return successors, np.array(nearer, np.bool_).reshape(successors.shape) & (successors >= 0)
