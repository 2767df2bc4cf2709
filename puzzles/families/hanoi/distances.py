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

from functools import lru_cache
from heapq import heapify, heappop, heappush

from puzzlebase.puzzles.families.hanoi.contexts import (
    Choice,
    Context,
    State,
    context_graph,
    context_stack,
    context_under,
    representative_context,
    stacks_in_context,
)

NO_PATH = 1 << 160
"""A distance as large as this means that there is no path.
The longest path of 64 disks is below 2^110.
"""

# results cached of each function, about 1 kB each; of stacks, 64 disks have at most 3,500
_CACHED = 1 << 13


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
    lengths, number = _from_vertices(context, end), context_graph(context).number
    if _is_stack(begin):
        return lengths[number[begin[0], begin[0]]]
    ways = [
        length + lengths[number[begin[0], stack]] for stack, length in _to_stacks(context, begin)
    ]
    if begin[0] == end[0] and not _is_stack(end):
        ways.append(distance(context_under(context, begin[0]), begin[1:], end[1:]))
    return min(ways)


def _is_stack(state: State) -> bool:
    return state.count(state[0]) == len(state)


@lru_cache(_CACHED)
def _to_stacks(context: Context, state: State) -> list[tuple[Choice, int]]:
    """The stacks that all disks but the largest can go to, and how far it is."""
    inner, rest = context_under(context, state[0]), state[1:]
    return [
        (stack, distance(inner, rest, context_stack(stack, len(rest))))
        for stack in stacks_in_context(inner)
    ]


@lru_cache(_CACHED)
def _from_vertices(context: Context, end: State) -> list[int]:
    """The distance of each vertex of the graph to a state, NO_PATH if none leads to it (Dijkstra).

    The context is a representative. Only the first disk can have three neutral posts. So a level
    has at most five graphs of at most 21 vertices to stacks, and 64 levels take 0.7 MB.
    """
    graph, smaller = context_graph(context), len(end) - 1
    inner = context_under(context, end[0])
    ahead = [
        (distance(inner, context_stack(stack, smaller), end[1:]), graph.number[end[0], stack])
        for stack in stacks_in_context(inner)
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
    graph = context_graph(context)
    largest, begin = graph.vertices[vertex]
    inner, jump = context_under(context, largest), graph.jumps[vertex]
    edges = [
        (
            graph.number[largest, end],
            distance(inner, context_stack(begin, smaller), context_stack(end, smaller)),
        )
        for end in stacks_in_context(inner)
        if end != begin
    ]
    return [*edges, (jump, 1)] if jump >= 0 else edges
