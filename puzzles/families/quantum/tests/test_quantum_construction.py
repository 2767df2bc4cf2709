"""families/quantum/construction.py:
paths replayed by a reference implementation, at the bound or near it.
"""

from __future__ import annotations

import numpy as np
import pytest

from puzzlebase.plugins.methods.record import Construction
from puzzlebase.puzzles import ImpossibleState, UnknownGoal, find
from puzzlebase.puzzles.families.quantum.board import (
    QuantumRules,
    format_board,
    matrix_of,
    normal_board,
    random_board,
)
from puzzlebase.puzzles.families.quantum.construction import quantum_construction
from puzzlebase.puzzles.families.quantum.graph import Ints
from puzzlebase.puzzles.families.quantum.measures import measure_counts, measure_of_units
from tests.naive.quantum import parsed_move, replay, units_from_home
from tests.puzzles.enumerating import distances_of

PAPER = QuantumRules.of("quantum-3x3-1000")


def drawn(rules: QuantumRules, kind: int, seed: int) -> Ints:
    draw = np.random.default_rng(seed)
    if kind == 0:
        return normal_board(rules.positions, rules.k, draw)
    return random_board(rules.positions, rules.k, draw)


def replayed(rules: QuantumRules, units: Ints, names: list[str]) -> int:
    """The units that the named moves move,
    by the reference implementation; they solve the board.
    """
    board = units.tolist()
    moved = replay(board, [parsed_move(name) for name in names], rules.space, rules.width)
    assert board == np.diag(np.full(rules.positions, rules.k)).tolist()
    return moved


def solve(name: str, units: Ints, goal: str | None = None) -> tuple[int, list[str]]:
    puzzle = find(name)
    construction = puzzle.engine(Construction)
    assert construction
    text = format_board(units.reshape(-1))
    meant = puzzle.goal(goal)
    return construction.bound(meant, text), [*construction.path(meant, text).moves(0)]


@pytest.mark.parametrize(("kind", "most"), [(0, 60), (1, 0)])
def test_boards_of_the_paper_end_at_the_bound_or_near_it(kind: int, most: int) -> None:
    """Normal boards within 60 moves, Random ones at exactly the bound."""
    for seed in range(3):
        units = drawn(PAPER, kind, seed)
        bound, names = solve(PAPER.name, units)
        assert bound == units_from_home(units.tolist(), 4, 3)
        assert bound <= replayed(PAPER, units, names) <= bound + most


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["quantum-2x2-9", "quantum-3x2-2", "quantum-3x3-9", "quantum-3x4-40", "quantum-2x2-10000"],
)
@pytest.mark.parametrize("kind", [0, 1])
def test_boards_of_every_size_are_solved(name: str, kind: int) -> None:
    rules = QuantumRules.of(name)
    for seed in range(3):
        units = drawn(rules, kind, seed)
        bound, names = solve(name, units)
        moved = replayed(rules, units, names)
        assert bound <= moved


@pytest.mark.slow
def test_lines_are_never_shorter_than_the_distance_and_bounds_never_longer() -> None:
    puzzle, rules = find("quantum-2x2-4"), QuantumRules.of("quantum-2x2-4")
    known, goal, construction = (
        distances_of(puzzle.name),
        puzzle.goal(),
        quantum_construction(rules),
    )
    for index in np.random.default_rng(3).integers(0, len(known), 60).tolist():
        text = puzzle.text(index, goal)
        names = [*construction.path(goal, text).moves(0)]
        replayed(rules, matrix_of(rules, text), names)
        assert construction.bound(goal, text) <= known[index] <= len(names)


def test_what_is_close_to_home_takes_as_many_moves_as_it_must() -> None:
    """Three units are away from home; room for each position would cost more."""
    units = np.diag(np.full(9, 1000))
    for position, tile, change in (
        (0, 0, -1),
        (0, 1, 1),
        (1, 0, 1),
        (1, 1, -2),
        (1, 4, 1),
        (4, 1, 1),
        (4, 4, -1),
    ):
        units[position, tile] += change
    bound, names = solve(PAPER.name, units)
    assert bound == 3
    assert replayed(PAPER, units, names) == 3


@pytest.mark.parametrize("blocked", [(5,), (0, 2, 6, 8)])
def test_nothing_enters_or_leaves_a_blocked_position(blocked: tuple[int, ...]) -> None:
    units = np.diag(np.full(9, 1000))
    free = [position for position in range(9) if position not in blocked]
    units[free] = units[np.random.default_rng(2).permutation(free)]
    bound, names = solve(PAPER.name, units, f"blocked:{','.join(map(str, blocked))}")
    assert bound <= replayed(PAPER, units, names) <= bound + 60
    for name in names:
        _, source, target, _ = parsed_move(name)
        assert not {source, target} & set(blocked)


@pytest.mark.parametrize("goal", ["manhattan<=500", "rows<=100", "quadrants>=11000"])
def test_good_enough_is_reached_and_no_move_is_made_after(goal: str) -> None:
    units = drawn(PAPER, 1, 6)
    measure, limit = goal.replace(">", "<").split("<=")
    bound, names = solve(PAPER.name, units, goal)
    counted = measure_counts(measure, PAPER.graph)
    board = units.copy()
    values = []
    for tile, source, target, amount in map(parsed_move, names):
        assert replay(board, [[tile, source, target, amount]], 4, 3) == amount  # type: ignore[arg-type]
        values.append(measure_of_units(board, counted))
    sign = -1 if measure == "quadrants" else 1
    assert sign * values[-1] <= sign * int(limit) < sign * values[-2]
    moved = sum(parsed_move(name)[3] for name in names)
    assert bound <= moved
    assert measure != "manhattan" or moved == bound == units_from_home(units.tolist(), 4, 3) - 500


@pytest.mark.parametrize(
    "goal",
    [
        "blocked:4",
        "blocked:9",
        "blocked:1,3",
        "blocked:",
        "entropy>=5",
        "quadrants>=12001",
        "blocked:0 what<=3",
    ],
)
def test_goals_that_are_none(goal: str) -> None:
    with pytest.raises(UnknownGoal) as caught:
        find(PAPER.name).goal(goal)
    assert caught.value.hint


def test_a_blocked_position_holds_its_own_tile_alone() -> None:
    with pytest.raises(ImpossibleState, match="position 1 is blocked and holds 0 units"):
        solve(PAPER.name, np.diag(np.full(9, 1000))[[1, 0, *range(2, 9)]], "blocked:1")


def test_an_amount_is_a_name_where_there_is_no_table() -> None:
    puzzle = find(PAPER.name)
    units = np.diag(np.full(9, 1000))
    state = puzzle.play(format_board(units.reshape(-1)), "T1:1-4*37")
    assert state == puzzle.goal().start.replace(
        "0,1000,0,0,0,0,0,0,0", "0,963,0,0,37,0,0,0,0"
    ).replace("0,0,0,0,1000,0,0,0,0", "0,37,0,0,963,0,0,0,0")
    assert puzzle.board.weight("T1:1-4*37") == 37
