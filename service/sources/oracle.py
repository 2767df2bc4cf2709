"""An oracle as a source: a puzzle's own method finds exact distances, also of states that no integer could number.

Some oracles answer from data that were built and verified, a file. Others need none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import monotonic

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from puzzlebase.db.blobs import BlobsFile
from puzzlebase.puzzles import UNREACHED, Goal, Indices, Oracle, Puzzle, Solver
from puzzlebase.puzzles.contract.errors import no_goal
from puzzlebase.service.sources.deadline import NO_DEADLINE, Deadline
from puzzlebase.service.sources.memory import Holding
from puzzlebase.service.sources.numbered import NumberedStates
from puzzlebase.service.sources.solution import ShortestPaths, ShortestSolution
from puzzlebase.service.sources.source import Origin

_SOLVERS = 16
"""Solvers of one oracle that are kept, by goal. To make one takes milliseconds."""

_FREE_SOLVERS = 16
"""Solvers that are kept of all oracles that need no data: of Hanoi, each at most a megabyte, and made in 1 ms."""

_ASKED_TOGETHER = 64  # states, each of which may take ten milliseconds


class StoredOracle:
    """An oracle's data in memory, and the solvers made from them, one for each goal asked for lately.

    Raises as BlobsFile does.
    """

    def __init__(self, path: Path) -> None:
        self.file = BlobsFile(path)
        self._blobs = self.file.blobs()
        self._lock = Lock()
        self._solvers: LRUCache[str, Solver] = LRUCache(_SOLVERS)

    @property
    def held(self) -> object:
        """What is in memory of it, for those who count its bytes."""
        return self._blobs, self._solvers

    def open(self, puzzle: Puzzle, goal: Goal, deadline: Deadline = NO_DEADLINE) -> OpenOracle:
        """A source for one answer; raises DamagedTable, and ImpossibleState for a goal that play cannot reach."""
        oracle = puzzle.engine(Oracle)
        if oracle is None or self.file.puzzle != puzzle.name:
            raise self.file.damaged(f"is of {self.file.puzzle}")
        with self._lock:
            solver = self._solvers.get(goal.key)
            if solver is None:
                with self.file.damage():
                    solver = oracle.load(self._blobs, goal)
                if goal not in puzzle.goals and solver.distance(goal.start) == UNREACHED:
                    raise no_goal(goal.name, goal.start)
                self._solvers[goal.key] = solver
        return OpenOracle(puzzle, goal, solver, deadline, self.file.digest)


class FreeOracles(Holding):
    """The oracles that need no data, and the solvers that were asked lately, one for each puzzle and goal."""

    part = "oracles"

    def __init__(self) -> None:
        self._lock = Lock()
        self._solvers: LRUCache[tuple[str, str], Solver] = LRUCache(_FREE_SOLVERS)

    @property
    def held(self) -> object:
        """The solvers."""
        return self._solvers

    def free(self) -> None:
        """Have every solver made anew."""
        with self._lock:
            self._solvers.clear()

    def open(self, puzzle: Puzzle, goal: Goal, deadline: Deadline = NO_DEADLINE) -> OpenOracle | None:
        """A source for one answer; None where the puzzle has no such oracle."""
        oracle = puzzle.engine(Oracle)
        if oracle is None or oracle.needs(puzzle.name, goal):
            return None
        key = puzzle.name, goal.key
        with self._lock:
            self.used = monotonic()
            solver = self._solvers.get(key)
            if solver is None:
                solver = self._solvers[key] = oracle.load({}, goal)
        return OpenOracle(puzzle, goal, solver, deadline)


class OpenOracle(NumberedStates, ShortestPaths):
    """An oracle for one answer. What was built and verified, whatever its form, is a table to callers."""

    max_counted_states = 1_000
    max_listed_moves = 2_000

    def __init__(
        self, puzzle: Puzzle, goal: Goal, solver: Solver, deadline: Deadline, digest: str | None = None
    ) -> None:
        """`digest` is that of the oracle's data; None for an oracle that needs none."""
        super().__init__(puzzle, goal, deadline)
        self.solver = solver
        self._digest = digest
        self._distances: dict[int, int] = {}

    @property
    def origin(self) -> Origin:
        """Its data, by their digest; without data only another version of the program answers otherwise."""
        return Origin("oracle", "oracle") if self._digest is None else Origin("table", self._digest)

    def distances_of(self, indices: Sequence[int], *, along: bool = False) -> list[int]:  # noqa: ARG002
        """Distances of states, of any length; UNREACHED for -1 and for states that cannot reach the goal."""
        unknown = [index for index in dict.fromkeys(indices) if index >= 0 and index not in self._distances]
        for first in range(0, len(unknown), _ASKED_TOGETHER):
            self.deadline.check()
            some = unknown[first : first + _ASKED_TOGETHER]
            self._distances |= zip(some, self.solver.distances(list(map(self.text, some))), strict=True)
        return [self._distances[index] if index >= 0 else UNREACHED for index in indices]

    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """Where each move of a state leads, -1 for an illegal one, and last the state itself; and their distances."""
        states = [*self.after_moves(index), index]
        return states, self.distances_of(states)

    def optimal_successors(self, states: Indices, distance: int) -> tuple[Indices, npt.NDArray[np.bool_]]:
        """Where the moves of states at `distance` lead, and whether each is optimal: int64 and bool [states, moves]."""
        after = [self.after_moves(index) for index in states.tolist()]
        successors = np.array(after, np.int64).reshape(len(states), len(self.puzzle.moves))
        nearer = [found == distance - 1 for found in self.distances_of(successors.reshape(-1).tolist())]
        return successors, np.array(nearer, np.bool_).reshape(successors.shape) & (successors >= 0)

    def solution(self, text: str, distance: int) -> OracleSolution:
        """The solution that the solver gives, any part of it at once."""
        return OracleSolution(self.puzzle, text, distance, self, self.solver)


@dataclass(frozen=True)
class OracleSolution(ShortestSolution):
    """A shortest solution of the solver's own choice."""

    solver: Solver

    def moves(self, offset: int = 0) -> Iterator[str]:
        """Its moves, by name, from number `offset` on."""
        return self.solver.line(self.text, offset) if self.length else iter(())

    def part(self, offset: int) -> tuple[str, Iterator[str]]:
        """The state before its move number `offset`, or its last state; and the moves from there."""
        return self.solver.state_at(self.text, offset), self.moves(offset)
