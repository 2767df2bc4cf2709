"""The graph of all states of the classical tower as a picture,
Sierpinski's triangle; distances are shades.
"""

from __future__ import annotations

from cmath import pi, rect
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from puzzlebase.puzzles import Layout, Shape, circle
from puzzlebase.puzzles.contract.layout import polygon

MAX_DRAWN = 4  # disks: of more, a picture does not tell states apart

State = tuple[str, ...]
"""The disks of each post."""

_RADIUS, _MARGIN = 400.0, 24.0
_DISC = (15.0, 10.0, 6.5, 4.2)  # the radius of a disc, by the number of disks
_MOVE, _PATH = (3.6, "#b9b2a5"), (8.0, "#d8433b")  # widths and colours of lines
_NEAR, _FAR = (0xFD, 0xE7, 0x25), (0x44, 0x01, 0x54)


def graph_picture(
    disks: str,
    moves: Sequence[tuple[State, State]],
    distances: Mapping[State, int],
    path: Sequence[State],
    write: Callable[[State], str],
) -> Layout:
    """Draw the moves between two states, the distance of each state to the goal,
    and one path; `write` names states.
    """
    points = {state: _RADIUS * _point(disks, state) for state in distances}
    corner = complex(min(at.real for at in points.values()), min(at.imag for at in points.values()))
    points = {state: point - corner + complex(_MARGIN, _MARGIN) for state, point in points.items()}
    marks = []
    for title, pairs, width, colour in (
        ("moves", moves, *_MOVE),
        ("the path", [*pairwise(path)], *_PATH),
    ):
        outline = "".join(_line(points[one], points[two], width) for one, two in pairs)
        marks.append(Shape(id=title, outline=outline, colour=colour, x=0, y=0))
    for state, point in points.items():
        ends = state in (path[0], path[-1])
        marks.append(
            Shape(
                id=f"state-{write(state)}",
                title=f"{write(state)}, distance {distances[state]}",
                outline=circle(
                    point.real, point.imag, _DISC[len(disks) - 1] * (1.5 if ends else 1)
                ),
                colour=_shade(distances[state] / max(distances.values())),
                x=point.real,
                y=point.imag,
                label=str(distances[state]) if ends or len(disks) <= 2 else "",
            )
        )
    width, height = (
        max(at) + _MARGIN for at in zip(*((p.real, p.imag) for p in points.values()), strict=True)
    )
    return Layout(width, height, (), tuple(marks), ())


def _point(disks: str, state: State) -> complex:
    """The place of a state: one of three corners for each disk,
    at half the distance of the one before.
    """
    corners, point = [0, 1, 2], 0j  # of each post, where smaller disks lie
    for size, disk in enumerate(disks, 1):
        post = next(post for post in range(3) if disk in state[post])
        point += rect(0.5**size, pi * (2 / 3 * corners[post] + 5 / 6))
        one, other = {0, 1, 2} - {post}
        corners[one], corners[other] = corners[other], corners[one]
    return point


def _line(one: complex, two: complex, width: float) -> str:
    """The outline of a line."""
    aside = (two - one) * 1j / abs(two - one) * width / 2
    corners = (one + aside, two + aside, two - aside, one - aside)
    return polygon((corner.real, corner.imag) for corner in corners)


def _shade(far: float) -> str:
    """A colour between light at 0 and dark at 1."""
    return (
        "#"
        + bytes(
            round(near + (dark - near) * far) for near, dark in zip(_NEAR, _FAR, strict=True)
        ).hex()
    )
