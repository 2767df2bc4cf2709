"""Cars in a jam, as in Rush Hour, `NAME.cars`:
capital letters are cars, `.` or o is empty, # or x a wall.

A car moves along its length. The level is solved when car X, a horizontal one, is at the right end
of its row; without a car X it is car A. A board of 6 by 6 may be one line of 36 characters.
`; counts: straight`, the default, counts a car any distance as a move, `cells` each cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase

from puzzlebase.plugins.levels.cells import CellBoard
from puzzlebase.plugins.levels.formats.blocks import SlidingPieces, read_pieces
from puzzlebase.plugins.levels.game import Format
from puzzlebase.plugins.levels.text import LevelText, every_line

_UNDER = dict.fromkeys(ascii_uppercase + ".o", ".") | dict.fromkeys("#x", "#")
_WRONG = "neither a car (A to Z), nor empty (. or o), nor a wall (# or x)"
_SIDE = 6
"""The side of a square board that may be one line."""


def rows_of(line: str) -> Sequence[str]:
    """The rows that a line holds."""
    row = line.strip()
    if len(row) == _SIDE * _SIDE:
        return [row[first : first + _SIDE] for first in range(0, len(row), _SIDE)]
    return every_line(line)


class Cars(SlidingPieces):
    """The game of a level."""

    sentence = "A traffic jam, as in Rush Hour: let one car out."
    state = "Rows joined by /: capital letters are cars, . is empty, # a wall"

    def __init__(self, level: LevelText) -> None:
        grid = level.start
        board = CellBoard(grid, _UNDER, "#", _WRONG)
        cars = read_pieces(grid, ascii_uppercase)
        for letter, cells in cars.items():
            rows, columns = ({cell[axis] for cell in cells} for axis in (0, 1))
            if min(len(rows), len(columns)) > 1 or len(cells) == 1:
                raise grid.fault(
                    f"car {letter!r} is no straight line of two cells or more", cells[0]
                )
        leaves = "X" if "X" in cars else "A"
        if leaves not in cars or len({row for row, _ in cars[leaves]}) > 1:
            raise grid.fault(
                f"there is no horizontal car {leaves}, which has to leave at the right"
            )
        counts = level.value("counts", ("straight", "cells"))
        goal = {leaves: (cars[leaves][0][0], grid.width - len(cars[leaves]))}
        names = {leaves: leaves}
        super().__init__(
            grid, board, cars, goal, counts, names, letters=ascii_uppercase, rails=True
        )
        self.moves = (
            "A car and the number of cells: A+2 is two to the right, or down, and A-1 one to the "
            "left, or up" + (", always one cell" if counts == "cells" else "")
        )
        self.instructions = (
            f"Move the cars along their length through free cells, until car {leaves} is "
            "at the right end of its row, where it leaves."
        )


FORMAT = Format(Cars, ("counts",), rows_of=rows_of)
