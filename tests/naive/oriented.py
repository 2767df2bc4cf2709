"""Color wheels with oriented corners once more,
as a mark on each corner and the angle that it points in.
"""

from __future__ import annotations

from collections.abc import Iterable

from tests.naive import FULL_TURNS, turn

Angles = tuple[int, ...]
"""The direction of the mark of the corner in each corner place, degrees clockwise."""


def outwards(place: int) -> int:
    """The direction of a corner place from its wheel's centre,
    the left one's for a shared place.
    """
    return (place - 10) * 30 if place <= 11 else 180 - (place - 10) * 30


def angles_of(digits: str) -> Angles:
    """The mark of each corner: its digit counts thirds of a turn from outwards."""
    return tuple(outwards(place) + 120 * int(digits[place // 2]) for place in range(1, 21, 2))


def play(state: str, move: str) -> str:
    """The state after a turn: all corners of the wheel go round with their marks."""
    letters, digits = state.split(":")
    places = [chr(65 + place) for place in range(21)]
    came_from = [ord(name) - 65 for name in turn("".join(places), move)]
    sixths = int(move[1]) if move[1:2].isdigit() else 1
    degrees = 60 * (-sixths if move.endswith("'") else sixths)
    marks = angles_of(digits)
    after = ""
    for place in range(1, 21, 2):
        source = came_from[place]
        on_wheel = place <= 11 if move[0] == "L" else place >= 9
        angle = marks[source // 2] + (degrees if on_wheel else 0)
        assert (angle - outwards(place)) % 120 == 0
        after += str((angle - outwards(place)) // 120 % 3)
    return f"{turn(letters, move)}:{after}"


def neighbours(state: str) -> Iterable[tuple[str, str]]:
    """Every state one move away, with the move."""
    for move in FULL_TURNS:
        yield move, play(state, move)
