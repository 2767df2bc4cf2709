"""Sources of distances, for every answer: a table, a search,
an oracle or a construction; and their solutions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import UNREACHED, Boards, Goal, Indices, Puzzle, Space
from puzzlebase.sentinels import UNKNOWN
from puzzlebase.service.error_status import TooMuchWork
from puzzlebase.service.sources.budget import Deadline

if TYPE_CHECKING:
    from puzzlebase.service.sources.table import OpenTable

_SAFE_IN_INT64 = 2**62


class Origin(NamedTuple):
    """The origin of answers."""

    name: str  # in answers
    tag: str  # differs between builds: a file's digest, if there is a file


class Source(ABC):
    """Distances of one puzzle and goal, by the index of a state."""

    puzzle: Puzzle
    goal: Goal
    space: Space | None  # of the indices; None for a source that numbers states on demand

    @property
    @abstractmethod
    def origin(self) -> Origin:
        """The origin of the answers."""

    @property
    def one_way(self) -> bool:
        """True if some move may not lead back."""
        return self.space is not None and self.space.one_way

    @property
    def of_game(self) -> bool:
        """True for a game given by rules, and for a level:
        its answers say what is lost, even if nothing can be.
        """
        return self.space is not None and self.space.directed is not None

    @abstractmethod
    def index(self, text: str) -> int:
        """The index of a state, -1 outside the space,
        or NOT_FOLLOWED. Raises as `parse` does, and NoSpace.

        NOT_FOLLOWED is for moves that lead into the space and not back.
        """

    @abstractmethod
    def distances_of(self, indices: Sequence[int], *, along: bool = False) -> list[int]:
        """Distances of states: integers of any length,
        since an oracle's may be too large for arrays.

        UNREACHED for -1 and for states that cannot reach the goal, UNKNOWN for NOT_FOLLOWED and if
        a search had to stop. With `along` the states of one game, in order, all but the first and
        the last may be UNDECIDED.
        """

    def fast_distance(self, index: int) -> int:
        """The distance of a state that nobody asked for,
        UNKNOWN if only a long search would find it.
        """
        return self.distances_of([index])[0]

    @abstractmethod
    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """The successor of a state by each move, -1 for an illegal one,
        and last the state itself; and their distances.

        After a move that is not optimal the distance may be UNKNOWN;
        after one that may be optimal, UNDECIDED.
        """

    @abstractmethod
    def solution(self, text: str, distance: int) -> Solution:
        """The solution of a state at `distance`, which may be UNREACHED or UNKNOWN."""

    def as_table(self) -> OpenTable | None:
        """This source if it is a whole table; else None."""
        return None

    @property
    def ladder(self) -> Sequence[int]:
        """The number of states at each distance from a table, else the engine's ladder."""
        return ()

    def first_lost(self, states: Sequence[str]) -> int:
        """The position of the first state of a game that is known to be lost,
        or else their number.
        """
        # Moves of a lost state lead to lost ones.
        return bisect_left(
            states, True, key=lambda state: self.distances_of([self.index(state)]) == [UNREACHED]
        )


class Bounds(NamedTuple):
    """Proven bounds of a state whose distance is UNKNOWN."""

    solvable: bool | None  # None if it is not known whether the goal can be reached
    lower: int  # every solution has at least this many moves
    upper: int | None = None  # there is a solution of this many moves; None if none is known


@dataclass(frozen=True)
class Solution(ABC):
    """The solution of a state at `distance`,
    which may be UNREACHED or UNKNOWN; always the same one.
    """

    puzzle: Puzzle
    text: str
    distance: int
    # all that are as short; None if they are not known, as beside a construction
    others: ShortestPaths | None
    stuck: ClassVar[str | None] = None  # the state in which its moves end, if they do not solve

    @property
    def length(self) -> int:
        """The number of moves; 0 if no solution is known."""
        return max(self.distance, 0)

    @abstractmethod
    def bounds(self) -> Bounds:
        """The proven bounds of the state, if its distance is UNKNOWN."""

    @abstractmethod
    def first(self) -> list[int]:
        """The numbers of the moves that begin a solution as short as this,
        in the puzzle's order.
        """

    @abstractmethod
    def moves(self, offset: int = 0) -> Iterator[str]:
        """The names of its moves from number `offset` on."""

    def part(self, offset: int) -> tuple[str, Iterator[str]]:
        """The state before move number `offset`,
        or the last state, and the names of the moves from there.
        """
        moves, text = self.moves(), self.text
        for move in islice(moves, min(offset, self.length)):
            text = self.puzzle.play(text, move)
        return text, moves


class ShortestPaths(Source):
    """A source that knows every optimal move on the shortest solutions of a state."""

    max_counted_states = 1_000_000  # may be visited to count the solutions of one
    max_listed_moves = 100_000  # in all solutions of one answer together

    deadline: Deadline  # of the answer that asks

    def optimal_moves(self, index: int, distance: int) -> list[tuple[int, int]]:
        """The optimal moves of a state at `distance`,
        in the puzzle's order, each with its successor.
        """
        if distance <= 0:
            return []
        self.deadline.check()
        successors, distances = self.neighbours(index)
        moves = range(len(successors) - 1)
        return [
            (move, successors[move])
            for move in moves
            if distances[move] == distance - 1 and successors[move] >= 0
        ]

    @abstractmethod
    def optimal_successors(
        self, states: Indices, distance: int
    ) -> tuple[Indices, npt.NDArray[np.bool_]]:
        """The successors of states at `distance`, int64[states, moves],
        and True for each that is optimal, bool.
        """

    def optimal_count(self, index: int, distance: int) -> int | None:
        """The number of shortest solutions of a state:
        1 for a goal state, 0 for one that cannot reach the goal.

        Counts paths from layer to layer towards the goal, exactly at any size. None if the distance
        is not known, or too many states would be visited.
        """
        if distance < 0:
            return None if distance == UNKNOWN else 0
        states: Indices = np.array([index])
        paths_to = np.ones(1, np.int64)
        visited = 0
        for left in range(distance, 0, -1):
            visited += len(states)
            if visited > self.max_counted_states:
                return None
            if len(states) == 1 and len(only := self.optimal_moves(int(states[0]), left)) == 1:
                states[0] = only[0][1]  # most of a long solution; ten times as fast as what follows
                continue
            successors, optimal = self.optimal_successors(states, left)
            if (
                paths_to.dtype != object
                and int(paths_to.sum()) > _SAFE_IN_INT64 // optimal.shape[1]
            ):
                paths_to = paths_to.astype(object)  # 64 bits are too few
            states, to = np.unique(successors[optimal], return_inverse=True)
            total = np.zeros(len(states), paths_to.dtype)
            np.add.at(total, to, np.broadcast_to(paths_to[:, None], optimal.shape)[optimal])
            paths_to = total
        return int(paths_to.sum())

    def lower_bound(self, index: int) -> int:  # noqa: ARG002
        """The proven bound of a state whose distance is UNKNOWN:
        1, as it is no goal; 0 if only rules tell goals.
        """
        return 0 if self.of_game else 1

    def solution(self, text: str, distance: int) -> Solution:
        """The solution by the first optimal move at each state."""
        return ShortestSolution(self.puzzle, text, distance, self)


@dataclass(frozen=True)
class ShortestSolution(Solution):
    """The shortest solution of a state by the first optimal move in the puzzle's order."""

    others: ShortestPaths

    def bounds(self) -> Bounds:
        """The proven bounds; every state of a connected space can be solved."""
        index, space = self.others.index(self.text), self.others.space
        return Bounds(
            (index >= 0 and space is not None and space.connected) or None,
            self.others.lower_bound(index),
        )

    def first(self) -> list[int]:
        """The optimal moves."""
        return [
            move
            for move, _ in self.others.optimal_moves(self.others.index(self.text), self.distance)
        ]

    def moves(self, offset: int = 0) -> Iterator[str]:
        """The names of its moves from number `offset` on;
        raises TooMuchWork if a search ends on the way.
        """
        puzzle, text, index = self.puzzle, self.text, self.others.index(self.text)
        for left in range(self.distance, 0, -1):
            optimal = self.others.optimal_moves(index, left)
            if not optimal:
                raise TooMuchWork(
                    f"the distance is {self.distance:,}, but the search for a whole solution "
                    "takes longer than it may",
                    "give it more time, or look up each state for its optimal moves",
                )
            move, index = optimal[0]
            name = puzzle.moves_of(text)[move].name
            if self.distance - left >= offset:
                yield name
            if puzzle.names_vary:
                text = puzzle.play(text, name)


def source_indices(source: Source, states: Sequence[str]) -> Indices:
    """The indices of many states, int64[n], as by a source's `index`;
    raises as it does for the first invalid one.
    """
    letters, space = source.puzzle.board.letters, source.space
    if letters is None or space is None:
        return np.array([source.index(state) for state in states], np.int64)
    indices = space.rank(boards_of(states, letters.length))
    for number in np.flatnonzero(indices < 0).tolist():
        indices[number] = source.index(states[number])
    return indices


def boards_of(states: Sequence[str], length: int) -> Boards:
    """The characters of each state, uint8[n, length];
    zeros for a state of another length or not in ASCII.
    """
    joined = "".join(states)
    if not joined.isascii() or set(map(len, states)) - {length}:
        joined = "".join(s if len(s) == length and s.isascii() else "\0" * length for s in states)
    return np.frombuffer(joined.encode("ascii"), np.uint8).reshape(-1, length)
