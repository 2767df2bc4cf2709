"""Boards of cells: their names, their texts row by row, and their layouts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import Self

from puzzlebase.errors import shorten
from puzzlebase.plugins.levels.drawing import (
    FLOOR,
    MARGIN,
    SIDE,
    drawing_mark,
    drawing_middle,
    drawing_outline,
)
from puzzlebase.plugins.levels.text import Cell, Grid
from puzzlebase.plugins.small_graphs import small_graph_search
from puzzlebase.puzzles import ImpossibleState, Layout, Piece, Place, Shape

WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))
"""Right, left, down and up; each even one is followed by its opposite."""

_FRAME, _SQUARES = "#6b6459", "#dfdbd2"


def cell_name(cell: Cell) -> str:
    """The name of a cell: the letter of its column from the left,
    and the number of its row from the top.
    """
    row, column = cell
    letters = ""
    while column >= 0:
        letters = ascii_lowercase[column % 26] + letters
        column = column // 26 - 1
    return f"{letters}{row + 1}"


def cells_of(grid: Grid, known: Container[str], wrong: str) -> dict[Cell, str]:
    """The characters of a grid by cell;
    raises BadLevel for an unknown character, saying that it is `wrong`.
    """
    cells = dict(grid)
    for cell, char in cells.items():
        if char not in known:
            raise grid.fault(f"{char!r} is {wrong}", cell)
    return cells


def cells_in_reach(start: Cell, free: Container[Cell]) -> dict[Cell, Cell]:
    """The cells that steps on free ones lead to, nearest first,
    each with the one before it; the start with itself.
    """
    return dict(
        small_graph_search([start], lambda cell: filter(free.__contains__, cells_beside(cell)))
    )


def cells_beside(cell: Cell) -> list[Cell]:
    """The four cells beside a cell, as WAYS are."""
    return [(cell[0] + down, cell[1] + right) for down, right in WAYS]


@dataclass(frozen=True)
class CellBoard:
    """A board of cells, with its fixed parts.

    Attributes:
        fixed: the fixed part in each cell of the rectangle, a character.
        floor: the cells in which pieces can be.
        under: the fixed part under each character of a text.
        outside: the character beyond the ends of rows.
        wrong: the words for other characters in errors.
    """

    fixed: dict[Cell, str]
    floor: set[Cell]
    under: Mapping[str, str]
    outside: str
    wrong: str

    @classmethod
    def of(
        cls,
        grid: Grid,
        under: Mapping[str, str],
        outside: str,
        wrong: str,
        floor: set[Cell] | None = None,
    ) -> Self:
        """The board of a level,
        by default with all cells as floor that are not `outside`; raises BadLevel.
        """
        cells = cells_of(grid, under, wrong)
        every = ((row, column) for row in range(len(grid.rows)) for column in range(grid.width))
        fixed = {cell: under[cells.get(cell, outside)] for cell in every}
        if floor is None:
            floor = {cell for cell, char in fixed.items() if char != outside}
        return cls(fixed, floor, under, outside, wrong)

    def read(self, text: str) -> dict[Cell, str]:
        """The characters of a state; raises BadLevel, and ImpossibleState for another board."""
        cells = cells_of(Grid.of(text), self.under, self.wrong)
        for cell in self.fixed | cells:
            if self.under[cells.get(cell, self.outside)] != self.fixed.get(cell, self.outside):
                has, fixed = (
                    repr(each[cell]) if cell in each else "nothing" for each in (cells, self.fixed)
                )
                raise ImpossibleState(
                    f"row {cell[0] + 1}, column {cell[1] + 1} has {has} where the "
                    f"level has {fixed}",
                    f"fixed parts must be as in {shorten(self.write({}), 400)!r}",
                )
        return cells

    def write(self, pieces: Mapping[Cell, str]) -> str:
        """The text of a state, by the characters of cells that differ from the fixed ones."""
        last_row, last_column = max(self.fixed)
        chars = {**self.fixed, **pieces}
        rows = (
            "".join(chars[row, column] for column in range(last_column + 1))
            for row in range(last_row + 1)
        )
        return "/".join(row.rstrip("-") for row in rows)

    @cached_property
    def places(self) -> dict[Cell, Place]:
        """The place of each cell of the floor."""
        return {
            cell: Place(cell_name(cell), *drawing_middle([cell])) for cell in sorted(self.floor)
        }

    @cached_property
    def ground(self) -> tuple[Shape, ...]:
        """Walls around a floor of squares."""
        walls = [cell for cell, fixed in self.fixed.items() if fixed == "#"]
        return (
            drawing_mark("walls", _FRAME, drawing_outline({*walls, *self.floor}, -6, 8)),
            drawing_mark("floor", FLOOR, drawing_outline(self.floor, 0)),
            drawing_mark(
                "squares",
                _SQUARES,
                drawing_outline([cell for cell in self.floor if sum(cell) % 2] or self.floor, 0),
            ),
        )

    def layout(
        self, marks: Iterable[Shape], pieces: Iterable[Piece], below: Sequence[Place] = ()
    ) -> Layout:
        """Lay pieces on marks; there may be places below the board."""
        height, width = (2 * MARGIN + SIDE * (1 + last) for last in max(self.fixed))
        height += SIDE if below else 0
        return Layout(width, height, (*self.places.values(), *below), tuple(marks), tuple(pieces))
