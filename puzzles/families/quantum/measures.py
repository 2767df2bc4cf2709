"""The five measures of Adams' paper: each unit of a tile counts by its position,
and the space counts nothing. A low value is good, except of quadrants.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from puzzlebase.puzzles import Puzzle
from puzzlebase.puzzles.families.quantum.board import QuantumRules, matrix_of
from puzzlebase.puzzles.families.quantum.graph import Ints, PositionGraph

MANHATTAN, ROWS, COLUMNS, QUADRANTS, ENTROPY = MEASURES = (
    "manhattan",
    "rows",
    "columns",
    "quadrants",
    "entropy",
)
"""Steps to the home; to its row; to its column;
blocks of 2×2 that hold the unit and its home; 1 if away from home.
"""


@cache
def measure_counts(measure: str, graph: PositionGraph) -> Ints:
    """The count of a unit of each tile in each position by a measure,
    none of them blocked: int64[positions, tiles].
    """
    rows, columns = np.divmod(np.arange(graph.size), graph.width)
    down = np.abs(rows[:, None] - rows)
    across = np.abs(columns[:, None] - columns)
    if measure == QUADRANTS:  # positions of one side, by the blocks that hold them
        sides = (
            np.eye(side, side - 1) + np.eye(side, side - 1, -1)
            for side in (graph.height, graph.width)
        )
        counted = np.kron(*(inside @ inside.T for inside in sides)).astype(np.int64)
    else:
        counted = {ROWS: down, COLUMNS: across, ENTROPY: np.minimum(down + across, 1)}.get(
            measure, down + across
        )
    counted[:, graph.home] = 0
    counted.flags.writeable = False
    return counted


def measure_of_units(units: Ints, counted: Ints) -> int:
    """The measure of a board, int64[positions, tiles], from the counts of its units."""
    return int((units * counted).sum())


def measures(puzzle: Puzzle, text: str) -> dict[str, int]:
    """The paper's five measures of a board."""
    rules = QuantumRules.of(puzzle.name)
    units = matrix_of(rules, text)
    return {
        measure: measure_of_units(units, measure_counts(measure, rules.graph))
        for measure in MEASURES
    }
