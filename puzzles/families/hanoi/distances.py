"""Distances between any two states of any number of disks.

When the largest of some disks moves, all smaller ones are on the third post, since neither of the other two may hold
one. Between its moves the smaller disks go from stack to stack; to them it is only a colour of its post. A vertex of a
graph is a choice of the largest disk and a stack of all smaller ones. The graph is the same for every number of disks.
An edge is a move of the largest disk, at price 1, or a path of the smaller disks from stack to stack, at the price of
its length. Only the prices grow with the number of disks: they are integers of any length.

Before the largest disk moves for the first time, the smaller ones go from their state to a stack; after its last move
they go from a stack to their places. Or it does not move, and the smaller disks alone go from state to state. So a
distance of n disks is a minimum over distances of n - 1 disks. All are cached, since other states ask for the same.
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

State = tuple[Choice, ...]
"""The choice of each disk, the largest first."""

Lie = Choice | State
"""A state of some disks; if they are a stack or there are none, only the choice that all make."""

CHOICES = range(6)

NO_PATH = 1 << 160
"""A distance as large as this means that there is no path. The longest path of 64 disks is below 2^110."""

_STATES_CACHED = 1 << 12  # results cached of each function about states that are no stacks; about 1 kB each


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


def lie_of(state: State) -> Lie:
    """The state of some disks, at least one, as a Lie."""
    return state if any(choice != state[0] for choice in state) else state[0]


def split(lies: Lie) -> tuple[Choice, Lie]:
    """The choice of the largest of some disks, and the Lie of all others."""
    return (lies, lies) if isinstance(lies, int) else (lies[0], lie_of(lies[1:] or lies))


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
    """

    vertices: tuple[tuple[Choice, Choice], ...]
    number: dict[tuple[Choice, Choice], int]
    jumps: tuple[int, ...]


@cache
def graph_of(context: Context) -> ContextGraph:
    """The graph of a context; it is the same for every number of disks."""
    vertices = tuple((largest, stack) for largest in stacks(context) for stack in stacks(under(context, largest)))
    number = {vertex: at for at, vertex in enumerate(vertices)}
    jumps = []
    for largest, stack in vertices:
        turned = 2 * (3 - largest // 2 - stack // 2) + 1 - largest % 2  # to the third post
        jumps.append(number.get((turned, stack), -1) if largest // 2 != stack // 2 else -1)
    return ContextGraph(vertices, number, tuple(jumps))


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


def distance(disks: int, context: Context, begin: Lie, end: Lie) -> int:
    """The fewest moves of some disks in a context from one state to another; NO_PATH or more if there is no path."""
    if disks == 0:
        return 0
    if isinstance(begin, int):
        begin, end = end, begin  # as far there as back
    if isinstance(begin, int):
        return from_vertex(disks, context, (begin, begin), end)
    return _to_stacks(disks, context, begin)[end] if isinstance(end, int) else _to_state(disks, context, begin, end)


@lru_cache(_STATES_CACHED)
def _to_stacks(disks: int, context: Context, begin: State) -> dict[Choice, int]:
    """The distances of a state to all stacks."""
    largest, rest = split(begin)
    inner, (like, called) = under(context, largest), representative(context)
    number = graph_of(like).number
    starts = [
        (distance(disks - 1, inner, rest, stack), number[called[largest], called[stack]]) for stack in stacks(inner)
    ]
    lengths = {}
    for end in stacks(context):
        row = _from_stack(disks, like, called[end])
        lengths[end] = min([length + row[vertex] for length, vertex in starts])
    return lengths


@lru_cache(_STATES_CACHED)
def _to_state(disks: int, context: Context, begin: State, end: State) -> int:
    (largest, rest), (last, goal) = split(begin), split(end)
    inner = under(context, largest)
    lengths = [
        distance(disks - 1, inner, rest, stack) + from_vertex(disks, context, (largest, stack), end)
        for stack in stacks(inner)
    ]
    if largest == last:
        lengths.append(distance(disks - 1, inner, rest, goal))
    return min(lengths)


def from_vertex(disks: int, context: Context, vertex: tuple[Choice, Choice], end: Lie) -> int:
    """The distance of some disks to a state from a vertex of the graph, whose largest disk moves or is in place."""
    if not isinstance(end, int):
        return _from_state(disks, context, end)[graph_of(context).number[vertex]]
    like, called = representative(context)
    largest, stack = vertex
    return _from_stack(disks, like, called[end])[graph_of(like).number[called[largest], called[stack]]]


@cache
def _from_stack(disks: int, context: Context, stack: Choice) -> list[int]:
    """The distances of all vertices from a stack. The context is a representative.

    Only the first disk can have three neutral posts. So a level has at most five graphs of at most 21 vertices, and 64
    levels take 0.7 MB.
    """
    return _distances(disks, context, stack)


@lru_cache(_STATES_CACHED)
def _from_state(disks: int, context: Context, end: State) -> list[int]:
    return _distances(disks, context, end)


def _distances(disks: int, context: Context, end: Lie) -> list[int]:
    """The distance of each vertex of the graph from a state, NO_PATH if none leads to it (Dijkstra)."""
    graph, (last, goal) = graph_of(context), split(end)
    inner = under(context, last)
    ahead = [(distance(disks - 1, inner, stack, goal), graph.number[last, stack]) for stack in stacks(inner)]
    heapify(ahead)
    edges, lengths = _edges(disks, context), [NO_PATH] * len(graph.vertices)
    while ahead:
        length, vertex = heappop(ahead)
        if length < lengths[vertex]:
            lengths[vertex] = length
            for to, price in edges[vertex]:
                if length + price < lengths[to]:
                    heappush(ahead, (length + price, to))
    return lengths


@lru_cache(_STATES_CACHED)
def _edges(disks: int, context: Context) -> list[list[tuple[int, int]]]:
    """By vertex: the ends of its edges, and their prices."""
    graph = graph_of(context)
    edges: list[list[tuple[int, int]]] = [[(jump, 1)] if jump >= 0 else [] for jump in graph.jumps]
    for vertex, (largest, begin) in enumerate(graph.vertices):
        inner = under(context, largest)
        for end in stacks(inner):
            if end != begin:
                edges[vertex].append((graph.number[largest, end], distance(disks - 1, inner, begin, end)))
    return edges
