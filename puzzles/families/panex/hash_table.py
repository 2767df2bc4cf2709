"""A hash table that compiled code fills: two integers for each key."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.families.panex.diagrams import Flags, Ints, SmallInts


class HashTable(NamedTuple):
    """Keys, int64[capacity], and two values of each, int64[capacity, 2], in the order in which they came.

    `slots`, int32[2 capacity], find them, -1 where there is none. `counts` are the number of keys, and a flag that one
    did not fit.
    """

    keys: Ints
    values: Ints
    slots: SmallInts
    counts: Ints

    @property
    def full(self) -> bool:
        """Whether a key did not fit."""
        return bool(self.counts[1])

    def put(self, keys: Ints, one: Ints, two: Ints) -> None:
        """Enter keys, 0 or more each, with two values each, in place of what they had."""
        _put(keys, one, two, *self)

    def get(self, keys: Ints) -> tuple[Flags, Ints, Ints]:
        """Whether each key is there, and its two values, 0 where it is not."""
        there = np.empty(len(keys), np.bool_)
        one, two = np.zeros((2, len(keys)), np.int64)
        _get(keys, *self, there, one, two)
        return there, one, two


def new_hash_table(capacity: int) -> HashTable:
    """An empty table; capacity is a power of two."""
    return HashTable(
        np.zeros(capacity, np.int64),
        np.zeros((capacity, 2), np.int64),
        np.full(2 * capacity, -1, np.int32),
        np.array([0, 0]),
    )


@kernel
def hashed(key):  # type: ignore[no-untyped-def]
    """A hash of an integer from 0 to 2^63 - 1. Products of 32 and 31 bits: no integer overflows, compiled or not."""
    return ((key & 0xFFFFFFFF) * 0x61C88647 ^ (key >> 32) * 0x5851F42D) >> 24


@kernel
def slot_of(key, keys, slots):  # type: ignore[no-untyped-def]
    """The slot that holds the number of a key, or the empty slot where it would be."""
    mask = slots.shape[0] - 1
    at = hashed(key) & mask
    while slots[at] >= 0 and keys[slots[at]] != key:
        at = (at + 1) & mask
    return at


@kernel
def _put(new, one, two, keys, values, slots, counts):  # type: ignore[no-untyped-def]
    for i in range(new.shape[0]):
        at = slot_of(new[i], keys, slots)
        if slots[at] < 0:
            if counts[0] == keys.shape[0]:
                counts[1] = 1
                return
            slots[at] = counts[0]
            counts[0] += 1
        keys[slots[at]] = new[i]
        values[slots[at], 0] = one[i]
        values[slots[at], 1] = two[i]


@kernel
def _get(wanted, keys, values, slots, counts, there, one, two):  # type: ignore[no-untyped-def]  # noqa: ARG001
    for i in range(wanted.shape[0]):
        found = slots[slot_of(wanted[i], keys, slots)]
        there[i] = found >= 0
        if found >= 0:
            one[i] = values[found, 0]
            two[i] = values[found, 1]
