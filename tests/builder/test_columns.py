"""builder/columns.py: bits move to the same columns,
some bits of a word at a time or one by one.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from puzzlebase.builder import bits


@given(word=st.integers(0, 2**64 - 1), mask=st.integers(0, 2**64 - 1))
def test_what_is_gathered_and_spread_again_is_what_the_mask_lets_through(
    word: int, mask: int
) -> None:
    gathered = bits.gather_bits(np.uint64(word), np.uint64(mask))
    assert int(gathered).bit_count() == (word & mask).bit_count()
    assert int(gathered) < 1 << mask.bit_count()
    assert bits.spread_bits(gathered, np.uint64(mask)) == word & mask
