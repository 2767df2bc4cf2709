"""Distances between any two states of any number of disks.

When the largest of some disks moves, all smaller ones are on the third post, since neither of the
other two may hold one. Between its moves the smaller disks go from stack to stack; to them it is
only a colour of its post. A vertex of a graph is a choice of the largest disk and a stack of all
smaller ones. The graph is the same for every number of disks. An edge is a move of the largest
disk, at price 1, or a path of the smaller disks from stack to stack, at the price of its length.
Only the prices grow with the number of disks: they are integers of any length.

Before the largest disk moves for the first time, the smaller ones go from their state to a stack;
after its last move they go from a stack to their places. Or it does not move, and the smaller disks
alone go from state to state. So a distance of n disks is a minimum over distances of n - 1 disks.
All are cached, since other states ask for the same.
"""

from __future__ import annotations

from functools import cache, lru_cache
from heapq import heapify, heappop, heappush
from itertools import permutations
from typing import NamedTuple

Context = tuple[int, ...]
"""For each post, the colour asked of disks that come to it: 0 (none), 1 (red) or 2 (blue)."""

Choice = int
"""2 * post + colour of a disk; or a stack, disks that all make this choice."""

State = bytes
"""The choice of each of some disks, the largest first."""

CHOICES = range(6)

NO_PATH = 1 << 160
"""A distance as large as this means that there is no path.
The longest path of 64 disks is below 2^110.
"""

# results cached of each function, about 1 kB each; of stacks, 64 disks have at most 3,500
_CACHED = 1 << 13


def context_of_posts(posts: str) -> Context:
    """The context of posts of these colours, such as `RNB`."""
    return tuple("NRB".index(post) for post in posts)


def context_takes(context: Context, choice: Choice) -> bool:
    """True if the context allows a disk, or a stack, this choice."""
    return context[choice // 2] in (0, 1 + choice % 2)


def context_under(context: Context, choice: Choice) -> Context:
    """The context of the smaller disks while a larger one makes this choice."""
    asked = list(context)
    asked[choice // 2] = 1 + choice % 2
    return tuple(asked)


@cache
def stacks_allowed(context: Context) -> tuple[Choice, ...]:
    """The stacks that a context allows, at most six."""
    return tuple(choice for choice in CHOICES if context_takes(context, choice))


class ContextGraph(NamedTuple):
    """The graph of some disks in a context, without the edges of the smaller ones.

    Attributes:
        vertices: the choice of the largest, and the stack of all smaller ones; at most 30.
        number: the number of a vertex.
        jumps: the vertex after the only move of the largest, -1 if the stack or the third post's
            colour forbids it.
    """

    vertices: tuple[tuple[Choice, Choice], ...]
    number: dict[tuple[Choice, Choice], int]
    jumps: tuple[int, ...]


@cache
def graph_of(context: Context) -> ContextGraph:
    """The graph of a context; it is the same for every number of disks."""
    vertices = tuple(
        (largest, stack)
        for largest in stacks_allowed(context)
        for stack in stacks_allowed(context_under(context, largest))
    )
    number = {vertex: at for at, vertex in enumerate(vertices)}
    jumps = []
    for largest, stack in vertices:
        turned = 2 * (3 - largest // 2 - stack // 2) + 1 - largest % 2  # to the third post
        jumps.append(number.get((turned, stack), -1) if largest // 2 != stack // 2 else -1)
    return ContextGraph(vertices, number, tuple(jumps))


@cache
def representative_context(context: Context) -> tuple[Context, bytes]:
    """The first context that equals this one up to names of posts and colours,
    and how it translates states.

    The 27 contexts have six representatives.
    """
    found = []
    for posts in permutations(range(3)):
        for swap in (0, 1):
            asked = [0, 0, 0]
            for post, colour in enumerate(context):
                asked[posts[post]] = colour and (colour - 1 ^ swap) + 1
            called = bytes(2 * posts[choice // 2] + (choice % 2 ^ swap) for choice in CHOICES)
            found.append((tuple(asked), bytes.maketrans(bytes(CHOICES), called)))
    return min(found)


def distance(context: Context, begin: State, end: State) -> int:
    """The fewest moves of some disks in a context from one state to another;
    NO_PATH or more if there is no path.
    """
    if begin == end:
        return 0
    context, names = representative_context(context)
    begin, end = begin.translate(names), end.translate(names)
    if _is_stack(begin):
        begin, end = end, begin  # as far there as back
    lengths, number = _from_vertices(context, end), graph_of(context).number
    if _is_stack(begin):
        return lengths[number[begin[0], begin[0]]]
    ways = [
        length + lengths[number[begin[0], stack]] for stack, length in _to_stacks(context, begin)
    ]
    if begin[0] == end[0] and not _is_stack(end):
        ways.append(distance(context_under(context, begin[0]), begin[1:], end[1:]))
    return min(ways)


def stacked(stack: Choice, disks: int) -> State:
    """The state of so many disks in a stack."""
    return bytes([stack]) * disks


def _is_stack(state: State) -> bool:
    return state.count(state[0]) == len(state)


@lru_cache(_CACHED)
def _to_stacks(context: Context, state: State) -> list[tuple[Choice, int]]:
    """The stacks that all disks but the largest can go to, and how far it is."""
    inner, rest = context_under(context, state[0]), state[1:]
    return [
        (stack, distance(inner, rest, stacked(stack, len(rest)))) for stack in stacks_allowed(inner)
    ]


@lru_cache(_CACHED)
def _from_vertices(context: Context, end: State) -> list[int]:
    """The distance of each vertex of the graph to a state, NO_PATH if none leads to it (Dijkstra).

    The context is a representative. Only the first disk can have three neutral posts. So a level
    has at most five graphs of at most 21 vertices to stacks, and 64 levels take 0.7 MB.
    """
    graph, smaller = graph_of(context), len(end) - 1
    inner = context_under(context, end[0])
    ahead = [
        (distance(inner, stacked(stack, smaller), end[1:]), graph.number[end[0], stack])
        for stack in stacks_allowed(inner)
    ]
    heapify(ahead)
    lengths = [NO_PATH] * len(graph.vertices)
    while ahead:
        length, vertex = heappop(ahead)
        if length < lengths[vertex]:
            lengths[vertex] = length
            for to, price in _edges(context, smaller, vertex):
                if length + price < lengths[to]:
                    heappush(ahead, (length + price, to))
    return lengths


@lru_cache(_CACHED)
def _edges(context: Context, smaller: int, vertex: int) -> list[tuple[int, int]]:
    """The ends of a vertex's edges, and their prices with so many smaller disks."""
    graph = graph_of(context)
    largest, begin = graph.vertices[vertex]
    inner, jump = context_under(context, largest), graph.jumps[vertex]
    edges = [
        (
            graph.number[largest, end],
            distance(inner, stacked(begin, smaller), stacked(end, smaller)),
        )
        for end in stacks_allowed(inner)
        if end != begin
    ]
    return [*edges, (jump, 1)] if jump >= 0 else edges
