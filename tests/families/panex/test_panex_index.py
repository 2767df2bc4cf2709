"""families/panex/index.py: the states that the start can reach as integers without gaps, and their moves."""

from __future__ import annotations

import numpy as np
import pytest

from puzzlebase.puzzles import find
from puzzlebase.puzzles.families.panex import index as panex_index

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


@pytest.mark.parametrize("n", range(1, 7))
def test_the_rows_are_all_there_are(n: int) -> None:
    """Counted with capacity for more; in breadth-first order no row is found after one that its moves lead to."""
    index = panex_index.index_of(n)
    keys = np.zeros(2 * len(index.keys), np.int64)
    keys[0] = index.keys[0]
    slots = np.full(4 * len(index.slots), -1, np.int32)
    assert panex_index._find_rows(n, keys, slots) == len(index.keys) == ROWS[n - 1] == panex_index.ROWS[n - 1]
    assert np.array_equal(keys[: len(index.keys)], index.keys)
    product = index.product()
    found_by = np.full(product.rows, product.rows)
    for targets in product.row_move:
        np.minimum.at(found_by, targets[targets >= 0], np.flatnonzero(targets >= 0))
    assert (found_by[1:] < np.arange(1, product.rows)).all()
    assert (np.diff(found_by[1:]) >= 0).all()


@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_the_product_form_says_what_expand_says(n: int) -> None:
    puzzle = find(f"panex-{n}")
    space = puzzle.space(puzzle.goal())
    assert space.product is not None
    indices = np.random.default_rng(n).integers(0, space.size, 20_000)
    assert np.array_equal(space.product().expand(indices), space.expand(indices))


def test_goals_of_one_size_share_their_rows() -> None:
    puzzle = find("panex-4")
    products = {puzzle.space(goal).product for goal in (*puzzle.goals, puzzle.goal("abc|d|ABCD"))}
    assert len(products) == 1


@pytest.mark.parametrize(
    "state", [b"abc||AB|", b"abc|||BC", b"aac||ABC", b"abc||ABD", b"abcaABC|", b"\xff" * 8, b"\0" * 8]
)
def test_garbage_has_no_index(state: bytes) -> None:
    space = find("panex-3").space(find("panex-3").goal())
    boards = np.frombuffer(state, np.uint8)[None, :]
    assert space.rank(boards).tolist() == [-1]
    letters = find("panex-3").board.letters
    assert letters is not None
    assert letters.play(boards).shape == (1, 6, 8)
