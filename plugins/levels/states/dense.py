"""Dense sets of keys, numbered in some three bits each: those of games whose moves flip bits.

Suppose that each move flips the bits of a mask, as a jump in peg solitaire does. Then every key
that the start leads to differs from it by a combination of masks. Gaussian elimination finds their
pivots: bits that determine the key, and so are its code. Every other bit is the parity of some
pivots. A set of keys is then a bit for each code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.bits import (
    before_compiling,  # noqa: F401 -- it tells numba of the next three
    count_bits,
    gather_bits,
    spread_bits,
)
from puzzlebase.kernels import kernel
from puzzlebase.plugins.levels.states.packed import Keys, PackedRules, boards_of
from puzzlebase.puzzles import Boards, Indices
from puzzlebase.puzzles.contract.errors import TooManyStates
from puzzlebase.puzzles.contract.puzzle import Report
from puzzlebase.sentinels import NOT_FOLLOWED
from puzzlebase.threads import cut_ranges

Words = npt.NDArray[np.uint64]

MAKES_ARRAYS = False  # no kernel here does
_CHUNK = 1 << 12
"""States expanded at a time: their successors fit into a core's cache."""
_PIECE = 1 << 22
"""Codes that a thread examines at a time."""
_GROUP = 8
"""Words from one entry of `starts` to the next."""
_EXPANDED = 1
"""The mark of a code that was found and expanded; the marks of two layers alternate above it."""


class Codes(NamedTuple):
    """The keys that differ from one by a combination of masks, and the code of each."""

    pivots: np.uint64  # the bits of a key that are its code
    first: np.uint64  # the key whose code is 0
    # the other bits that masks flip, each with the pivots whose parity it is, uint64[others, 2]
    parities: Words

    @property
    def bits(self) -> int:
        """The number of bits of a code."""
        return int(self.pivots).bit_count()

    @classmethod
    def of(cls, start: int, masks: Sequence[int]) -> Codes:
        """The keys that differ from `start` by some of the masks, combined."""
        rows: dict[int, int] = {}  # by pivot, which no other row has
        for mask in masks:
            for pivot, row in rows.items():
                mask ^= row * bool(mask & pivot)  # noqa: PLW2901
            if mask:
                lowest = mask & -mask
                rows = {pivot: row ^ mask * bool(row & lowest) for pivot, row in rows.items()} | {
                    lowest: mask
                }
        pivots, flipped, first = sum(rows), 0, start
        for pivot, row in rows.items():
            flipped |= row
            first ^= row * bool(start & pivot)
        others = [1 << bit for bit in range(64) if (flipped & ~pivots) >> bit & 1]
        parities = [(bit, sum(pivot for pivot, row in rows.items() if row & bit)) for bit in others]
        return cls(
            np.uint64(pivots), np.uint64(first), np.array(parities, np.uint64).reshape(-1, 2)
        )

    def keys(self, codes: npt.NDArray[np.int64]) -> Keys:
        """The keys of codes, int64[n] -> uint64[n, 1]."""
        keys = np.empty((len(codes), 1), np.uint64)
        _decode(codes, self, keys)
        return keys


@dataclass(frozen=True, slots=True)
class DenseRanking:
    """A set of keys, numbered in the order of their codes.

    Attributes:
        codes: the keys that may be in the set.
        bits: a bit for each code, uint64[words].
        starts: the number of set bits before each _GROUP words, uint64[groups + 1].
    """

    codes: Codes
    bits: Words
    starts: Words

    @classmethod
    def of(cls, codes: Codes, found: npt.NDArray[np.uint8]) -> DenseRanking:
        """Number the keys whose codes have a mark in `found`, uint8[2 ** codes.bits]."""
        bits = np.zeros(-(-len(found) // (64 * _GROUP)) * _GROUP, np.uint64)
        for first in range(0, len(found), _PIECE):
            packed = np.packbits(found[first : first + _PIECE] != 0, bitorder="little")
            bits.view(np.uint8)[first // 8 : first // 8 + len(packed)] = packed
        starts = np.zeros(len(bits) // _GROUP + 1, np.uint64)
        np.cumsum(np.bitwise_count(bits).reshape(-1, _GROUP).sum(1), out=starts[1:])
        return cls(codes, bits, starts)

    @property
    def count(self) -> int:
        """The number of keys in the set."""
        return int(self.starts[-1])

    @property
    def arrays(self) -> dict[str, Words]:
        """All of it as arrays."""
        codes = self.codes
        form = np.array([codes.bits, codes.pivots, codes.first, self.count], np.uint64)
        return {"form": form, "parities": codes.parities, "bits": self.bits, "starts": self.starts}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Words]) -> DenseRanking:
        """Rebuild from arrays."""
        _, pivots, first, _ = arrays["form"]
        return cls(Codes(pivots, first, arrays["parities"]), arrays["bits"], arrays["starts"])

    def rank(self, after: Keys) -> Indices:
        """The numbers of successors, uint64[n, slots, 1] -> int64[n, slots].

        -1 behind the last one of a state, NOT_FOLLOWED for a key that is not in the set.
        """
        numbers = np.empty(after.shape[:2], np.int64)
        _rank(after, NOT_FOLLOWED, self.codes, self.bits, self.starts, numbers)
        return numbers

    def number(self, boards: Boards) -> Indices:
        """The numbers of boards, uint8[n, 8] -> int64[n];
        -1 for one whose key is not in the set.
        """
        keys = np.ascontiguousarray(boards).view(np.uint64)
        return np.maximum(self.rank(keys[:, None])[:, 0], -1)

    def boards(self, numbers: Indices) -> Boards:
        """The boards of numbers, int64[n] -> uint8[n, 8]; fastest if numbers rise."""
        codes = np.empty(len(numbers), np.int64)
        _unrank(numbers, self.bits, self.starts, codes)
        return boards_of(self.codes.keys(codes))


def densely_reachable(
    rules: PackedRules,
    codes: Codes,
    threads: int,
    most: int,
    report: Report,
) -> DenseRanking:
    """Find and number all states that moves lead to from the start;
    as `reachable_boards`, with a byte for each code.
    """
    found = np.zeros(1 << codes.bits, np.uint8)
    layer = _EXPANDED + 1
    found[gather_bits(rules.start[0], codes.pivots)] = layer
    pieces = cut_ranges(len(found), -(-len(found) // _PIECE))
    layers: list[int] = []
    with ThreadPoolExecutor(threads) as pool:
        while count := sum(pool.map(partial(_expand, rules, codes, found, layer), pieces)):
            layers.append(count)
            report(count, sum(layers))
            if sum(layers) > most:
                raise TooManyStates(most, layers)
            layer ^= 1
    return DenseRanking.of(codes, found)


def _expand(
    rules: PackedRules,
    codes: Codes,
    found: npt.NDArray[np.uint8],
    layer: int,
    piece: tuple[int, int],
) -> int:
    """Mark the states after those of a layer in a piece;
    threads write equal marks, so that none needs to wait.
    """
    part = found[slice(*piece)]
    here = np.flatnonzero(part == layer)
    part[here] = _EXPANDED
    for first in range(0, len(here), _CHUNK):
        after = rules.successors(codes.keys(here[first : first + _CHUNK] + piece[0]))
        _mark(after, codes.pivots, np.uint8(layer ^ 1), found)
    return len(here)


@kernel
def _key(code, codes):  # type: ignore[no-untyped-def]
    """The key of a code."""
    word, parities = spread_bits(code, codes.pivots), codes.parities
    key = word ^ codes.first
    for row in range(parities.shape[0]):
        key ^= parities[row, 0] * (count_bits(word & parities[row, 1]) & np.uint64(1))
    return key


@kernel
def _decode(each, codes, keys):  # type: ignore[no-untyped-def]
    for row in range(each.shape[0]):
        keys[row, 0] = _key(np.uint64(each[row]), codes)


@kernel
def _mark(after, pivots, mark, found):  # type: ignore[no-untyped-def]
    """Mark the codes of successors that have no mark."""
    for row in range(after.shape[0]):
        for slot in range(after.shape[1]):
            if after[row, slot, 0] == np.iinfo(after.dtype).max:
                break
            code = gather_bits(after[row, slot, 0], pivots)
            if found[code] == 0:
                found[code] = mark


@kernel
def _rank(after, outside, codes, bits, starts, numbers):  # type: ignore[no-untyped-def]
    """Number successors; `outside` for a key that is not the key of its code,
    since it is not in the set.
    """
    for row in range(after.shape[0]):
        for slot in range(after.shape[1]):
            key = after[row, slot, 0]
            if key == np.iinfo(after.dtype).max:
                numbers[row, slot:] = -1
                break
            code = gather_bits(key, codes.pivots)
            at, bit = code >> np.uint64(6), np.uint64(1) << (code & np.uint64(63))
            if bits[at] & bit == 0 or _key(code, codes) != key:
                numbers[row, slot] = outside
            else:
                group = at // np.uint64(_GROUP)
                number = starts[group] + count_bits(bits[at] & (bit - np.uint64(1)))
                for before in range(group * np.uint64(_GROUP), at):
                    number += count_bits(bits[before])
                numbers[row, slot] = number


@kernel
def _unrank(numbers, bits, starts, codes):  # type: ignore[no-untyped-def]
    """Find the codes of numbers."""
    group = np.intp(0)
    for row in range(numbers.shape[0]):
        number = np.uint64(numbers[row])
        if not starts[group] <= number < starts[group + 1]:
            group = np.searchsorted(starts, number, side="right") - 1
        at, left = np.uint64(_GROUP * group), number - starts[group]
        while count_bits(bits[at]) <= left:
            left -= count_bits(bits[at])
            at += np.uint64(1)
        bit = spread_bits(np.uint64(1) << left, bits[at])
        codes[row] = (at << np.uint64(6)) | count_bits(bit - np.uint64(1))
