"""Contexts of disks: the colours that larger ones ask of smaller ones.
Each allows some stacks, and has a graph.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import NamedTuple

Context = tuple[int, ...]
"""For each post, the colour asked of disks that come to it: 0 (none), 1 (red) or 2 (blue)."""
Choice = int
"""2 * post + colour of a disk; or a stack, disks that all make this choice."""
State = bytes
"""The choice of each of some disks, the largest first."""
CHOICES = range(6)


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
def stacks_in_context(context: Context) -> tuple[Choice, ...]:
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
def context_graph(context: Context) -> ContextGraph:
    """The graph of a context; it is the same for every number of disks."""
    vertices = tuple(
        (largest, stack)
        for largest in stacks_in_context(context)
        for stack in stacks_in_context(context_under(context, largest))
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


def context_stack(stack: Choice, disks: int) -> State:
    """The state of so many disks that are all in one stack of a context."""
    return bytes([stack]) * disks
