"""A construction as a source: a puzzle's own method finds a solution of any state, and a bound tells how good it is.

The distance is known where the solution is as short as the bound. Else the answer has both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from puzzlebase.puzzles import UNREACHED
from puzzlebase.puzzles.contract.engines import Engine
from puzzlebase.service.sources.folder import Opening
from puzzlebase.service.sources.source import UNDECIDED, UNKNOWN, Bounds, Origin, Solution
from puzzlebase.tools.methods.numbered import NumberedStates
from puzzlebase.tools.methods.record import Construction


def opened(construction: Engine, opening: Opening) -> OpenConstruction:
    """The construction of a puzzle for one answer."""
    assert isinstance(construction, Construction)
    return OpenConstruction(opening, construction)


class OpenConstruction(NumberedStates):
    """A construction for one answer. It keeps the solutions that it has found."""

    origin = Origin("construction", "construction")

    def __init__(self, opening: Opening, construction: Construction) -> None:
        super().__init__(opening)
        self.construction = construction
        self._solutions: dict[str, tuple[str, ...]] = {}

    def solution(self, text: str, distance: int) -> ConstructedSolution:
        """The solution that is constructed, when one of its moves is asked for."""
        return ConstructedSolution(self.puzzle, text, distance, None, self)

    def constructed(self, text: str) -> tuple[str, ...]:
        """The solution of a state that can be solved, by the names of its moves."""
        if text not in self._solutions:
            self.deadline.check()
            self._solutions[text] = tuple(self.construction.construct(self.goal, text))
        return self._solutions[text]

    def distances_of(self, indices: Sequence[int], *, along: bool = False) -> list[int]:
        """Distances of states: UNREACHED for -1, UNKNOWN where solution and bound differ.

        Along a game nothing is constructed between its ends: only whether those states are solved is told.
        """
        constructed = {indices[0], indices[-1]} if along else {*indices}
        return [self._distance(index, found=index in constructed) for index in indices]

    def _distance(self, index: int, *, found: bool = True) -> int:
        bound = None if index < 0 else self.construction.bound(self.goal, self.text(index))
        if bound is None:
            return UNREACHED
        if not found and bound:
            return UNDECIDED
        return bound if bound <= 0 or self.upper_bound(self.text(index)) == bound else UNKNOWN

    def lower_bound(self, text: str) -> int:
        """The bound of a state that can be solved: so many moves at least."""
        bound = self.construction.bound(self.goal, text)
        assert bound is not None
        return bound

    def upper_bound(self, text: str) -> int:
        """The moves of the solution of a state that can be solved."""
        return sum(map(self.puzzle.board.weight, self.constructed(text)))

    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """Where each move of a state leads, -1 for an illegal one, and last the state itself; and their distances.

        Behind a move only what bounds prove is told, since to construct a solution behind each would take too long.
        Moves can be taken back: so behind a move that raises the bound of a state at a known distance, that is the
        distance. And a first move of one unit in a shortest solution leads nearer.
        """
        states, distance = self.after_moves(index), self._distance(index)
        first = self.solution(self.text(index), distance).first() if distance >= 0 else []
        nearer = states[first[0]] if first else UNREACHED
        return [*states, index], [*(self._behind(to, distance, nearer) for to in states), distance]

    def _behind(self, to: int, distance: int, nearer: int) -> int:
        """What is proven of the distance behind a move; `nearer` is the state behind an optimal one."""
        if to < 0 or distance == UNREACHED:
            return UNREACHED
        bound = self.lower_bound(self.text(to))
        if bound in (0, distance + 1) or (to == nearer and bound == distance - 1):
            return bound
        return UNKNOWN if bound >= distance >= 0 else UNDECIDED


@dataclass(frozen=True)
class ConstructedSolution(Solution):
    """The solution of a construction, which is a shortest one if the distance is known."""

    others: None
    source: OpenConstruction

    @property
    def length(self) -> int:
        """How many names of moves it has, each of which may stand for several moves."""
        return 0 if self.distance in (0, UNREACHED) else len(self.source.constructed(self.text))

    def bounds(self) -> Bounds:
        """What the bound and the solution prove."""
        return Bounds(True, self.source.lower_bound(self.text), self.source.upper_bound(self.text))

    def first(self) -> list[int]:
        """The listed move that begins it: where its first name stands for several moves, the first of these."""
        name = next(self.moves(), "")
        if name and self.puzzle.board.weight(name) > 1:
            name = name.partition("*")[0]
        return [number for number, move in enumerate(self.puzzle.moves) if move.name == name]

    def moves(self, offset: int = 0) -> Iterator[str]:
        """Its moves, by name, from number `offset` on."""
        return islice(self.source.constructed(self.text) if self.length else (), offset, None)
