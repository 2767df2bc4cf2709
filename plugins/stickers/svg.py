"""The drawing beside a definition: an SVG file with a shape for each sticker, as in cubing.js.

The shape in place 0 of the set EDGES to which a piece's first sticker comes if the piece is turned
by 1 has the id EDGES-l0-o1; EDGES-l0-o1-2 is a second shape of the same sticker. All other shapes
are drawn and never change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from xml.etree import ElementTree as ET

from puzzlebase.plugins.definitions.definition import Definition
from puzzlebase.plugins.definitions.puzzle import Draw
from puzzlebase.plugins.stickers.drawing import Drawn, Sticker, sticker_drawing, stickers_of
from puzzlebase.puzzles.contract.layout import Shape, circle, polygon
from puzzlebase.puzzles.files import FormatError

MOST_SHAPES = 10_000
_LONGEST_NUMBER, _FARTHEST = 30, 100_000
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_HEX = re.compile("#[0-9a-fA-F]{6}")
_SILENT = {"svg", "g", "title", "desc", "metadata", "defs", "style"}


def draw_svg(text: str, definition: Definition) -> Draw:
    """Make a drawing from a text; raises FormatError."""
    return partial(sticker_drawing, drawn=read_svg(text, definition))


def read_svg(text: str, definition: Definition) -> Drawn:
    """The drawing that a text holds; raises FormatError."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise FormatError("the drawing has a DOCTYPE or an ENTITY", "an SVG document without")
    try:
        root = ET.fromstring(text)  # noqa: S314 -- without entities, and at most a megabyte
    except ET.ParseError as error:
        raise FormatError(
            f"the drawing is no XML: {error}", "an SVG document", error.position[0]
        ) from None
    box = _numbers(root.get("viewBox", ""))
    if _name(root) != "svg" or len(box) != 4 or box[:2] != [0, 0] or min(box[2:]) <= 0:
        raise FormatError(
            "the drawing does not say how large it is", 'svg with a viewBox that begins with "0 0"'
        )
    if (wanted := sum(each.places * each.orientations for each in definition.sets)) > MOST_SHAPES:
        raise FormatError(
            f"the definition has {wanted:,} stickers", f"at most {MOST_SHAPES:,} for a drawing"
        )
    known = stickers_of(definition)
    stickers, marks = [], []
    for shape in _shapes(root):
        name = re.sub(r"(-o[0-9]+)-[0-9]+$", r"\1", shape.id)
        if name in known:
            stickers.append(Sticker(shape, *known[name]))
        else:
            marks.append(shape)
    if len({sticker.shape.id for sticker in stickers}) < len(stickers):
        raise FormatError(
            "two shapes of the drawing have one id", "an id of its own for each sticker"
        )
    drawn = {(sticker.place, sticker.turned) for sticker in stickers}
    # of a lamp one is enough
    needed = {name: at for name, at in known.items() if not (definition.pressed and at[1])}
    if lacks := [name for name, at in needed.items() if at not in drawn]:
        raise FormatError(
            f"the drawing has no shape {lacks[0]!r}",
            f"a shape for each sticker, {len(needed)} in all",
        )
    return Drawn(box[2], box[3], tuple(stickers), tuple(marks))


def _name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _shapes(root: ET.Element) -> Iterator[Shape]:
    for count, element in enumerate(root.iter()):
        kind = _name(element)
        if count > MOST_SHAPES:
            raise FormatError("the drawing has very many elements", f"at most {MOST_SHAPES:,}")
        if element.get("transform"):
            raise FormatError(
                f"a {kind} of the drawing has a transform",
                "shapes in the drawing's own coordinates",
            )
        if kind in _SILENT:
            continue
        outline, x, y = _outline(kind, element)
        fill = element.get("fill", "")
        if not _HEX.fullmatch(fill):
            raise FormatError(f"the drawing has the colour {fill[:30]!r}", "fill as #rrggbb")
        title = next((child.text or "" for child in element if _name(child) == "title"), "")
        name = element.get("id") or f"shape-{count}"
        yield Shape(id=name, outline=outline, colour=fill.lower(), x=x, y=y, title=title)


def _outline(kind: str, element: ET.Element) -> tuple[str, float, float]:
    """The outline of a shape, and its middle."""
    if kind == "circle":
        x, y, radius = (_numbers(element.get(name, "0"))[0] for name in ("cx", "cy", "r"))
        return circle(x, y, radius), x, y
    if kind != "polygon":
        raise FormatError(f"the drawing has a {kind} that we cannot use", "polygons and circles")
    numbers = _numbers(element.get("points", ""))
    points = [*zip(numbers[::2], numbers[1::2], strict=False)]
    if len(points) < 3:
        raise FormatError(f"a polygon of the drawing has {len(points)} points", "three at least")
    x, y = (round(sum(part) / len(points), 2) for part in zip(*points, strict=True))
    return polygon(points), x, y


def _numbers(text: str) -> list[float]:
    words = text.replace(",", " ").split()
    for word in words:
        if (
            len(word) > _LONGEST_NUMBER
            or not _NUMBER.fullmatch(word)
            or abs(float(word)) > _FARTHEST
        ):
            what = f"the drawing has {word[:_LONGEST_NUMBER]!r} where a number belongs"
            raise FormatError(what, f"numbers without units, up to {_FARTHEST:,}")
    return [*map(float, words)]
