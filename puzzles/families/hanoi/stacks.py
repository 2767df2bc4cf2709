"""Distances from stack to stack of any number of disks, each number's from those of one disk less.

A distance is an integer of any length. The graph of a context has links of two kinds: a move of the largest disk, at
price 1, and the smaller disks going from stack to stack, at the price of that. Its shortest paths are Dijkstra's.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from heapq import heapify, heappop, heappush

from puzzlebase.puzzles.families.hanoi.contexts import Choice, Context, graph_of, representative, stacks, under

NO_PATH = 1 << 160
"""What is at least this is no distance: there is no path. The longest path of 64 disks is below 2^110."""

Links = list[list[tuple[int, int]]]
"""By node: where its links lead, and their prices."""


class Stacks:
    """Distances between stacks, kept when they have been found; any thread may ask.

    Contexts that differ by names alone share them, and where every post is neutral nothing asks below the first
    disk. So a level has at most five graphs of at most 21 nodes, and 64 levels take 30 ms and 0.7 MB.
    """

    def __init__(self) -> None:
        self._rows: dict[tuple[int, Context], dict[Choice, list[int]]] = {}

    def rows(self, disks: int, context: Context) -> dict[Choice, list[int]]:
        """By stack: the distance to it from each node of the graph. The context must be a representative."""
        if (disks, context) not in self._rows:
            for level in range(1, disks):  # one after another, since 64 calls within one another go deep
                for like in _below(context):
                    self._find(level, like)
            self._find(disks, context)
        return self._rows[disks, context]

    def _find(self, disks: int, context: Context) -> None:
        """Find the rows of a level from those of the level below."""
        if (disks, context) not in self._rows:
            links, ends = self.links(disks, context), graph_of(context).ends
            self._rows[disks, context] = {stack: shortest(links, [(0, end)]) for stack, end in ends.items()}

    def distance(self, disks: int, context: Context, begin: Choice, end: Choice) -> int:
        """From a stack to a stack, both allowed in the context."""
        if disks == 0:
            return 0
        like, called = representative(context)
        return self.rows(disks, like)[called[end]][graph_of(like).ends[called[begin]]]

    def to_stack(self, disks: int, context: Context, end: Choice) -> list[int]:
        """From each node of the graph to a stack of all the disks."""
        like, called = representative(context)
        row, number = self.rows(disks, like)[called[end]], graph_of(like).number
        return [row[number[called[largest], called[stack]]] for largest, stack in graph_of(context).nodes]

    def links(self, disks: int, context: Context) -> Links:
        """The links of the graph of so many disks, 1 or more."""
        graph = graph_of(context)
        found: Links = [[] for _ in graph.nodes]
        for at, jump in enumerate(graph.jumps):
            if jump >= 0:
                found[at].append((jump, 1))
        for largest in stacks(context):
            inner = under(context, largest)
            for begin in stacks(inner):
                for end in stacks(inner):
                    price = self.distance(disks - 1, inner, begin, end)
                    if begin != end and price < NO_PATH:
                        found[graph.number[largest, begin]].append((graph.number[largest, end], price))
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


def shortest(links: Links, begin: Iterable[tuple[int, int]]) -> list[int]:
    """The distance of each node from the nearest beginning, each a distance and a node; NO_PATH where none leads."""
    distances = [NO_PATH] * len(links)
    ahead = list(begin)
    heapify(ahead)
    while ahead:
        distance, node = heappop(ahead)
        if distance < distances[node]:
            distances[node] = distance
            for to, price in links[node]:
                if distance + price < distances[to]:
                    heappush(ahead, (distance + price, to))
    return distances
