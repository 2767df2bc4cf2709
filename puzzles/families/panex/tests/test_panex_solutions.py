"""families/panex/oracle.py: solutions replayed by the reference implementation,
from any of their moves on.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

from puzzlebase.puzzles import find
from puzzlebase.puzzles.families.panex.oracle import PanexSolver

from .panex_states import BLOCKED, OUT_OF_REACH, replayed, solver, wander


@pytest.mark.parametrize("n", range(1, 6))
def test_solutions_of_named_goals_come_nearer_with_every_move(n: int) -> None:
    for goal in find(f"panex-{n}").goals:
        asked = solver(n, goal.name)
        states = [goal.start, *replayed(goal.start, list(asked.line(goal.start)))]
        assert states[-1] == goal.states[0]
        assert asked.distances(states) == list(range(len(states) - 1, -1, -1))


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 4, 7])
def test_solutions_between_any_states(n: int) -> None:
    for seed, goal in enumerate([wander(n, 500, 9), BLOCKED.get(n, wander(n, 700, 3))]):
        asked, start = solver(n, goal), wander(n, 2000, seed)
        states = [start, *replayed(start, list(asked.line(start)))]
        assert asked.distances(states) == list(range(len(states) - 1, -1, -1))


def test_a_solution_from_any_of_its_moves() -> None:
    start, asked = "abcdef||ABCDEF", solver(6)
    moves = list(asked.line(start))
    states = [start, *replayed(start, moves)]
    assert len(moves) == 881
    for offset in (0, 1, 255, 256, 257, 440, 880, 881, 2000):
        assert list(asked.line(start, offset)) == moves[offset:]
        assert asked.state_at(start, offset) == states[min(offset, 881)]


def test_no_solution_where_there_is_nothing_to_solve() -> None:
    assert list(solver(3).line("ABC||abc")) == []
    assert list(solver(3).line(OUT_OF_REACH)) == []
    assert solver(3).state_at(OUT_OF_REACH, 5) == OUT_OF_REACH


def test_little_memory_changes_no_answer() -> None:
    texts = [wander(7, 200 * seed, seed) for seed in range(6)]
    goal = find("panex-7").goal().states
    large, small = (PanexSolver(7, goal, capacity) for capacity in (1 << 14, 1 << 4))
    assert [small.distances([text])[0] for text in texts] == large.distances(texts)
    assert list(small.line(texts[0])) == list(large.line(texts[0]))


def test_threads_share_a_solver() -> None:
    texts = [wander(8, 100 * seed, seed) for seed in range(16)]
    alone, shared = solver(8), solver(8)
    with ThreadPoolExecutor(4) as pool:
        together = pool.map(
            lambda text: (shared.distances([text])[0], list(islice(shared.line(text, 50), 200))),
            texts,
        )
        assert list(together) == [
            (alone.distances([text])[0], list(islice(alone.line(text, 50), 200))) for text in texts
        ]
