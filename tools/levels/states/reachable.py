"""All states that moves lead to from a start: a breadth-first search on keys without numbers.

Threads expand parts of a layer, each without most repetitions. Meanwhile one enters the successors in a hash table.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.puzzle import Report
from puzzlebase.puzzles.machinery.listed import TooManyStates
from puzzlebase.threads import in_order
from puzzlebase.tools.levels.states.packed import NO_STATE, Keys, PackedRules

_CHUNK = 1 << 12
"""States expanded at a time: their successors fit into a core's cache."""
_SLOTS = 1 << 16
_FULL = 0.6
"""The largest share of a table's slots that may be filled."""
_SEEN = 1 << 14
"""Recent successors that a thread holds in its core's cache: most repetitions follow soon."""
_AT_ONCE = 64
"""Slots that are read before the first is examined, so that the reads overlap."""


def reachable(
    rules: PackedRules, threads: int, most: int | None = None, report: Report = lambda _states, _found: None
) -> Keys:
    """The keys of all states that moves lead to from the start, uint64[n, words], in an order of their own.

    Raises TooManyStates as soon as more than `most` have been found.
    """
    table = _HashTable(rules.words)
    found = [table.enter(rules.start[None, :])]
    layers = [1]
    first = 0  # of the layer's parts
    with ThreadPoolExecutor(threads) as pool:
        while layers[-1]:
            report(layers[-1], table.count)
            before, last = table.count, len(found)
            parts = (keys[at : at + _CHUNK] for keys in found[first:last] for at in range(0, len(keys), _CHUNK))
            for successors in in_order(pool, partial(_successors, rules), parts, 2 * threads):
                found.append(table.enter(successors))
                if most is not None and table.count > most:
                    raise TooManyStates(most, [*layers, table.count - before])
            layers.append(table.count - before)
            first = last
    return np.concatenate(found)


def _successors(rules: PackedRules, keys: Keys) -> Keys:
    """The successors of states, uint64[n, words], some of them repeated."""
    successors = rules.successors(keys)
    slots = successors.shape[1]
    successors = successors.reshape(-1, rules.words)
    seen = np.full((_SEEN, rules.words), NO_STATE, np.uint64)
    return successors[: _compress(successors, slots, seen)]


class _HashTable:
    """A set of keys, in a hash table that grows."""

    def __init__(self, words: int) -> None:
        self._table = np.full((_SLOTS, words), NO_STATE, np.uint64)
        self.count = 0

    def enter(self, keys: Keys) -> Keys:
        """Enter keys, and return the new ones, uint64[n, words]."""
        new = np.empty_like(keys)
        scratch = np.empty(_AT_ONCE, np.uint64), np.empty(_AT_ONCE, np.uint64)
        done = found = 0
        while done < len(keys):
            most = int(_FULL * len(self._table)) - self.count
            done, count = _enter(keys, done, self._table, new, found, most, *scratch)
            self.count += count - found
            found = count
            if self.count >= int(_FULL * len(self._table)) - _AT_ONCE:
                self._grow()
        return new[:found].copy()

    def _grow(self) -> None:
        table = np.full((2 * len(self._table), self._table.shape[1]), NO_STATE, np.uint64)
        _move(self._table, table)
        self._table = table


@kernel
def _hash(keys, row):  # type: ignore[no-untyped-def]
    """A hash of a key, uint64. Kernels take arrays with rows, since a row by itself is counted by its users."""
    code = np.uint64(0)
    for word in range(keys.shape[1]):
        code = (code ^ keys[row, word]) * np.uint64(0x9E3779B97F4A7C15)
        code ^= code >> np.uint64(32)
    code *= np.uint64(0xBF58476D1CE4E5B9)
    return code ^ (code >> np.uint64(29))


@kernel
def _equal(keys, row, others, other):  # type: ignore[no-untyped-def]
    different = np.uint64(0)
    for word in range(keys.shape[1]):
        different |= keys[row, word] ^ others[other, word]
    return different == 0


@kernel
def _copy(keys, row, to, at):  # type: ignore[no-untyped-def]
    for word in range(keys.shape[1]):
        to[at, word] = keys[row, word]


@kernel
def _compress(successors, slots, seen):  # type: ignore[no-untyped-def]
    """Move the successors of states, `slots` for each, together, without some that repeat; return their number.

    `seen` has recent successors, each at the row that its hash says.
    """
    last = np.uint64(seen.shape[0] - 1)
    count = np.uint64(0)
    for first in range(np.uint64(0), np.uint64(successors.shape[0]), np.uint64(slots)):
        for row in range(first, first + np.uint64(slots)):
            if successors[row, 0] == NO_STATE:
                break
            at = _hash(successors, row) & last
            if not _equal(successors, row, seen, at):
                _copy(successors, row, seen, at)
                _copy(successors, row, successors, count)
                count += np.uint64(1)
    return count


@kernel
def _slot(keys, row, at, table):  # type: ignore[no-untyped-def]
    """The slot of a key, or the free slot for it, searched from the slot `at` on."""
    last = np.uint64(table.shape[0] - 1)
    while table[at, 0] != NO_STATE and not _equal(keys, row, table, at):
        at = (at + np.uint64(1)) & last
    return at


@kernel
def _enter(keys, done, table, new, found, most, slots, seen):  # type: ignore[no-untyped-def]
    """Enter keys from number `done` on; append new ones to `new`, which already has `found`.

    Stops if the table may become too full. Returns the number of keys done, and the number in `new`.
    """
    last = np.uint64(table.shape[0] - 1)
    end = found + most - slots.shape[0]
    while done < keys.shape[0] and found < end:
        count = min(slots.shape[0], keys.shape[0] - done)
        for i in range(count):
            slots[i] = _hash(keys, np.uint64(done + i)) & last
            seen[i] = table[slots[i], 0]
        for i in range(count):
            row = np.uint64(done + i)
            slot = _slot(keys, row, slots[i], table)
            if table[slot, 0] == NO_STATE:
                _copy(keys, row, table, slot)
                _copy(keys, row, new, np.uint64(found))
                found += 1
        done += count
    return done, found


@kernel
def _move(table, larger):  # type: ignore[no-untyped-def]
    """Enter all keys of a table in a larger one, which is empty."""
    last = np.uint64(larger.shape[0] - 1)
    for row in range(np.uint64(0), np.uint64(table.shape[0])):
        if table[row, 0] != NO_STATE:
            _copy(table, row, larger, _slot(table, row, _hash(table, row) & last, larger))
