"""Places in rows, as a definition's file says, and on rings, where a move takes pieces round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import cos, pi, sin

import numpy as np

from puzzlebase.puzzles.contract.layout import Shape, circle
from puzzlebase.puzzles.definitions.definition import Definition
from puzzlebase.puzzles.definitions.drawing import MARGIN, SIDE, STEP, Drawn, Spot, squares
from puzzlebase.puzzles.definitions.text import Texts
from puzzlebase.tools.nets.solids import net_of

_PALE, _DARK, _LIT = "#e9e6df", "#3a3f4b", "#f2c230"
_SHORTEST = 5  # places of a ring


def drawing_of(_text: str, definition: Definition) -> Drawn | None:
    """Draw a definition as a net, in rows on rings or as lamps; None where it has nothing of these."""
    rows = definition.remarks.rows
    if not rows and (net := net_of(definition)):
        return net
    spots: list[Spot] = []
    marks: list[Shape] = []
    top, known = MARGIN, False
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
        lengths = rows.get(each.name) or [12] * (len(rest) // 12) + [len(rest) % 12]
        cells = ((row, at + (max(lengths) - length) / 2) for row, length in enumerate(lengths) for at in range(length))
        for place, (row, column) in zip(rest, cells, strict=True):
            of[place] = MARGIN + SIDE / 2 + column * STEP, below + SIDE / 2 + row * STEP
        spots += [(round(x, 2), round(y, 2)) for _, (x, y) in sorted(of.items())]
        top = max(y for _, y in of.values()) + SIDE / 2 + STEP - SIDE
        known = known or bool(rings) or each.name in rows
    if definition.pressed:
        return _lamps(definition, squares(Texts(definition), spots, tuple(marks), discs=True))
    return squares(Texts(definition), spots, tuple(marks), discs=bool(marks)) if known else None


def _lamps(definition: Definition, drawn: Drawn) -> Drawn:
    """Lamps that are dark when solved: the stickers of their other orientations lie below, and come up when lit."""
    ways = definition.sets[0].orientations
    looks = [(_LIT, "on" if ways == 2 else str(ways - turned)) for turned in range(1, ways)] + [(_DARK, "")]
    stickers = [
        each._replace(id=f"{each.id[:-1]}{turned % ways}", turned=turned % ways, colour=colour, label=label)
        for each in drawn.stickers
        for turned, (colour, label) in enumerate(looks, 1)
    ]
    return replace(drawn, stickers=tuple(stickers), slide=False)


def _rings(definition: Definition, number: int) -> Iterator[list[int]]:
    """Cycles of half the places of a set, in the order in which pieces go round; and of what is left of others."""
    count = definition.sets[number].places
    left = {*range(count)}
    for turn in definition.generators.values():
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
