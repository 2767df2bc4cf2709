"""Peg solitaire, `NAME.pegs`: `o` is a peg, `.` an empty place, a space no place.

A peg jumps over a neighbour into the empty place behind it, and the neighbour is taken away. A level is solved as its
goal says, by default when one peg is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.plugins.levels.cells import MARGIN, SIDE, WAYS, Cell, CellBoard, cell_name, mark, middle, outline
from puzzlebase.plugins.levels.formats import Format
from puzzlebase.plugins.levels.game import LevelGame, Slide, Step
from puzzlebase.plugins.levels.states.packed import NO_STATE, Key, PackedRules, written_by
from puzzlebase.plugins.levels.text import LevelText
from puzzlebase.puzzles import ImpossibleState, Layout, Move, Place, Shape, circle
from puzzlebase.puzzles.contract.errors import shorten
from puzzlebase.puzzles.machinery.squares import piece_in

_MOST_CELLS = 63
"""The most cells of the board's rectangle, one bit each."""
_UNDER = {"o": ".", ".": ".", " ": "-", "-": "-", "_": "-"}
_WRONG = "neither a peg (o), nor an empty place (.), nor a space"
_WOOD, _HOLE, _GOAL, _PEG = "#a98a66", "#6f573c", "#f2c230", "#2f6fde"


def rows_of(line: str) -> Sequence[str]:
    """The row of a line; one of spaces has no places, and ends no level."""
    return [line.rstrip() or line] if line else []


def game(level: LevelText) -> LevelGame:
    """The game of a level: a key has a bit for each peg, row by row; raises BadLevel."""
    start, width = level.start, max(level.start.width, 2)
    if width * len(start.rows) > _MOST_CELLS:
        raise start.fault(0, 0, f"a board has at most {_MOST_CELLS} cells, this one has {width * len(start.rows)}")
    board = CellBoard.of(start, _UNDER, "-", _WRONG)
    floor = sorted(board.floor)
    pegs = [(row, column) for row, column, char in start if char == "o"]
    goal = [(row, column) for row, column, char in level.goal or () if char == "o"]
    if level.goal and CellBoard.of(level.goal, _UNDER, "-", _WRONG).floor != board.floor:
        raise level.goal.fault(0, 0, "the goal has other places than the level")
    jumps = [
        [(row + far * down, column + far * right) for far in range(3)] for down, right in WAYS for row, column in floor
    ]
    jumps = [jump for jump in jumps if board.floor.issuperset(jump)]
    pegboard = _Pegboard(board, width, len(pegs), goal, jumps)
    flips = [(pegboard.bits(jump), pegboard.bits(jump[:2])) for jump in jumps]
    end = np.uint64(pegboard.bits(goal))
    most = max(min(len(jumps), 4 * min(len(pegs), len(floor) // 2)), 1)
    rules = PackedRules(
        start=np.array([pegboard.bits(pegs)], np.uint64),
        successors=written_by(_jump, most, np.array(flips, np.uint64).reshape(-1, 2)),
        solved=(lambda keys: keys[:, 0] == end) if level.goal else lambda keys: np.bitwise_count(keys[:, 0]) == 1,
        masks=[mask for mask, _ in flips],
    )
    return LevelGame(
        rules=rules,
        start=board.write(dict.fromkeys(pegs, "o")),
        read=pegboard.read,
        write=pegboard.write,
        steps=pegboard.steps,
        layout=pegboard.layout,
        state="Rows joined by /: o peg, . empty place, - no place",
        moves="Where a peg jumps from and to: d2d4 is from the fourth column from the left, second row from the top",
        instructions="Let a peg jump over a peg beside it into the empty place behind; that peg is taken away. It "
        f"is solved when {'the pegs left fill the marked places' if level.goal else 'one peg is left'}.",
    )


@dataclass(frozen=True)
class _Pegboard:
    """The board side of a level.

    Attributes:
        width: the bits of a row in keys.
        pegs: the number of pegs at first.
        goal: the places where pegs must end, if the level says so.
        jumps: the place of each peg that may jump, the place that it jumps over, and the one behind.
    """

    board: CellBoard
    width: int
    pegs: int
    goal: Sequence[Cell]
    jumps: Sequence[Sequence[Cell]]

    def bits(self, cells: Iterable[Cell]) -> int:
        return sum(1 << row * self.width + column for row, column in cells)

    def read(self, text: str) -> Key:
        return np.array([self.bits(self._parse(text))], np.uint64)

    def write(self, key: Key) -> str:
        return self._text({divmod(at, self.width) for at in range(_MOST_CELLS) if int(key[0]) >> at & 1})

    def _text(self, pegs: set[Cell]) -> str:
        return self.board.write(dict.fromkeys(pegs, "o"))

    def _parse(self, text: str) -> set[Cell]:
        """The cells of the pegs."""
        pegs = {cell for cell, char in self.board.read(text).items() if char == "o"}
        if not 1 <= len(pegs) <= self.pegs:
            raise ImpossibleState(
                f"{shorten(text)!r} has {len(pegs)} pegs", f"this level has 1 to {self.pegs} pegs (o)"
            )
        return pegs

    def steps(self, text: str) -> Iterator[Step]:
        pegs = self._parse(text)
        free = self.board.floor - pegs
        for peg, over, to in self.jumps:
            if pegs.issuperset((peg, over)) and to in free:
                name = cell_name(peg), cell_name(to)
                away = Slide(cell_name(over), self._taken.name, dragged=False, lift=True)
                after = pegs - {peg, over} | {to}
                slides = Slide(*name, lift=True), away
                yield Step(Move("".join(name), f"peg {name[0]}"), self._text(after), slides)

    @cached_property
    def marks(self) -> tuple[Shape, ...]:
        def holes(cells: Iterable[Cell], radius: float) -> Iterator[str]:
            return (circle(*middle([cell]), radius) for cell in cells)

        return (
            mark("board", _WOOD, outline(self.board.floor, -7, 14)),
            mark("goal", _GOAL, *holes(self.goal, 12)),
            mark("holes", _HOLE, *holes(self.board.floor, 8)),
        )[:: 1 if self.goal else 2]

    @cached_property
    def _taken(self) -> Place:
        """The place below the board where pegs that were taken away lie, one on another."""
        return Place("taken", MARGIN + SIDE / 2, MARGIN + SIDE * (max(self.board.fixed)[0] + 1.75))

    def layout(self, text: str) -> Layout:
        pegs = self._parse(text)
        places = [self.board.places[peg] for peg in sorted(pegs)] + [self._taken] * (self.pegs - len(pegs))
        pieces = (
            piece_in(place, f"peg-{at}", circle(place.x, place.y, 14), _PEG, "", 0)
            for at, place in enumerate(places, 1)
        )
        return self.board.layout(self.marks, pieces, [self._taken])


@kernel
def _jump(keys, jumps, after):  # type: ignore[no-untyped-def]
    """The boards after all jumps; each has the bits of its three places, and those of the pegs that it takes."""
    for i in range(keys.shape[0]):
        pegs = keys[i, 0]
        count = 0
        for jump in range(jumps.shape[0]):
            if pegs & jumps[jump, 0] == jumps[jump, 1]:
                after[i, count, 0] = pegs ^ jumps[jump, 0]
                count += 1
        if count < after.shape[1]:
            after[i, count, 0] = NO_STATE


FORMAT = Format(game, has_goal=True, rows_of=rows_of)
