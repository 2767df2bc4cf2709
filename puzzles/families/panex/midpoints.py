"""The program of the paper of 1983: shortest paths with two layers of each side in memory, rebuilt from their middles.

Moves can be taken back, so a layer is what the last one leads to without itself and the one before. The paths from the
start and those from the exchanged towers are mirror images, and the start is its own image when colours and sides are
exchanged together. So one side is enough, and half of it: a quarter of the states.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import count, pairwise

from puzzlebase.puzzles.contract.errors import ImpossibleState, NoSpace
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.puzzle import Puzzle, played
from puzzlebase.puzzles.families.panex.board import MOVES, parse, play
from puzzlebase.tools.methods.record import Method, MethodPath

_LARGEST = 5

Layer = set[str]


@dataclass
class MidpointSearch:
    """The states of a shortest path; the most states that were in memory, and how deep paths lay in paths."""

    most: int = 0
    depth: int = 0

    def path(self, begin: str, end: str, depth: int = 1) -> list[str]:
        """The states from begin to end, both included."""
        if begin == end:
            return [begin]
        if end in _after({begin}):
            return [begin, end]
        self.depth = max(self.depth, depth)
        middle = self._by_symmetry(begin) if end == mirrored(begin) and begin == _twice(begin) else None
        middle = middle or self._between(begin, end)
        return self.path(begin, middle, depth + 1)[:-1] + self.path(middle, end, depth + 1)

    def _by_symmetry(self, begin: str) -> str:
        """A middle of the paths to the mirror image, from the layers of one side, one of two images each."""
        former: Layer = set()
        now = {begin}
        while True:
            later = {min(state, _twice(state)) for state in _after(now)} - now - former
            self.most = max(self.most, len(former) + len(now) + len(later))
            for met in now, later:  # an odd number of moves, or one more
                for state in sorted(later):
                    image = mirrored(state)
                    if min(image, _twice(image)) in met:
                        return state
            former, now = now, later

    def _between(self, begin: str, end: str) -> str:
        """A middle of the paths between two states, from the layers of both sides."""
        sides: list[tuple[Layer, Layer]] = [(set(), {begin}), (set(), {end})]
        for turn in count():
            (former, now), (_, others) = sides[turn % 2], sides[1 - turn % 2]
            later = _after(now) - now - former
            self.most = max(self.most, sum(map(len, (former, now, later, *sides[1 - turn % 2]))))
            if met := later & others:
                return min(met)
            if not later:
                break
            sides[turn % 2] = now, later
        raise ImpossibleState(f"{begin!r} cannot reach {end!r}", "take a state that the start can reach")


def mirrored(state: str) -> str:
    """The state with left and right exchanged."""
    return "|".join(reversed(state.split("|")))


def _twice(state: str) -> str:
    """The state with left and right exchanged, and the colours."""
    return mirrored(state).swapcase()


def _after(states: Layer) -> Layer:
    return {after for state in states for after in played(play, state, MOVES).values()}


@cache
def found(begin: str, end: str) -> tuple[list[str], MidpointSearch]:
    """The names of the moves of a shortest path, and the search."""
    search = MidpointSearch()
    states = search.path(begin, end)
    steps = pairwise(states)
    return [next(move for move, to in played(play, one, MOVES).items() if to == other) for one, other in steps], search


def midpoints(puzzle: Puzzle) -> Method:
    """The program as a method: from any state of towers of at most five to the goal."""
    n = len(puzzle.goals[0].start) // 2 - 1
    if n > _LARGEST:
        raise NoSpace(f"the layers of {puzzle.name} are too many for this program", "take --method seed, or none")

    def path(goal: Goal, text: str) -> MethodPath:
        parse(n, text)
        moves, _ = found(text, goal.states[0])

        def state_at(number: int) -> str:
            state = text
            for move in moves[:number]:
                state = play(state, move)
            return state

        return MethodPath(len(moves), len(moves), True, lambda skip: iter(moves[skip:]), state_at)

    return Method(bound=lambda goal, text: path(goal, text).length, path=path)
