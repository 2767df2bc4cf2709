"""Peg solitaire, `NAME.pegs`: `o` is a peg, `.` an empty place, a space no place.

A peg jumps over a neighbour into the empty place behind it, and the neighbour is taken away. A
level is solved as its goal says, by default when one peg is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product

import numpy as np

from puzzlebase.errors import shorten
from puzzlebase.kernels import kernel
from puzzlebase.plugins.levels.cells import (
    MARGIN,
    SIDE,
    WAYS,
    CellBoard,
    cell_name,
    drawing_mark,
    drawing_middle,
    drawing_outline,
)
from puzzlebase.plugins.levels.game import Format, LevelGame, Slide, Step
from puzzlebase.plugins.levels.states.packed import (
    Key,
    PackedRules,
    end_packed_successors,
    packed_successors,
)
from puzzlebase.plugins.levels.text import Cell, LevelText
from puzzlebase.puzzles import ImpossibleState, Layout, Move, Place, Shape, circle
from puzzlebase.puzzles.contract.layout import piece_in

_MOST_CELLS = 63
"""The most cells of the board's rectangle, one bit each."""
_UNDER = {"o": ".", ".": ".", " ": "-", "-": "-", "_": "-"}
_WRONG = "neither a peg (o), nor an empty place (.), nor a space"
_WOOD, _HOLE, _GOAL, _PEG = "#a98a66", "#6f573c", "#f2c230", "#2f6fde"


def rows_of(line: str) -> Sequence[str]:
    """The row of a line; one of spaces has no places, and ends no level."""
    return [line.rstrip() or line] if line else []


class Pegs(LevelGame):
    """The game of a level: a key has a bit for each peg, row by row."""

    sentence = "Peg solitaire: jump, and leave as few pegs as asked for."
    state = "Rows joined by /: o peg, . empty place, - no place"
    moves = (
        "Where a peg jumps from and to: d2d4 is from the fourth column from the left, second "
        "row from the top"
    )

    def __init__(self, level: LevelText) -> None:
        start = level.start
        self._width = max(start.width, 2)  # the bits of a row in keys
        if (cells := self._width * len(start.rows)) > _MOST_CELLS:
            raise start.fault(f"a board has at most {_MOST_CELLS} cells, this one has {cells}")
        self._board = CellBoard(start, _UNDER, "-", _WRONG)
        floor, pegs = self._board.floor, _pegs(self._board.cells)
        self._pegs = len(pegs)  # at first
        self._goal = set[Cell]()
        if level.goal:
            board = CellBoard(level.goal, _UNDER, "-", _WRONG)
            self._goal = _pegs(board.cells)
            if board.floor != floor:
                raise level.goal.fault("the goal has other places than the level")
        jumps = (
            [(row + far * down, column + far * right) for far in range(3)]
            for (down, right), (row, column) in product(WAYS, sorted(floor))
        )
        self._jumps = [jump for jump in jumps if floor.issuperset(jump)]
        self.start = self._text(pegs)
        self.instructions = (
            "Let a peg jump over a peg beside it into the empty place behind; that peg "
            "is taken away. It "
            "is solved when "
            f"{'the pegs left fill the marked places' if level.goal else 'one peg is left'}."
        )
        flips = [(self._bits(jump), self._bits(jump[:2])) for jump in self._jumps]
        most = max(min(len(flips), 4 * min(self._pegs, len(floor) // 2)), 1)
        goal = np.uint64(self._bits(self._goal))
        self.rules = PackedRules(
            start=self.read(self.start),
            successors=packed_successors(_jump, most, np.array(flips, np.uint64).reshape(-1, 2)),
            solved=(lambda keys: keys[:, 0] == goal)
            if level.goal
            else lambda keys: np.bitwise_count(keys[:, 0]) == 1,
            masks=[mask for mask, _ in flips],
        )

    def _bits(self, cells: Iterable[Cell]) -> int:
        return sum(1 << row * self._width + column for row, column in cells)

    def read(self, text: str) -> Key:
        """The key of a state."""
        return np.array([self._bits(self._parse(text))], np.uint64)

    def write(self, key: Key) -> str:
        """The text of a key."""
        return self._text(
            {divmod(at, self._width) for at in range(_MOST_CELLS) if int(key[0]) >> at & 1}
        )

    def _text(self, pegs: set[Cell]) -> str:
        return self._board.write(dict.fromkeys(pegs, "o"))

    def _parse(self, text: str) -> set[Cell]:
        """The cells of the pegs."""
        pegs = _pegs(self._board.read(text))
        if not 1 <= len(pegs) <= self._pegs:
            raise ImpossibleState(
                f"{shorten(text)!r} has {len(pegs)} pegs",
                f"this level has 1 to {self._pegs} pegs (o)",
            )
        return pegs

    def steps(self, text: str) -> Iterator[Step]:
        """All legal moves."""
        pegs = self._parse(text)
        free = self._board.floor - pegs
        for peg, over, to in self._jumps:
            if pegs.issuperset((peg, over)) and to in free:
                name = cell_name(peg), cell_name(to)
                away = Slide(cell_name(over), self._taken.name, dragged=False, lift=True)
                after = pegs - {peg, over} | {to}
                slides = Slide(*name, lift=True), away
                yield Step(Move("".join(name), f"peg {name[0]}"), self._text(after), slides)

    @cached_property
    def _marks(self) -> tuple[Shape, ...]:
        def holes(cells: Iterable[Cell], radius: float) -> Iterator[str]:
            return (circle(*drawing_middle([cell]), radius) for cell in cells)

        return (
            drawing_mark("board", _WOOD, drawing_outline(self._board.floor, -7, 14)),
            drawing_mark("goal", _GOAL, *holes(self._goal, 12)),
            drawing_mark("holes", _HOLE, *holes(self._board.floor, 8)),
        )[:: 1 if self._goal else 2]

    @cached_property
    def _taken(self) -> Place:
        """The place below the board where pegs that were taken away lie, one on another."""
        return Place("taken", MARGIN + SIDE / 2, MARGIN + SIDE * (max(self._board.fixed)[0] + 1.75))

    def layout(self, text: str) -> Layout:
        """Draw a state."""
        pegs = self._parse(text)
        places = [self._board.places[peg] for peg in sorted(pegs)] + [self._taken] * (
            self._pegs - len(pegs)
        )
        pieces = (
            piece_in(place, f"peg-{at}", circle(place.x, place.y, 14), _PEG, "", 0)
            for at, place in enumerate(places, 1)
        )
        return self._board.layout(self._marks, pieces, [self._taken])


def _pegs(cells: Mapping[Cell, str]) -> set[Cell]:
    return {cell for cell, char in cells.items() if char == "o"}


@kernel
def _jump(keys, jumps, after):  # type: ignore[no-untyped-def]
    """The boards after all jumps; each has the bits of its three places,
    and those of the pegs that it takes.
    """
    for i in range(keys.shape[0]):
        pegs = keys[i, 0]
        count = 0
        for jump in range(jumps.shape[0]):
            if pegs & jumps[jump, 0] == jumps[jump, 1]:
                after[i, count, 0] = pegs ^ jumps[jump, 0]
                count += 1
        end_packed_successors(after, i, count)


FORMAT = Format(Pegs, has_goal=True, rows_of=rows_of)
