"""Arrangements of puzzles/machinery/automaton.py against itertools."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from puzzlebase.puzzles.machinery.automaton import Arrangements

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("counts", [(1,), (3,), (2, 2), (0, 2, 1), (1, 1, 1, 1), (4, 0, 2), (2, 2, 2)])
def test_every_sequence_in_order(counts: tuple[int, ...]) -> None:
    symbols = [symbol for symbol, count in enumerate(counts) for _ in range(count)]
    expected = sorted(set(permutations(symbols)))
    arrangements = Arrangements(counts)
    assert arrangements.size == len(expected)
    assert [tuple(row) for row in arrangements.sequences.tolist()] == expected
    assert arrangements.rank(arrangements.sequences).tolist() == list(range(len(expected)))


@pytest.mark.parametrize("wrong", [(0, 0, 0, 1), (0, 1, 1, 1), (0, 0, 1, 2), (255, 0, 1, 1)])
def test_other_sequences_have_no_rank(wrong: tuple[int, ...]) -> None:
    assert Arrangements((2, 2)).rank(np.array([wrong, (0, 1, 0, 1)], np.uint8)).tolist() == [-1, 1]
