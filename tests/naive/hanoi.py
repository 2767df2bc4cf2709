"""The Magnetic Tower of Hanoi once more, as disks with two sides, in plain Python; see __init__.py.

A state is its text, `R3.2.1||`; a variant is the colours of its posts, `RNB`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, product

from tests.naive import Neighbours

MOVES = ["SI", "SD", "IS", "ID", "DS", "DI"]

Disk = tuple[int, str, str]
"""A disk: its number, 1 the largest, the side that is up, and the side that is down."""


def disk(number: int, up: str) -> Disk:
    return number, up, {"R": "B", "B": "R"}[up]


def read(state: str) -> list[list[Disk]]:
    """The disks of each post from bottom to top."""
    posts = []
    for post in state.split("|"):
        numbers = [int(number) for number in post[1:].split(".") if number]
        posts.append([disk(number, post[0]) for number in reversed(numbers)])
    return posts


def write(posts: list[list[Disk]]) -> str:
    return "|".join(
        post[-1][1] + ".".join(str(number) for number, _, _ in reversed(post)) if post else ""
        for post in posts
    )


def stands(post: list[Disk], colour: str) -> bool:
    """True for a legal pile, by sizes, touching sides and the colour of the post."""
    return all(
        below[0] < above[0] and below[1] != above[2]  # a larger disk has a smaller number
        for below, above in pairwise(post)
    ) and all(colour in ("N", up) for _, up, _ in post)


def move(state: str, name: str, variant: str) -> str | None:
    """The state after a move; None where it is illegal."""
    posts = read(state)
    source, target = ("SID".index(letter) for letter in name)
    if not posts[source]:
        return None
    number, up, down = posts[source].pop()
    posts[target].append((number, down, up))
    return write(posts) if stands(posts[target], variant[target]) else None


def neighbours(variant: str) -> Neighbours:
    """Every state one move away, with the move."""

    def after(state: str) -> Iterable[tuple[str, str]]:
        moved = ((name, move(state, name, variant)) for name in MOVES)
        return [(name, to) for name, to in moved if to is not None]

    return after


def every_state(variant: str, n: int) -> list[str]:
    """All legal piles of n disks, each either side up."""
    states = []
    for lie in product(range(3), repeat=n):
        for ups in product("RB", repeat=n):
            posts: list[list[Disk]] = [[], [], []]
            for number, (post, up) in enumerate(zip(lie, ups, strict=True), 1):
                posts[post].append(disk(number, up))
            if all(stands(post, colour) for post, colour in zip(posts, variant, strict=True)):
                states.append(write(posts))
    return states
