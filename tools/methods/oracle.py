"""An oracle as a source: a puzzle's own method finds exact distances, also of states that no integer could number.

Some oracles answer from data that were built and verified, a file. Others need none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from threading import Lock
from time import monotonic

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from puzzlebase.puzzles import UNREACHED, Indices
from puzzlebase.puzzles.contract.engines import Engine
from puzzlebase.puzzles.contract.errors import no_goal
from puzzlebase.service.sources.folder import Opening
from puzzlebase.service.sources.memory import Holding
from puzzlebase.service.sources.source import Origin, ShortestPaths, ShortestSolution
from puzzlebase.tools.methods.numbered import NumberedStates
from puzzlebase.tools.methods.record import Oracle, Solver

_SOLVERS = 16
"""Solvers that are cached, of all oracles: of Hanoi, each at most a megabyte. To make one takes milliseconds."""

_ASKED_TOGETHER = 64  # states, each of which may take ten milliseconds


def opened(oracle: Engine, opening: Opening) -> OpenOracle | None:
    """The oracle of a puzzle for one answer; None where its data are not there.

    Raises DamagedTable, and ImpossibleState for a goal that play cannot reach.
    """
    assert isinstance(oracle, Oracle)
    puzzle, goal = opening.puzzle, opening.goal
    blobs: Mapping[str, bytes] = {}
    digest: str | None = None
    damage: Callable[[], AbstractContextManager[None]] = nullcontext
    if oracle.needs(puzzle.name, goal):
        stored = opening.tables.oracle(puzzle.name)
        if stored is None:
            return None
        if stored.file.puzzle != puzzle.name:
            raise stored.file.damaged(f"is of {stored.file.puzzle}")
        blobs, digest, damage = stored.blobs, stored.file.digest, stored.file.damage
    solvers = opening.tables.memory.the(Solvers)
    key = digest, puzzle.name, goal.key
    with solvers.lock:
        solvers.used = monotonic()
        solver = solvers.made.get(key)
        if solver is None:
            with damage():
                solver = oracle.load(blobs, goal)
            if goal not in puzzle.goals and solver.distance(goal.start) == UNREACHED:
                raise no_goal(goal.name, goal.start)
            solvers.made[key] = solver
    return OpenOracle(opening, solver, digest)


class Solvers(Holding):
    """The solvers that were asked lately, one for each digest of data, if there are any, puzzle and goal."""

    part = "oracles"

    def __init__(self) -> None:
        self.lock = Lock()
        self.made: LRUCache[tuple[str | None, str, str], Solver] = LRUCache(_SOLVERS)

    @property
    def held(self) -> object:
        """The solvers."""
        return self.made

    def free(self) -> None:
        """Have every solver made anew."""
        with self.lock:
            self.made.clear()


class OpenOracle(NumberedStates, ShortestPaths):
    """An oracle for one answer. What was built and verified, whatever its form, is a table to callers."""

    max_counted_states = 1_000
    max_listed_moves = 2_000

    def __init__(self, opening: Opening, solver: Solver, digest: str | None = None) -> None:
        """`digest` is that of the oracle's data; None for an oracle that needs none."""
        super().__init__(opening)
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
