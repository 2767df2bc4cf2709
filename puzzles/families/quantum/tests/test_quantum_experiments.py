"""families/quantum/experiments.py: its boards, and its methods beside what it printed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.puzzles.families.quantum.experiments import (
    SYMMETRIC,
    experiment_board,
    run_experiments,
)
from puzzlebase.puzzles.families.quantum.graph import PositionGraph
from puzzlebase.puzzles.families.quantum.measures import measure_counts, measure_of_units
from puzzlebase.puzzles.families.quantum.methods import PaperBoard

GRAPH = PositionGraph(3, 3, 4)


@pytest.mark.slow
def test_the_quadrant_and_entropy_searches_of_the_symmetric_board_are_the_papers() -> None:
    """Figures 7 and 8: 5,340 to 6,131 in 691 moves,
    and 7,104 to 4,884 in 2,221, for some order of equal moves.
    """
    draw = np.random.default_rng(5)
    for measure, published in (("quadrants", (6131, 691)), ("entropy", (4884, 2221))):
        counted, found = measure_counts(measure, GRAPH), set()
        for _ in range(40):
            units, order = (
                experiment_board(SYMMETRIC, draw),
                draw.permutation(405).reshape(9, 5, 9),
            )
            worked = PaperBoard(GRAPH, units)
            worked.improve(measure, order, whole=False)
            found.add((measure_of_units(worked.units, counted), worked.moved))
        assert published in found


def test_the_document_shows_the_papers_numbers_beside_ours() -> None:
    """Its numbers are over 1,000 boards of each kind, these over one."""
    numbers, moves = run_experiments(1, 1)
    shown = (
        Path(__file__).parents[4] / "puzzles" / "families" / "quantum" / "README.md"
    ).read_text("utf-8")
    for number in numbers:
        published = "-" if number["published"] is None else f"{number['published']:,.0f}"
        line = rf"^{number['figure']} +{number['board']} +{number['quantity']} +{published} "
        assert re.search(line, shown, re.MULTILINE), line
    assert moves["new, Random"] == moves["bound, Random"]
