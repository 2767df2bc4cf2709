"""Places in rows, as a definition's file says, and on rings, where a move takes pieces round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import cos, pi, sin

import numpy as np

from puzzlebase.puzzles.contract.layout import Shape, circle
from puzzlebase.puzzles.definitions.definition import Definition
from puzzlebase.puzzles.definitions.puzzle import Draw
from puzzlebase.puzzles.definitions.text import Texts
from puzzlebase.tools.stickers.drawing import MARGIN, SIDE, STEP, Drawn, Spot, squares, sticker_drawing
from puzzlebase.tools.stickers.solids import net_of

_PALE, _DARK = "#e9e6df", "#3a3f4b"
_MOST_STEPS = 1 << 18  # places looked at for rings
_SHORTEST, _IN_LINE = 5, 12  # places of a ring at least, and of a line at most


def draw_plain(_text: str, _definition: Definition) -> Draw:
    """Make the drawing of a definition as a net, or in rows, on rings, in lines or as lamps."""
    return lambda texts, moves: sticker_drawing(texts, moves, _net_of(texts.definition) or _squares(texts))


def _net_of(definition: Definition) -> Drawn | None:
    return None if definition.remarks.rows else net_of(definition)


def _squares(texts: Texts) -> Drawn:
    definition, rows = texts.definition, texts.definition.remarks.rows
    spots: list[Spot] = []
    marks: list[Shape] = []
    top = MARGIN
    for number, each in enumerate(definition.sets):
        rings = [] if each.name in rows else [*_rings(definition, number)]
        of: dict[int, Spot] = {}
        left, below = MARGIN, top
        for ring in rings:
            radius = STEP / 2 / sin(pi / len(ring))
            x, y = left + radius + SIDE / 2, top + radius + SIDE / 2
            marks.append(Shape(id=f"ring-{len(marks)}", outline=circle(x, y, radius), colour=_PALE, x=x, y=y))
            angles = (2 * pi * at / len(ring) for at in range(len(ring)))
            of |= {place: (x + radius * sin(a), y - radius * cos(a)) for place, a in zip(ring, angles, strict=True)}
            left, below = x + radius + SIDE / 2 + STEP - SIDE, max(below, y + radius + STEP / 2)
        rest = [place for place in range(each.places) if place not in of]
        lengths = rows.get(each.name) or [_IN_LINE] * (len(rest) // _IN_LINE) + [len(rest) % _IN_LINE]
        cells = ((row, at + (max(lengths) - length) / 2) for row, length in enumerate(lengths) for at in range(length))
        for place, (row, column) in zip(rest, cells, strict=True):
            of[place] = MARGIN + SIDE / 2 + column * STEP, below + SIDE / 2 + row * STEP
        spots += [(round(x, 2), round(y, 2)) for _, (x, y) in sorted(of.items())]
        top = max(y for _, y in of.values()) + SIDE / 2 + STEP - SIDE
    drawn = squares(texts, spots, tuple(marks), discs=bool(marks or definition.pressed))
    if not definition.pressed:
        return drawn
    dark = tuple(each._replace(colour=_DARK, label="") for each in drawn.stickers)
    return replace(drawn, stickers=dark, slide=False)


def _rings(definition: Definition, number: int) -> Iterator[list[int]]:
    """Cycles of half the places of a set, in the order in which pieces go round; and of the rest of others."""
    count = definition.sets[number].places
    left = {*range(count)}
    for turn in [*definition.generators.values()][: 1 + _MOST_STEPS // count]:
        to = np.argsort(turn.source[definition.places_of(number)]).tolist()
        for start in range(count):
            cycle, place = [], start
            while to[place] >= 0:
                cycle.append(place)
                to[place], place = -1, to[place]  # passed
            fresh = [place for place in cycle if place in left]
            if len(cycle) >= max(_SHORTEST, count / 2) and len(fresh) > 2:
                left -= {*fresh}
                yield fresh
