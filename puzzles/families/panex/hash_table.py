"""A hash table of integers for compiled code: a slot holds the number of a key, or -1 if it is empty."""

from __future__ import annotations

from puzzlebase.kernels import kernel


@kernel
def hashed(key):  # type: ignore[no-untyped-def]
    """A hash of an integer from 0 to 2^63 - 1. Products of 32 and 31 bits: no integer overflows, compiled or not."""
    return ((key & 0xFFFFFFFF) * 0x61C88647 ^ (key >> 32) * 0x5851F42D) >> 24


@kernel
def slot_of(key, keys, slots):  # type: ignore[no-untyped-def]
    """The slot that holds the number of a key; if the table lacks the key, the empty slot for it."""
    mask = slots.shape[0] - 1
    at = hashed(key) & mask
    while slots[at] >= 0 and keys[slots[at]] != key:
        at = (at + 1) & mask
    return at
