"""The census: how many states of each range of BLOCK_SIZE indices lie at each distance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]

_FEW = 256
"""Distances in a range, up to which all counts are added up in one step."""


@dataclass(frozen=True, eq=False)
class Census:
    """Range r has counts[start[r] + k] states at distance base[r] + k, and none nearer or farther than these.

    In a table of hundreds of distances each range holds only a few of them, so an array of ranges x layers would be
    far larger.
    """

    base: Counts
    start: Counts
    counts: Counts

    @classmethod
    def of(cls, ranges: Iterable[tuple[int, npt.ArrayLike]]) -> Census:
        """Make a census from the min distance in each range and the counts from there on."""
        bases, some = zip(*((base, np.asarray(counts, np.int64)) for base, counts in ranges), strict=True)
        start = np.concatenate([[0], np.cumsum([len(counts) for counts in some])])
        return cls(np.array(bases, np.int64), start, np.concatenate(some))

    def __len__(self) -> int:
        return len(self.base)

    def __iter__(self) -> Iterator[tuple[int, Counts]]:
        for number, base in enumerate(self.base.tolist()):
            yield base, self.counts[self.start[number] : self.start[number + 1]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Census):
            return NotImplemented
        pairs = ((self.base, other.base), (self.start, other.start), (self.counts, other.counts))
        return all(np.array_equal(mine, its) for mine, its in pairs)

    __hash__ = None  # type: ignore[assignment]

    @property
    def layers(self) -> tuple[int, ...]:
        """States at distance 0, 1, 2, ..."""
        lengths = np.diff(self.start)
        if len(self.counts) <= _FEW * len(self):
            distances = np.arange(len(self.counts)) + np.repeat(self.base - self.start[:-1], lengths)
            return tuple(np.bincount(distances, self.counts).astype(np.int64).tolist())
        if self.base.min() < 0:
            raise ValueError("a distance below 0")
        total = np.zeros(int((self.base + lengths)[lengths > 0].max()), np.int64)
        for base, counts in self:  # which takes no memory for each count
            total[base : base + len(counts)] += counts
        return tuple(total.tolist())

    def between(self, min_distance: int, max_distance: int) -> Counts:
        """How many states of each range lie at distances from `min_distance` to `max_distance`, both included."""
        upto = np.concatenate([[0], np.cumsum(self.counts)])
        lengths = np.diff(self.start)
        first, last = (np.clip(distance - self.base, 0, lengths) for distance in (min_distance, max_distance + 1))
        sums: Counts = upto[self.start[:-1] + last] - upto[self.start[:-1] + first]
        return sums
