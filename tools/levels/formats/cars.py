"""Cars in a jam, as in Rush Hour, `NAME.cars`: capital letters are cars, `.` or o is empty, # or x a wall.

A car moves along its length. The level is solved when car A, which lies across, is at the right end of its row.
`; counts: straight`, the default, counts a car any distance as a move, `cells` each cell.
"""

from __future__ import annotations

from puzzlebase.tools.levels.formats.blocks import read_pieces, sliding_rules
from puzzlebase.tools.levels.states.packed import PackedRules
from puzzlebase.tools.levels.text import LevelText

_EMPTY, _WALLS = ".o", "#x"
_CAR = "A"


def rules(level: LevelText) -> PackedRules:
    """The rules of a level; raises BadLevel."""
    grid = level.start
    cars = read_pieces(grid, _EMPTY, _WALLS)
    for letter, cells in cars.items():
        row, column = cells[0]
        if not letter.isupper():
            raise grid.fault(
                row, column, f"{letter!r} is neither a car (A to Z), nor empty (. or o), nor a wall (# or x)"
            )
        rows, columns = ({cell[axis] for cell in cells} for axis in (0, 1))
        if min(len(rows), len(columns)) > 1 or len(cells) == 1:
            raise grid.fault(row, column, f"car {letter!r} is no straight line of two cells or more")
    if _CAR not in cars or len({row for row, _ in cars[_CAR]}) > 1:
        raise grid.fault(0, 0, f"there is no car {_CAR} that lies across, which has to leave at the right")
    row = cars[_CAR][0][0]
    counts = level.value("counts", ("straight", "cells"))
    goal = {_CAR: (row, grid.width - len(cars[_CAR]))}
    return sliding_rules(grid, cars, goal, counts, walls=_WALLS, rails=True)
