"""puzzles/machinery/automaton.py against itertools."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from puzzlebase.puzzles.machinery.automaton import Arrangements, Automaton, Flags, States, make_automaton

pytestmark = pytest.mark.plain

LENGTH = 5


def alternating(symbols: int) -> Automaton:
    """Sequences without equal neighbours, which do not end in symbol 1. A state is 1 + the last symbol, 0 for none."""
    every = np.arange(symbols)

    def step(states: States) -> tuple[States, Flags]:
        after = np.broadcast_to(1 + every[:, None], (len(states), symbols, 1))
        return after, states != 1 + every

    return make_automaton((0,), LENGTH, step, lambda states: states[:, 0] != 2)


def sequences(symbols: int) -> list[tuple[int, ...]]:
    """The same sequences by brute force, in order."""
    every = product(range(symbols), repeat=LENGTH)
    return [one for one in every if all(map(int.__ne__, one, one[1:])) and one[-1] != 1]


@pytest.mark.parametrize("symbols", [2, 3, 7, 12])
def test_the_rank_is_the_place_among_all_sequences(symbols: int) -> None:
    """Try few symbols, and so many that unranking halves them."""
    automaton, expected = alternating(symbols), sequences(symbols)
    assert (automaton.size, automaton.length, automaton.symbols) == (len(expected), LENGTH, symbols)
    ranks = np.arange(automaton.size)
    assert [*map(tuple, automaton.unrank(ranks).tolist())] == expected
    assert np.array_equal(automaton.rank(np.array(expected, np.uint8)), ranks)


def test_other_sequences_have_no_rank() -> None:
    every = np.array([*product(range(5), repeat=LENGTH)], np.uint8)
    known = {one: rank for rank, one in enumerate(sequences(3))}
    assert alternating(3).rank(every).tolist() == [known.get(tuple(one), -1) for one in every.tolist()]
    assert alternating(3).rank(np.full((1, LENGTH), 255, np.uint8)).tolist() == [-1]


@pytest.mark.parametrize(("first", "second"), [(2, 4), (4, 2), (3, 3)])
def test_one_automaton_behind_another(first: int, second: int) -> None:
    both = alternating(first).then(alternating(second))
    expected = [one + other for one in sequences(first) for other in sequences(second)]
    assert (both.size, both.length) == (len(expected), 2 * LENGTH)
    assert [*map(tuple, both.unrank(np.arange(both.size)).tolist())] == expected
    assert both.rank(np.array(expected, np.uint8)).tolist() == [*range(both.size)]
    wrong = np.array(expected[:1], np.uint8)
    wrong[0, -1] = wrong[0, -2]
    assert both.rank(wrong).tolist() == [-1]


def test_ranks_beyond_32_bits() -> None:
    letters = Arrangements((1,) * 13)
    ranks = np.append(np.random.default_rng(2).integers(0, letters.size, 1000), [0, letters.size - 1])
    found = letters.automaton.unrank(ranks)
    assert letters.size > 1 << 32
    assert found[-1].tolist() == [*range(12, -1, -1)]
    assert np.array_equal(letters.rank(found), ranks)
