"""Contexts, stacks, and the graph of what the largest disk can do. Each is found once, from the rules.

When the largest of some disks moves, all smaller ones stand on the third post: none may lie on it, none where it goes.
So between two of its moves the smaller disks go from one stack to another, and it is for them no more than a
colour of the post that it lies on. The stacks of all smaller disks, with each choice of the largest, are the nodes of a
graph of at most 30 nodes, which is the same for every number of disks: only its prices grow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations

Context = tuple[int, ...]
"""What each post asks of the disks that come to it: 0 (nothing), 1 (red) or 2 (blue)."""

Choice = int
"""2 * post + colour: where a disk lies and what it shows; or a stack, disks that all make this choice."""

CHOICES = range(6)


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


@dataclass(frozen=True)
class Graph:
    """What some disks can do in a context, seen by the largest of them.

    Attributes:
        nodes: the choice of the largest, and the stack of all smaller ones.
        number: the number of a node.
        jumps: the node after the only move that the largest can make there, -1 where it can make none: the stack
            is in its way, or the third post refuses it.
        ends: the node where all disks are one stack, by that stack.
    """

    nodes: tuple[tuple[Choice, Choice], ...]
    number: dict[tuple[Choice, Choice], int]
    jumps: tuple[int, ...]
    ends: dict[Choice, int]


@cache
def graph_of(context: Context) -> Graph:
    """The graph of a context."""
    nodes = tuple((largest, stack) for largest in stacks(context) for stack in stacks(under(context, largest)))
    number = {node: at for at, node in enumerate(nodes)}
    jumps = []
    for largest, stack in nodes:
        to = turned_to(largest, 3 - largest // 2 - stack // 2) if largest // 2 != stack // 2 else -1
        jumps.append(number.get((to, stack), -1))
    return Graph(nodes, number, tuple(jumps), {stack: number[stack, stack] for stack in stacks(context)})


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
