"""db/histograms.py: counts of ranges, stored only where there are any."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.histograms import Histograms, range_length

ranges = st.lists(st.lists(st.integers(0, 30), max_size=20), min_size=1, max_size=12)


def histograms_of(ranges: list[list[int]]) -> Histograms:
    """Make the histograms of the distances in each range."""
    each = (
        (
            min(some, default=0),
            [some.count(d) for d in range(min(some, default=0), max(some, default=-1) + 1)],
        )
        for some in ranges
    )
    return Histograms.of(30, each)


@given(ranges, st.integers(0, 31), st.integers(0, 31))
def test_sums_over_distances_and_ranges(
    ranges: list[list[int]], min_distance: int, max_distance: int
) -> None:
    histograms = histograms_of(ranges)
    assert len(histograms) == len(ranges)
    every = [distance for some in ranges for distance in some]
    assert list(histograms.layers) == [every.count(d) for d in range(max(every, default=-1) + 1)]
    if min_distance <= max_distance:
        expected = [
            sum(min_distance <= distance <= max_distance for distance in some) for some in ranges
        ]
        assert histograms.between(min_distance, max_distance).tolist() == expected
    assert histograms.lost(30 * len(ranges) - 7).tolist() == [
        30 - 7 * (number == len(ranges)) - len(some) for number, some in enumerate(ranges, start=1)
    ]
    assert histograms == histograms_of(ranges)
    assert histograms != histograms_of([*ranges, []])
    assert histograms != 7


@given(st.integers(1, 1 << 50), st.sampled_from([1, 24, 11_520]))
def test_ranges_grow_with_the_table(states: int, unit: int) -> None:
    length = range_length(states, unit)
    assert length == states or (length >= BLOCK_SIZE and length % unit == 0)
    assert -(-states // length) <= 1 << 18
    if unit == 1 and BLOCK_SIZE <= states <= 17_000_000_000:
        assert length == BLOCK_SIZE
