"""One solution of every state, the first of all shortest ones: its moves from any number on, and the states between.

A solution goes from the state to a stack of the disks smaller than the largest that has to move, through the graph of
that disk, and from a stack to the goal. Lengths are known, so parts are skipped as wholes.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzlebase.puzzles.families.hanoi.contexts import Choice, graph_of, stacks
from puzzlebase.puzzles.families.hanoi.distances import Choices, Distances, contexts_along, is_stack, to_stacks
from puzzlebase.puzzles.families.hanoi.stacks import NO_PATH
from puzzlebase.puzzles.families.hanoi.words import Part, Paths, Word, Words


class Solutions:
    """Solutions to one goal state; any thread may ask. There are no moves where there is no path."""

    def __init__(self, words: Words, distances: Distances) -> None:
        self._words = words
        self._distances = distances
        self._n = len(distances.goal)
        self._paths: dict[int, Paths] = {}

    def moves(self, state: Choices, skip: int = 0) -> Iterator[bytes]:
        """The moves of a state's solution without the first `skip`, some at a time, numbered as in MOVES."""
        ahead = list(reversed(self._word(state)))
        while ahead:
            part = ahead.pop()
            if skip >= part.length:
                skip -= part.length
            elif (moves := self._words.moves(part)) is not None:
                yield moves[skip:]
                skip = 0
            else:
                ahead.extend(reversed(self._words.unrolled(part)))

    def state_before(self, state: Choices, number: int) -> list[Choice]:
        """The state before move `number` of a state's solution, from 0; at its end the last one."""
        reached = list(state)
        ahead = list(reversed(self._word(state)))
        while ahead and number > 0:
            part = ahead.pop()
            if number >= part.length:
                number -= part.length
                moved = part.disks if part.context else 1
                first = self._n - part.disks
                reached[first : first + moved] = [part.end] * moved
            else:
                ahead.extend(reversed(self._words.unrolled(part)))
        return reached

    def moves_by_disk(self, state: Choices) -> list[int]:
        """How often each disk moves in a state's solution, the largest first."""
        counts: list[int] = [0] * self._n
        found: dict[Part, list[int]] = {}
        for part in self._word(state):
            _add(counts, self._counted(part, found))
        return counts

    def _counted(self, part: Part, found: dict[Part, list[int]]) -> list[int]:
        """The moves of a part's disks, the largest first; what has been found is kept."""
        if part.context is None:
            return [1] + [0] * (part.disks - 1)
        counts = found.get(part)
        if counts is None:
            counts = found[part] = [0] * part.disks
            for inner in self._words.unrolled(part):
                _add(counts, self._counted(inner, found))
        return counts

    def _word(self, state: Choices) -> Word:
        """The first shortest word to the goal; nothing where there is no path."""
        distances = self._distances
        length = distances.distance(state)
        if not 0 < length < NO_PATH:
            return ()
        beginnings = _ToStacks(self._words, distances, state)
        beginnings.find()
        word = self._words.first(self._shortest(beginnings, length))
        assert word is not None
        return word

    def _shortest(self, to_stacks: _ToStacks, length: int) -> Iterator[Word]:
        """The words of this length, by which of the largest disks moves and where the smaller ones wait for that."""
        for i, stack, node in to_stacks.nodes():
            if to_stacks.lengths[i + 1][stack] + self._distances.from_nodes(i)[node] == length:
                onward = self._to_goal(i).onward(node, moved=True)
                if onward is not None:
                    yield (*to_stacks.word(i + 1, stack), *onward)

    def _to_goal(self, i: int) -> Paths:
        """The paths to the goal of the disks behind the i largest, which are in place."""
        paths = self._paths.get(i)
        if paths is None:
            self._find_from_stacks(i)

            def finish(largest: Choice, stack: Choice, length: int, moved: bool) -> Word | None:
                in_place = not moved and largest == self._distances.goal[i]
                if in_place and length == self._distances.goal_to_stacks[i + 1][stack]:
                    return self._from_stack(i + 1, stack)
                return None

            context, left = self._distances.contexts[i], self._distances.from_nodes(i)
            paths = self._paths[i] = Paths(self._words, self._n - i, context, left, finish)
        return paths

    def _find_from_stacks(self, i: int) -> None:
        """Find the words of fewer disks, one level after another, since 64 calls within one another go deep."""
        for below in range(self._n - 1, i, -1):
            if below in self._paths or is_stack(self._distances.goal, below):
                continue
            for stack, length in enumerate(self._distances.goal_to_stacks[below]):
                if length < NO_PATH:
                    self._from_stack(below, stack)

    def _from_stack(self, i: int, stack: Choice) -> Word:
        """The word from a stack of the disks behind the i largest to the goal, where these may be a stack too."""
        if i == self._n:
            return ()
        goal = self._distances.goal
        if is_stack(goal, i):
            return self._words.stack(self._n - i, self._distances.contexts[i], stack, goal[i])
        word = self._to_goal(i).onward(graph_of(self._distances.contexts[i]).ends[stack], moved=False)
        assert word is not None
        return word


def _add(counts: list[int], more: list[int]) -> None:
    """Add the counts of some of the smallest disks to those of more."""
    for at in range(1, len(more) + 1):
        counts[-at] += more[-at]


class _ToStacks:
    """The words from a state to the stacks of its smallest disks."""

    def __init__(self, words: Words, distances: Distances, state: Choices) -> None:
        self.lengths = to_stacks(distances.known, contexts_along(distances.contexts[0], state), state)
        self._words = words
        self._state = state
        self._contexts = contexts_along(distances.contexts[0], state)
        self._last = distances.agreeing(state)
        self._found: dict[tuple[int, Choice], Word] = {}

    def find(self) -> None:
        """Find all words, those of the fewest disks first, since 64 calls within one another go deep."""
        for i in range(len(self._state) - 1, 0, -1):
            for end, length in enumerate(self.lengths[i]):
                if length < NO_PATH:
                    self.word(i, end)

    def nodes(self) -> Iterator[tuple[int, Choice, int]]:
        """For each disk that may be the largest to move: how many are larger, a stack of the smaller, and the node."""
        for i in range(self._last + 1):
            yield from ((i, stack, node) for stack, node in self._next_to(i))

    def _next_to(self, i: int) -> Iterator[tuple[Choice, int]]:
        """The stacks of the disks behind the i largest and the next one, and the nodes that they make with it."""
        number = graph_of(self._contexts[i]).number
        return ((stack, number[self._state[i], stack]) for stack in stacks(self._contexts[i + 1]))

    def word(self, i: int, end: Choice) -> Word:
        """The first shortest word of the disks behind the i largest to a stack that they can reach."""
        if i == len(self._state):
            return ()
        if is_stack(self._state, i):
            return self._words.stack(len(self._state) - i, self._contexts[i], self._state[i], end)
        word = self._found.get((i, end))
        if word is None:
            word = self._words.first(self._shortest(i, end))
            assert word is not None
            self._found[i, end] = word
        return word

    def _shortest(self, i: int, end: Choice) -> Iterator[Word]:
        paths = self._words.paths_to(len(self._state) - i, self._contexts[i], end)
        for stack, node in self._next_to(i):
            if self.lengths[i + 1][stack] + paths.left[node] == self.lengths[i][end]:
                onward = paths.onward(node, moved=True)
                if onward is not None:
                    yield (*self.word(i + 1, stack), *onward)
