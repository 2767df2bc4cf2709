"""Reference implementation of Panguru: places are points of the plane,
and straight lines lead from point to point.

Nothing here imports anything of the project. A state is its text, `-` the hole. The point of a
place is (x, y): y counts rows from the top, neighbours in a row are 2 apart, and the middle of the
triangle is x = 0.
"""

from __future__ import annotations

from collections.abc import Iterable

Point = tuple[int, int]

STEPS = ((2, 0), (1, 1), (-1, 1))
"""The directions along a row and along both families of diagonals."""

DOWN_THE_CENTRE = (0, 2)


def points(places: int) -> list[Point]:
    """The points of a triangle with some number of places."""
    found: list[Point] = []
    y = 0
    while len(found) < places:
        found += [(x, y) for x in range(-y, y + 1, 2)]
        y += 1
    return found


def in_line(place: int, places: int, *, centre: bool = True) -> set[int]:
    """The places in a straight line with a place, perhaps without the centre line."""
    triangle = points(places)
    start = triangle[place]
    found = set()
    for step in (*STEPS, DOWN_THE_CENTRE) if start[0] == 0 and centre else STEPS:
        for sign in (1, -1):
            x, y = start
            while (x, y) in triangle:
                found.add(triangle.index((x, y)))
                x, y = x + sign * step[0], y + sign * step[1]
    return found - {place}


def neighbours(state: str, *, centre: bool = True) -> Iterable[tuple[str, str]]:
    """Every state one move away, with the move: any pebble in line with the hole leaps there."""
    hole = state.index("-")
    for place in sorted(in_line(hole, len(state), centre=centre)):
        after = list(state)
        after[hole], after[place] = state[place], "-"
        yield str(place), "".join(after)


def levels(start: str, solved: str) -> list[set[str]]:
    """All states on shortest solutions, by the moves left:
    sets grown from both ends until they meet.
    """
    near, far = [{solved}], [{start}]
    while not near[-1] & far[-1]:
        grown = near if len(near[-1]) <= len(far[-1]) else far
        grown.append(around(grown[-1]) - grown[-1] - (grown[-2] if len(grown) > 1 else set()))
    met = near[-1] & far[-1]
    return [*reversed(towards(near, met)), met, *towards(far, met)]


def towards(layers: list[set[str]], met: set[str]) -> list[set[str]]:
    """The states of each layer but the last, from there to the first,
    on shortest paths to states of the last.
    """
    found = [met]
    for layer in reversed(layers[:-1]):
        found.append(layer & around(found[-1]))
    return found[1:]


def around(states: set[str]) -> set[str]:
    """All states one move away from any of some states."""
    return {after for state in states for _, after in neighbours(state)}


def canonical(plates: str) -> str:
    """Rename the colours of plates by first appearance."""
    names = {"W": "W"}
    for plate in plates:
        names.setdefault(plate, chr(ord("a") + len(names) - 1))
    return "".join(names[plate] for plate in plates)
