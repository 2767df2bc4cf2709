"""families/quantum/paper.py: its boards, and its methods beside what it printed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.puzzles.families.quantum.goals import counts, value
from puzzlebase.puzzles.families.quantum.graph import PositionGraph
from puzzlebase.puzzles.families.quantum.methods import PaperBoard
from puzzlebase.puzzles.families.quantum.paper import NORMAL, RANDOM, SYMMETRIC, board, run
from tests.naive.quantum import units_from_home

GRAPH = PositionGraph(3, 3, 4)
OUTSIDE = 18
"""The published numbers that no average of 20 boards reaches; README.md tells which."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", [RANDOM, NORMAL])
def test_means_are_the_exact_expectations(kind: str) -> None:
    """The means of both kinds are 14,666.7 and 7,111.1, within four standard errors."""
    draw = np.random.default_rng(2)
    boards = [board(kind, 9, 1000, draw) for _ in range(1500)]
    for measure, expected in (("manhattan", 44_000 / 3), ("entropy", 64_000 / 9)):
        values = np.array([value(units, counts(measure, GRAPH)) for units in boards])
        assert abs(values.mean() - expected) < 4 * values.std() / len(values) ** 0.5
    assert units_from_home(boards[0].tolist(), 4, 3) == value(boards[0], counts("manhattan", GRAPH))


@pytest.mark.slow
def test_the_quadrant_and_entropy_searches_of_the_symmetric_board_are_the_papers() -> None:
    """Figures 7 and 8: 5,340 to 6,131 in 691 moves, and 7,104 to 4,884 in 2,221, for some order of equal moves."""
    draw = np.random.default_rng(5)
    for measure, published in (("quadrants", (6131, 691)), ("entropy", (4884, 2221))):
        counted, found = counts(measure, GRAPH), set()
        for _ in range(40):
            units, order = board(SYMMETRIC, 9, 1000, draw), draw.permutation(405).reshape(9, 5, 9)
            worked = PaperBoard(GRAPH, units)
            worked.improve(measure, order, whole=False)
            found.add((value(worked.units, counted), worked.moved))
        assert published in found


@pytest.mark.slow
def test_the_document_has_what_the_paper_and_we_say() -> None:
    """The numbers are over 1,000 boards of each kind."""
    numbers, moves = run(1000, 1)
    figures = {number["figure"] for number in numbers}
    assert figures == {3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14}
    outside = [number for number in numbers if number["within"] is False]
    assert len(outside) == OUTSIDE
    shown = (Path(__file__).parents[4] / "puzzles" / "families" / "quantum" / "README.md").read_text("utf-8")
    for number in outside:
        assert re.search(
            rf"^{number['figure']} +{number['board']} +{number['quantity']} .* outside$", shown, re.MULTILINE
        )
    assert all(len(each) == 1000 for each in moves.values())
    assert moves["new, Random"] == moves["bound, Random"]
