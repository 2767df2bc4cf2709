"""Nets of cubes, of the skewb and of the pyraminx, for definitions whose moves are alike.

nets/ has a definition of each, with a drawing. A net is drawn of another definition if its stickers can be taken to
those of a known one so that its moves become moves of that, or their inverses. The sticker of one piece to which
another goes determines the others, or excludes this solid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, product, zip_longest
from pathlib import Path

import numpy as np

from puzzlebase.puzzles.contract.layout import Shape
from puzzlebase.puzzles.definitions.definition import Definition, Transformation
from puzzlebase.puzzles.definitions.folder import DefinitionFile
from puzzlebase.puzzles.definitions.symmetries import images_of
from puzzlebase.tools.stickers.drawing import Drawn, stickers_of
from puzzlebase.tools.stickers.svg import read_svg

_NETS = Path(__file__).with_name("nets")
_NAMES = "2x2x2", "3x3x3", "skewb", "pyraminx"
_MOST = 128  # stickers of a solid

Moves = Mapping[str, Transformation]
Points = Sequence[int]
"""The sticker to which each goes, by their numbers: place by place, and orientation by orientation."""
Pairs = Sequence[tuple[Points, Points]]
"""Permutations of stickers, each with the one of the known solid that it is to be."""


def net_of(definition: Definition) -> Drawn | None:
    """Draw the net of a definition; None if it is no known solid."""
    for name in _NAMES if definition.orientations.sum() <= _MOST else ():
        known, drawn = _solid(name)
        for names in _matches(definition.generators, known.generators):
            turns = [_points(definition, definition.generators[mine]) for mine in names]
            its = [known.generators[each] for each in names.values()]
            ways = [(_points(known, turn), _points(known, turn.inverse(known.orientations))) for turn in its]
            for way in product(*ways):
                if images := _images(definition, known, [*zip(turns, way, strict=True)]):
                    return _renamed(definition, known, drawn, images)
    return None


@cache
def _solid(name: str) -> tuple[Definition, Drawn]:
    definition = DefinitionFile(_NETS / f"{name}.tws").definition
    return definition, read_svg((_NETS / f"{name}.svg").read_text("utf-8"), definition)


def _points(definition: Definition, turn: Transformation) -> Points:
    points: list[int] = turn.points(definition.orientations).tolist()
    return points


def _matches(moves: Moves, known: Moves) -> Iterator[dict[str, str]]:
    """The known moves that some moves may be: by their names, else in groups of two that turn no piece in common."""
    if len(moves) > len(known):
        return  # a file may have thousands of moves, of which each would be compared with all before it
    if moves.keys() <= known.keys():
        yield {name: name for name in moves}
    groups = [*zip_longest(_apart(moves), _apart(known), fillvalue=())]
    if all(0 < len(mine) <= len(its) for mine, its in groups):
        yield dict(chain.from_iterable(zip(mine, its, strict=False) for mine, its in groups))


def _apart(moves: Moves) -> list[list[str]]:
    groups: list[list[str]] = []
    for name, move in moves.items():
        alone = (group for group in groups if len(group) == 1 and not (moves[group[0]].changed & move.changed).any())
        if group := next(alone, None):
            group.append(name)
        else:
            groups.append([name])
    return groups


def _images(definition: Definition, known: Definition, pairs: Pairs) -> dict[int, int]:
    """The known sticker for each sticker, by their numbers; none if they are not alike."""
    spin, *spins = (
        _points(each, Transformation(np.arange(len(each.labels)), np.full(len(each.labels), by)))
        for each, by in ((definition, 1), (known, 1), (known, -1))
    )
    ways, its_ways = (np.repeat(each.orientations, each.orientations).tolist() for each in (definition, known))
    found: dict[int, int] = {}
    for place, point in enumerate(np.cumsum(definition.orientations) - definition.orientations):
        if int(point) in found:
            continue
        alike = [number for number, its in enumerate(its_ways) if its == ways[point]]
        for image, turned in product(alike, spins):
            more = images_of(int(point), image, partial(_after, [*pairs, (spin, turned)]))
            if more and not {*more.values()} & {*found.values()}:
                found |= more
                break
        else:
            stays = all(turn.source[place] == place for turn in definition.generators.values())
            if alike or not stays or definition.moduli[place] > 1:  # else a centre that looks as before
                return {}
    return found


def _after(pairs: Pairs, sticker: int, known: int) -> list[tuple[int, int]]:
    """The stickers to which moves take two stickers, and those beside them on their pieces."""
    return [(mine[sticker], its[known]) for mine, its in pairs]


def _renamed(definition: Definition, known: Definition, drawn: Drawn, images: Mapping[int, int]) -> Drawn:
    """The drawing of a known solid with the stickers of a definition; those that it lacks are marks."""
    mine = [*stickers_of(definition).items()]
    points = {images[point]: each for point, each in enumerate(mine) if point in images}
    numbers = {at: number for number, at in enumerate(stickers_of(known).values())}
    stickers, marks = [], [*drawn.marks]
    for each in drawn.stickers:
        if sticker := points.get(numbers[each.place, each.turned]):
            name, (place, turned) = sticker
            stickers.append(each._replace(id=name, place=place, turned=turned))
        else:
            marks.append(Shape(id=f"still-{each.id}", outline=each.outline, colour=each.colour, x=each.x, y=each.y))
    return Drawn(drawn.width, drawn.height, tuple(stickers), tuple(marks))
