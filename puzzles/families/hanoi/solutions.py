"""One solution of every state, the first of all shortest ones: its moves from any number on, and the states between.

A solution is a word: parts one after another, so few that 10^30 moves take some hundred of them. A part moves one disk
once, or takes some disks from one state to another; the latter unrolls into parts of one disk less. Lengths are known,
so parts are skipped as wholes.

Of equally short words the first in the order of MOVES is taken, which is what a table gives where the first
optimal move is taken at each state. Two words are compared from their beginning: equal parts are skipped, and where
parts differ the larger one is unrolled. So it takes a few parts of each level to find the first move that differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from puzzlebase.puzzles.families.hanoi.distances import HanoiDistances, State, to_stacks
from puzzlebase.puzzles.families.hanoi.rules import MOVES
from puzzlebase.puzzles.families.hanoi.stacks import NO_PATH, Choice, Context, Stacks, graph_of, stacks, under

_PARTS_CACHED = 1 << 12
"""Parts whose words are cached, about a kilobyte each."""

_STATES_CACHED = 1 << 8
"""States of some disks to which distances are cached, or from which those to stacks are."""

_MOVES_CACHED = 1 << 11
"""Stacks of at most `_AT_ONCE` disks whose moves are cached, 100 bytes each."""

_AT_ONCE = 4

_NUMBER = {posts: number for number, posts in enumerate(MOVES.values())}

Lie = Choice | State
"""How some disks lie: a state of theirs, or the choice that all make, where they are a stack or none at all."""


class DiskPart(NamedTuple):
    """Takes some disks from one state to another in the fewest moves.

    Attributes:
        disks: how many disks there are, down to the smallest.
        context: their context; None where the largest alone moves, once.
        begin: how they lie before; where the largest alone moves, its choice.
        end: the same after.
        length: how many moves that takes.
    """

    disks: int
    context: Context | None
    begin: Lie
    end: Lie
    length: int

    @property
    def move(self) -> int:
        """The number in MOVES of the move of a single disk."""
        assert isinstance(self.begin, int)
        assert isinstance(self.end, int)
        return _NUMBER[self.begin // 2, self.end // 2]


Word = tuple[DiskPart, ...]


class HanoiWords:
    """The shortest words of all parts; any thread may ask."""

    def __init__(self, known: Stacks) -> None:
        self.known = known
        self.unrolled = lru_cache(_PARTS_CACHED)(self._unrolled)
        self._moves_at_once = lru_cache(_MOVES_CACHED)(self._join_moves)
        self._to = lru_cache(_STATES_CACHED)(partial(HanoiDistances, known))
        self._to_stacks = lru_cache(_STATES_CACHED)(partial(to_stacks, known))

    def word(self, disks: int, context: Context, begin: Lie, end: Lie) -> Word:
        """The part between two states of some disks; nothing where they are equal or no path joins them."""
        length = self._distance(disks, context, begin, end)
        return (DiskPart(disks, context, begin, end, length),) if 0 < length < NO_PATH else ()

    def _distance(self, disks: int, context: Context, begin: Lie, end: Lie) -> int:
        if isinstance(begin, int):
            begin, end = end, begin  # as far there as back
        if isinstance(begin, int):
            assert isinstance(end, int)
            return self.known.distance(disks, context, begin, end)
        if isinstance(end, int):
            return self._to_stacks(context, begin)[0][end]
        return self._to(context, end).distance(begin)

    def _unrolled(self, part: DiskPart) -> Word:
        """The first shortest word of a part that takes disks from state to state: what the smaller ones do, and moves.

        The largest stays, or the others go to a stack and it moves, and all go on from there.
        """
        disks, context, begin, end, length = part
        assert context is not None
        graph, (largest, rest), (last, goal) = graph_of(context), split(begin), split(end)
        left = self.known.to_stack(disks, context, end) if isinstance(end, int) else self._left(context, end)
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
        return self._first(words)

    def _left(self, context: Context, end: State) -> list[int]:
        return self._to(context, end).from_vertices(0, context)

    def _first(self, words: list[Word]) -> Word:
        """The first of some words that lead from one state to another, all of one length."""
        first, *others = words
        for word in others:
            if self._is_before(word, first):
                first = word
        return first

    def _is_before(self, word: Word, other: Word) -> bool:
        one, two = list(reversed(word)), list(reversed(other))
        while one and two:
            mine, its = one[-1], two[-1]
            if mine == its:
                one.pop()
                two.pop()
                continue
            if mine.context is None and its.context is None:
                return mine.move < its.move
            if mine.context is not None and (its.context is None or mine.disks >= its.disks):
                one[-1:] = reversed(self.unrolled(mine))
            if its.context is not None and (mine.context is None or its.disks >= mine.disks):
                two[-1:] = reversed(self.unrolled(its))
        return False

    def moves(self, part: DiskPart) -> bytes | None:
        """The moves of a part, numbered as in MOVES; None of one that is better unrolled."""
        if part.context is None:
            return bytes([part.move])
        return self._moves_at_once(part) if part.disks <= _AT_ONCE else None

    def _join_moves(self, part: DiskPart) -> bytes:
        return b"".join(self.moves(each) or b"" for each in self.unrolled(part))


def lie(state: State) -> Lie:
    """How the disks of a state lie; there is at least one."""
    return state if any(choice != state[0] for choice in state) else state[0]


def split(lies: Lie) -> tuple[Choice, Lie]:
    """The choice of the largest of some disks, and how all others lie."""
    return (lies, lies) if isinstance(lies, int) else (lies[0], lie(lies[1:]))


class HanoiSolutions:
    """Solutions to one goal state; any thread may ask. There are no moves where there is no path."""

    def __init__(self, words: HanoiWords, context: Context, goal: State) -> None:
        self._words = words
        self._context = context
        self._goal = goal

    def _word(self, state: State) -> Word:
        return self._words.word(len(state), self._context, lie(state), lie(self._goal))

    def moves(self, state: State, skip: int = 0) -> Iterator[bytes]:
        """The moves of a state's solution without the first `skip`, some at a time, numbered as in MOVES."""
        ahead = [*self._word(state)]
        while ahead:
            part = ahead.pop()
            if skip >= part.length:
                skip -= part.length
            elif (moves := self._words.moves(part)) is not None:
                yield moves[skip:]
                skip = 0
            else:
                ahead.extend(reversed(self._words.unrolled(part)))

    def state_before(self, state: State, number: int) -> State:
        """The state before move `number` of a state's solution, from 0; at its end the last one."""
        ahead = [*self._word(state)]
        while ahead and number > 0:
            part = ahead.pop()
            if number >= part.length:
                number -= part.length
                first = len(state) - part.disks
                if not isinstance(part.end, int):
                    state = (*state[:first], *part.end)
                else:
                    moved = part.disks if part.context else 1
                    state = (*state[:first], *(part.end,) * moved, *state[first + moved :])
            else:
                ahead.extend(reversed(self._words.unrolled(part)))
        return state

    def moves_by_disk(self, state: State) -> list[int]:
        """How often each disk moves in a state's solution, the largest first."""
        counts = [0] * len(state)
        found: dict[DiskPart, list[int]] = {}
        for part in self._word(state):
            _add(counts, self._counted(part, found))
        return counts

    def _counted(self, part: DiskPart, found: dict[DiskPart, list[int]]) -> list[int]:
        """The moves of a part's disks, the largest first; what has been found is kept."""
        if part.context is None:
            return [1] + [0] * (part.disks - 1)
        counts = found.get(part)
        if counts is None:
            counts = found[part] = [0] * part.disks
            for inner in self._words.unrolled(part):
                _add(counts, self._counted(inner, found))
        return counts


def _add(counts: list[int], more: list[int]) -> None:
    """Add the counts of some of the smallest disks to those of more."""
    for at in range(1, len(more) + 1):
        counts[-at] += more[-at]
