"""A plain drawing of letters or numbers in places: a coloured square for each place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.layout import Effect, Layout, Piece, Place, moved_to
from puzzlebase.puzzles.contract.puzzle import Board, Drawing
from puzzlebase.puzzles.machinery.squares import COLOURS, piece_in, square

_SIDE, _GAP, _MARGIN, _LETTER = 40.0, 4.0, 10.0, 15.0


def text_squares(parse: Callable[[str], Board], play: Callable[[str, str], str]) -> Drawing:
    """Make squares of the characters of a text, in rows that a / divides; `parse` raises the error of a text."""

    def squares(text: str) -> Squares:
        parse(text)
        where = [(row, column) for row, line in enumerate(text.split("/")) for column, _ in enumerate(line)]
        return Squares(lambda state: state.replace("/", ""), play, ord, tuple(where))

    return Drawing(
        layout=lambda text, goal: squares(text).layout(text, goal),
        effect=lambda text, move: squares(max(text, play(text, move), key=len)).effect(text, move),
    )


@dataclass(frozen=True, slots=True)
class Squares:
    """Squares of texts in places; a square stays and becomes another."""

    contents: Callable[[str], Sequence[str]]  # the text in each place of a state
    play: Callable[[str, str], str]
    number: Callable[[str], int]  # chooses the colour of a text
    where: Sequence[tuple[float, float]]  # row and column of each place
    touched: Mapping[str, int] = field(default_factory=dict)  # the place to touch for a move, by default all it changes

    def layout(self, text: str, _goal: Goal) -> Layout:
        """The squares of a text in their places."""
        contents = self.contents(text)
        pieces = tuple(self._piece(at, contents[at]) for at in range(len(contents)))
        places = tuple(Place(piece.place, piece.x, piece.y) for piece in pieces)
        width, height = (_MARGIN + _SIDE / 2 + max(at) for at in ([p.x for p in places], [p.y for p in places]))
        return Layout(width, height, places, (), pieces)

    def effect(self, text: str, move: str) -> Effect:
        """The squares that a move of a text changes."""
        after = self.contents(self.play(text, move))
        both = zip(self.contents(text), after, strict=False)  # a text may get longer or shorter: its others come or go
        changed = [(self._piece(at, old), self._piece(at, new)) for at, (old, new) in enumerate(both) if old != new]
        motions = [moved_to(old, new) for old, new in changed]
        handle = [_name(self.touched[move])] if move in self.touched else [motion.piece for motion in motions]
        return Effect(tuple(handle), tuple(motions))

    def _piece(self, at: int, content: str) -> Piece:
        x, y = (_MARGIN + _SIDE / 2 + number * (_SIDE + _GAP) for number in reversed(self.where[at]))
        place, colour = Place(str(at), x, y), COLOURS[self.number(content) % len(COLOURS)]
        return piece_in(place, _name(at), square(place, _SIDE), colour, content, _LETTER)


def _name(at: int) -> str:
    return f"piece-{at}"
