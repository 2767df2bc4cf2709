"""research/panex_lengths: the oracle's file of lengths."""

from __future__ import annotations

import numpy as np
import pytest

from puzzlebase.puzzles.families.panex.lengths import all_lengths
from research.panex_lengths.__main__ import find_lengths

pytestmark = pytest.mark.plain


def test_the_file_of_the_oracle_has_what_the_rules_give() -> None:
    for name, array in find_lengths(26)._asdict().items():
        assert np.array_equal(getattr(all_lengths(), name), array), name
