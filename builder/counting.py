"""Count distances for histograms, in any pieces of ranges of indices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

import numpy as np

from puzzlebase.db.blocks import Signed
from puzzlebase.db.histograms import Counts, Histograms
from puzzlebase.kernels import kernel

# The number of a range, the min distance reached in a part of it, and the counts at each distance
# from there on.
Counted = tuple[int, int, Counts]


def histograms_by_counting(length: int, parts: Iterable[Counted]) -> Histograms:
    """Make the histograms of ranges of this length by the counts of their parts,
    which are in order.
    """
    by_range = groupby(parts, itemgetter(0))
    return Histograms.of(
        length, (_sum([(base, counts) for _, base, counts in some]) for _, some in by_range)
    )


def _sum(parts: list[tuple[int, Counts]]) -> tuple[int, Counts]:
    reached = [(base, counts) for base, counts in parts if len(counts)]
    if len(reached) < 2:
        return reached[0] if reached else (0, np.zeros(0, np.int64))
    first = min(base for base, _ in reached)
    total = np.zeros(max(base + len(counts) for base, counts in reached) - first, np.int64)
    for base, counts in reached:
        total[base - first :][: len(counts)] += counts
    return first, total


def count_ranges(length: int, first: int, distances: Signed) -> Iterator[Counted]:
    """Count the distances of consecutive indices from `first` on, by ranges of this length."""
    at, end = first, first + len(distances)
    while at < end:
        number = at // length
        last = min((number + 1) * length, end)
        yield number, *count(distances[at - first : last - first])
        at = last


def count(distances: Signed) -> tuple[int, Counts]:
    """Find the min distance reached and the counts at each distance from there on;
    0 and none if none is reached.
    """
    if distances.itemsize == 1:
        parts = np.zeros((4, 256), np.int64)
        _count_bytes(distances.view(np.uint8), parts)
        counts = parts.sum(axis=0)[: np.iinfo(np.int8).max + 1]
        reached = np.flatnonzero(counts)
        return (
            (int(reached[0]), counts[reached[0] : reached[-1] + 1].copy())
            if len(reached)
            else (0, counts[:0])
        )
    reached = distances[distances >= 0]
    base = int(reached.min()) if len(reached) else 0
    return base, np.bincount(reached - base)


@kernel
def _count_bytes(codes, counts):  # type: ignore[no-untyped-def]
    """Count bytes, by turns in four rows of counts:
    to add to what was just added to takes four times as long.
    """
    n = np.uint64(codes.shape[0])
    four = np.uint64(4)
    for i in range(n // four):
        at = i * four
        counts[0, codes[at]] += 1
        counts[1, codes[at + np.uint64(1)]] += 1
        counts[2, codes[at + np.uint64(2)]] += 1
        counts[3, codes[at + np.uint64(3)]] += 1
    for last in range(n // four * four, n):
        counts[0, codes[last]] += 1
