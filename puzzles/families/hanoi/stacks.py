"""Contexts, stacks, and the distances from stack to stack of any number of disks.

When the largest of some disks moves, all smaller ones stand on the third post: none may lie on it, none where it goes.
So between two of its moves the smaller disks go from one stack to another, and it is for them no more than a colour of
its post. A choice of the largest and a stack of all smaller ones are a vertex of a graph that is the same for every
number of disks. It has edges of two kinds: a move of the largest disk, at price 1, and the smaller disks going from
stack to stack, at the price of that. Only prices grow, and they are integers of any length.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import permutations, product
from typing import NamedTuple

Context = tuple[int, ...]
"""What each post asks of the disks that come to it: 0 (nothing), 1 (red) or 2 (blue)."""

Choice = int
"""2 * post + colour: where a disk lies and what it shows; or a stack, disks that all make this choice."""

CHOICES = range(6)

NO_PATH = 1 << 160
"""What is at least this is no distance: there is no path. The longest path of 64 disks is below 2^110."""

Edges = list[list[tuple[int, int]]]
"""By vertex: where its edges lead, and their prices."""


def context_of(posts: str) -> Context:
    """What posts of these colours ask for, `RNB` say."""
    return tuple("NRB".index(post) for post in posts)


def takes(context: Context, choice: Choice) -> bool:
    """Whether the context allows a disk, or a stack, to make this choice."""
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
    """What some disks can do in a context, seen by the largest of them.

    Attributes:
        vertices: the choice of the largest, and the stack of all smaller ones; at most 30.
        number: the number of a vertex.
        jumps: the vertex after the only move that the largest can make there, -1 where it can make none: the stack is
            in its way, or the third post refuses it.
        ends: the vertex where all disks are one stack, by that stack.
    """

    vertices: tuple[tuple[Choice, Choice], ...]
    number: dict[tuple[Choice, Choice], int]
    jumps: tuple[int, ...]
    ends: dict[Choice, int]


@cache
def graph_of(context: Context) -> ContextGraph:
    """The graph of a context."""
    vertices = tuple((largest, stack) for largest in stacks(context) for stack in stacks(under(context, largest)))
    number = {vertex: at for at, vertex in enumerate(vertices)}
    jumps = []
    for largest, stack in vertices:
        to = turned_to(largest, 3 - largest // 2 - stack // 2) if largest // 2 != stack // 2 else -1
        jumps.append(number.get((to, stack), -1))
    return ContextGraph(vertices, number, tuple(jumps), {stack: number[stack, stack] for stack in stacks(context)})


@cache
def representative(context: Context) -> tuple[Context, tuple[Choice, ...]]:
    """The first of the contexts that differ by the names of posts and colours alone, and what each stack is there.

    There are six of them, for 27 contexts.
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
    """Distances between stacks, cached when they have been found; any thread may ask.

    Contexts that differ by names alone share them, and where every post is neutral nothing asks below the first
    disk. So a level has at most five graphs of at most 21 vertices, and 64 levels take 30 ms and 0.7 MB.
    """

    def __init__(self) -> None:
        self._rows: dict[tuple[int, Context], dict[Choice, list[int]]] = {}

    def rows(self, disks: int, context: Context) -> dict[Choice, list[int]]:
        """By stack: the distance to it from each vertex of the graph. The context must be a representative."""
        if (disks, context) not in self._rows:
            levels = product(range(1, disks), _below(context))  # in order, since 64 calls within one another go deep
            for level in (*levels, (disks, context)):
                if level not in self._rows:
                    edges, ends = self.edges(*level), graph_of(level[1]).ends
                    self._rows[level] = {stack: shortest(edges, [(0, end)]) for stack, end in ends.items()}
        return self._rows[disks, context]

    def distance(self, disks: int, context: Context, begin: Choice, end: Choice) -> int:
        """From a stack to a stack, both allowed in the context."""
        if disks == 0:
            return 0
        like, called = representative(context)
        return self.rows(disks, like)[called[end]][graph_of(like).ends[called[begin]]]

    def to_stack(self, disks: int, context: Context, end: Choice) -> list[int]:
        """From each vertex of the graph to a stack of all the disks."""
        like, called = representative(context)
        row, number = self.rows(disks, like)[called[end]], graph_of(like).number
        return [row[number[called[largest], called[stack]]] for largest, stack in graph_of(context).vertices]

    def edges(self, disks: int, context: Context) -> Edges:
        """The edges of the graph of so many disks, 1 or more."""
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
    """The representatives of the contexts that smaller disks may be in, however many larger ones lie around them."""
    found: dict[Context, None] = {}
    ahead = [context]
    while ahead:
        outer = ahead.pop()
        for largest in stacks(outer):
            like, _ = representative(under(outer, largest))
            if like not in found:
                found[like] = None
                ahead.append(like)
    return tuple(found)


def shortest(edges: Edges, begin: Iterable[tuple[int, int]]) -> list[int]:
    """The distance of each vertex from the nearest of `begin`, distances and vertices; NO_PATH where none leads."""
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
