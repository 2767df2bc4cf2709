"""families/panex/index.py: the states that the start can reach as integers without gaps, and their moves."""

from __future__ import annotations

import numpy as np
import pytest

from puzzlebase.puzzles import find

ROWS = (6, 54, 609, 6132, 58956, 558363, 5263044)


@pytest.mark.slow
@pytest.mark.parametrize("n", range(1, 8))
def test_the_index_has_no_gap(n: int) -> None:
    puzzle = find(f"panex-{n}")
    space = puzzle.space(puzzle.goal())
    assert space.size == ROWS[n - 1] << n
    every = np.arange(space.size if n <= 5 else 0)
    indices = np.append(every, np.random.default_rng(n).integers(0, space.size, 100_000))
    boards = space.unrank(indices)
    assert np.array_equal(space.rank(boards), indices)
    assert np.array_equal(np.sort(boards, axis=1), np.broadcast_to(np.sort(boards[0]), boards.shape))


def test_goals_of_one_size_share_their_rows() -> None:
    puzzle = find("panex-4")
    products = {puzzle.space(goal).product for goal in (*puzzle.goals, puzzle.goal("abc|d|ABCD"))}
    assert len(products) == 1
