"""A construction as a source: a puzzle's own method finds a solution of any state, and a bound tells how good it is.

The distance is known where the solution is as short as the bound. Else the answer has both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from puzzlebase.puzzles import UNREACHED, Construction, Goal, Puzzle
from puzzlebase.service.sources.deadline import NO_DEADLINE, Deadline
from puzzlebase.service.sources.numbered import NumberedStates
from puzzlebase.service.sources.source import UNDECIDED, UNKNOWN


class OpenConstruction(NumberedStates):
    """A construction for one answer. It keeps the solutions that it has found."""

    name = "construction"
    max_solutions = 1

    def __init__(self, puzzle: Puzzle, goal: Goal, deadline: Deadline = NO_DEADLINE) -> None:
        super().__init__(puzzle, goal, deadline)
        self.solver = self
        construction = puzzle.engine(Construction)
        assert construction is not None
        self.construction = construction
        self._solutions: dict[str, tuple[str, ...]] = {}

    def solution(self, text: str) -> tuple[str, ...]:
        """The solution of a state that can be solved, by the names of its moves."""
        if text not in self._solutions:
            self.deadline.check()
            self._solutions[text] = tuple(self.construction.construct(self.goal, text))
        return self._solutions[text]

    def distances_of(self, indices: Sequence[int]) -> list[int]:
        """Distances of states: UNREACHED for -1, UNKNOWN where solution and bound differ."""
        return [self._distance(index) for index in indices]

    def along(self, indices: Sequence[int]) -> list[int]:
        """Distances of the first and the last state; of the others only whether they are solved."""
        ends = {indices[0], indices[-1]}
        return [self._distance(index) if index in ends else self._solved(index) for index in indices]

    def _solved(self, index: int) -> int:
        return 0 if self.lower_bound(index) == 0 else UNDECIDED

    def _distance(self, index: int) -> int:
        bound = UNREACHED if index < 0 else self.construction.bound(self.goal, self.text(index))
        if bound is None:
            return UNREACHED
        return bound if bound <= 0 or self.upper_bound(index) == bound else UNKNOWN

    def lower_bound(self, index: int) -> int:
        """The bound of a state that can be solved: so many moves at least."""
        bound = self.construction.bound(self.goal, self.text(index))
        assert bound is not None
        return bound

    def upper_bound(self, index: int) -> int:
        """The length of the solution of a state that can be solved."""
        return sum(map(self.weight, self.solution(self.text(index))))

    def solvable(self, index: int) -> bool:  # noqa: ARG002
        """Whether the goal can be reached from a state whose distance is UNKNOWN: it has a solution."""
        return True

    def weight(self, move: str) -> int:
        """How many moves the name of a move stands for."""
        return self.puzzle.board.weight(move)

    def listed(self, text: str, distance: int) -> int:
        """How many names of moves the solution of a state has."""
        return 0 if distance in (0, UNREACHED) else len(self.solution(text))

    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """Where each move of a state leads, -1 for an illegal one, and last the state itself; and their distances.

        Behind a move only what bounds prove is told, since to construct a solution behind each would take too long.
        Moves can be taken back: so behind a move that raises the bound of a state at a known distance, that is the
        distance. And a first move of one unit in a shortest solution leads nearer.
        """
        states, distance = self.after_moves(index), self._distance(index)
        first = self.optimal_moves(index, distance) if distance >= 0 else []
        nearer = first[0][1] if first else UNREACHED
        return [*states, index], [*(self._behind(to, distance, nearer) for to in states), distance]

    def optimal_moves(self, index: int, distance: int) -> list[tuple[int, int]]:
        """The listed move that begins the solution, and where it leads: proven optimal where the distance is known.

        Where a name stands for several moves, the first of these begins it.
        """
        if distance in (0, UNREACHED):
            return []
        text = self.text(index)
        first = self.solution(text)[0]
        name = first if self.weight(first) == 1 else first.partition("*")[0]
        return [
            (number, self.index(self.puzzle.play(text, name)))
            for number, move in enumerate(self.puzzle.moves)
            if move.name == name
        ]

    def line(self, text: str, offset: int = 0) -> Iterator[str]:
        """The moves of the solution from the name number `offset` on."""
        return islice(self.solution(text), offset, None)

    def state_at(self, text: str, offset: int) -> str:
        """The state before the name number `offset` of the solution, or the last state."""
        for move in self.solution(text)[:offset]:
            text = self.puzzle.play(text, move)
        return text

    def _behind(self, to: int, distance: int, nearer: int) -> int:
        """What is proven of the distance behind a move; `nearer` is the state behind an optimal one."""
        if to < 0 or distance == UNREACHED:
            return UNREACHED
        bound = self.lower_bound(to)
        if bound in (0, distance + 1) or (to == nearer and bound == distance - 1):
            return bound
        return UNKNOWN if bound >= distance >= 0 else UNDECIDED
