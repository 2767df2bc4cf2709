"""Oracles and constructions as sources:
a puzzle's own method answers, also for states without indices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from puzzlebase.plugins.methods.record import Construction, MethodPath, Oracle, Solver
from puzzlebase.puzzles import UNREACHED, Engine, Indices, Space
from puzzlebase.puzzles.contract.errors import no_goal
from puzzlebase.puzzles.machinery.spaces import arrays_of_spaces
from puzzlebase.sentinels import UNDECIDED, UNKNOWN
from puzzlebase.service.error_status import TooMuchWork
from puzzlebase.service.sources.memory import Holding
from puzzlebase.service.sources.source import (
    Bounds,
    Origin,
    ShortestPaths,
    ShortestSolution,
    Solution,
    Source,
)
from puzzlebase.service.sources.sources import Opening

_SOLVERS = 16  # cached solvers of all oracles, which take milliseconds to make
_BESIDES = 1 << 20  # bytes of a solver beside its arrays, at most: of Hanoi's with 64 disks 0.7 MB
_ASKED_TOGETHER = 64  # states, each of which may take ten milliseconds


class NumberedStates(Source):
    """A source for one answer.
    It numbers states in the order of its questions, and plays by the rules.
    """

    space: Space | None = None

    def __init__(self, opening: Opening) -> None:
        self.puzzle, self.goal, self.deadline = opening.puzzle, opening.goal, opening.deadline
        self._texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def index(self, text: str) -> int:
        """The number given to a state; raises as the puzzle's `parse` does."""
        if text not in self._numbers:
            self.deadline.check()
            self.puzzle.parse(text)
            self._numbers[text] = len(self._texts)
            self._texts.append(text)
        return self._numbers[text]

    def text(self, index: int) -> str:
        """The state of a number."""
        return self._texts[index]

    def after_moves(self, index: int) -> list[int]:
        """The state after each move of one state; -1 for an illegal move."""
        return [
            self.index(text) if text else -1 for text in self.puzzle.after_moves(self._texts[index])
        ]

    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """The state after each move of a state, -1 for an illegal one,
        and last the state itself; and distances.
        """
        states = [*self.after_moves(index), index]
        return states, self.distances_of(states)


def open_oracle_source(oracle: Engine, opening: Opening) -> OpenOracle:
    """The source of one answer from the oracle of a puzzle.

    Raises ImpossibleState for a goal out of reach.
    """
    assert isinstance(oracle, Oracle)
    puzzle, goal = opening.puzzle, opening.goal
    solvers = opening.memory.the(Solvers)
    key = puzzle.name, goal.key
    with solvers.lock:
        solver = solvers.made.get(key)
        if solver is None:
            solver = oracle.load(goal)
            if goal not in puzzle.goals and solver.distances([goal.start]) == [UNREACHED]:
                raise no_goal(goal.name, goal.start)
            solvers.made[key] = solver
    return OpenOracle(opening, solver, oracle)


class Solvers(Holding):
    """Recent solvers, by puzzle and goal."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.made: LRUCache[tuple[str, str], Solver] = LRUCache(_SOLVERS)

    @property
    def nbytes(self) -> int:
        """Bytes of their arrays, and of what else they cache."""
        return sum(array.nbytes for array in arrays_of_spaces(self.made)) + _BESIDES * len(
            self.made
        )

    def free(self) -> None:
        """Drop all solvers; they are made again when needed."""
        with self.lock:
            self.made.clear()


class OpenOracle(NumberedStates, ShortestPaths):
    """An oracle for one answer; callers treat it as a table."""

    origin = Origin("oracle", "oracle")
    max_counted_states = 1_000
    max_listed_moves = 2_000

    def __init__(self, opening: Opening, solver: Solver, oracle: Oracle) -> None:
        super().__init__(opening)
        self.solver, self._oracle = solver, oracle
        self._distances: dict[int, int] = {}

    @property
    def ladder(self) -> Sequence[int]:
        """That of the oracle."""
        return self._oracle.ladder(self.goal)

    def distances_of(self, indices: Sequence[int], *, along: bool = False) -> list[int]:  # noqa: ARG002
        """Distances of states, of any length;
        UNREACHED for -1 and for states that cannot reach the goal.
        """
        unknown = [
            index for index in dict.fromkeys(indices) if index >= 0 and index not in self._distances
        ]
        for first in range(0, len(unknown), _ASKED_TOGETHER):
            self.deadline.check()
            some = unknown[first : first + _ASKED_TOGETHER]
            self._distances |= zip(
                some, self.solver.distances(list(map(self.text, some))), strict=True
            )
        return [self._distances[index] if index >= 0 else UNREACHED for index in indices]

    def optimal_successors(
        self, states: Indices, distance: int
    ) -> tuple[Indices, npt.NDArray[np.bool_]]:
        """The states after each move of states at `distance`,
        int64[n, moves]; True for optimal ones, bool alike.
        """
        after = [self.after_moves(index) for index in states.tolist()]
        successors = np.array(after, np.int64).reshape(len(states), len(self.puzzle.moves))
        nearer = [
            found == distance - 1 for found in self.distances_of(successors.reshape(-1).tolist())
        ]
        return successors, np.array(nearer, np.bool_).reshape(successors.shape) & (successors >= 0)

    def solution(self, text: str, distance: int) -> OracleSolution:
        """The solution that the solver gives, any part of it at once."""
        return OracleSolution(
            self.puzzle, text, distance, self, self.solver, self._oracle.max_offset
        )


@dataclass(frozen=True)
class OracleSolution(ShortestSolution):
    """A shortest solution of the solver's own choice."""

    solver: Solver
    max_offset: int | None

    def moves(self, offset: int = 0) -> Iterator[str]:
        """Its moves, by name, from number `offset` on;
        raises TooMuchWork if that is too far from the first.
        """
        farthest = self.max_offset
        if farthest is not None and farthest < min(offset, self.length):
            raise TooMuchWork(
                f"move number {offset:,} is too far from the first one",
                f"ask for at most number {farthest:,}",
            )
        return self.solver.line(self.text, offset) if self.length else iter(())

    def part(self, offset: int) -> tuple[str, Iterator[str]]:
        """The state before its move number `offset`,
        or its last state; and the moves from there.
        """
        moves = self.moves(offset)
        return self.solver.state_at(self.text, offset), moves


class OpenConstruction(NumberedStates):
    """A construction, or a method, for one answer, with the paths that it has found.

    The distance is known if the path is as short as the bound.
    """

    origin = Origin("construction", "construction")

    def __init__(self, method: Construction, opening: Opening) -> None:
        super().__init__(opening)
        self._method = method
        self.path = cache(self._find_path)

    def bound(self, text: str) -> int:
        """The proven lower bound of a state."""
        return self._method.bound(self.goal, text)

    def _find_path(self, text: str) -> MethodPath:
        self.deadline.check()
        return self._method.path(self.goal, text)

    def distance(self, index: int) -> int:
        """The distance of a state;
        UNKNOWN if the path is longer than the bound, or does not solve.
        """
        if index < 0:
            return UNREACHED
        text = self.text(index)
        bound = self.bound(text)
        if bound == 0:
            return 0
        path = self.path(text)
        return bound if path.solves and path.weight == bound else UNKNOWN

    def distances_of(self, indices: Sequence[int], *, along: bool = False) -> list[int]:
        """Distances of states: UNREACHED for -1, UNKNOWN if solution and bound differ.

        Along a game only its ends are constructed.
        Of the states between them only solved ones are known.
        """
        constructed = {indices[0], indices[-1]} if along else {*indices}
        decided = {
            index for index in indices if index < 0 or not self.bound(self.text(index))
        } | constructed
        return [self.distance(index) if index in decided else UNDECIDED for index in indices]

    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """The state after each move of a state, -1 for an illegal one,
        and last the state itself; and distances.

        A solution for each move would take too long, so only bounds tell the distance after a move.
        If a move raises the bound of a state with a known distance to more than that distance, it
        leads one farther, because moves can be taken back. And a first move of one unit in a
        shortest solution leads nearer.
        """
        states, distance = self.after_moves(index), self.distance(index)
        first = self.solution(self.text(index), distance).first() if distance >= 0 else []
        nearer = states[first[0]] if first else UNREACHED
        return [*states, index], [*(self._behind(to, distance, nearer) for to in states), distance]

    def _behind(self, to: int, distance: int, nearer: int) -> int:
        """The distance proven after a move; `nearer` is the state after an optimal move."""
        if to < 0:
            return UNREACHED
        bound = self.bound(self.text(to))
        if bound in (0, distance + 1) or (to == nearer and bound == distance - 1):
            return bound
        return UNKNOWN if bound >= distance >= 0 else UNDECIDED

    def solution(self, text: str, distance: int) -> PathSolution:
        """The solution by the path."""
        return PathSolution(self.puzzle, text, distance, None, self)


@dataclass(frozen=True)
class PathSolution(Solution):
    """The path from a state, a shortest solution if the distance is known.
    It may end before the goal.
    """

    others: None
    source: OpenConstruction

    @property
    def path(self) -> MethodPath:
        """The path."""
        return self.source.path(self.text)

    @property
    def length(self) -> int:
        """The number of names of moves, each of which may stand for several moves."""
        return self.path.length if self.distance else 0

    @property
    def stuck(self) -> str | None:  # type: ignore[override]
        """The state in which it ends, if that is not solved."""
        if self.distance != UNKNOWN or self.path.solves:
            return None
        return self.path.state_at(self.path.length)

    def bounds(self) -> Bounds:
        """The bounds that the source's bound and the path prove."""
        path, lower = self.path, self.source.bound(self.text)
        return Bounds(True if path.solves else None, lower, path.weight if path.solves else None)

    def first(self) -> list[int]:
        """The listed move that begins it,
        or the first of those that its first name stands for; empty without one.
        """
        name, puzzle = next(self.moves(), ""), self.puzzle
        if name and puzzle.board.weight(name) > 1:
            name = name.partition("*")[0]
        return [number for number, move in enumerate(puzzle.moves) if move.name == name]

    def moves(self, offset: int = 0) -> Iterator[str]:
        """The names of its moves from number `offset` on."""
        return self.path.moves(offset) if self.length else iter(())

    def part(self, offset: int) -> tuple[str, Iterator[str]]:
        """The state before its move number `offset`,
        or its last state; and the moves from there.
        """
        state = self.path.state_at(offset) if self.length else self.text
        return state, self.moves(offset)
