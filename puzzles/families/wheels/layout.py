"""Color wheels as data: two circles of radius 1 whose centres are sqrt 2 apart.

So corners and edges take 30 degrees each of the rim. The other wheel's circle, turned by steps of
60 degrees, cuts a wheel.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import cos, pi, sin, sqrt

from puzzlebase.puzzles import Effect, Goal, Layout, Motion, Place, Turn
from puzzlebase.puzzles.contract.layout import numbered, piece_in
from puzzlebase.puzzles.families.wheels.board import (
    PLACES,
    SIXTHS,
    UNCOLOURED,
    WheelRules,
    parse,
    play,
)

_RADIUS, _MARGIN = 100.0, 10.0
_APART = sqrt(2) * _RADIUS
_CENTRES = {
    "L": complex(_MARGIN + _RADIUS, _MARGIN + _RADIUS),
    "R": complex(_MARGIN + _RADIUS + _APART, _MARGIN + _RADIUS),
}
_WIDTH, _HEIGHT = round(2 * (_MARGIN + _RADIUS) + _APART, 2), 2 * (_MARGIN + _RADIUS)
_LETTER = 14.0
_PAINT = {"B": "#2f6fde", "R": "#d8433b", "G": "#2e9e4f", "Y": "#f2c230", "K": "#2b2b2b"}
_FIVE = ("#d8433b", "#2f6fde", "#f2c230", "#2e9e4f", "#9a4fc4")
_PLAIN = "#e9e6df"


def layout(rules: WheelRules, text: str, _goal: Goal) -> Layout:
    """The pieces of a state, each with its colour and outline; raises as `parse`."""
    parse(rules, text)
    paint = _PAINT
    if UNCOLOURED in text:
        paint = dict(zip(sorted(set(text) - {UNCOLOURED}), _FIVE, strict=True)) | {
            UNCOLOURED: _PLAIN
        }
    pieces = tuple(
        piece_in(place, name, outline, paint[letter], letter.strip(UNCOLOURED), _LETTER)
        for (place, outline), letter, name in zip(_places(), text, _ids(text), strict=True)
    )
    return Layout(_WIDTH, _HEIGHT, tuple(place for place, _ in _places()), (), pieces)


def effect(rules: WheelRules, text: str, move: str) -> Effect:
    """The turn of a wheel with all its pieces; raises as `play`."""
    play(rules, text, move)
    sixths = next(k for k, suffix in SIXTHS.items() if suffix == move[1:])
    centre = _CENTRES[move[0]]
    turn = Turn(round(centre.real, 2), centre.imag, 60.0 * (sixths if sixths < 4 else sixths - 6))
    turned = tuple(_ids(text)[:12] if move[0] == "L" else _ids(text)[9:])
    return Effect(turned, tuple(Motion(piece=piece, turn=turn) for piece in turned))


def _ids(text: str) -> list[str]:
    """The ids of the pieces by place: kind, letter and number."""
    return numbered(
        f"{'edge' if place % 2 == 0 else 'corner'}-{letter.strip(UNCOLOURED)}"
        for place, letter in enumerate(text)
    )


# from a wheel's centre to where the circles that bound a corner cross
_CROSSING = sqrt(1.5) - sqrt(0.5)
_CORNER = ((-1, 1), (1, 1), (0, _CROSSING)), (1, 1, 1), sqrt(2 / 3)
_EDGE = ((-1, 1), (1, 1), (2, _CROSSING), (-2, _CROSSING)), (1, 0, 1, 0), sqrt(1 / 2)
"""A piece seen from a wheel's centre: points by their angle in twelfths of pi and distance, 1 if
the arc behind a point bulges clockwise, and the centroid's distance. A corner is inside three
circles, an edge inside two and outside two.
"""


@cache
def _places() -> tuple[tuple[Place, str], ...]:
    """The places, each with the outline of its piece."""
    places = []
    for number in range(PLACES):
        # The lens's middle, place 10, is at angle 0 of the left wheel and at 180 of the right one.
        centre = _CENTRES["L" if number < 12 else "R"]
        angle = (number - 10) * pi / 6 if number < 12 else pi - (number - 10) * pi / 6
        points, sweeps, far = _EDGE if number % 2 == 0 else _CORNER
        outline = _outline(
            [_at(centre, angle + aside * pi / 12, distance) for aside, distance in points], sweeps
        )
        middle = _at(centre, angle, far)
        places.append((Place(str(number), round(middle.real, 2), round(middle.imag, 2)), outline))
    return tuple(places)


def _at(centre: complex, angle: float, distance: float) -> complex:
    return centre + _RADIUS * distance * complex(cos(angle), sin(angle))


def _outline(points: list[complex], sweeps: tuple[int, ...]) -> str:
    """Write SVG path data through points along arcs of the wheels' radius;
    sweep 1 bulges clockwise.
    """
    path = f"M{points[0].real:.2f} {points[0].imag:.2f}"
    for (_, to), sweep in zip(pairwise([*points, points[0]]), sweeps, strict=True):
        path += f"A{_RADIUS:g} {_RADIUS:g} 0 0 {sweep} {to.real:.2f} {to.imag:.2f}"
    return path + "Z"
