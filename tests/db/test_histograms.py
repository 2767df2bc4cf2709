"""db/histograms.py: counts of ranges, stored only where there are any."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from puzzlebase.db.histograms import Histograms

ranges = st.lists(st.lists(st.integers(0, 30), max_size=20), min_size=1, max_size=12)


def histograms_of(ranges: list[list[int]]) -> Histograms:
    """Make the histograms of the distances in each range."""
    return Histograms.of(
        (min(some, default=0), [some.count(d) for d in range(min(some, default=0), max(some, default=-1) + 1)])
        for some in ranges
    )


@given(ranges, st.integers(0, 31), st.integers(0, 31))
def test_sums_over_distances_and_ranges(ranges: list[list[int]], min_distance: int, max_distance: int) -> None:
    histograms = histograms_of(ranges)
    assert len(histograms) == len(ranges)
    every = [distance for some in ranges for distance in some]
    assert list(histograms.layers) == [every.count(d) for d in range(max(every, default=-1) + 1)]
    if min_distance <= max_distance:
        expected = [sum(min_distance <= distance <= max_distance for distance in some) for some in ranges]
        assert histograms.between(min_distance, max_distance).tolist() == expected
    assert histograms == histograms_of(ranges)
    assert histograms != histograms_of([*ranges, []])
    assert histograms != 7
