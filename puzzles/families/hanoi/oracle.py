"""The oracle of the Magnetic Tower of Hanoi: exact distances,
optimal moves and solutions, in the texts of states.

It needs no data: distances between stacks are found when they are first needed, and cached. A
solution is a word: some hundred parts for 10^30 moves. A part moves one disk once, or takes some
disks from one state to another. The second kind unrolls into parts with one disk less. Lengths are
known, so parts are skipped as wholes.

Of equally short words the oracle takes the first in the order of MOVES: it makes the first optimal
move at each state. It compares two words from their beginning, skips equal parts, and unrolls the
larger of two different ones. So it comes to the first move that differs by a few parts of each
level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles import UNREACHED
from puzzlebase.puzzles.families.hanoi.board import format_board, parse
from puzzlebase.puzzles.families.hanoi.contexts import (
    Context,
    State,
    context_graph,
    context_of_posts,
    context_stack,
    context_under,
    stacks_in_context,
)
from puzzlebase.puzzles.families.hanoi.distances import NO_PATH, distance
from puzzlebase.puzzles.families.hanoi.rules import MOVES, HanoiRules

_PARTS_CACHED = 1 << 11  # words cached, by part, about a kilobyte each

# of each move, by its posts
_NUMBER = {posts: number for number, posts in enumerate(MOVES.values())}


class DiskPart(NamedTuple):
    """The fewest moves of some disks, down to the smallest,
    from one state to another; a single move if that is one.

    Attributes:
        context: their context.
        begin: their state before.
        end: the same after.
        length: the number of moves, at least one.
    """

    context: Context
    begin: State
    end: State
    length: int


Word = tuple[DiskPart, ...]


def word_of(context: Context, begin: State, end: State) -> Word:
    """The part between two states of some disks;
    nothing if they are equal or no path joins them.
    """
    length = distance(context, begin, end)
    return (DiskPart(context, begin, end, length),) if 0 < length < NO_PATH else ()


@lru_cache(_PARTS_CACHED)
def _unrolled(part: DiskPart) -> Word:
    """The first shortest word of a part of several moves.

    The largest stays; or the others go to a stack, it moves, and all go on from there.
    """
    context, begin, end, length = part
    graph, largest, rest = context_graph(context), begin[0], begin[1:]
    inner = context_under(context, largest)
    words = []
    if largest == end[0] and distance(inner, rest, end[1:]) == length:
        words.append(word_of(inner, rest, end[1:]))
    for stack in stacks_in_context(inner):
        jump = graph.jumps[graph.number[largest, stack]]
        if jump < 0:
            continue
        gathered = context_stack(stack, len(rest))
        before, after = begin[:1] + gathered, context_stack(graph.vertices[jump][0], 1) + gathered
        left = distance(context, after, end)
        if distance(inner, rest, gathered) + 1 + left == length:
            onward = (
                _unrolled(DiskPart(context, after, end, left))
                if left > 1
                else word_of(context, after, end)
            )
            words.append(
                (*word_of(inner, rest, gathered), DiskPart(context, before, after, 1), *onward)
            )
    return reduce(_first, words)


def _first(word: Word, other: Word) -> Word:
    """The first of two words of one length between the same states."""
    one, two = list(reversed(word)), list(reversed(other))
    while one and two:
        mine, its = one[-1], two[-1]
        single = mine.length == its.length == 1
        if mine == its or (single and _move(mine) == _move(its)):
            one.pop()
            two.pop()
            continue
        if single:
            return word if _move(mine) < _move(its) else other
        if mine.length > 1 and (its.length == 1 or len(mine.begin) >= len(its.begin)):
            one[-1:] = reversed(_unrolled(mine))
        if its.length > 1 and (mine.length == 1 or len(its.begin) >= len(mine.begin)):
            two[-1:] = reversed(_unrolled(its))
    return word


def _move(part: DiskPart) -> int:
    """The number of a single move."""
    [posts] = [
        (old // 2, new // 2) for old, new in zip(part.begin, part.end, strict=True) if old != new
    ]
    return _NUMBER[posts]


class HanoiSolver:
    """Exact answers about one goal; any thread may ask.
    Methods take texts of states and raise what `parse` raises.
    """

    def __init__(self, rules: HanoiRules, goal: str) -> None:
        self._rules = rules
        self._context = context_of_posts(rules.posts)
        self._goal = self._read(goal)

    def _read(self, text: str) -> State:
        return parse(self._rules, text).tobytes()

    def distances(self, texts: Sequence[str]) -> list[int]:
        """The fewest moves from each state to the goal, UNREACHED if there is no path."""
        lengths = (distance(self._context, self._read(text), self._goal) for text in texts)
        return [length if length < NO_PATH else UNREACHED for length in lengths]

    def line(self, text: str, offset: int = 0) -> Iterator[str]:
        """The moves of the first shortest solution,
        from move number `offset` on, lazily; none without a path.
        """
        _, ahead = self._skipped(text, offset)
        names = tuple(MOVES)
        while ahead:
            part = ahead.pop()
            if part.length == 1:
                yield names[_move(part)]
            else:
                ahead.extend(reversed(_unrolled(part)))

    def state_at(self, text: str, offset: int) -> str:
        """The state before move number `offset` of that solution, or its last state."""
        state, _ = self._skipped(text, offset)
        return format_board(np.frombuffer(state, np.uint8))

    def _skipped(self, text: str, offset: int) -> tuple[State, list[DiskPart]]:
        """The state before move number `offset` of the solution,
        and the parts ahead of it, the last one first.
        """
        state = self._read(text)
        ahead = [*word_of(self._context, state, self._goal)]
        while ahead and offset > 0:
            part = ahead.pop()
            if offset >= part.length:
                offset -= part.length
                state = state[: -len(part.end)] + part.end
            else:
                ahead.extend(reversed(_unrolled(part)))
        return state, ahead
