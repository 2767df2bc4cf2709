"""The oracle of the Magnetic Tower of Hanoi: exact distances, optimal moves and solutions, in the texts of states.

It needs no data. What others build and store is found here anew when it is first asked for, in 30 ms for 64 disks: less
than it takes to open a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain

import numpy as np

from puzzlebase.puzzles.contract.space import UNREACHED
from puzzlebase.puzzles.families.hanoi.board import format_board, parse
from puzzlebase.puzzles.families.hanoi.distances import HanoiDistances, State
from puzzlebase.puzzles.families.hanoi.rules import MOVES, HanoiRules
from puzzlebase.puzzles.families.hanoi.solutions import DiskPart, HanoiWords, Word, lie
from puzzlebase.puzzles.families.hanoi.stacks import NO_PATH, Stacks, context_of


@cache
def words() -> HanoiWords:
    """What all solvers share: it depends on no variant, number of disks or goal, and holds at most 5 MB."""
    return HanoiWords(Stacks())


class HanoiSolver:
    """Exact answers about one goal; any thread may ask. Methods take texts of states and raise what `parse` raises."""

    def __init__(self, rules: HanoiRules, goal: Sequence[str]) -> None:
        """A goal is one state, or none where the destination refuses its colour: then nothing reaches it."""
        self._rules = rules
        self._context = context_of(rules.posts)
        self._to: HanoiDistances | None = None
        for text in goal:
            self._to = HanoiDistances(words().known, self._context, self._read(text))

    def _read(self, text: str) -> State:
        return tuple(parse(self._rules, text).tolist())

    def _word(self, state: State) -> Word:
        return words().word(len(state), self._context, lie(state), lie(self._to.goal)) if self._to else ()

    def distance(self, text: str) -> int:
        """Fewest moves to the goal, UNREACHED where there is no path."""
        state = self._read(text)
        length = self._to.distance(state) if self._to else NO_PATH
        return length if length < NO_PATH else UNREACHED

    def distances(self, texts: Sequence[str]) -> list[int]:
        """The distance of each state."""
        return [self.distance(text) for text in texts]

    def line(self, text: str, offset: int = 0) -> Iterator[str]:
        """The moves of the first of all shortest solutions, from move number `offset` on (0 is the first).

        There are none where there is no path. The state is read at once, the moves are found as they are taken.
        """
        return map(tuple(MOVES).__getitem__, chain.from_iterable(self._moves(self._read(text), max(offset, 0))))

    def _moves(self, state: State, skip: int) -> Iterator[bytes]:
        ahead = [*self._word(state)]
        while ahead:
            part = ahead.pop()
            if skip >= part.length:
                skip -= part.length
            elif (moves := words().moves(part)) is not None:
                yield moves[skip:]
                skip = 0
            else:
                ahead.extend(reversed(words().unrolled(part)))

    def state_at(self, text: str, offset: int) -> str:
        """The state before move number `offset` of that solution, at its end the last state."""
        state = self._read(text)
        ahead = [*self._word(state)]
        while ahead and offset > 0:
            part = ahead.pop()
            if offset >= part.length:
                offset -= part.length
                first = len(state) - part.disks
                moved = part.disks if part.context else 1
                after = (part.end,) * moved if isinstance(part.end, int) else part.end
                state = (*state[:first], *after, *state[first + moved :])
            else:
                ahead.extend(reversed(words().unrolled(part)))
        return format_board(np.array(state, np.uint8))

    def moves_by_disk(self, text: str) -> list[int]:
        """How often each disk moves in that solution, the largest first."""
        state = self._read(text)
        found: dict[DiskPart, list[int]] = {}
        return _summed((_counted(part, found) for part in self._word(state)), len(state))


def _counted(part: DiskPart, found: dict[DiskPart, list[int]]) -> list[int]:
    """The moves of a part's disks, the largest first; which `found` caches."""
    if part.context is None:
        return [1] + [0] * (part.disks - 1)
    if part not in found:
        found[part] = _summed((_counted(inner, found) for inner in words().unrolled(part)), part.disks)
    return found[part]


def _summed(counts: Iterable[list[int]], disks: int) -> list[int]:
    """The sum of counts, each of so many of the smallest disks as it is long."""
    total = [0] * disks
    for some in counts:
        for at in range(1, len(some) + 1):
            total[-at] += some[-at]
    return total
