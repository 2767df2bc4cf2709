"""Drawings of a definition's puzzle: in each place a sticker for each orientation of a piece.

Stickers stay in place and change their colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from puzzlebase.plugins.definitions.definition import Definition
from puzzlebase.plugins.definitions.moves import NamedMove
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.layout import (
    Effect,
    Layout,
    Piece,
    Place,
    Shape,
    moved_to,
    piece_in,
)
from puzzlebase.puzzles.contract.puzzle import Drawing

_LETTER = 15.0
# orientations of most lamps, and the colour of others than the solved one
_LAMP, _LIT = 2, "#f2c230"


class Sticker(NamedTuple):
    """A shape of the solved puzzle, and its place;
    `turned` is the orientation that brings the first sticker here.
    """

    shape: Shape
    place: int
    turned: int


@dataclass(frozen=True)
class Drawn:
    """A drawing: its size, the stickers in drawing order, and the marks, which never change."""

    width: float
    height: float
    stickers: tuple[Sticker, ...]
    marks: tuple[Shape, ...]


def sticker_drawing(texts: Texts, moves: Sequence[NamedMove], drawn: Drawn) -> Drawing:
    """Make the drawing of a definition's puzzle."""
    looks = _Looks(texts, drawn)
    named = {move.name: move for move in moves}
    return Drawing(layout=looks.layout, effect=lambda text, move: looks.effect(text, named[move]))


class _Looks:
    """The colours and letters of the stickers in each state."""

    def __init__(self, texts: Texts, drawn: Drawn) -> None:
        self._texts, self._drawn = texts, drawn
        self._set_of = texts.set_of.tolist()
        # of each label of each set, the first place in the solved state
        self._home: dict[tuple[int, int], int] = {}
        for place, label in enumerate(texts.definition.labels.tolist()):
            self._home.setdefault((self._set_of[place], label), place)
        self._places = np.array([sticker.place for sticker in drawn.stickers])
        # of each place and orientation; there may be several
        self._looks: dict[tuple[int, int], list[str]] = {}
        self._numbers = []  # of each sticker among those of its place and orientation
        for sticker in drawn.stickers:
            looks = self._looks.setdefault((sticker.place, sticker.turned), [])
            self._numbers.append(len(looks))
            looks.append(sticker.shape.colour)
        # the effects of all moves in one state are asked for at once
        self._state = lru_cache(maxsize=4)(texts.read)
        self._handle = lru_cache(maxsize=None)(self._handle_of)

    def layout(self, text: str, _goal: Goal) -> Layout:
        """The stickers of a state."""
        drawn = self._drawn
        labels, turns = (of[0].tolist() for of in self._state(text))
        pieces = [self._piece(labels, turns, at) for at in range(len(drawn.stickers))]
        places = tuple(map(_place_of, drawn.stickers))
        return Layout(drawn.width, drawn.height, places, drawn.marks, tuple(pieces))

    def effect(self, text: str, move: NamedMove) -> Effect:
        """The effect of a move on the stickers of the places that it changes."""
        labels, turns = self._state(text)
        after, turned = self._texts.after(labels, turns, move.turn)
        before, behind = (
            (labels[0].tolist(), turns[0].tolist()),
            (after[0].tolist(), turned[0].tolist()),
        )
        changed = np.flatnonzero(move.turn.changed[self._places]).tolist()
        motions = tuple(
            moved_to(self._piece(*before, at), self._piece(*behind, at)) for at in changed
        )
        return Effect(self._handle(move.generator), motions)

    def _handle_of(self, generator: str) -> tuple[str, ...]:
        """The pieces to touch for a generator: its lamp, or the face that it turns, or all."""
        definition, stickers = self._texts.definition, self._drawn.stickers
        turn, own = definition.generators[generator], definition.pressed.get(generator)
        touched = np.flatnonzero(
            turn.changed[self._places] if own is None else self._places == own
        ).tolist()
        if own is None and definition.orientations.min() > 1:
            after = self._texts.after(definition.labels[None, :], definition.turned[None, :], turn)
            labels, turns = (of[0].tolist() for of in after)
            # as when solved
            face = [
                at
                for at in touched
                if self._shown(labels, turns, at)[0] == stickers[at].shape.colour
            ]
            touched = face or touched
        return tuple(f"piece-{stickers[at].shape.id}" for at in touched)

    def _piece(self, labels: list[int], turns: list[int], at: int) -> Piece:
        sticker = self._drawn.stickers[at]
        place, outline = _place_of(sticker), sticker.shape.outline
        name, looks = f"piece-{place.name}", self._shown(labels, turns, at)
        return piece_in(place, name, outline, *looks, _LETTER, title=place.name)

    def _shown(self, labels: list[int], turns: list[int], at: int) -> tuple[str, str]:
        """The colour of a sticker, as its piece has it at home, and what a lamp says."""
        definition, (_, place, turned) = self._texts.definition, self._drawn.stickers[at]
        home = self._home[self._set_of[place], labels[place]]
        ways, was = int(definition.orientations[place]), int(definition.turned[home])
        looks = self._looks.get((home, (turned - turns[place] + was) % ways))
        if not looks:  # a lamp, which is drawn as it is when solved, and else is lit
            return _LIT, "on" if ways == _LAMP else self._texts.digit(turns[place])
        return looks[self._numbers[at] % len(looks)], ""


def _place_of(sticker: Sticker) -> Place:
    return Place(sticker.shape.id, sticker.shape.x, sticker.shape.y)


def stickers_of(definition: Definition) -> dict[str, tuple[int, int]]:
    """The place and the orientation of each sticker by its id, as cubing.js has it,
    place by place.
    """
    return {
        f"{each.name}-l{place}-o{turned}": (definition.starts[at] + place, turned)
        for at, each in enumerate(definition.sets)
        for place in range(each.places)
        for turned in range(each.orientations)
    }
