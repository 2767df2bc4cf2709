"""All states that moves lead to from a start: a breadth-first search on keys without numbers.

Each thread owns a share of the keys, by a hash, in a hash table of its own. A round has two steps. First each thread
expands a part of the layer and divides the successors among the owners. Then each owner enters its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.puzzle import Report
from puzzlebase.puzzles.machinery.listed import TooManyStates
from puzzlebase.tools.levels.states.packed import NO_STATE, Keys, PackedRules

_CHUNK = 1 << 12
"""States expanded at a time: their successors fit into a core's cache."""
_ROUND = 1 << 16
"""States that a thread expands before the owners enter the successors."""
_SLOTS = 1 << 16
_FULL = 0.6
"""The largest share of a table's slots that may be filled."""
_SEEN = 1 << 15
"""Recent successors that a thread holds in its core's cache: most repetitions follow soon."""
_AT_ONCE = 64
"""Slots that are read before the first is examined, so that the reads overlap."""


def reachable(
    rules: PackedRules, threads: int, most: int | None = None, report: Report = lambda _states, _found: None
) -> Keys:
    """The keys of all states that moves lead to from the start, uint64[n, words], sorted as numbers.

    Raises TooManyStates as soon as more than `most` have been found.
    """
    owners = [_Owner(rules.words) for _ in range(threads)]
    start = rules.start[None, :]
    owners[(int(_hash(start, 0)) >> 40) % threads].enter([start])
    layer, found, layers = [start], [start], [1]
    with ThreadPoolExecutor(threads) as pool:
        while layer:
            report(layers[-1], sum(layers))
            new: list[Keys] = []
            for part in _rounds(layer, threads):
                divided = [*pool.map(lambda keys: _expanded(rules, keys, threads), part)]
                new += pool.map(_Owner.enter, owners, zip(*divided, strict=True))
                if most is not None and sum(layers) + sum(map(len, new)) > most:
                    raise TooManyStates(most, [*layers, sum(map(len, new))])
            layer = [keys for keys in new if len(keys)]
            layers.append(sum(map(len, layer)))
            found += layer
    del owners
    return _in_order(found)


def _rounds(layer: Sequence[Keys], threads: int) -> list[list[Keys]]:
    """The parts of a layer, a round each: an array for each thread."""
    pieces = [keys[first : first + _ROUND] for keys in layer for first in range(0, len(keys), _ROUND)]
    if len(pieces) < threads:
        pieces = [part for keys in pieces for part in np.array_split(keys, threads)]
    ends = [*range(0, len(pieces), threads), len(pieces)]
    return [pieces[first:last] for first, last in pairwise(ends)]


def _expanded(rules: PackedRules, keys: Keys, owners: int) -> list[Keys]:
    """The successors of states by owner, each uint64[n, words], some of them repeated."""
    divided: list[list[Keys]] = [[] for _ in range(owners)]
    seen = np.full((_SEEN, rules.words), NO_STATE, np.uint64)
    for first in range(0, len(keys), _CHUNK):
        successors = rules.successors(keys[first : first + _CHUNK])
        slots = successors.shape[1]
        successors = successors.reshape(-1, rules.words)
        shares = np.empty((owners * len(successors), rules.words), np.uint64)
        begins = np.arange(owners, dtype=np.uint64) * np.uint64(len(successors))
        ends = begins.copy()
        _divide(successors, slots, NO_STATE, seen, shares, ends)
        for owner, (begin, end) in enumerate(zip(begins.tolist(), ends.tolist(), strict=True)):
            divided[owner].append(shares[begin:end].copy())
    return [np.concatenate([np.empty((0, rules.words), np.uint64), *parts]) for parts in divided]


def _in_order(found: list[Keys]) -> Keys:
    """All keys sorted; empties the list, so that memory holds them twice for a short time only."""
    keys = np.concatenate(found)
    found.clear()
    if keys.shape[1] == 1:
        keys[:, 0].sort()
        return keys
    return keys[np.lexsort(keys.T[::-1])]


class _Owner:
    """The keys of one owner, in a hash table that grows."""

    def __init__(self, words: int) -> None:
        self._table = np.full((_SLOTS, words), NO_STATE, np.uint64)
        self._count = 0

    def enter(self, parts: Sequence[Keys]) -> Keys:
        """Enter keys, and return the new ones, uint64[n, words]."""
        return np.concatenate([self._enter(keys) for keys in parts])

    def _enter(self, keys: Keys) -> Keys:
        new = np.empty_like(keys)
        scratch = np.empty(_AT_ONCE, np.uint64), np.empty(_AT_ONCE, np.uint64)
        done = found = 0
        while done < len(keys):
            most = int(_FULL * len(self._table)) - self._count
            done, count = _enter(keys, done, self._table, NO_STATE, new, found, most, *scratch)
            self._count += count - found
            found = count
            if self._count >= int(_FULL * len(self._table)) - _AT_ONCE:
                self._grow()
        return new[:found].copy()

    def _grow(self) -> None:
        table = np.full((2 * len(self._table), self._table.shape[1]), NO_STATE, np.uint64)
        _move(self._table, NO_STATE, table)
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
def _divide(successors, slots, none, seen, shares, ends):  # type: ignore[no-untyped-def]
    """Write the successors of states, `slots` for each, to their owners' shares, without some that repeat.

    Owner k's share ends before row ends[k]. `seen` has recent successors, each at the row that its hash says.
    """
    last = np.uint64(seen.shape[0] - 1)
    owners = np.uint64(ends.shape[0])
    for first in range(np.uint64(0), np.uint64(successors.shape[0]), np.uint64(slots)):
        for row in range(first, first + np.uint64(slots)):
            if successors[row, 0] == none:
                break
            code = _hash(successors, row)
            at = code & last
            if not _equal(successors, row, seen, at):
                _copy(successors, row, seen, at)
                owner = (code >> np.uint64(40)) % owners
                _copy(successors, row, shares, ends[owner])
                ends[owner] += np.uint64(1)


@kernel
def _slot(keys, row, at, table, none):  # type: ignore[no-untyped-def]
    """The slot of a key, or the free slot for it, searched from the slot `at` on."""
    last = np.uint64(table.shape[0] - 1)
    while table[at, 0] != none and not _equal(keys, row, table, at):
        at = (at + np.uint64(1)) & last
    return at


@kernel
def _enter(keys, done, table, none, new, found, most, slots, seen):  # type: ignore[no-untyped-def]
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
            slot = _slot(keys, row, slots[i], table, none)
            if table[slot, 0] == none:
                _copy(keys, row, table, slot)
                _copy(keys, row, new, np.uint64(found))
                found += 1
        done += count
    return done, found


@kernel
def _move(table, none, larger):  # type: ignore[no-untyped-def]
    """Enter all keys of a table in a larger one, which is empty."""
    last = np.uint64(larger.shape[0] - 1)
    for row in range(np.uint64(0), np.uint64(table.shape[0])):
        if table[row, 0] != none:
            _copy(table, row, larger, _slot(table, row, _hash(table, row) & last, larger, none))
