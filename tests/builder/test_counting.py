"""Counts by range, whatever the pieces that were counted."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlebase.builder.counting import count_ranges, histograms_by_counting
from puzzlebase.db.histograms import Histograms

pytestmark = pytest.mark.plain

LENGTH = 5000
SIZE = 2 * LENGTH + 77


@settings(max_examples=20)
@given(
    cuts=st.sets(st.integers(1, SIZE - 1), max_size=6),
    far=st.sampled_from([4, 200, 40_000]),
    seed=st.integers(0, 9),
)
def test_pieces_of_any_length_make_one_histogram_each(cuts: set[int], far: int, seed: int) -> None:
    distances = (
        np.random.default_rng(seed).integers(-1, far, SIZE).astype(np.min_scalar_type(-far - 1))
    )
    distances[LENGTH : 2 * LENGTH] = -1
    ends = pairwise([0, *sorted(cuts), SIZE])
    parts = [
        part for first, last in ends for part in count_ranges(LENGTH, first, distances[first:last])
    ]
    expected = []
    for first in range(0, SIZE, LENGTH):
        some = distances[first : first + LENGTH]
        reached = some[some >= 0].astype(np.int64)
        base = int(reached.min(initial=far)) if len(reached) else 0
        expected.append((base, np.bincount(reached - base)))
    assert histograms_by_counting(LENGTH, parts) == Histograms.of(LENGTH, expected)
