"""families/quantum/methods.py: the paper's methods on any board,
each path replayed by the reference implementation.
"""

from __future__ import annotations

import numpy as np
import pytest

from puzzlebase.puzzles import find
from puzzlebase.puzzles.families.quantum.board import (
    QuantumRules,
    format_board,
    matrix_of,
    symmetric_board,
)
from puzzlebase.puzzles.families.quantum.experiments import KINDS, experiment_board
from puzzlebase.puzzles.families.quantum.measures import MEASURES, measures
from puzzlebase.puzzles.families.quantum.methods import METHODS, PaperBoard
from tests.commands import command, ran
from tests.naive.quantum import parsed_move, replay, swap, units_from_home

PAPERS = "quantum-3x3-1000"
FIGURE_9 = (
    "1000,0,0,0,0,0,0,0,0/0,1000,0,0,0,0,0,0,0/0,0,0,417,0,333,105,0,145/0,0,0,0,0,10,123,592,275/"
    "0,0,0,0,1000,0,0,0,0/0,0,1000,0,0,0,0,0,0/0,0,0,275,0,119,246,137,223/0,0,0,103,0,280,169,213,235/"
    "0,0,0,205,0,258,357,58,122"
)


@pytest.mark.parametrize("name", METHODS)
def test_paths_are_legal_and_end_where_they_say(name: str) -> None:
    draw, puzzle = np.random.default_rng(1), find(PAPERS)
    for kind in KINDS:
        begin = experiment_board(kind, draw)
        text = format_board(begin.reshape(-1))
        path = METHODS[name](puzzle).path(puzzle.goal(), text)
        units = begin.tolist()
        assert replay(units, [parsed_move(move) for move in path.moves(0)], 4, 3) == path.weight
        end = format_board(np.array(units).reshape(-1))
        assert path.state_at(path.length) == end
        assert path.solves == (end == puzzle.goal().states[0])
        assert list(path.moves(path.length - 3)) == list(path.moves(0))[-3:] or path.length < 3


def test_the_board_of_figure_9_is_stuck_where_the_paper_says() -> None:
    """The space is in the middle, tile 2 in position 5,
    and tiles 0 and 1 are at home and locked.
    """
    units = matrix_of(QuantumRules.of(PAPERS), FIGURE_9)
    worked = PaperBoard(QuantumRules.of(PAPERS).graph, units)
    assert worked.gather((0, 1, 2, 3, 5, 6, 7, 8), np.arange(9), 1, attempts=0) == 2
    assert (worked.units == units).all()
    done = command(None, "solve", PAPERS, FIGURE_9, "--method", "positions-in-order")
    assert done.stderr.startswith("stuck at 1000,0,0,")
    assert "not known whether it can be solved; at least" in done.stdout


def test_random_moves_help_out_of_it() -> None:
    done = ran(None, "solve", PAPERS, FIGURE_9, "--method", "positions", "--json")
    assert '"stuck"' not in done.stdout


def test_small_boards_and_other_goals() -> None:
    """Moves of a table's board are of one unit;
    a goal that is good enough ends the path; in bulk names count.
    """
    small = find("quantum-2x2-4")
    begin = "2,2,0,0/2,2,0,0/0,0,4,0/0,0,0,4"
    path = METHODS["greedy"](small).path(small.goal(), begin)
    assert all("*" not in move for move in path.moves(0))
    state = begin
    for move in path.moves(0):
        after = swap(state, move)
        assert after is not None
        state = after
    assert state == path.state_at(path.length)
    large = find("quantum-2x2-100")
    enough = METHODS["positions"](large).path(
        large.goal("manhattan<=40"), "60,40,0,0/40,60,0,0/0,0,90,10/0,0,10,90"
    )
    rows = [
        [int(units) for units in row.split(",")]
        for row in enough.state_at(enough.length).split("/")
    ]
    assert (units_from_home(rows, 3, 2) <= 40) == enough.solves


@pytest.mark.needs("experiments")
def test_the_measures_of_a_board() -> None:
    text = format_board(symmetric_board(9, 1000).reshape(-1))
    assert measures(find(PAPERS), text) == dict(
        zip(MEASURES, (14652, 7326, 7326, 5340, 7104), strict=True)
    )
    done = command(None, "measures", PAPERS, text)
    assert [line.split() for line in done.stdout.splitlines()] == [
        [measure, f"{number:,}"] for measure, number in measures(find(PAPERS), text).items()
    ]
    assert "novice has no measures" in command(None, "measures", "novice", "R" * 21).stderr
