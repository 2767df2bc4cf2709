"""db/census.py: counts of ranges, kept only where there are any."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from puzzlebase.db.census import Census

ranges = st.lists(st.lists(st.integers(0, 30), max_size=20), min_size=1, max_size=12)


def census_of(ranges: list[list[int]]) -> Census:
    """Of the distances in each range."""
    return Census.of(
        (min(some, default=0), [some.count(d) for d in range(min(some, default=0), max(some, default=-1) + 1)])
        for some in ranges
    )


@given(ranges, st.integers(0, 31), st.integers(0, 31))
def test_sums_over_distances_and_ranges(ranges: list[list[int]], min_distance: int, max_distance: int) -> None:
    census = census_of(ranges)
    assert len(census) == len(ranges)
    every = [distance for some in ranges for distance in some]
    assert list(census.layers) == [every.count(d) for d in range(max(every, default=-1) + 1)]
    if min_distance <= max_distance:
        expected = [sum(min_distance <= distance <= max_distance for distance in some) for some in ranges]
        assert census.between(min_distance, max_distance).tolist() == expected
    assert census == census_of(ranges)
    assert census != census_of([*ranges, []])
    assert census != 7


def test_ranges_come_back() -> None:
    census = census_of([[5, 7], [], [0]])
    assert [(base, counts.tolist()) for base, counts in census] == [(5, [1, 0, 1]), (0, []), (0, [1])]
    assert census.counts.dtype == np.int64
