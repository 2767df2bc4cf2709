"""Slow twin of Panguru: places as points of the plane, and straight lines walked from point to point.

Nothing here imports anything of the project. A state is its text, `-` the hole. The point of a place is
(x, y): y counts the rows from the top, neighbours in a row are 2 apart, and the middle of the triangle is x = 0.
"""

from __future__ import annotations

from collections.abc import Iterable

Point = tuple[int, int]

STEPS = ((2, 0), (1, 1), (-1, 1))
"""Along a row and along both families of diagonals."""

DOWN_THE_CENTRE = (0, 2)


def points(places: int) -> list[Point]:
    """The points of a triangle with so many places."""
    found: list[Point] = []
    y = 0
    while len(found) < places:
        found += [(x, y) for x in range(-y, y + 1, 2)]
        y += 1
    return found


def in_line(place: int, places: int) -> set[int]:
    """The places in a straight line with a place."""
    triangle = points(places)
    start = triangle[place]
    found = set()
    for step in (*STEPS, DOWN_THE_CENTRE) if start[0] == 0 else STEPS:
        for way in (1, -1):
            x, y = start
            while (x, y) in triangle:
                found.add(triangle.index((x, y)))
                x, y = x + way * step[0], y + way * step[1]
    return found - {place}


def neighbours(state: str) -> Iterable[tuple[str, str]]:
    """Every state a move away, with the move: any pebble in line with the hole leaps there."""
    hole = state.index("-")
    for place in sorted(in_line(hole, len(state))):
        after = list(state)
        after[hole], after[place] = state[place], "-"
        yield str(place), "".join(after)


def canonical(plates: str) -> str:
    """Plates with their colours named by first appearance, whatever letters they had."""
    names = {"W": "W"}
    for plate in plates:
        names.setdefault(plate, chr(ord("a") + len(names) - 1))
    return "".join(names[plate] for plate in plates)
