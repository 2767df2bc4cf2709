"""families/panex/solutions.py: solutions replayed by the reference implementation, from any of their moves on."""

from __future__ import annotations

import pytest

from puzzlebase.puzzles import find
from puzzlebase.puzzles.families.panex.oracle import PanexSolver

from .panex_states import BLOCKED, OUT_OF_REACH, replayed, solver, wander


@pytest.mark.parametrize("n", range(1, 7))
def test_solutions_come_nearer_with_every_move(n: int) -> None:
    for goal in find(f"panex-{n}").goals:
        asked = solver(n, goal.name)
        moves = list(asked.line(goal.start))
        states = list(replayed(goal.start, moves))
        assert states[-1] == goal.states[0]
        distances = asked.distances([goal.start, *states])
        assert distances == list(range(len(moves), -1, -1))


@pytest.mark.slow
@pytest.mark.parametrize("n", range(2, 8))
def test_solutions_between_any_states(n: int) -> None:
    for seed in range(3):
        start, goal = wander(n, 2000, seed), BLOCKED.get(n, "") if seed == 2 else wander(n, 2000, -1 - seed)
        asked = solver(n, goal or wander(n, 500, 9))
        moves = list(asked.line(start))
        states = [start, *replayed(start, moves)]
        assert asked.distances(states) == list(range(len(moves), -1, -1))


def test_a_solution_from_any_of_its_moves() -> None:
    asked = solver(6)
    moves = list(asked.line("abcdef||ABCDEF"))
    assert len(moves) == 881
    assert moves == list(solver(6).line("abcdef||ABCDEF"))
    assert list(asked.line("abcdef||ABCDEF", -3)) == moves
    for offset in (*range(20), 300, 301, 440, 879, 880, 881, 2000):
        assert list(asked.line("abcdef||ABCDEF", offset)) == moves[offset:]


@pytest.mark.slow
@pytest.mark.parametrize("n", range(1, 8))
def test_the_state_before_any_move_of_a_solution(n: int) -> None:
    for seed in range(3):
        start = find(f"panex-{n}").goal().start if not seed else wander(n, 2000, seed)
        asked = solver(n, None if seed < 2 else BLOCKED.get(n, wander(n, 700, -seed)))
        states = [start, *replayed(start, list(asked.line(start)))]
        for offset in {*range(0, len(states), len(states) // 60 + 1), len(states) - 1}:
            assert asked.state_at(start, offset) == states[offset]
        assert asked.state_at(start, 2**53) == states[-1]


def test_no_solution_where_there_is_nothing_to_solve() -> None:
    assert list(solver(3).line("ABC||abc")) == []
    assert list(solver(3).line(OUT_OF_REACH)) == []
    assert solver(3).state_at(OUT_OF_REACH, 5) == OUT_OF_REACH


def test_little_memory_changes_no_answer() -> None:
    puzzle = find("panex-7")
    texts = [wander(7, 200 * seed, seed) for seed in range(12)]
    goal = puzzle.goal().states
    large, small = (PanexSolver(7, goal, capacity) for capacity in (1 << 14, 1 << 4))
    expected = large.distances(texts)
    assert [small.distance(text) for text in texts] == expected
    assert [[*small.line(text)] for text in texts] == [[*large.line(text)] for text in texts]
