"""builder/columns.py: bits move to the same columns, some bits of a word at a time or one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlebase.builder import bits, columns
from puzzlebase.builder.columns import ColumnMoves
from puzzlebase.puzzles import find


def maps_of(name: str) -> np.ndarray:
    puzzle = find(name)
    product = puzzle.space(puzzle.goal()).stored().product
    assert product
    return product().column_map


def steps_of(moves: ColumnMoves, kind: int) -> np.ndarray:
    assert moves.steps
    first, steps = moves.steps
    return steps[first[kind] : first[kind + 1]]


def words(columns_set: np.ndarray) -> np.ndarray:
    wide = np.zeros(-(-len(columns_set) // 64) * 64, np.bool_)
    wide[: len(columns_set)] = columns_set
    return np.packbits(wide, bitorder="little").view(np.uint64)


@pytest.mark.parametrize("name", ["challenger", "novice-sixths", "panguru-4"])
def test_bits_come_where_the_inverse_map_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "moves_some_bits", lambda: True)
    maps = maps_of(name)
    moves = ColumnMoves.of(maps)
    random = np.random.default_rng(1)
    some = 0
    for kind, column_map in enumerate(maps):
        steps = steps_of(moves, kind)
        some += len(steps) > 0
        for density in (0.05, 0.5, 1.0):
            before = random.random(len(column_map)) < density
            found = np.zeros(-(-len(column_map) // 64), np.uint64)
            if not bits._move_some(words(before), steps, found):
                bits._move_each(words(before), moves.maps[1][kind], found)
            assert found.tolist() == words(before[column_map]).tolist()
    assert some, "no map of this puzzle has steps"


@given(word=st.integers(0, 2**64 - 1), mask=st.integers(0, 2**64 - 1))
def test_what_is_gathered_and_spread_again_is_what_the_mask_lets_through(word: int, mask: int) -> None:
    gathered = bits.gathered(np.uint64(word), np.uint64(mask))
    assert int(gathered).bit_count() == (word & mask).bit_count()
    assert int(gathered) < 1 << mask.bit_count()
    assert bits.spread(gathered, np.uint64(mask)) == word & mask


@given(word=st.integers(0, 2**64 - 1), value=st.integers(0, 255))
def test_bytes_are_chosen_as_in_python(word: int, value: int) -> None:
    mask = np.packbits([word >> bit & 1 for bit in range(64)], bitorder="little").view(np.uint64).reshape(1, 1, 1)
    found = np.full(128, 7, np.uint8)
    bits.put(found, 1, np.uint64(word), np.uint8(value))
    assert found.tolist() == [7] * 64 + [value if word >> bit & 1 else 7 for bit in range(64)]
    distances = np.full(64, 255, np.uint8)
    bits.set_distances(mask, np.array([value], np.uint8), 64, np.empty(64, np.uint8), distances)
    assert distances.tolist() == [value if word >> bit & 1 else 255 for bit in range(64)]
