"""An oracle as a source: a puzzle's own method finds exact distances, also of states that no integer could number."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

import numpy as np
from cachetools import LRUCache

from puzzlebase.db import BlobsFile
from puzzlebase.puzzles import UNREACHED, Goal, Indices, Puzzle, Solver, no_goal
from puzzlebase.service.sources.deadline import NO_DEADLINE, Deadline
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.texts import after_moves_by_rules

_SOLVERS = 16
"""Solvers of one oracle that are kept, by goal. To make one takes milliseconds."""

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
        if puzzle.oracle is None or self.file.puzzle != puzzle.name:
            raise self.file.damaged(f"is of {self.file.puzzle}")
        with self._lock:
            solver = self._solvers.get(goal.key)
            if solver is None:
                with self.file.damage():
                    solver = puzzle.oracle.load(self._blobs, goal)
                if goal not in puzzle.goals and solver.distance(goal.start) == UNREACHED:
                    raise no_goal(goal.name, goal.start)
                self._solvers[goal.key] = solver
        return OpenOracle(puzzle, goal, solver, self.file.digest, deadline)


class OpenOracle(Source):
    """An oracle for one answer. Its states have no indices: it numbers them in the order they are asked about."""

    name = "table"
    max_counted_states = 1_000
    max_listed_moves = 2_000
    space = None
    solver: Solver

    def __init__(self, puzzle: Puzzle, goal: Goal, solver: Solver, digest: str, deadline: Deadline) -> None:
        self.puzzle = puzzle
        self.goal = goal
        self.solver = solver
        self.deadline = deadline
        self._digest = digest
        self._texts: list[str] = []
        self._numbers: dict[str, int] = {}
        self._distances: dict[int, int] = {}

    @property
    def tag(self) -> str:
        """The digest of the oracle's data."""
        return self._digest

    def index(self, text: str) -> int:
        """The number given to a state; raises as the puzzle's `parse` does."""
        if text not in self._numbers:
            self.puzzle.parse(text)
            self._numbers[text] = len(self._texts)
            self._texts.append(text)
        return self._numbers[text]

    def distances(self, indices: Indices) -> Indices:
        """Distances of states, int64[n] -> int64[n]; UNREACHED for -1 and for states that cannot reach the goal."""
        unknown = [index for index in dict.fromkeys(indices.tolist()) if index >= 0 and index not in self._distances]
        for first in range(0, len(unknown), _ASKED_TOGETHER):
            self.deadline.check()
            some = unknown[first : first + _ASKED_TOGETHER]
            self._distances |= zip(some, self.solver.distances([self._texts[index] for index in some]), strict=True)
        found = [self._distances[index] if index >= 0 else UNREACHED for index in indices.tolist()]
        return np.array(found, np.int64)

    def successors(self, states: Indices) -> Indices:
        """Where each move of each state leads, int64[n] -> int64[n, moves]; -1 for an illegal move."""
        successors = [self._successors(index) for index in states.tolist()]
        return np.array(successors, np.int64).reshape(len(states), len(self.puzzle.moves))

    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """Where each move of a state leads, -1 for an illegal one, and last the state itself; and their distances."""
        states = [*self._successors(index), index]
        return states, self.distances(np.array(states)).tolist()

    def _successors(self, index: int) -> list[int]:
        return [self.index(text) if text else -1 for text in after_moves_by_rules(self.puzzle, self._texts[index])]
