"""A plain drawing of letters or numbers in places: a coloured square for each place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, sqrt

from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.layout import Effect, Layout, Motion, Piece, Place, moved_to
from puzzlebase.puzzles.contract.puzzle import Board, Drawing
from puzzlebase.puzzles.machinery.squares import numbered, piece_in, square

# fmt: off
COLOURS = (
    "#d8433b", "#2f6fde", "#2e9e4f", "#c98a1b", "#9a4fc4", "#23958f", "#8a5a34", "#c2458b", "#6b7280", "#55671f",
)
# fmt: on
_SIDE, _GAP, _MARGIN, _LETTER = 40.0, 4.0, 10.0, 15.0
_MOST_IN_LINE = 12  # places of a puzzle that says nothing of their order, in one line; more are folded to a square


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
    """Squares of texts in places; a piece stays and becomes another, unless pieces `move` or places are permuted."""

    contents: Callable[[str], Sequence[str]]  # the text in each place of a state
    play: Callable[[str, str], str]
    number: Callable[[str], int]  # chooses the colour of a text
    where: tuple[tuple[int, int], ...] = ()  # row and column of each place, by default one after another
    move: bool = False
    permutations: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def layout(self, text: str, _goal: Goal) -> Layout:
        """The squares of a text in their places."""
        pieces = self._pieces(self.contents(text))
        places = tuple(Place(piece.place, piece.x, piece.y) for piece in pieces)
        width, height = (_MARGIN + _SIDE / 2 + max(at) for at in ([p.x for p in places], [p.y for p in places]))
        return Layout(width, height, places, (), pieces)

    def effect(self, text: str, move: str) -> Effect:
        """The squares that a move of a text changes or moves."""
        before, after = (self._pieces(self.contents(state)) for state in (text, self.play(text, move)))
        motions = tuple(self._motions(before, after, move))
        return Effect(tuple(motion.piece for motion in motions), motions)

    def _motions(self, before: Sequence[Piece], after: Sequence[Piece], move: str) -> Iterator[Motion]:
        places = zip(before, after, strict=False)  # a text may get longer or shorter: its other squares come or go
        changed = [place for place, (old, new) in enumerate(places) if old.label != new.label]
        if self.permutations:
            sources = self.permutations[move]
            pairs = [(source, target) for target, source in enumerate(sources) if source != target]
        elif self.move:  # letters that are alike keep their order
            sources = sorted(changed, key=lambda place: before[place].label)
            pairs = [*zip(sources, sorted(changed, key=lambda place: after[place].label), strict=True)]
        else:
            pairs = [(place, place) for place in changed]
        for source, target in pairs:
            yield moved_to(before[source], after[target], lift=source != target)

    def _pieces(self, contents: Sequence[str]) -> tuple[Piece, ...]:
        ids = [f"piece-{at}" for at in range(len(contents))]
        if self.move:
            ids = numbered(f"piece-{text}-" for text in contents)
        columns = len(contents) if len(contents) <= _MOST_IN_LINE else ceil(sqrt(len(contents)))
        pieces = []
        for at, (name, text) in enumerate(zip(ids, contents, strict=True)):
            row, column = self.where[at] if self.where else divmod(at, columns)
            x, y = (_MARGIN + _SIDE / 2 + number * (_SIDE + _GAP) for number in (column, row))
            place, colour = Place(str(at), x, y), COLOURS[self.number(text) % len(COLOURS)]
            pieces.append(piece_in(place, name, square(place, _SIDE), colour, text, _LETTER))
        return tuple(pieces)
