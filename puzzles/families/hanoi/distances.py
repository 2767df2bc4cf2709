"""Distances from any state to one goal state, in time linear in the number of disks.

Suppose that the state and the goal agree in their i largest disks, and take the disk behind them. If it moves at all,
the disks smaller than it come from their state to a stack, go on through the graph of its context, and from a stack to
the goal. So the distance is the minimum over i, where the disks that agree stay where they are: they are colours of
posts for the others. A disk that agrees may have to move all the same: then a smaller i gives the minimum.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from puzzlebase.puzzles.families.hanoi.contexts import CHOICES, Choice, Context, graph_of, representative, stacks, under
from puzzlebase.puzzles.families.hanoi.stacks import NO_PATH, Stacks, shortest

Choices = Sequence[Choice]
"""A state: the choice of each disk, the largest first."""

ToStacks = list[int]
"""By choice: the distance from a state of some disks to that stack, NO_PATH where there is none."""


class Distances:
    """Distances to one goal state; any thread may ask."""

    def __init__(self, known: Stacks, context: Context, goal: Choices) -> None:
        self.known = known
        self.goal = goal
        self.contexts = contexts_along(context, goal)
        self.goal_to_stacks = to_stacks(known, self.contexts, goal)
        self._from_nodes: dict[int, list[int]] = {}

    def from_nodes(self, i: int) -> list[int]:
        """The distance to the goal from each node of the disks behind the i largest, while these are in place."""
        found = self._from_nodes.get(i)
        if found is None:
            found = self._from_nodes[i] = self._find_from_nodes(i)
        return found

    def _find_from_nodes(self, i: int) -> list[int]:
        disks, context, largest = len(self.goal) - i, self.contexts[i], self.goal[i]
        if is_stack(self.goal, i):
            return self.known.to_stack(disks, context, largest)
        number, inner = graph_of(context).number, self.goal_to_stacks[i + 1]
        begin = [(inner[stack], number[largest, stack]) for stack in stacks(self.contexts[i + 1])]
        return shortest(self.known.links(disks, context), [each for each in begin if each[0] < NO_PATH])

    def distance(self, state: Choices) -> int:
        """Fewest moves from a state to the goal, NO_PATH where none leads there."""
        if state == self.goal:
            return 0
        contexts = contexts_along(self.contexts[0], state)
        inner = to_stacks(self.known, contexts, state)
        return min(
            inner[i + 1][stack] + self.from_nodes(i)[graph_of(contexts[i]).number[state[i], stack]]
            for i in range(self.agreeing(state) + 1)
            for stack in stacks(contexts[i + 1])
        )

    def agreeing(self, state: Choices) -> int:
        """How many of the largest disks lie in a state as they do in the goal; all but the last at most."""
        last = len(self.goal) - 1
        return next((i for i in range(last) if state[i] != self.goal[i]), last)


def is_stack(state: Choices, i: int) -> bool:
    """Whether the disks behind the i largest, of which there are some, are a stack."""
    return set(state[i:]) == {state[i]}


def contexts_along(context: Context, state: Choices) -> list[Context]:
    """The context of the disks behind the i largest of a state, for i = 0 .. n."""
    contexts = [context]
    for choice in state:
        contexts.append(under(contexts[-1], choice))
    return contexts


def to_stacks(known: Stacks, contexts: Sequence[Context], state: Choices) -> list[ToStacks]:
    """Item i, 1 .. n: the distances of the disks behind the i largest to each of their stacks. Item 0 is empty."""
    n = len(state)
    found: list[ToStacks] = [[]] * (n + 1)
    found[n] = [0 if choice in stacks(contexts[n]) else NO_PATH for choice in CHOICES]
    for i in range(n - 1, 0, -1):
        inner, like = found[i + 1], representative(contexts[i])[0]
        rows = known.rows(n - i, like)
        begin, ends = _called(contexts[i], state[i])
        found[i] = outer = [NO_PATH] * len(CHOICES)
        for end, called in ends:
            row = rows[called]
            outer[end] = min([inner[stack] + row[node] for stack, node in begin])
    return found


@cache
def _called(context: Context, largest: Choice) -> tuple[list[tuple[Choice, int]], list[tuple[Choice, Choice]]]:
    """What the representative of a context calls its own: the nodes with this choice, by stack, and the ends."""
    like, called = representative(context)
    number = graph_of(like).number
    begin = [(stack, number[called[largest], called[stack]]) for stack in stacks(under(context, largest))]
    return begin, [(stack, called[stack]) for stack in stacks(context)]
