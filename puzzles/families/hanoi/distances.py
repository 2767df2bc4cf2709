"""Distances from any state to one goal state, in time linear in the number of disks.

Suppose that the state and the goal agree in their i largest disks, and take the disk behind them. If it moves at all,
the disks smaller than it come from their state to a stack, go on through the graph of its context, and from a stack to
the goal. So the distance is the minimum over i, where the disks that agree stay where they are: they are colours of
posts for the others. A disk that agrees may have to move all the same: then a smaller i gives the minimum.
"""

from __future__ import annotations

from functools import cache

from puzzlebase.puzzles.families.hanoi.stacks import (
    CHOICES,
    NO_PATH,
    Choice,
    Context,
    Stacks,
    graph_of,
    representative,
    shortest,
    stacks,
    under,
)

State = tuple[Choice, ...]
"""The choice of each disk, the largest first."""


class HanoiDistances:
    """Distances to one goal state; any thread may ask."""

    def __init__(self, known: Stacks, context: Context, goal: State) -> None:
        self._known = known
        self.context = context
        self.goal = goal
        self._to_stacks = to_stacks(known, under(context, goal[0]), goal[1:])
        self._from_vertices: dict[int, list[int]] = {}

    def from_vertices(self, i: int, context: Context) -> list[int]:
        """The distance to the goal from each vertex of the disks behind the i largest, while these are in place."""
        found = self._from_vertices.get(i)
        if found is None:
            number, inner = graph_of(context).number, self._to_stacks[i]
            begin = [(inner[stack], number[self.goal[i], stack]) for stack in stacks(under(context, self.goal[i]))]
            edges = self._known.edges(len(self.goal) - i, context)
            found = self._from_vertices[i] = shortest(edges, [each for each in begin if each[0] < NO_PATH])
        return found

    def distance(self, state: State) -> int:
        """Fewest moves from a state to the goal, NO_PATH where none leads there."""
        if state == self.goal:
            return 0
        context, least = self.context, NO_PATH
        inner = to_stacks(self._known, under(context, state[0]), state[1:])
        for i, (choice, solved) in enumerate(zip(state, self.goal, strict=True)):
            number, onward = graph_of(context).number, self.from_vertices(i, context)
            context = under(context, choice)
            least = min([least, *(inner[i][stack] + onward[number[choice, stack]] for stack in stacks(context))])
            if choice != solved:
                break
        return least


def to_stacks(known: Stacks, context: Context, state: State) -> list[list[int]]:
    """Item i, 0 .. n: by stack, the distance of the disks behind the i largest to it, NO_PATH where there is none."""
    contexts = [context]
    for choice in state:
        contexts.append(under(contexts[-1], choice))
    inner = [0 if choice in stacks(contexts[-1]) else NO_PATH for choice in CHOICES]
    found = [inner]
    for disks, (outer, choice) in enumerate(zip(reversed(contexts[:-1]), reversed(state), strict=True), 1):
        rows = known.rows(disks, representative(outer)[0])
        begin, ends = _called(outer, choice)
        lengths = [NO_PATH] * len(CHOICES)
        for end, called in ends:
            row = rows[called]
            lengths[end] = min([inner[stack] + row[vertex] for stack, vertex in begin])
        inner = lengths
        found.append(inner)
    return found[::-1]


@cache
def _called(context: Context, largest: Choice) -> tuple[list[tuple[Choice, int]], list[tuple[Choice, Choice]]]:
    """What the representative of a context calls its own: the vertices with this choice, by stack, and the ends."""
    like, called = representative(context)
    number = graph_of(like).number
    begin = [(stack, number[called[largest], called[stack]]) for stack in stacks(under(context, largest))]
    return begin, [(stack, called[stack]) for stack in stacks(context)]
