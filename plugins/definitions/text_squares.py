"""A plain drawing of letters or numbers in places: a coloured square for each place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from puzzlebase.plugins.definitions.definition import Numbers
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.layout import (
    COLOURS,
    Effect,
    Layout,
    Piece,
    Place,
    moved_to,
    piece_in,
    square,
)
from puzzlebase.puzzles.contract.puzzle import Board, Drawing

_SIDE, _GAP, _MARGIN, _LETTER = 40.0, 4.0, 10.0, 15.0


def text_squares(parse: Callable[[str], Board], play: Callable[[str, str], str]) -> Drawing:
    """Make squares of the characters of a text,
    in rows that a / divides; `parse` raises the error of a text.
    """

    def squares(text: str) -> Squares:
        parse(text)
        where = [
            (row, column)
            for row, line in enumerate(text.split("/"))
            for column, _ in enumerate(line)
        ]
        return Squares(lambda state: state.replace("/", ""), play, ord, tuple(where))

    return Drawing(
        layout=lambda text, goal: squares(text).layout(text, goal),
        effect=lambda text, move: squares(max(text, play(text, move), key=len)).effect(text, move),
    )


@dataclass(frozen=True, slots=True)
class Squares:
    """Squares of texts in places; a piece stays and becomes another, unless places are permuted."""

    contents: Callable[[str], Sequence[str]]  # the text in each place of a state
    play: Callable[[str, str], str]
    number: Callable[[str], int]  # chooses the colour of a text
    where: Sequence[tuple[float, float]]  # row and column of each place
    permutations: Mapping[str, Sequence[int] | Numbers] = field(default_factory=dict)
    # the place to touch for a move, by default all it changes
    touched: Mapping[str, int] = field(default_factory=dict)

    def layout(self, text: str, _goal: Goal) -> Layout:
        """The squares of a text in their places."""
        contents = self.contents(text)
        pieces = tuple(self._piece(at, contents, at) for at in range(len(contents)))
        places = tuple(Place(piece.place, piece.x, piece.y) for piece in pieces)
        width, height = (
            _MARGIN + _SIDE / 2 + max(at) for at in ([p.x for p in places], [p.y for p in places])
        )
        return Layout(width, height, places, (), pieces)

    def effect(self, text: str, move: str) -> Effect:
        """The squares that a move of a text changes or moves."""
        before, after = self.contents(text), self.contents(self.play(text, move))
        motions = []
        for source, target in self._pairs(before, after, move):
            old, new = self._piece(source, before, source), self._piece(source, after, target)
            motions.append(moved_to(old, new, lift=source != target))
        handle = (
            [_name(self.touched[move])]
            if move in self.touched
            else [motion.piece for motion in motions]
        )
        return Effect(tuple(handle), tuple(motions))

    def _pairs(
        self, before: Sequence[str], after: Sequence[str], move: str
    ) -> list[tuple[int, int]]:
        """The places from which and to which squares go, or where they become others."""
        # a text may get longer or shorter: its other squares come or go
        places = zip(before, after, strict=False)
        changed = [place for place, (old, new) in enumerate(places) if old != new]
        if self.permutations:
            stay, sources = {*changed}, np.asarray(self.permutations[move]).tolist()
            return [
                (source, target)
                for target, source in enumerate(sources)
                if source != target or target in stay
            ]
        return [(place, place) for place in changed]

    def _piece(self, number: int, contents: Sequence[str], at: int) -> Piece:
        x, y = (
            _MARGIN + _SIDE / 2 + number * (_SIDE + _GAP) for number in reversed(self.where[at])
        )
        place, colour = Place(str(at), x, y), COLOURS[self.number(contents[at]) % len(COLOURS)]
        return piece_in(place, _name(number), square(place, _SIDE), colour, contents[at], _LETTER)


def _name(number: int) -> str:
    return f"piece-{number}"
