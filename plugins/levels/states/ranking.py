"""Sets of keys: found from a start by a breadth-first search, then sorted. The number of a key is its place among them.

A few upper bits of a key's first word say where to begin and where to end looking for it, which saves most reads of a
binary search. A key is always compared whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Self

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.plugins.levels.states.packed import (
    NO_STATE,
    Indices,
    Keys,
    PackedRules,
    Words,
    boards_of,
    keys_of,
    legal,
)
from puzzlebase.puzzles.contract.puzzle import Report
from puzzlebase.puzzles.machinery.listed import BoardList, TooManyStates
from puzzlebase.threads import in_order

_CHUNK = 1 << 12
"""States expanded at a time: their successors fit into a core's cache."""
_IN_A_BUCKET = 8
"""Keys from one place to begin to the next, if they are spread evenly."""


def reachable(
    rules: PackedRules, threads: int, most: int | None = None, report: Report = lambda _states, _found: None
) -> Keys:
    """The keys of all states that moves lead to from the start, uint64[n, words], nearest first.

    Threads expand parts of a layer. Meanwhile one enters the successors in a list without repeats. Raises
    TooManyStates as soon as more than `most` have been found.
    """

    def successors(keys: Keys) -> Keys:
        after = rules.successors(keys)
        return after[legal(after)]

    found = BoardList(boards_of(rules.start[None, :])[0])
    layers, first = [1], 0
    with ThreadPoolExecutor(threads) as pool:
        while layers[-1]:
            report(layers[-1], found.count)
            last = found.count
            chunks = (np.arange(at, min(at + _CHUNK, last)) for at in range(first, last, _CHUNK))
            for after in in_order(pool, successors, (keys_of(found.boards(each)) for each in chunks), 2 * threads):
                found.enter(boards_of(after), np.ones(len(after), np.bool_))
                if most is not None and found.count > most:
                    raise TooManyStates(most, [*layers, found.count - last])
            layers.append(found.count - last)
            first = last
    return keys_of(found.boards(np.arange(found.count)))


class Ranking:
    """A set of keys, numbered in their order."""

    def __init__(self, keys: Keys) -> None:
        """Take sorted keys without repeats, uint64[n, words]."""
        self.size = len(keys)
        self._keys = keys
        first = keys[:, 0]
        bits = (self.size // _IN_A_BUCKET).bit_length() or 1
        self._shift = np.uint64(max(int(first[-1]).bit_length() - bits, 0))
        buckets = np.arange(int(first[-1] >> self._shift) + 1, dtype=np.uint64)
        self._begins = np.append(np.searchsorted(first, buckets << self._shift), self.size)

    @classmethod
    def of(cls, keys: Keys) -> Self:
        """Number keys in any order, without repeats."""
        return cls(keys[np.lexsort(keys.T[::-1])])

    @property
    def arrays(self) -> dict[str, Words]:
        """All of it as arrays."""
        return {"keys": self._keys}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Words]) -> Self:
        """Rebuild from arrays."""
        return cls(arrays["keys"])

    def rank(self, keys: Keys, slots: int = 1, outside: int = -1) -> Indices:
        """The numbers of keys, several for each state; NO_STATE ends the keys of a state.

        uint64[n * slots, words] -> int64[n * slots]; -1 from there on, `outside` for a key that is not in the set.
        """
        numbers = np.empty(len(keys), np.int64)
        _rank(keys, slots, outside, self._keys, self._begins, self._shift, numbers)
        return numbers

    def keys(self, numbers: Indices) -> Keys:
        """The keys of numbers, int64[n] -> uint64[n, words]."""
        return self._keys[numbers]


@kernel
def _is_less(keys, row, others, other):  # type: ignore[no-untyped-def]
    for word in range(keys.shape[1]):
        if keys[row, word] != others[other, word]:
            return keys[row, word] < others[other, word]
    return False


@kernel
def _rank(keys, slots, outside, known, begins, shift, numbers):  # type: ignore[no-untyped-def]
    """Find keys among those that are known."""
    for begin in range(0, keys.shape[0], slots):
        for row in range(begin, begin + slots):
            if keys[row, 0] == NO_STATE:
                numbers[row : begin + slots] = -1
                break
            numbers[row] = outside
            bucket = keys[row, 0] >> shift
            if bucket >= np.uint64(begins.shape[0] - 1):
                continue
            low, high = begins[bucket], begins[bucket + np.uint64(1)]
            end = high
            while low < high:
                middle = (low + high) >> 1
                if _is_less(known, middle, keys, row):
                    low = middle + 1
                else:
                    high = middle
            if low < end and not _is_less(keys, row, known, low):
                numbers[row] = low
