"""Distances of any number of disks: from stack to stack, and from any state to one goal state.

When the largest of some disks moves, all smaller ones are on the third post, since neither of the other two may hold
one. Between its moves the smaller disks go from stack to stack; to them it is only a colour of its post. A vertex of a
graph is a choice of the largest disk and a stack of all smaller ones. The graph is the same for every number of disks.
An edge is a move of the largest disk, at price 1, or a path of the smaller disks from stack to stack, at the price of
its length. Only the prices grow with the number of disks: they are integers of any length.

A state and the goal agree in some of the largest disks. Suppose that disk i + 1 is the largest disk that moves. Then
the smaller disks go from their state to a stack, through the graph of disk i + 1, and from a stack to the goal. So the
distance is the minimum over i, in time linear in the number of disks.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import permutations, product
from typing import NamedTuple

from puzzlebase.puzzles.machinery.small_graphs import breadth_first

Context = tuple[int, ...]
"""For each post, the colour asked of disks that come to it: 0 (none), 1 (red) or 2 (blue)."""

Choice = int
"""2 * post + colour of a disk; or a stack, disks that all make this choice."""

State = tuple[Choice, ...]
"""The choice of each disk, the largest first."""

CHOICES = range(6)

NO_PATH = 1 << 160
"""A distance as large as this means that there is no path. The longest path of 64 disks is below 2^110."""

Edges = list[list[tuple[int, int]]]
"""By vertex: the ends of its edges, and their prices."""


def context_of(posts: str) -> Context:
    """The context of posts of these colours, such as `RNB`."""
    return tuple("NRB".index(post) for post in posts)


def takes(context: Context, choice: Choice) -> bool:
    """True if the context allows a disk, or a stack, this choice."""
    return context[choice // 2] in (0, 1 + choice % 2)


def under(context: Context, choice: Choice) -> Context:
    """The context of the smaller disks while a larger one makes this choice."""
    asked = list(context)
    asked[choice // 2] = 1 + choice % 2
    return tuple(asked)


def turned_to(choice: Choice, post: int) -> Choice:
    """The choice of a disk after its move to another post."""
    return 2 * post + 1 - choice % 2


@cache
def stacks(context: Context) -> tuple[Choice, ...]:
    """The stacks that a context allows, at most six."""
    return tuple(choice for choice in CHOICES if takes(context, choice))


class ContextGraph(NamedTuple):
    """The graph of some disks in a context, without the edges of the smaller ones.

    Attributes:
        vertices: the choice of the largest, and the stack of all smaller ones; at most 30.
        number: the number of a vertex.
        jumps: the vertex after the only move of the largest, -1 if the stack or the third post's colour forbids it.
        ends: the vertex where all disks are one stack, by that stack.
    """

    vertices: tuple[tuple[Choice, Choice], ...]
    number: dict[tuple[Choice, Choice], int]
    jumps: tuple[int, ...]
    ends: dict[Choice, int]


@cache
def graph_of(context: Context) -> ContextGraph:
    """The graph of a context; it is the same for every number of disks."""
    vertices = tuple((largest, stack) for largest in stacks(context) for stack in stacks(under(context, largest)))
    number = {vertex: at for at, vertex in enumerate(vertices)}
    jumps = []
    for largest, stack in vertices:
        to = turned_to(largest, 3 - largest // 2 - stack // 2) if largest // 2 != stack // 2 else -1
        jumps.append(number.get((to, stack), -1))
    return ContextGraph(vertices, number, tuple(jumps), {stack: number[stack, stack] for stack in stacks(context)})


@cache
def representative(context: Context) -> tuple[Context, tuple[Choice, ...]]:
    """The first context that equals this one up to names of posts and colours, and each stack's name there.

    The 27 contexts have six representatives.
    """
    found = []
    for posts in permutations(range(3)):
        for swap in (0, 1):
            asked = [0, 0, 0]
            for post, colour in enumerate(context):
                asked[posts[post]] = colour and (colour - 1 ^ swap) + 1
            found.append((tuple(asked), tuple(2 * posts[stack // 2] + (stack % 2 ^ swap) for stack in CHOICES)))
    return min(found)


class Stacks:
    """Distances between stacks, cached; any thread may ask.

    Contexts that differ by names alone share them, and only the first disk can have three neutral posts. So a level has
    at most five graphs of at most 21 vertices, and 64 levels take 30 ms and 0.7 MB.
    """

    def __init__(self) -> None:
        self._rows: dict[tuple[int, Context], dict[Choice, list[int]]] = {}

    def rows(self, disks: int, context: Context) -> dict[Choice, list[int]]:
        """By stack: its distance from each vertex of the graph. The context must be a representative."""
        if (disks, context) not in self._rows:
            levels = product(range(1, disks), _below(context))  # in order: nested calls would be 64 deep
            for level in (*levels, (disks, context)):
                if level not in self._rows:
                    edges, ends = self.edges(*level), graph_of(level[1]).ends
                    self._rows[level] = {stack: shortest(edges, [(0, end)]) for stack, end in ends.items()}
        return self._rows[disks, context]

    def distance(self, disks: int, context: Context, begin: Choice, end: Choice) -> int:
        """The distance from stack to stack, both allowed in the context."""
        if disks == 0:
            return 0
        like, called = representative(context)
        return self.rows(disks, like)[called[end]][graph_of(like).ends[called[begin]]]

    def to_stack(self, disks: int, context: Context, end: Choice) -> list[int]:
        """The distance from each vertex of the graph to a stack of all disks."""
        like, called = representative(context)
        row, number = self.rows(disks, like)[called[end]], graph_of(like).number
        return [row[number[called[largest], called[stack]]] for largest, stack in graph_of(context).vertices]

    def edges(self, disks: int, context: Context) -> Edges:
        """The edges of the graph, of 1 disk or more."""
        graph = graph_of(context)
        found: Edges = [[(jump, 1)] if jump >= 0 else [] for jump in graph.jumps]
        for at, (largest, begin) in enumerate(graph.vertices):
            inner = under(context, largest)
            for end in stacks(inner):
                price = self.distance(disks - 1, inner, begin, end)
                if begin != end and price < NO_PATH:
                    found[at].append((graph.number[largest, end], price))
        return found


@cache
def _below(context: Context) -> tuple[Context, ...]:
    """The representatives of all contexts of smaller disks, for any number of larger ones."""

    def smaller(outer: Context) -> Iterable[Context]:
        return (representative(under(outer, largest))[0] for largest in stacks(outer))

    return tuple(found for found, _ in breadth_first(smaller(context), smaller))


def shortest(edges: Edges, begin: Iterable[tuple[int, int]]) -> list[int]:
    """The distance of each vertex from the nearest of `begin`, (distance, vertex) each; NO_PATH if none leads to it."""
    distances = [NO_PATH] * len(edges)
    ahead = list(begin)
    heapify(ahead)
    while ahead:
        distance, vertex = heappop(ahead)
        if distance < distances[vertex]:
            distances[vertex] = distance
            for to, price in edges[vertex]:
                if distance + price < distances[to]:
                    heappush(ahead, (distance + price, to))
    return distances


class HanoiDistances:
    """Distances to one goal state; any thread may ask."""

    def __init__(self, known: Stacks, context: Context, goal: State) -> None:
        self._known = known
        self.context = context
        self.goal = goal
        self._to_stacks = to_stacks(known, under(context, goal[0]), goal[1:])
        self._from_vertices: dict[int, list[int]] = {}

    def from_vertices(self, i: int, context: Context) -> list[int]:
        """The distance to the goal from each vertex of the graph of disk i + 1; the i larger disks are in place."""
        found = self._from_vertices.get(i)
        if found is None:
            number, inner = graph_of(context).number, self._to_stacks[i]
            begin = [(inner[stack], number[self.goal[i], stack]) for stack in stacks(under(context, self.goal[i]))]
            edges = self._known.edges(len(self.goal) - i, context)
            found = self._from_vertices[i] = shortest(edges, [each for each in begin if each[0] < NO_PATH])
        return found

    def distance(self, state: State) -> int:
        """The fewest moves from a state to the goal, NO_PATH if there is no path.

        A disk that agrees with the goal may still have to move: then a smaller i gives the minimum.
        """
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
    """For i = 0 .. n: the distances of the disks smaller than disk i to each stack, NO_PATH if there is no path."""
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
    """The vertices with this choice, by stack, and the ends, as the context's representative names them."""
    like, called = representative(context)
    number = graph_of(like).number
    begin = [(stack, number[called[largest], called[stack]]) for stack in stacks(under(context, largest))]
    return begin, [(stack, called[stack]) for stack in stacks(context)]
