"""The oracle of the Magnetic Tower of Hanoi: exact distances, optimal moves and solutions, in the texts of states.

It needs no data: distances between stacks are found when they are first needed, in 30 ms for 64 disks. A solution is a
word: some hundred parts for 10^30 moves. A part moves one disk once, or takes some disks from one state to another. The
second kind unrolls into parts with one disk less. Lengths are known, so parts are skipped as wholes.

Of equally short words the oracle takes the first in the order of MOVES: it makes the first optimal move at each state.
It compares two words from their beginning, skips equal parts, and unrolls the larger of two different ones. So it comes
to the first move that differs by a few parts of each level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial, reduce
from itertools import chain
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles import UNREACHED
from puzzlebase.puzzles.families.hanoi.board import format_board, parse
from puzzlebase.puzzles.families.hanoi.colouring import MOVES, HanoiRules
from puzzlebase.puzzles.families.hanoi.distances import (
    NO_PATH,
    Choice,
    Context,
    HanoiDistances,
    Stacks,
    State,
    context_of,
    graph_of,
    stacks,
    to_stacks,
    under,
)

_PARTS_CACHED = 1 << 11  # words cached, by part, about a kilobyte each
_STATES_CACHED = 1 << 7  # states cached with the distances to them, and states cached with their distances to stacks
_MOVES_CACHED = 1 << 11  # stacks of at most `_AT_ONCE` disks with cached moves, 100 bytes each
_AT_ONCE = 4

_NUMBER = {posts: number for number, posts in enumerate(MOVES.values())}  # of each move, by its posts

Lie = Choice | State
"""A state of some disks; if they are a stack or there are none, only the choice that all make."""


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


class HanoiWords:
    """The shortest words of all parts; any thread may ask."""

    def __init__(self, known: Stacks) -> None:
        self.known = known
        self.unrolled = lru_cache(_PARTS_CACHED)(self._unrolled)
        self._moves_at_once = lru_cache(_MOVES_CACHED)(self._join_moves)
        self._to = lru_cache(_STATES_CACHED)(partial(HanoiDistances, known))
        self._to_stacks = lru_cache(_STATES_CACHED)(lambda context, state: to_stacks(known, context, state)[0])

    def word(self, disks: int, context: Context, begin: Lie, end: Lie) -> Word:
        """The part between two states of some disks; nothing if they are equal or no path joins them."""
        length = self._distance(disks, context, begin, end)
        return (DiskPart(disks, context, begin, end, length),) if 0 < length < NO_PATH else ()

    def _distance(self, disks: int, context: Context, begin: Lie, end: Lie) -> int:
        if isinstance(begin, int):
            begin, end = end, begin  # as far there as back
        if isinstance(begin, int):
            assert isinstance(end, int)
            return self.known.distance(disks, context, begin, end)
        if isinstance(end, int):
            return self._to_stacks(context, begin)[end]
        return self._to(context, end).distance(begin)

    def _unrolled(self, part: DiskPart) -> Word:
        """The first shortest word of a part that takes disks from state to state.

        The largest stays; or the others go to a stack, it moves, and all go on from there.
        """
        disks, context, begin, end, length = part
        assert context is not None
        graph, (largest, rest), (last, goal) = graph_of(context), _split(begin), _split(end)
        if isinstance(end, int):
            left = self.known.to_stack(disks, context, end)
        else:
            left = self._to(context, end).from_vertices(0, context)
        inner = under(context, largest)
        words = []
        if largest == last and self._distance(disks - 1, inner, rest, goal) == length:
            words.append(self.word(disks - 1, inner, rest, goal))
        for stack in stacks(inner):
            jump = graph.jumps[graph.number[largest, stack]]
            if jump >= 0 and self._distance(disks - 1, inner, rest, stack) + 1 + left[jump] == length:
                to, _ = graph.vertices[jump]
                after = (to, *(stack,) * (disks - 1)) if disks > 1 else to
                words.append(
                    (
                        *self.word(disks - 1, inner, rest, stack),
                        DiskPart(disks, None, largest, to, 1),
                        *(self.unrolled(DiskPart(disks, context, after, end, left[jump])) if left[jump] else ()),
                    )
                )
        return reduce(self._first, words)

    def _first(self, word: Word, other: Word) -> Word:
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
                one[-1:] = reversed(self.unrolled(mine))
            if its.context is not None and (mine.context is None or its.disks >= mine.disks):
                two[-1:] = reversed(self.unrolled(its))
        return word

    def moves(self, part: DiskPart) -> bytes | None:
        """The moves of a part, numbered as in MOVES; None for a part too long to be written out."""
        if part.context is None:
            return bytes([_move(part)])
        return self._moves_at_once(part) if part.disks <= _AT_ONCE else None

    def _join_moves(self, part: DiskPart) -> bytes:
        return b"".join(self.moves(each) or b"" for each in self.unrolled(part))


def _move(part: DiskPart) -> int:
    assert isinstance(part.begin, int)
    assert isinstance(part.end, int)
    return _NUMBER[part.begin // 2, part.end // 2]


def _lie(state: State) -> Lie:
    """The state of some disks, at least one, as a Lie."""
    return state if any(choice != state[0] for choice in state) else state[0]


def _split(lies: Lie) -> tuple[Choice, Lie]:
    """The choice of the largest of some disks, and the Lie of all others."""
    return (lies, lies) if isinstance(lies, int) else (lies[0], _lie(lies[1:]))


@cache
def words() -> HanoiWords:
    """The words that all solvers share: they depend on no variant, number of disks or goal, and take at most 5 MB."""
    return HanoiWords(Stacks())


class HanoiSolver:
    """Exact answers about one goal; any thread may ask. Methods take texts of states and raise what `parse` raises."""

    def __init__(self, rules: HanoiRules, goal: Sequence[str]) -> None:
        """Take a goal: one state, or none if the destination refuses its colour and no state reaches it."""
        self._rules = rules
        self._context = context_of(rules.posts)
        self._to = HanoiDistances(words().known, self._context, self._read(goal[0])) if goal else None

    def _read(self, text: str) -> State:
        return tuple(parse(self._rules, text).tolist())

    def _word(self, state: State) -> Word:
        return words().word(len(state), self._context, _lie(state), _lie(self._to.goal)) if self._to else ()

    def distance(self, text: str) -> int:
        """The fewest moves to the goal, UNREACHED if there is no path."""
        state = self._read(text)
        length = self._to.distance(state) if self._to else NO_PATH
        return length if length < NO_PATH else UNREACHED

    def distances(self, texts: Sequence[str]) -> list[int]:
        """The distance of each state."""
        return [self.distance(text) for text in texts]

    def line(self, text: str, offset: int = 0) -> Iterator[str]:
        """The moves of the first shortest solution, from move number `offset` on, lazily; none without a path."""
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
                ahead.extend(reversed(words().unrolled(part)))
        return format_board(np.array(state, np.uint8))
