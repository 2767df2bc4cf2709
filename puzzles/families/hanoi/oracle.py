"""The oracle of the Magnetic Tower of Hanoi: exact distances, optimal moves and solutions, in the texts of states.

It needs no data: distances between stacks are found when they are first needed, and cached. A solution is a word: some
hundred parts for 10^30 moves. A part moves one disk once, or takes some disks from one state to another. The second
kind unrolls into parts with one disk less. Lengths are known, so parts are skipped as wholes.

Of equally short words the oracle takes the first in the order of MOVES: it makes the first optimal move at each state.
It compares two words from their beginning, skips equal parts, and unrolls the larger of two different ones. So it comes
to the first move that differs by a few parts of each level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles import UNREACHED
from puzzlebase.puzzles.families.hanoi.board import format_board, parse
from puzzlebase.puzzles.families.hanoi.colouring import MOVES, HanoiRules
from puzzlebase.puzzles.families.hanoi.distances import (
    NO_PATH,
    Context,
    Lie,
    State,
    context_of,
    distance,
    from_vertex,
    graph_of,
    lie_of,
    split,
    stacks,
    under,
)

_PARTS_CACHED = 1 << 11  # words cached, by part, about a kilobyte each

_NUMBER = {posts: number for number, posts in enumerate(MOVES.values())}  # of each move, by its posts


class DiskPart(NamedTuple):
    """The fewest moves of some disks from one state to another.

    Attributes:
        disks: the number of disks, down to the smallest.
        context: their context; None if the largest alone moves, once.
        begin: their state before; where the largest alone moves, its choice.
        end: the same after.
        length: the number of moves.
    """

    disks: int
    context: Context | None
    begin: Lie
    end: Lie
    length: int


Word = tuple[DiskPart, ...]


def word_of(disks: int, context: Context, begin: Lie, end: Lie) -> Word:
    """The part between two states of some disks; nothing if they are equal or no path joins them."""
    length = distance(disks, context, begin, end)
    return (DiskPart(disks, context, begin, end, length),) if 0 < length < NO_PATH else ()


@lru_cache(_PARTS_CACHED)
def unrolled(part: DiskPart) -> Word:
    """The first shortest word of a part that takes disks from state to state.

    The largest stays; or the others go to a stack, it moves, and all go on from there.
    """
    disks, context, begin, end, length = part
    assert context is not None
    graph, (largest, rest), (last, goal) = graph_of(context), split(begin), split(end)
    inner = under(context, largest)
    words = []
    if largest == last and distance(disks - 1, inner, rest, goal) == length:
        words.append(word_of(disks - 1, inner, rest, goal))
    for stack in stacks(inner):
        jump = graph.jumps[graph.number[largest, stack]]
        if jump < 0:
            continue
        left = from_vertex(disks, context, graph.vertices[jump], end)
        if distance(disks - 1, inner, rest, stack) + 1 + left == length:
            to, _ = graph.vertices[jump]
            after = lie_of((to, *(stack,) * (disks - 1)))
            onward = unrolled(DiskPart(disks, context, after, end, left)) if left else ()
            alone = DiskPart(disks, None, largest, to, 1)
            words.append((*word_of(disks - 1, inner, rest, stack), alone, *onward))
    return reduce(_first, words)


def _first(word: Word, other: Word) -> Word:
    """The first of two words of one length between the same states."""
    one, two = list(reversed(word)), list(reversed(other))
    while one and two:
        mine, its = one[-1], two[-1]
        if mine == its:
            one.pop()
            two.pop()
            continue
        if mine.context is None and its.context is None:
            return word if _move(mine) < _move(its) else other
        if mine.context is not None and (its.context is None or mine.disks >= its.disks):
            one[-1:] = reversed(unrolled(mine))
        if its.context is not None and (mine.context is None or its.disks >= mine.disks):
            two[-1:] = reversed(unrolled(its))
    return word


def _move(part: DiskPart) -> int:
    assert isinstance(part.begin, int)
    assert isinstance(part.end, int)
    return _NUMBER[part.begin // 2, part.end // 2]


class HanoiSolver:
    """Exact answers about one goal; any thread may ask. Methods take texts of states and raise what `parse` raises."""

    def __init__(self, rules: HanoiRules, goal: Sequence[str]) -> None:
        """Take a goal: one state, or none if the destination refuses its colour and no state reaches it."""
        self._rules = rules
        self._context = context_of(rules.posts)
        self._goal = lie_of(self._read(goal[0])) if goal else None

    def _read(self, text: str) -> State:
        return tuple(parse(self._rules, text).tolist())

    def distance(self, text: str) -> int:
        """The fewest moves to the goal, UNREACHED if there is no path."""
        state = self._read(text)
        if self._goal is None:
            return UNREACHED
        length = distance(self._rules.n, self._context, lie_of(state), self._goal)
        return length if length < NO_PATH else UNREACHED

    def distances(self, texts: Sequence[str]) -> list[int]:
        """The distance of each state."""
        return [self.distance(text) for text in texts]

    def line(self, text: str, offset: int = 0) -> Iterator[str]:
        """The moves of the first shortest solution, from move number `offset` on, lazily; none without a path."""
        skip = max(offset, 0)
        ahead, names = [*self._word(self._read(text))], tuple(MOVES)
        while ahead:
            part = ahead.pop()
            if skip >= part.length:
                skip -= part.length
            elif part.context is None:
                yield names[_move(part)]
            else:
                ahead.extend(reversed(unrolled(part)))

    def _word(self, state: State) -> Word:
        return () if self._goal is None else word_of(self._rules.n, self._context, lie_of(state), self._goal)

    def state_at(self, text: str, offset: int) -> str:
        """The state before move number `offset` of that solution, or its last state."""
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
                ahead.extend(reversed(unrolled(part)))
        return format_board(np.array(state, np.uint8))
