"""Answers from a puzzle's oracle: exact as a table's, of states that no integer numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Lock

import numpy as np

from db import BlobsFile
from puzzles import UNREACHED, Goal, Indices, Puzzle, Solver
from service.sources.source import Source


class StoredOracle:
    """An oracle's data in memory, and what answers from them, made for a goal when it is first asked for.

    Raises as BlobsFile does.
    """

    def __init__(self, path: Path) -> None:
        self.file = BlobsFile(path)
        self._blobs = self.file.blobs()
        self._lock = Lock()
        self._solvers: dict[str, Solver] = {}

    def open(self, puzzle: Puzzle, goal: Goal) -> OpenOracle:
        """For one request."""
        if puzzle.oracle is None or self.file.puzzle != puzzle.name:
            raise self.file.damaged(f"is of {self.file.puzzle}")
        with self._lock:
            with self.file.damage():
                solver = self._solvers.pop(goal.key, None) or puzzle.oracle.load(self._blobs, goal)
            while len(self._solvers) >= _SOLVERS_KEPT:
                del self._solvers[next(iter(self._solvers))]
            self._solvers[goal.key] = solver
        return OpenOracle(puzzle, goal, solver, self.file.digest)


_SOLVERS_KEPT = 16
_ASKED_TOGETHER = 64  # states, of which one may take ten milliseconds


class OpenOracle(Source):
    """One request's view of an oracle: a state's index is its number among those that were asked about."""

    name = "table"
    counted = 1_000
    listed = 2_000

    def __init__(self, puzzle: Puzzle, goal: Goal, solver: Solver, digest: str) -> None:
        self.puzzle = puzzle
        self.goal = goal
        self._solver = solver
        self._digest = digest
        self._texts: list[str] = []
        self._numbers: dict[str, int] = {}
        self._known: dict[int, int] = {}
        self._moves = {move.name: number for number, move in enumerate(puzzle.moves)}

    @property
    def tag(self) -> str:
        """The digest of the oracle's data."""
        return self._digest

    def index(self, text: str) -> int:
        """A number for the state; raises as the puzzle's `parse` does."""
        if text not in self._numbers:
            self.puzzle.parse(text)
            self._numbers[text] = len(self._texts)
            self._texts.append(text)
        return self._numbers[text]

    def distance(self, index: int) -> int:
        """Distance of a state; UNREACHED where there is no way."""
        return int(self.distances(np.array([index]))[0])

    def distances(self, indices: Indices) -> Indices:
        """The same for many, int64[n], those not yet known found together; UNREACHED for -1."""
        wanted = [index for index in dict.fromkeys(indices.tolist()) if index >= 0 and index not in self._known]
        for first in range(0, len(wanted), _ASKED_TOGETHER):
            self.go_on()
            some = wanted[first : first + _ASKED_TOGETHER]
            self._known |= zip(some, self._solver.distances([self._texts[index] for index in some]), strict=True)
        return np.array([self._known[index] if index >= 0 else UNREACHED for index in indices.tolist()], np.int64)

    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """Where each move of a state leads, -1 for an illegal one, and last the state itself; and their distances."""
        around = [*self._leads(index), index]
        return around, self.distances(np.array(around)).tolist()

    def successors(self, states: Indices) -> Indices:
        """Where the moves of states lead, int64[n] -> int64[n, moves]; -1 for an illegal one."""
        leads = [self._leads(index) for index in states.tolist()]
        return np.array(leads, np.int64).reshape(len(states), len(self._moves))

    def _leads(self, index: int) -> list[int]:
        return [self.index(text) if text else -1 for text in self.played_by_rules(self._texts[index])]

    def line(self, index: int, distance: int, offset: int = 0) -> Iterator[int]:
        """The moves of one shortest solution from the given one on, lazily; what lies before it is not gone through."""
        return self._line_of(self._texts[index], distance, offset)

    def part(self, text: str, distance: int, offset: int) -> tuple[str, Iterator[int]]:
        """The state before move number `offset` of that solution, and the moves from there; neither is gone through."""
        return self._solver.state_at(text, offset), self._line_of(text, distance, offset)

    def _line_of(self, text: str, distance: int, offset: int) -> Iterator[int]:
        return (self._moves[move] for move in self._solver.line(text, offset)) if distance > 0 else iter(())
