"""The five measures of Adams' paper. Each is a sum over all units of what a unit of a tile counts in a position.

The space counts nothing. Quadrants are the blocks of 2×2 positions, and the only measure that is better when higher.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from puzzlebase.puzzles.families.quantum.graph import Ints

MANHATTAN, ROWS, COLUMNS, QUADRANTS, ENTROPY = MEASURES = ("manhattan", "rows", "columns", "quadrants", "entropy")
"""Steps to the home; to its row; to its column; blocks of 2×2 that hold the unit and its home; 1 away from home."""


@cache
def counts(measure: str, height: int, width: int, space: int) -> Ints:
    """What a unit of each tile counts in each position: int64[positions, tiles]."""
    rows, columns = np.divmod(np.arange(height * width), width)
    down = np.abs(rows[:, None] - rows)
    across = np.abs(columns[:, None] - columns)
    counted: Ints
    if measure == QUADRANTS:
        blocks = [
            ((rows == row) | (rows == row + 1)) & ((columns == column) | (columns == column + 1))
            for row in range(height - 1)
            for column in range(width - 1)
        ]
        inside = np.array(blocks, np.int64).T
        counted = inside @ inside.T
    else:
        counted = {ROWS: down, COLUMNS: across, ENTROPY: np.minimum(down + across, 1)}.get(measure, down + across)
        counted = counted.astype(np.int64)
    counted[:, space] = 0
    counted.flags.writeable = False
    return counted


def value(units: Ints, counted: Ints) -> int:
    """The measure of a board, int64[positions, tiles], from what a unit counts."""
    return int((units * counted).sum())
