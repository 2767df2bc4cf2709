"""Words: shortest solutions written down in parts, so short that a solution of 10^30 moves takes some hundred of them.

A part moves one disk once, or takes a stack of disks to another stack; the latter unrolls into parts of one disk less.
Of equally short words the first in the order of MOVES is taken, which is what a table gives where the first
optimal move is taken at each state. Two words are compared from their beginning: equal parts are skipped, and where
parts differ the larger one is unrolled. So it takes a few parts of each level to find the first move that differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from puzzlebase.puzzles.families.hanoi.contexts import Choice, Context, graph_of, stacks, under
from puzzlebase.puzzles.families.hanoi.rules import MOVES
from puzzlebase.puzzles.families.hanoi.stacks import Stacks

_PATHS_KEPT = 1 << 9
"""Sets of paths that are kept, some kilobytes each."""

_MOVES_KEPT = 1 << 11
"""Stacks of at most `_AT_ONCE` disks whose moves are kept, 100 bytes each."""

_AT_ONCE = 4

_NUMBER = {posts: number for number, posts in enumerate(MOVES.values())}


class Part(NamedTuple):
    """What takes the largest of some disks, or all of them, from one choice to another.

    Attributes:
        disks: how many disks there are, down to the smallest.
        context: their context; None where the largest alone moves, once.
        begin: their choice before.
        end: their choice after.
        length: how many moves that takes.
    """

    disks: int
    context: Context | None
    begin: Choice
    end: Choice
    length: int

    @property
    def move(self) -> int:
        """The number in MOVES of the move of a single disk."""
        return _NUMBER[self.begin // 2, self.end // 2]


Word = tuple[Part, ...]

Finish = Callable[[Choice, Choice, int, bool], Word | None]
"""From a node, the largest disk's choice and the stack, so many moves from where paths end, to there without another
move of the largest disk; None where that is longer. The last argument: whether the stack has just been moved."""


class Words:
    """The words of what takes stacks to stacks; any thread may ask."""

    def __init__(self, known: Stacks) -> None:
        self.known = known
        self.paths_to = lru_cache(_PATHS_KEPT)(self._paths_to)
        self.moves_at_once = lru_cache(_MOVES_KEPT)(self._moves_at_once)

    def stack(self, disks: int, context: Context, begin: Choice, end: Choice) -> Word:
        """The part that takes a stack to another; nothing where they are one, or of no disks."""
        length = self.known.distance(disks, context, begin, end)
        return (Part(disks, context, begin, end, length),) if length else ()

    def unrolled(self, part: Part) -> Word:
        """The parts of a part that moves a stack: stacks of one disk less, and moves of the largest disk."""
        assert part.context is not None
        paths = self.paths_to(part.disks, part.context, part.end)
        word = paths.onward(graph_of(part.context).ends[part.begin], moved=False)
        assert word is not None
        return word

    def _paths_to(self, disks: int, context: Context, end: Choice) -> Paths:
        """The shortest paths of so many disks to one of their stacks."""
        known, left = self.known, self.known.to_stack(disks, context, end)

        def finish(largest: Choice, stack: Choice, length: int, moved: bool) -> Word | None:
            if largest != end or (moved and stack != end):
                return None
            inner = under(context, end)
            if length != known.distance(disks - 1, inner, stack, end):
                return None
            return self.stack(disks - 1, inner, stack, end)

        return Paths(self, disks, context, left, finish)

    def first(self, words: Iterable[Word]) -> Word | None:
        """The first of some words that lead from one state to another, all of one length; None of none."""
        first = None
        for word in words:
            if first is None or self._is_before(word, first):
                first = word
        return first

    def _is_before(self, word: Word, other: Word) -> bool:
        one, two = list(reversed(word)), list(reversed(other))
        while one and two:
            if one[-1] == two[-1]:
                one.pop()
                two.pop()
                continue
            mine, its = one[-1], two[-1]
            if mine.context is None and its.context is None:
                return mine.move < its.move
            if mine.context is not None and (its.context is None or mine.disks >= its.disks):
                one[-1:] = reversed(self.unrolled(mine))
            if its.context is not None and (mine.context is None or its.disks >= mine.disks):
                two[-1:] = reversed(self.unrolled(its))
        return False

    def moves(self, part: Part) -> bytes | None:
        """The moves of a part, numbered as in MOVES; None of one that is better unrolled."""
        if part.context is None:
            return bytes([part.move])
        return self.moves_at_once(part) if part.disks <= _AT_ONCE else None

    def _moves_at_once(self, part: Part) -> bytes:
        return b"".join(self.moves(each) or b"" for each in self.unrolled(part))


class Paths:
    """The shortest paths in the graph of so many disks to one place, of each the first word."""

    def __init__(self, words: Words, disks: int, context: Context, left: list[int], finish: Finish) -> None:
        """`left` is the distance of each node from that place."""
        self.left = left
        self._words = words
        self._disks = disks
        self._context = context
        self._finish = finish
        self._found: dict[tuple[int, bool], Word | None] = {}

    def onward(self, node: int, *, moved: bool) -> Word | None:
        """The first shortest word from a node; `moved`: the stack has just been moved, so that it does not move now.

        None where no shortest word begins so.
        """
        if (node, moved) not in self._found:
            self._found[node, moved] = self._words.first(self._shortest(node, moved))
        return self._found[node, moved]

    def _shortest(self, node: int, moved: bool) -> Iterable[Word]:
        """The words that begin with different paths of the largest disk."""
        graph, left = graph_of(self._context), self.left
        largest, stack = graph.nodes[node]
        if (last := self._finish(largest, stack, left[node], moved)) is not None:
            yield last
        inner = under(self._context, largest)
        for to in (stack,) if moved else stacks(inner):
            jump = graph.jumps[graph.number[largest, to]]
            if jump >= 0:
                price = self._words.known.distance(self._disks - 1, inner, stack, to)
                if price + 1 + left[jump] == left[node]:
                    word = self._words.stack(self._disks - 1, inner, stack, to)
                    onward = self.onward(jump, moved=False)
                    assert onward is not None
                    yield (*word, Part(self._disks, None, largest, graph.nodes[jump][0], 1), *onward)
