"""Panguru as data: pebbles in a triangle, each on a larger plate."""

from __future__ import annotations

from functools import cache
from itertools import chain
from math import sqrt

from puzzlebase.puzzles import Goal
from puzzlebase.puzzles.contract.layout import (
    Effect,
    Layout,
    Motion,
    Place,
    Shape,
    circle,
    numbered,
    piece_in,
    polygon,
)
from puzzlebase.puzzles.families.panguru.board import (
    HOLE,
    ODD,
    PanguruRules,
    board_colours,
    parse,
    play,
)

_PEBBLE, _PLATE = 19.0, 29.0
_APART, _MARGIN = 64.0, 14.0
_RIM = _MARGIN + _PLATE
_LETTER, _SMALL = 16.0, 8.0
_WOOD = "#8a6f52"
# fmt: off
_PAINT = {
    "R": "#d8433b", "O": "#f08a24", "Y": "#f2c230", "G": "#2e9e4f", "C": "#35b6c9", "B": "#2f6fde",
    "P": "#9a4fc4",
    ODD: "#f3f1ec",
}
# fmt: on
_OTHERS = ("#d977b0", "#7a4a21", "#9aa53a", "#1f6f6b", "#b9a3d9", "#2b2b2b", "#7b8794")
"""For letters without a colour of their own, after the colours that no letter claims."""


def layout(rules: PanguruRules, text: str, goal: Goal) -> Layout:
    """Draw the pebbles of a state on the plates of a goal; raises what `parse` raises."""
    parse(rules, text)
    plates = goal.states[0].replace(HOLE, ODD)
    paint = _paint(plates, text)
    places = _places(rules)
    across = (rules.side - 1) * _APART
    width, height = 2 * _RIM + across, 2 * _RIM + across * sqrt(3) / 2
    wood = Shape(
        id="board", outline=_wood(width, height), colour=_WOOD, x=width / 2, y=round(height / 2, 2)
    )
    marks = [
        Shape(
            id=f"plate-{place.name}",
            outline=circle(place.x, place.y, _PLATE),
            colour=paint[letter],
            x=place.x,
            y=round(place.y + (_PEBBLE + _PLATE) / 2, 2),
            label=letter,
            size=_SMALL,
        )
        for place, letter in zip(places, plates, strict=True)
    ]
    pieces = tuple(
        piece_in(place, name, circle(place.x, place.y, _PEBBLE), paint[letter], letter, _LETTER)
        for place, letter, name in zip(places, text, _ids(text), strict=True)
        if letter != HOLE
    )
    return Layout(width, round(height, 2), places, (wood, *marks), pieces)


def effect(rules: PanguruRules, text: str, move: str) -> Effect:
    """Let a pebble leap over others to the hole."""
    play(rules, text, move)
    places = _places(rules)
    source, target = places[int(move)], places[text.index(HOLE)]
    pebble = _ids(text)[int(move)]
    slide = round(target.x - source.x, 2), round(target.y - source.y, 2)
    return Effect((pebble,), (Motion(piece=pebble, slide=slide, lift=True),))


def _ids(text: str) -> list[str]:
    """The ids of the pebbles in the order of their places: the letter with a number."""
    return numbered(f"pebble-{letter}" for letter in text)


@cache
def _places(rules: PanguruRules) -> tuple[Place, ...]:
    middle = _RIM + (rules.side - 1) * _APART / 2
    return tuple(
        Place(
            str(place),
            middle + (at - row / 2) * _APART,
            round(_RIM + row * _APART * sqrt(3) / 2, 2),
        )
        for place, (row, at) in enumerate(rules.where)
    )


def _paint(plates: str, text: str) -> dict[str, str]:
    """The colour of each letter. Plates choose first, so that a goal looks alike in every state."""
    letters = [letter for letter in board_colours(plates + text) if letter != HOLE]
    free = chain((colour for letter, colour in _PAINT.items() if letter not in letters), _OTHERS)
    return {letter: _PAINT[letter] if letter in _PAINT else next(free) for letter in letters}


def _wood(width: float, height: float) -> str:
    """A triangle with its corners cut off, a little wider than the plates that lie in it."""
    r = _PLATE + _MARGIN / 2
    aside, up = r * sqrt(3) / 2, r / 2
    left, middle, right = _RIM, width / 2, width - _RIM
    low, top = height - _RIM, _RIM
    # fmt: off
    points = [
        (left, low + r), (right, low + r), (right + aside, low - up),
        (middle + aside, top - up), (middle - aside, top - up), (left - aside, low - up),
    ]
    # fmt: on
    return polygon(points)
