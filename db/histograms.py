"""Histograms: the states at each distance, in each range of indices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlebase.db.blocks import BLOCK_SIZE

Counts = npt.NDArray[np.int64]
_MOST = 1 << 18  # ranges of a table


def range_length(states: int, unit: int = 1) -> int:
    """The number of states of each range but the last:
    at least BLOCK_SIZE, and more in a very large table.

    It is a multiple of `unit`, unless all states are in one range.
    """
    length = BLOCK_SIZE
    while states > length * _MOST:
        length *= 2
    return min(-(-length // unit) * unit, states)


@dataclass(frozen=True, eq=False)
class Histograms:
    """Histograms of ranges:
    range r has counts[start[r] + k] states at distance base[r] + k, and no others.
    """

    length: int  # of each range but the last, in states
    base: Counts
    start: Counts
    # not ranges x layers, which is far larger: of hundreds of distances each range has only a few
    counts: Counts

    @classmethod
    def of(cls, length: int, ranges: Iterable[tuple[int, npt.ArrayLike]]) -> Histograms:
        """Make the histograms of ranges,
        each given by its min distance and the counts from there on.
        """
        bases, some = zip(
            *((base, np.asarray(counts, np.int64)) for base, counts in ranges), strict=True
        )
        start = np.concatenate([[0], np.cumsum([len(counts) for counts in some])])
        return cls(length, np.array(bases, np.int64), start, np.concatenate(some))

    def __len__(self) -> int:
        return len(self.base)

    def __iter__(self) -> Iterator[tuple[int, Counts]]:
        for number, base in enumerate(self.base.tolist()):
            yield base, self.counts[self.start[number] : self.start[number + 1]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Histograms):
            return NotImplemented
        return all(
            np.array_equal(mine, its)
            for mine, its in zip(vars(self).values(), vars(other).values(), strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return self.base.nbytes + self.start.nbytes + self.counts.nbytes

    @property
    def layers(self) -> tuple[int, ...]:
        """The numbers of states at distance 0, 1, 2, ..."""
        lengths = np.diff(self.start)
        if self.base.min() < 0:
            raise ValueError("a distance below 0")
        total = np.zeros(int((self.base + lengths)[lengths > 0].max(initial=0)), np.int64)
        for base, counts in self:  # without memory for each count
            total[base : base + len(counts)] += counts
        return tuple(total.tolist())

    def between(self, min_distance: int, max_distance: int) -> Counts:
        """The number of states of each range at distances `min_distance` ..
        `max_distance`, both included.
        """
        upto = np.concatenate([[0], np.cumsum(self.counts)])
        lengths = np.diff(self.start)
        first, last = (
            np.clip(distance - self.base, 0, lengths)
            for distance in (min_distance, max_distance + 1)
        )
        sums: Counts = upto[self.start[:-1] + last] - upto[self.start[:-1] + first]
        return sums

    def lost(self, states: int) -> Counts:
        """The number of states of each range, of so many in all, that have no distance."""
        sizes = np.minimum(states - self.length * np.arange(len(self)), self.length)
        return sizes - self.between(0, len(self.layers))
