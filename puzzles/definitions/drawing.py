"""How a definition's puzzle looks: a sticker for each way that a piece may be turned, in each place.

Stickers stay where they are and change their colours. Those of a drawing beside the definition have its outlines, and
the colours that it shows in the solved state. A plain drawing has a square for each place, in lines, and in it a strip
for each orientation: the coloured one, with the piece's letter, says how the piece is turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from puzzlebase.puzzles._layout import Effect, Layout, Look, Motion, Piece, Place, Shape, rectangle
from puzzlebase.puzzles._puzzle import Drawing, Goal
from puzzlebase.puzzles._squares import COLOURS
from puzzlebase.puzzles.definitions.definition import Definition
from puzzlebase.puzzles.definitions.sequences import NamedTurn
from puzzlebase.puzzles.definitions.text import Texts

_SIDE, _GAP, _MARGIN, _LETTER = 40.0, 4.0, 10.0, 15.0
_IN_LINE = 12
_MOST_STRIPS = 6
"""In a square; a piece with more orientations shows its digit."""
_PALE = "#e9e6df"


class Sticker(NamedTuple):
    """A shape in a place: `turned` is the orientation that brings the piece's first sticker there."""

    id: str
    place: int
    turned: int
    outline: str
    x: float
    y: float
    colour: str


@dataclass(frozen=True)
class Drawn:
    """A drawing: its size, the stickers in the order in which they are drawn, and what never changes."""

    width: float
    height: float
    stickers: tuple[Sticker, ...]
    marks: tuple[Shape, ...]


def drawing_of(texts: Texts, moves: Sequence[NamedTurn], drawn: Drawn | None) -> Drawing:
    """The drawing of a definition's puzzle, a plain one where there is none beside it."""
    looks = _Looks(texts, drawn or _plain(texts.definition), plain=drawn is None)
    changed = {move.name: frozenset(_changed(move)) for move in moves}
    played = {move.name: texts.player([move]) for move in moves}

    def effect(text: str, move: str) -> Effect:
        before, after = looks.pieces(text), looks.pieces(played[move].one(text, 0))
        motions = [
            Motion(piece=old.id, becomes=None if _look(old) == _look(new) else _look(new))
            for sticker, old, new in zip(looks.stickers, before, after, strict=True)
            if sticker.place in changed[move]
        ]
        return Effect(tuple(motion.piece for motion in motions), tuple(motions))

    return Drawing(layout=looks.layout, effect=effect)


def _changed(move: NamedTurn) -> list[int]:
    """The places that a move changes."""
    turn = move.turn
    return [p for p, (s, t) in enumerate(zip(turn.source.tolist(), turn.turned.tolist(), strict=True)) if s != p or t]


def _look(piece: Piece) -> Look:
    return Look(piece.colour, piece.label)


class _Looks:
    """What the stickers show in each state."""

    def __init__(self, texts: Texts, drawn: Drawn, *, plain: bool) -> None:
        self.stickers = drawn.stickers
        self._texts, self._drawn, self._plain = texts, drawn, plain
        definition = texts.definition
        self._set_of = [n for n, each in enumerate(definition.sets) for _ in range(each.places)]
        self._home: dict[tuple[int, int], int] = {}  # of each label of each set, the first place in the solved state
        for place, label in enumerate(definition.labels.tolist()):
            self._home.setdefault((self._set_of[place], label), place)
        self._colours: dict[tuple[int, int], list[str]] = {}  # of each place and orientation; a sticker may have more
        for sticker in drawn.stickers:
            self._colours.setdefault((sticker.place, sticker.turned), []).append(sticker.colour)

    def layout(self, text: str, _goal: Goal) -> Layout:
        """A state."""
        drawn = self._drawn
        places = tuple(Place(sticker.id, sticker.x, sticker.y) for sticker in drawn.stickers)
        return Layout(drawn.width, drawn.height, places, drawn.marks, self.pieces(text))

    def pieces(self, text: str) -> tuple[Piece, ...]:
        """The stickers of a state."""
        labels, turns = self._texts.pieces(self._texts.parse(text)[None, :])
        shown = partial(self._plainly if self._plain else self._coloured, labels[0].tolist(), turns[0].tolist())
        seen: dict[tuple[int, int], int] = {}
        pieces = []
        for sticker in self.stickers:
            at = sticker.place, sticker.turned
            number = seen[at] = seen.get(at, -1) + 1
            colour, label = shown(sticker, number)
            pieces.append(
                Piece(
                    id=f"piece-{sticker.id}",
                    outline=sticker.outline,
                    colour=colour,
                    x=sticker.x,
                    y=sticker.y,
                    label=label,
                    size=_LETTER,
                    title=sticker.id,
                    place=sticker.id,
                )
            )
        return tuple(pieces)

    def _coloured(self, labels: list[int], turns: list[int], sticker: Sticker, number: int) -> tuple[str, str]:
        """The colour that this sticker of the piece has at home."""
        definition, place = self._texts.definition, sticker.place
        home = self._home[self._set_of[place], labels[place]]
        ways = int(definition.orientations[place])
        at_home = (sticker.turned - turns[place] + int(definition.turned[home])) % ways
        colours = self._colours[home, at_home]
        return colours[number % len(colours)], ""

    def _plainly(self, labels: list[int], turns: list[int], sticker: Sticker, _number: int) -> tuple[str, str]:
        definition, place = self._texts.definition, sticker.place
        letter, ways = self._texts.letter(labels[place]), int(definition.orientations[place])
        colour = COLOURS[labels[place] % len(COLOURS)]
        if ways > _MOST_STRIPS:
            return colour, letter + self._texts.digit(turns[place])
        return (colour, letter) if sticker.turned == turns[place] else (_PALE, "")


def _plain(definition: Definition) -> Drawn:
    stickers = []
    line, width = 0, 0.0
    for number, each in enumerate(definition.sets):
        start = definition.starts[number]
        for place in range(each.places):
            row, column = divmod(place, _IN_LINE)
            left, top = _MARGIN + column * (_SIDE + _GAP), _MARGIN + (line + row) * (_SIDE + _GAP)
            strips = each.orientations if each.orientations <= _MOST_STRIPS else 1
            for turned in range(strips):
                strip = _SIDE / strips
                x = left + turned * strip
                stickers.append(
                    Sticker(
                        sticker_id(each.name, place, turned),
                        start + place,
                        turned,
                        rectangle(x, top, strip - (1.0 if strips > 1 else 0.0), _SIDE),
                        round(x + strip / 2, 2),
                        top + _SIDE / 2,
                        _PALE,
                    )
                )
            width = max(width, left + _SIDE)
        line += -(-each.places // _IN_LINE)
    return Drawn(width + _MARGIN, 2 * _MARGIN + line * (_SIDE + _GAP) - _GAP, tuple(stickers), ())


def sticker_id(name: str, place: int, turned: int) -> str:
    """What a sticker is called in a drawing, as cubing.js calls it."""
    return f"{name}-l{place}-o{turned}"
