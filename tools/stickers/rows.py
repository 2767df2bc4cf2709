"""A square for each place of a definition, in the rows that its file says, or in lines."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlebase.puzzles.contract.layout import rectangle
from puzzlebase.puzzles.definitions.definition import Definition
from puzzlebase.puzzles.definitions.puzzle import Draw
from puzzlebase.puzzles.definitions.squares import COLOURS
from puzzlebase.puzzles.definitions.text import Texts
from puzzlebase.tools.stickers.drawing import Drawn, Sticker, sticker_drawing, sticker_id

_SIDE, _STEP, _MARGIN = 40.0, 44.0, 10.0
_IN_LINE = 12  # places at most
_DARK = "#3a3f4b"


def draw_rows(_text: str, _definition: Definition) -> Draw:
    """Make the drawing of a definition in rows."""
    return lambda texts, moves: sticker_drawing(texts, moves, _squares(texts))


def _squares(texts: Texts) -> Drawn:
    """The squares, which slide with the letters of pieces; lamps stay and are dark when solved."""
    definition, stickers = texts.definition, []
    for place, (x, y) in enumerate(_middles(definition)):
        number, label = int(texts.set_of[place]), int(definition.labels[place])
        name = sticker_id(definition.sets[number].name, place - definition.starts[number], 0)
        outline = rectangle(x - _SIDE / 2, y - _SIDE / 2, _SIDE, _SIDE)
        stickers.append(Sticker(name, place, 0, outline, x, y, COLOURS[label % len(COLOURS)], texts.letter(label)))
    if definition.pressed:
        stickers = [each._replace(colour=_DARK, label="") for each in stickers]
    width, height = (max(along) + _SIDE / 2 + _MARGIN for along in ([s.x for s in stickers], [s.y for s in stickers]))
    return Drawn(width, height, tuple(stickers), (), slide=not definition.pressed)


def _middles(definition: Definition) -> Iterator[tuple[float, float]]:
    """The middle of each place's square; shorter rows of a set are centred."""
    y = _MARGIN + _SIDE / 2
    for name, places, _ in definition.sets:
        lines = [min(_IN_LINE, places - first) for first in range(0, places, _IN_LINE)]
        rows = definition.remarks.rows.get(name, lines)
        for length in rows:
            left = _MARGIN + _SIDE / 2 + _STEP * (max(rows) - length) / 2
            yield from ((left + _STEP * at, y) for at in range(length))
            y += _STEP
