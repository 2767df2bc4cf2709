"""Drawings of a definition's puzzle: in each place a sticker for each orientation of a piece.

Stickers stay in place and change their colours. A drawing beside the definition gives their outlines, and their colours
in the solved state. A plain drawing has lines of squares, one for each place, and in each a strip for each orientation:
the coloured strip, with the piece's letter, shows the turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.layout import Effect, Layout, Look, Motion, Place, Shape, rectangle
from puzzlebase.puzzles.contract.puzzle import Drawing
from puzzlebase.puzzles.definitions.definition import Transformation
from puzzlebase.puzzles.definitions.sequences import NamedMove
from puzzlebase.puzzles.definitions.text import Texts
from puzzlebase.puzzles.machinery.squares import COLOURS, piece_in

_SIDE, _GAP, _MARGIN, _LETTER = 40.0, 4.0, 10.0, 15.0
_IN_LINE = 12
_MOST_STRIPS = 6  # in a square; a piece with more orientations shows its digit
_PALE = "#e9e6df"


class Sticker(NamedTuple):
    """A shape in a place, when solved; `turned` is the orientation that brings the piece's first sticker here."""

    id: str
    place: int
    turned: int
    outline: str
    x: float
    y: float
    colour: str
    label: str = ""


@dataclass(frozen=True)
class Drawn:
    """A drawing: its size, the stickers in drawing order, and the marks, which never change."""

    width: float
    height: float
    stickers: tuple[Sticker, ...]
    marks: tuple[Shape, ...]


def sticker_drawing(texts: Texts, moves: Sequence[NamedMove], drawn: Drawn | None) -> Drawing:
    """Make the drawing of a definition's puzzle, a plain one where there is none beside it."""
    looks = _Looks(texts, drawn or _plain(texts))
    turns = {move.name: move.turn for move in moves}
    return Drawing(layout=looks.layout, effect=lambda text, move: looks.effect(text, turns[move]))


class _Looks:
    """The colours and letters of the stickers in each state."""

    def __init__(self, texts: Texts, drawn: Drawn) -> None:
        self._texts, self._drawn = texts, drawn
        self._set_of = texts.set_of.tolist()
        self._home: dict[tuple[int, int], int] = {}  # of each label of each set, the first place in the solved state
        for place, label in enumerate(texts.definition.labels.tolist()):
            self._home.setdefault((self._set_of[place], label), place)
        self._places = np.array([sticker.place for sticker in drawn.stickers])
        self._looks: dict[tuple[int, int], list[Sticker]] = {}  # of each place and orientation; there may be several
        self._numbers = []  # of each sticker among those of its place and orientation
        for sticker in drawn.stickers:
            looks = self._looks.setdefault((sticker.place, sticker.turned), [])
            self._numbers.append(len(looks))
            looks.append(sticker)
        self._state = lru_cache(maxsize=4)(texts.read)  # the effects of all moves in one state are asked for at once

    def layout(self, text: str, _goal: Goal) -> Layout:
        """The stickers of a state."""
        drawn, places, pieces = self._drawn, [], []
        labels, turns = (of[0].tolist() for of in self._state(text))
        for at, (name, _, _, outline, x, y, *_) in enumerate(drawn.stickers):
            colour, label = self._shown(labels, turns, at)
            places.append(Place(name, x, y))
            pieces.append(piece_in(places[-1], _piece_id(name), outline, colour, label, _LETTER, title=name))
        return Layout(drawn.width, drawn.height, tuple(places), drawn.marks, tuple(pieces))

    def effect(self, text: str, turn: Transformation) -> Effect:
        """The effect of a move on the stickers of the places that it changes."""
        labels, turns = self._state(text)
        after, turned = self._texts.after(labels, turns, turn)
        before, behind = (labels[0].tolist(), turns[0].tolist()), (after[0].tolist(), turned[0].tolist())
        motions = []
        for at in np.flatnonzero(turn.changed[self._places]).tolist():
            old, new = self._shown(*before, at), self._shown(*behind, at)
            look = None if old == new else Look(*new)
            motions.append(Motion(piece=_piece_id(self._drawn.stickers[at].id), becomes=look))
        return Effect(tuple(motion.piece for motion in motions), tuple(motions))

    def _shown(self, labels: list[int], turns: list[int], at: int) -> tuple[str, str]:
        """The colour and the letter of a sticker, as its piece has them at home."""
        definition, (_, place, turned, *_) = self._texts.definition, self._drawn.stickers[at]
        home = self._home[self._set_of[place], labels[place]]
        ways = int(definition.orientations[place])
        if ways > 1 and (home, 1) not in self._looks:  # a square without strips
            look = self._looks[home, 0][0]
            return look.colour, look.label + self._texts.digit(turns[place])
        looks = self._looks[home, (turned - turns[place] + int(definition.turned[home])) % ways]
        look = looks[self._numbers[at] % len(looks)]
        return look.colour, look.label


def _piece_id(name: str) -> str:
    return f"piece-{name}"


def _plain(texts: Texts) -> Drawn:
    definition, stickers = texts.definition, []
    line, width = 0, 0.0
    for number, each in enumerate(definition.sets):
        strips = each.orientations if each.orientations <= _MOST_STRIPS else 1
        strip, gap = _SIDE / strips, 1.0 if strips > 1 else 0.0
        for at, place in enumerate(range(definition.starts[number], definition.starts[number + 1])):
            row, column = divmod(at, _IN_LINE)
            left, top = _MARGIN + column * (_SIDE + _GAP), _MARGIN + (line + row) * (_SIDE + _GAP)
            label = int(definition.labels[place])
            shown = COLOURS[label % len(COLOURS)], texts.letter(label)
            for turned in range(strips):
                x = left + turned * strip
                look = shown if strips == 1 or turned == definition.turned[place] else (_PALE, "")
                outline, middle = rectangle(x, top, strip - gap, _SIDE), (round(x + strip / 2, 2), top + _SIDE / 2)
                stickers.append(Sticker(sticker_id(each.name, at, turned), place, turned, outline, *middle, *look))
            width = max(width, left + _SIDE)
        line += -(-each.places // _IN_LINE)
    return Drawn(width + _MARGIN, 2 * _MARGIN + line * (_SIDE + _GAP) - _GAP, tuple(stickers), ())


def sticker_id(name: str, place: int, turned: int) -> str:
    """The id of a sticker in a drawing, as in those of cubing.js."""
    return f"{name}-l{place}-o{turned}"
