"""Numbers with a digit for each block: all arrangements of its pieces with all their turns, reached by moves or not.

They serve searches in what is too large for a table. They need no lists: a digit is the rank of a sequence and, behind
it, one of the turns of each place.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial, prod

import numpy as np

from puzzlebase.puzzles.contract.space import Boards, Indices
from puzzlebase.puzzles.definitions.blocks import Block
from puzzlebase.puzzles.definitions.definition import MOST_PLACES, Numbers
from puzzlebase.puzzles.machinery.automaton import Arrangements, Automaton

MOST_INDICES = 1 << 62
MOST_NODES = 1 << 17
"""Of the automaton that numbers the arrangements of a block."""


class Numerals:
    """The numbers of the states that blocks may have."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._digits = [_Digit(block) for block in blocks]
        self.size = prod(digit.size for digit in self._digits)

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> Numerals | None:
        """The numbers; None where there are too many, or where how far a piece can be turned depends on the piece."""
        if not all(block.orientations and (block.distinct or _nodes(block) <= MOST_NODES) for block in blocks):
            return None
        return cls(blocks) if prod(block.largest for block in blocks) < MOST_INDICES else None

    def rank(self, labels: Numbers, turns: Numbers) -> Indices:
        """The numbers of states by all labels and all turns, int[n, places]; -1 for what cannot be."""
        indices = np.zeros(len(labels), np.int64)
        for digit in self._digits:
            one = digit.rank(labels, turns)
            indices = np.where((indices >= 0) & (one >= 0), indices * digit.size + one, -1)
        return indices

    def unrank(self, indices: Indices, labels: Numbers, turns: Numbers) -> None:
        """Write the states of numbers into two such arrays."""
        for digit in reversed(self._digits):
            indices, one = np.divmod(indices, digit.size)
            digit.unrank(one, labels, turns)


def _nodes(block: Block) -> int:
    return prod(count + 1 for count in block.counts)


class _Orders:
    """The orders of `length` different symbols in lexicographic order; for so many, an automaton would be too large."""

    def __init__(self, length: int) -> None:
        self._length = length
        self.size = factorial(length)

    def rank(self, orders: Boards) -> Indices:
        """The rank of each order, uint8[n, length] -> int64[n]; -1 for what is none."""
        ranks = np.zeros(len(orders), np.int64)
        for at in range(self._length):
            smaller = (orders[:, at + 1 :] < orders[:, at : at + 1]).sum(axis=1)
            ranks = ranks * (self._length - at) + smaller
        fits = np.sort(orders, axis=1) == np.arange(self._length)
        return np.where(fits.all(axis=1), ranks, -1)

    def unrank(self, ranks: Indices) -> Boards:
        """The order of each rank, int64[n] -> uint8[n, length]."""
        orders = np.zeros((len(ranks), self._length), np.uint8)
        for at in range(self._length - 1, -1, -1):
            ranks, symbol = np.divmod(ranks, self._length - at)
            orders[:, at] = symbol
            orders[:, at + 1 :] += orders[:, at + 1 :] >= orders[:, at : at + 1]
        return orders


class _Digit:
    """The numbers of a block."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._arrangements: Automaton | _Orders = (
            Arrangements(block.counts).automaton if _nodes(block) <= MOST_NODES else _Orders(len(block.labels))
        )
        self._inside = np.full(MOST_PLACES + 1, 255, np.uint8)  # from the set's labels to the block's; the last for -1
        self._inside[block.names] = np.arange(len(block.names))
        self.size = self._arrangements.size * block.orientations ** len(block.labels)

    def rank(self, labels: Numbers, turns: Numbers) -> Indices:
        block = self._block
        digit = self._arrangements.rank(self._inside[labels[:, block.places]])
        for place in block.places.tolist() if block.orientations > 1 else ():
            digit = np.where((digit >= 0) & (turns[:, place] >= 0), digit * block.orientations + turns[:, place], -1)
        return digit

    def unrank(self, digits: Indices, labels: Numbers, turns: Numbers) -> None:
        block = self._block
        for place in block.places.tolist()[::-1] if block.orientations > 1 else ():
            digits, turns[:, place] = np.divmod(digits, block.orientations)
        labels[:, block.places] = block.names[self._arrangements.unrank(digits)]
