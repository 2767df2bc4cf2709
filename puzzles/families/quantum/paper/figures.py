"""What the figures 3 to 8 and 11 to 14 of the paper print; its columns are the keys.

The paper's figure 6 has the caption of figure 5, and its figure 14 that of figure 13; the text tells what they are.
"""

from __future__ import annotations

from puzzlebase.puzzles.families.quantum.measures import COLUMNS, ENTROPY, MANHATTAN, QUADRANTS, ROWS
from puzzlebase.puzzles.families.quantum.paper.boards import NORMAL, RANDOM, SYMMETRIC

SOURCE = "Ian Adams, The Quantum 8-Puzzle: A Variation of the Classic 8-Tile Puzzle, 2009"

STATISTICS: dict[str, dict[str, tuple[float, ...]]] = {
    ENTROPY: {RANDOM: (7115.98, 7735, 6317), SYMMETRIC: (7104,), NORMAL: (7320, 8000, 5000)},
    MANHATTAN: {RANDOM: (14717.75, 17668, 12186), SYMMETRIC: (14652,), NORMAL: (15330, 22000, 7000)},
}
"""Figure 3: average, high and low."""

SEARCHES: dict[str, tuple[int, dict[str, tuple[int, int, int, int]]]] = {
    MANHATTAN: (
        4,
        {SYMMETRIC: (14652, 3220, 4995, 11434), RANDOM: (15230, 1205, 6273, 14027), NORMAL: (15800, 11698, 1200, 4103)},
    ),
    ROWS: (
        5,
        {SYMMETRIC: (7326, 2886, 1000, 4441), RANDOM: (7449, 2224, 1340, 5770), NORMAL: (6550, 5392, 402, 1111)},
    ),
    COLUMNS: (
        6,
        {SYMMETRIC: (7326, 2886, 666, 3022), RANDOM: (7150, 2398, 132, 5230), NORMAL: (7600, 6786, 202, 815)},
    ),
    QUADRANTS: (
        7,
        {SYMMETRIC: (5340, 6131, 245, 691), RANDOM: (5440, 6892, 740, 2051), NORMAL: (5400, 5702, 2, 305)},
    ),
    ENTROPY: (
        8,
        {SYMMETRIC: (7104, 4884, 2220, 2221), RANDOM: (7028, 5485, 1542, 1548), NORMAL: (7000, 6398, 601, 603)},
    ),
}
"""Figures 4 to 8: the measure at the start and at the end, how much entropy fell, and the moves."""

CORNERS_FIRST = {RANDOM: 28150, SYMMETRIC: 27282}
"""Figure 11: moves; Normal boards are stuck."""

SPREAD_FIRST = 65913
"""Figure 12: moves on Normal boards once the space is spread."""

COMBINED: dict[str, tuple[int, int, int, int, int, int]] = {
    NORMAL: (13, 55, 14020, 2810, 5259, 57438),
    RANDOM: (14, 60, 14660, 2187, 5834, 24720),
}
"""Figures 13 and 14: the number of the figure, percent solved, Manhattan before and after, fall of entropy, moves."""
