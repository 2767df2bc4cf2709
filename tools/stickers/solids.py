"""Nets of cubes, of the skewb and of the pyraminx, found from the moves of a definition.

A sticker of a solid is a cubie, the vector from the middle to it, and the vector of its face. A generator that turns
about an axis takes stickers to stickers. So the place of one sticker of a set determines the others, or excludes them
all from this solid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import cos, pi, sin, sqrt
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles.contract.layout import Shape, number
from puzzlebase.puzzles.definitions.definition import Definition
from puzzlebase.tools.stickers.drawing import Drawn, Sticker, sticker_id

_SIDE, _GAP, _MARGIN, _INSET = 90.0, 5.0, 10.0, 0.95
_MOST = 64  # places of a solid

Vector = tuple[int, int, int]
Spot = tuple[float, float]
Axes = Mapping[str, Vector]  # by generator


class Slot(NamedTuple):
    """The place of a sticker: its cubie and its face."""

    cubie: Vector
    face: Vector


class Solid(NamedTuple):
    """A solid: its slots, by their number on a cubie, those that never move (`more`), and the outline of a slot."""

    slots: Mapping[int, Sequence[Slot]]
    more: Sequence[Slot]
    outline: Callable[[Slot], Sequence[Spot]]
    colours: Mapping[Vector, str]
    axes: Callable[[Mapping[str, frozenset[int]]], Iterator[Axes]]  # may be of generators, by the places they move


class Generator(NamedTuple):
    """A generator: the target of the piece in each place, its turn, and the places that change."""

    to: Sequence[int]
    turned: Sequence[int]
    changed: frozenset[int]


Slots = dict[tuple[int, int], Slot]  # by place and orientation
About = tuple[Generator, Vector, int]  # a turn about an axis; the sign of a clockwise one is -1


def net_of(definition: Definition) -> Drawn | None:
    """Draw the net of a definition; None if it is no known solid."""
    if len(definition.labels) > _MOST:
        return None
    turns = {}
    for name, turn in definition.generators.items():
        to = np.argsort(turn.source)
        turns[name] = Generator(to.tolist(), turn.turned[to].tolist(), frozenset(np.flatnonzero(turn.changed).tolist()))
    for solid in (_cube(3 if 2 in definition.orientations else 2), _skewb(), _pyraminx()):
        for axes in solid.axes({name: turn.changed for name, turn in turns.items()}):
            for signs in product((-1, 1), repeat=len(axes)):
                about = [(turns[name], axis, sign) for (name, axis), sign in zip(axes.items(), signs, strict=True)]
                if slots := _slots(definition, solid, about):
                    return _drawn(definition, solid, slots)
    return None


def _slots(definition: Definition, solid: Solid, about: Sequence[About]) -> Slots:
    """The slots of stickers if generators turn about these axes; none if they do not."""
    found: Slots = {}
    for at, each in enumerate(definition.sets):
        places = definition.places_of(at)
        if each.orientations not in solid.slots:
            stay = all(turn.to[place] == place for turn, *_ in about for place in range(places.start, places.stop))
            if stay and (definition.moduli[places] == 1).all():
                continue  # centres that look as before
            return {}
        for place in range(places.start, places.stop):
            if (place, 0) in found:
                continue
            for slot, sense in product(solid.slots[each.orientations], (-1, 1)):
                fits = all((_dot(slot.cubie, axis) > 0) == (place in turn.changed) for turn, axis, _ in about)
                spread = _spread(int(each.orientations), about, place, slot, sense) if fits else {}
                if spread and not {*spread.values()} & {*found.values()}:
                    found |= spread
                    break
            else:
                return {}
    return found


def _spread(ways: int, about: Sequence[About], place: int, slot: Slot, sense: int) -> Slots:
    """The slots of all that moves take a sticker to, and of those beside it on its piece; none if they clash."""
    found, queue = {(place, 0): slot}, [(place, 0)]
    for at, turned in queue:  # which grows meanwhile
        here = found[at, turned]
        after = [((at, (turned + 1) % ways), here._replace(face=_rotated(here.face, here.cubie, sense, ways)))]
        for turn, axis, sign in about:
            order = _ORDER[_dot(axis, axis)] if _dot(here.cubie, axis) > 0 else 1
            there = Slot(_rotated(here.cubie, axis, sign, order), _rotated(here.face, axis, sign, order))
            after.append(((turn.to[at], (turned + turn.turned[at]) % ways), there))
        for sticker, there in after:
            if sticker not in found:
                found[sticker] = there
                queue.append(sticker)
            elif found[sticker] != there:
                return {}
    return found if len({*found.values()}) == len(found) else {}


def _drawn(definition: Definition, solid: Solid, slots: Slots) -> Drawn:
    stickers: list[Sticker] = []
    marks: list[Shape] = []
    outlines = {slot: [*solid.outline(slot)] for slot in (*slots.values(), *solid.more)}
    for free in (slot for some in solid.slots.values() for slot in some):
        outlines.setdefault(free, [*solid.outline(free)])
    names = {slot: sticker for sticker, slot in slots.items()}
    for slot, points in outlines.items():
        x, y = (sum(part) / len(points) for part in zip(*points, strict=True))
        inner = [(x + (px - x) * _INSET, y + (py - y) * _INSET) for px, py in points]
        path = "M" + "L".join(f"{number(px)} {number(py)}" for px, py in inner) + "Z"
        x, y, colour = round(x, 2), round(y, 2), solid.colours[slot.face]
        if slot in names:
            place, turned = names[slot]
            at = int(np.searchsorted(definition.starts, place, side="right")) - 1
            name = sticker_id(definition.sets[at].name, place - definition.starts[at], turned)
            stickers.append(Sticker(name, place, turned, path, x, y, colour))
        else:
            marks.append(Shape(id=f"still-{len(marks)}", outline=path, colour=colour, x=x, y=y))
    width, height = (
        max(part) + _MARGIN for part in zip(*(p for points in outlines.values() for p in points), strict=True)
    )
    return Drawn(round(width, 2), round(height, 2), tuple(stickers), tuple(marks))


# Vectors.

_ORDER = {1: 4, 3: 3}  # of a turn, by the square of the axis's length


def _dot(one: Vector, other: Vector) -> int:
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


@cache
def _rotated(vector: Vector, axis: Vector, sign: int, order: int) -> Vector:
    """The vector after one of `order` turns about an axis, by the formula of Rodrigues."""
    angle = 2 * pi * sign / order
    unit = np.array(axis) / sqrt(_dot(axis, axis))
    along = unit * (unit @ vector)
    turned = along + (vector - along) * cos(angle) + np.cross(unit, vector) * sin(angle)
    return tuple(np.rint(turned).astype(int).tolist())


# The solids.

_CUBIES = [*product((-1, 0, 1), (-1, 0, 1), (-1, 0, 1))]
_U, _F, _R, _D, _B, _L = _UNITS = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (0, -1, 0), (0, 0, -1), (-1, 0, 0))
_TETRAD = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
_HUES = "#dedad1", "#2e9e4f", "#d8433b", "#f2c230", "#2f6fde", "#e8842a"
_NET = {  # the column and row of each face of a cube, and what is to its right and below
    _U: (1, 0, _R, _F),
    _L: (0, 1, _F, _D),
    _F: (1, 1, _R, _D),
    _R: (2, 1, _B, _D),
    _B: (3, 1, _L, _D),
    _D: (1, 2, _R, _B),
}


def _on_cube(faces: int) -> list[Slot]:
    """The slots of a cube's cubies with so many faces, cubie by cubie."""
    cubies = [cubie for cubie in _CUBIES if _dot(cubie, cubie) == faces]
    return [Slot(cubie, face) for cubie in cubies for face in _UNITS if _dot(cubie, face) > 0]


def _on_face(slot: Slot, *corners: Spot) -> list[Spot]:
    """Points of a slot's face of the net, from -1 to 1."""
    column, row, _, _ = _NET[slot.face]
    middle = [_MARGIN + at * (_SIDE + _GAP) + _SIDE / 2 for at in (column, row)]
    return [(middle[0] + x * _SIDE / 2, middle[1] + y * _SIDE / 2) for x, y in corners]


def _across(slot: Slot) -> tuple[int, int]:
    """The way right and down from the middle of its face, in cubies."""
    _, _, right, down = _NET[slot.face]
    return _dot(slot.cubie, right), _dot(slot.cubie, down)


def _cube(side: int) -> Solid:
    def outline(slot: Slot) -> list[Spot]:
        half = 1 / side
        x, y = (at * (1 - half) for at in _across(slot))
        around = ((-half, -half), (half, -half), (half, half), (-half, half))
        return _on_face(slot, *((x + dx, y + dy) for dx, dy in around))

    def axes(moved: Mapping[str, frozenset[int]]) -> Iterator[Axes]:
        faces = dict(zip("UFRDBL", _UNITS, strict=True))
        if len(moved) > len(faces):
            return  # a file may have thousands of moves, of which each would be compared with all before it
        if moved.keys() <= faces.keys():
            yield {name: faces[name] for name in moved}
        pairs: list[list[str]] = []  # of opposite faces
        for name, places in moved.items():
            pair = next((pair for pair in pairs if len(pair) == 1 and not moved[pair[0]] & places), None)
            pair.append(name) if pair else pairs.append([name])
        if len(pairs) == 3:
            opposite = zip(pairs, ((_U, _D), (_F, _B), (_R, _L)), strict=True)
            yield {name: axis for pair, two in opposite for name, axis in zip(pair, two, strict=False)}

    slots = {3: _on_cube(3), **({2: _on_cube(2)} if side == 3 else {})}
    return Solid(slots, _on_cube(1) if side == 3 else [], outline, dict(zip(_UNITS, _HUES, strict=True)), axes)


def _four(moved: Mapping[str, frozenset[int]]) -> Iterator[Axes]:
    """Axes through every other corner of a cube."""
    if len(moved) == len(_TETRAD):
        yield dict(zip(moved, _TETRAD, strict=True))


def _skewb() -> Solid:
    def outline(slot: Slot) -> list[Spot]:
        x, y = _across(slot)
        return _on_face(slot, (x, 0), (x, y), (0, y)) if x else _on_face(slot, (-1, 0), (0, -1), (1, 0), (0, 1))

    return Solid({3: _on_cube(3), 1: _on_cube(1)}, [], outline, dict(zip(_UNITS, _HUES, strict=True)), _four)


def _pyraminx() -> Solid:
    """The faces of a tetrahedron are opposite its corners; on a net the first corner is there three times."""
    faces = {(x, y, z): (-x, -y, -z) for x, y, z in _TETRAD}
    far, width, height = _MARGIN, 4 * _SIDE, 2 * _SIDE * 3**0.5

    def point(corner: int, opposite: int) -> Spot:
        x, y = {1: (0.25, 0.5), 2: (0.75, 0.5), 3: (0.5, 1)}.get(corner) or {3: (0.5, 0), 2: (0, 1), 1: (1, 1)}[
            opposite
        ]
        return far + x * width, far + y * height

    def outline(slot: Slot) -> list[Spot]:
        opposite = next(at for at, corner in enumerate(_TETRAD) if faces[corner] == slot.face)
        corners = sorted({*range(4)} - {opposite}, key=lambda at: -_dot(_TETRAD[at], slot.cubie))
        a, b, c = (np.array(point(at, opposite)) for at in corners)
        if _dot(slot.cubie, slot.cubie) > 3:  # a tip
            points = a, (2 * a + b) / 3, (2 * a + c) / 3
        elif _dot(slot.cubie, slot.cubie) == 3:
            points = (2 * a + b) / 3, (2 * a + c) / 3, (a + b + c) / 3
        else:
            points = (2 * a + b) / 3, (a + 2 * b) / 3, (a + b + c) / 3
        return [(float(x), float(y)) for x, y in points]

    axials = [Slot(corner, faces[other]) for corner in _TETRAD for other in _TETRAD if other != corner]
    edges = [Slot(edge, face) for edge in _UNITS for face in faces.values() if _dot(edge, face) > 0]
    tips = [Slot((2 * x, 2 * y, 2 * z), face) for (x, y, z), face in axials]
    return Solid({3: axials, 2: edges}, tips, outline, dict(zip(faces.values(), _HUES[1:], strict=False)), _four)
