"""The oracle of the Magnetic Tower of Hanoi: exact distances, optimal moves and solutions, in the texts of states.

It needs no data. What others build and store is found here anew when it is first asked for, in 30 ms for 64 disks: less
than it takes to open a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain

import numpy as np

from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.puzzle import played
from puzzlebase.puzzles.contract.space import UNREACHED
from puzzlebase.puzzles.families.hanoi.board import format_board, parse, play
from puzzlebase.puzzles.families.hanoi.distances import HanoiDistances, State
from puzzlebase.puzzles.families.hanoi.rules import MOVES, HanoiRules
from puzzlebase.puzzles.families.hanoi.solutions import HanoiSolutions, HanoiWords
from puzzlebase.puzzles.families.hanoi.stacks import NO_PATH, Stacks, context_of


@cache
def words() -> HanoiWords:
    """What all solvers share: it depends on no variant, number of disks or goal, and holds at most 4 MB."""
    return HanoiWords(Stacks())


def load(rules: HanoiRules, _stored: Mapping[str, bytes], goal: Goal) -> HanoiSolver:
    """A solver for a goal."""
    return HanoiSolver(rules, goal.states)


class HanoiSolver:
    """Exact answers about one goal; any thread may ask. Methods take texts of states and raise what `parse` raises."""

    def __init__(self, rules: HanoiRules, goal: Sequence[str]) -> None:
        """A goal is one state, or none where the destination refuses its colour: then nothing reaches it."""
        self._rules = rules
        self._to: tuple[HanoiDistances, HanoiSolutions] | None = None
        for text in goal:
            context, solved = context_of(rules.posts), self._read(text)
            distances = HanoiDistances(words().known, context, solved)
            self._to = distances, HanoiSolutions(words(), context, solved)

    def _read(self, text: str) -> State:
        return tuple(parse(self._rules, text).tolist())

    def distance(self, text: str) -> int:
        """Fewest moves to the goal, UNREACHED where there is no path."""
        state = self._read(text)
        length = self._to[0].distance(state) if self._to else NO_PATH
        return length if length < NO_PATH else UNREACHED

    def distances(self, texts: Sequence[str]) -> list[int]:
        """The distance of each state."""
        return [self.distance(text) for text in texts]

    def optimal_moves(self, text: str) -> list[str]:
        """The moves with which shortest paths begin, in the order of MOVES; none at the goal or without a path."""
        distance = self.distance(text)
        after = played(partial(play, self._rules), text, MOVES)
        return [move for move, state in after.items() if distance > 0 and self.distance(state) == distance - 1]

    def line(self, text: str, offset: int = 0) -> Iterator[str]:
        """The moves of the first of all shortest solutions, from move number `offset` on (0 is the first).

        There are none where there is no path. The state is read at once, the moves are found as they are taken.
        """
        state = self._read(text)
        moves = self._to[1].moves(state, max(offset, 0)) if self._to else ()
        return map(tuple(MOVES).__getitem__, chain.from_iterable(moves))

    def moves_by_disk(self, text: str) -> list[int]:
        """How often each disk moves in that solution, the largest first."""
        state = self._read(text)
        return self._to[1].moves_by_disk(state) if self._to else [0] * len(state)

    def state_at(self, text: str, offset: int) -> str:
        """The state before move number `offset` of that solution, at its end the last state."""
        state = self._read(text)
        return format_board(np.array(self._to[1].state_before(state, offset), np.uint8)) if self._to else text
