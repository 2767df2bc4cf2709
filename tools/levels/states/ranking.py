"""Sorted keys and the number of each. Each key takes some two bits more than tell keys apart.

The used bits of a key make a number. Its upper bits say in which bucket it is; there are about as many buckets as keys.
Its lower bits are stored (P. Elias, 1974; R. Fano, 1971). `upper` has a 1 for each key of a bucket and then a 0, for
one bucket after another. `starts` says where each 64th bucket begins in it. So a key is found with a few reads.

If keys are so uneven that some buckets have many, their first words are mixed: by a permutation of the numbers, and by
the other words. A key is always compared whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from puzzlebase.builder.bits import (
    before_compiling,  # noqa: F401 -- it tells numba of the next two
    ones,
    spread,
)
from puzzlebase.kernels import kernel
from puzzlebase.tools.levels.states.packed import NO_STATE, Indices, Keys, Words

_GROUP = 64
"""Buckets from one entry of `starts` to the next."""
_FULLEST = 1 << 10
"""The number of keys in a group of buckets above which keys are mixed."""
_FACTOR = 0x9E3779B97F4A7C15
_WORD = 1 << 64
_ARRAYS = "runs", "form", "starts", "upper", "lower", "rest"


@dataclass(frozen=True, slots=True)
class Ranking:
    """A set of keys, numbered in an order of its own.

    Attributes:
        size: the number of keys.
        runs: the used bits of the first word, uint64[runs, 2]: their positions, and their shifts to the right.
        form: the numbers that kernels need, uint64[4]: the bits of a first word, the lower ones among them, a factor by
            which they are mixed, 0 if they are not, and its inverse.
        starts: uint64[groups + 1].
        upper: uint64[words].
        lower: the lower bits of the first words, one after another, uint64[words].
        rest: the other words, uint64[size, words - 1].
    """

    size: int
    runs: Words
    form: Words
    starts: Words
    upper: Words
    lower: Words
    rest: Words

    @classmethod
    def of(cls, keys: Keys, used: Keys) -> Ranking:
        """Number keys, uint64[n, words], in any order and without repeats. Overwrites them."""
        plain = cls._made(keys, used, mixed=keys.shape[1] > 1)
        if np.diff(plain.starts).max() - np.uint64(_GROUP) <= _FULLEST:
            return plain
        return cls._made(plain.keys(np.arange(len(keys))), used, mixed=True)

    @classmethod
    def _made(cls, keys: Keys, used: Keys, *, mixed: bool) -> Ranking:
        size, words = keys.shape
        runs = _runs_of(int(used[0]) if words == 1 else _WORD - 1)
        bits = sum(int(mask).bit_count() for mask in runs[:, 0])
        lower_bits = bits - min(max(size.bit_length() - 1, 1), bits)
        factor = (_FACTOR if mixed else 0) % (1 << bits)
        inverse = pow(factor, -1, 1 << bits) if factor else 0
        form = np.array([bits, lower_bits, factor, inverse], np.uint64)
        _to_codes(keys, runs, form)
        if words == 1:
            keys[:, 0].sort()
        else:
            keys[:] = keys[np.lexsort(keys.T[::-1])]
        buckets = 1 << (bits - lower_bits)
        starts = np.empty(-(-buckets // _GROUP) + 1, np.uint64)
        upper = np.zeros((size + buckets) // 64 + 2, np.uint64)
        lower = np.zeros(size * lower_bits // 64 + 2, np.uint64)
        _fill(keys, form, starts, upper, lower)
        return cls(size, runs, form, starts, upper, lower, keys[:, 1:].copy())

    @property
    def arrays(self) -> dict[str, Words]:
        """All arrays by name, in the order in which kernels take them."""
        return {name: getattr(self, name) for name in _ARRAYS}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Words]) -> Ranking:
        """Rebuild from arrays."""
        return cls(len(arrays["rest"]), **{name: arrays[name] for name in _ARRAYS})

    def rank(self, keys: Keys, slots: int = 1, outside: int = -1) -> Indices:
        """The numbers of keys, several for each state; NO_STATE ends the keys of a state.

        uint64[n * slots, words] -> int64[n * slots]; -1 from there on, `outside` for a key that is not in the set.
        """
        numbers = np.empty(len(keys), np.int64)
        _rank(keys, slots, outside, *self.arrays.values(), numbers)
        return numbers

    def keys(self, numbers: Indices) -> Keys:
        """The keys of numbers, int64[n] -> uint64[n, words]."""
        keys = np.empty((len(numbers), 1 + self.rest.shape[1]), np.uint64)
        _unrank(numbers, *self.arrays.values(), keys)
        return keys


def _runs_of(used: int) -> Words:
    """The runs of used bits, each with its shift to the right."""
    runs: list[tuple[int, int]] = []
    at = taken = 0
    while used >> at:
        at += ((used >> at) & -(used >> at)).bit_length() - 1
        length = (~(used >> at) & ((used >> at) + 1)).bit_length() - 1
        runs.append((((1 << length) - 1) << at, at - taken))
        at, taken = at + length, taken + length
    return np.array(runs, np.uint64).reshape(-1, 2)


@kernel
def place_after(words, at, count, flip):  # type: ignore[no-untyped-def]
    """The place after so many bits that are set, from a place on; with `flip` of all ones, that are not set."""
    if count == 0:
        return at
    inside = at & np.uint64(63)
    at -= inside
    word = ((words[at >> np.uint64(6)] ^ flip) >> inside) << inside
    while ones(word) < count:
        count -= ones(word)
        at += np.uint64(64)
        word = words[at >> np.uint64(6)] ^ flip
    last = spread(np.uint64(1) << (count - np.uint64(1)), word)
    return at + ones(last - np.uint64(1)) + np.uint64(1)


@kernel
def _lower(lower, number, bits):  # type: ignore[no-untyped-def]
    """The lower bits of a key's first word."""
    at = number * bits
    inside = at & np.uint64(63)
    value = lower[at >> np.uint64(6)] >> inside
    if inside + bits > np.uint64(64):
        value |= lower[(at >> np.uint64(6)) + np.uint64(1)] << (np.uint64(64) - inside)
    return value & ((np.uint64(1) << bits) - np.uint64(1))


@kernel
def _mixed_by(keys, row):  # type: ignore[no-untyped-def]
    """The number by which the other words of a key mix the first."""
    code = np.uint64(0)
    for word in range(1, keys.shape[1]):
        code = (code ^ keys[row, word]) * np.uint64(0xBF58476D1CE4E5B9)
        code ^= code >> np.uint64(31)
    return code


@kernel
def _code(keys, row, runs, form):  # type: ignore[no-untyped-def]
    """The code of a key's first word: its used bits, mixed if the form has a factor."""
    word = keys[row, 0]
    code = np.uint64(0)
    for run in range(runs.shape[0]):
        code |= (word & runs[run, 0]) >> runs[run, 1]
    bits, factor = form[0], form[2]
    if factor:
        every = ~np.uint64(0) >> (np.uint64(64) - bits)
        code = (code * factor) & every
        code ^= code >> ((bits + np.uint64(1)) >> np.uint64(1))
        code = (code * factor) & every
        code ^= _mixed_by(keys, row) & every
    return code


@kernel
def _word(code, keys, row, runs, form):  # type: ignore[no-untyped-def]
    """The first word of a key from its number, and from its other words."""
    bits, inverse = form[0], form[3]
    if inverse:
        every = ~np.uint64(0) >> (np.uint64(64) - bits)
        code ^= _mixed_by(keys, row) & every
        code = (code * inverse) & every
        code ^= code >> ((bits + np.uint64(1)) >> np.uint64(1))
        code = (code * inverse) & every
    word = np.uint64(0)
    for run in range(runs.shape[0]):
        word |= (code << runs[run, 1]) & runs[run, 0]
    return word


@kernel
def _to_codes(keys, runs, form):  # type: ignore[no-untyped-def]
    """Put codes in place of first words."""
    for row in range(keys.shape[0]):
        keys[row, 0] = _code(keys, row, runs, form)


@kernel
def _fill(codes, form, starts, upper, lower):  # type: ignore[no-untyped-def]
    """Store sorted numbers."""
    bits = form[1]
    group = np.uint64(0)
    for number in range(np.uint64(0), np.uint64(codes.shape[0])):
        code = codes[number, 0]
        bucket = code >> bits
        while group * np.uint64(64) <= bucket:
            starts[group] = group * np.uint64(64) + number
            group += np.uint64(1)
        at = bucket + number
        upper[at >> np.uint64(6)] |= np.uint64(1) << (at & np.uint64(63))
        if bits:
            value = code & ((np.uint64(1) << bits) - np.uint64(1))
            at = number * bits
            inside = at & np.uint64(63)
            lower[at >> np.uint64(6)] |= value << inside
            if inside + bits > np.uint64(64):
                lower[(at >> np.uint64(6)) + np.uint64(1)] |= value >> (np.uint64(64) - inside)
    while group < np.uint64(starts.shape[0]):
        starts[group] = group * np.uint64(64) + np.uint64(codes.shape[0])
        group += np.uint64(1)


@kernel
def _rank(keys, slots, outside, runs, form, starts, upper, lower, rest, numbers):  # type: ignore[no-untyped-def]
    """Numbers of keys; a key with an unused bit is not in the set."""
    used = np.uint64(0)
    for run in range(runs.shape[0]):
        used |= runs[run, 0]
    for first in range(0, keys.shape[0], slots):
        for row in range(first, first + slots):
            if keys[row, 0] == NO_STATE:
                for empty in range(row, first + slots):
                    numbers[empty] = -1
                break
            numbers[row] = outside
            if keys[row, 0] & ~used == 0:
                number = _number(keys, row, runs, form, starts, upper, lower, rest)
                numbers[row] = number if number >= 0 else outside


@kernel
def _number(keys, row, runs, form, starts, upper, lower, rest):  # type: ignore[no-untyped-def]
    """The number of a key, -1 if it is not in the set."""
    bits = form[1]
    code = _code(keys, row, runs, form)
    bucket = code >> bits
    low = code & ((np.uint64(1) << bits) - np.uint64(1))
    at = place_after(upper, starts[bucket >> np.uint64(6)], bucket & np.uint64(63), ~np.uint64(0))
    while (upper[at >> np.uint64(6)] >> (at & np.uint64(63))) & np.uint64(1):
        number = at - bucket
        found = bits == 0 or _lower(lower, number, bits) == low
        for word in range(rest.shape[1]):
            found &= rest[number, word] == keys[row, word + 1]
        if found:
            return np.int64(number)
        at += np.uint64(1)
    return np.int64(-1)


@kernel
def _unrank(numbers, runs, form, starts, upper, lower, rest, keys):  # type: ignore[no-untyped-def]
    bits = form[1]
    for row in range(numbers.shape[0]):
        number = np.uint64(numbers[row])
        first, last = np.uint64(0), np.uint64(starts.shape[0] - 1)
        while first + np.uint64(1) < last:
            middle = (first + last) >> np.uint64(1)
            if starts[middle] - middle * np.uint64(64) <= number:
                first = middle
            else:
                last = middle
        before = starts[first] - first * np.uint64(64)
        at = place_after(upper, starts[first], number - before + np.uint64(1), np.uint64(0)) - np.uint64(1)
        code = (at - number) << bits
        if bits:
            code |= _lower(lower, number, bits)
        for word in range(rest.shape[1]):
            keys[row, word + 1] = rest[number, word]
        keys[row, 0] = _word(code, keys, row, runs, form)
