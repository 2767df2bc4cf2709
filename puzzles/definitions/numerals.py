"""Numbers with a digit for each block: all arrangements of its pieces with all their turns, reached by moves or not.

They serve searches in what is too large for a table, and need no lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial, prod

import numpy as np

from puzzlebase.puzzles.contract.space import Boards, Indices
from puzzlebase.puzzles.definitions.blocks import PlaceBlock
from puzzlebase.puzzles.definitions.definition import AnyNumbers, Numbers
from puzzlebase.puzzles.machinery.automaton import Arrangements, Automaton

MOST_INDICES = 1 << 62
MOST_NODES = 1 << 17
"""Of the automaton that numbers the arrangements of a block."""


class Digit:
    """The numbers of a block: the rank of its labels, its turns, or both, with the turns of each place behind."""

    def __init__(self, block: PlaceBlock, *, arranged: bool, turned: bool) -> None:
        self._block, self._arranged, self._turned = block, arranged, turned
        places, self._most = len(block.labels), int(block.moduli.max()) if turned else 1
        counts = block.counts if arranged else (places,)
        few = not block.distinct or _nodes(block) <= MOST_NODES
        self.arrangements: Automaton | _Orders = Arrangements(counts).automaton if few else _Orders(places)
        self._weights = self._most ** np.arange(places - 1, -1, -1, dtype=np.int64)
        self.ways = self._most**places
        self.size = self.arrangements.size * self.ways

    def number(self, labels: AnyNumbers, turns: AnyNumbers) -> Indices:
        """The numbers by labels within the block and turns, int[n, places of the block]; -1 for what cannot be."""
        numbers = np.zeros(len(labels), np.int64)
        if self._arranged:
            numbers = self.arrangements.rank(labels.astype(np.uint8))  # a piece of another block, -1, becomes 255
        if self._turned:
            fits = (numbers >= 0) & ((turns >= 0) & (turns < self._most)).all(axis=1)
            numbers = np.where(fits, numbers * self.ways + turns.astype(np.int64) @ self._weights, -1)
        return numbers

    def turns(self, numbers: Indices) -> Numbers:
        """The turns of the block's places, int64[n, places]."""
        turns: Numbers = (numbers % self.ways)[:, None] // self._weights % self._most
        return turns

    def rank(self, labels: Numbers, turns: Numbers) -> Indices:
        """The numbers of states by all labels and all turns, int[n, places]; -1 for what cannot be."""
        return self.number(self._block.within(labels), turns[:, self._block.places])

    def unrank(self, numbers: Indices, labels: Numbers, turns: Numbers) -> None:
        """Write the block's labels and turns into two such arrays."""
        block = self._block
        if self._arranged:
            labels[:, block.places] = block.names[self.arrangements.unrank(numbers // self.ways)]
        if self._turned:
            turns[:, block.places] = self.turns(numbers)


class Numerals:
    """The numbers of the states that blocks may have."""

    def __init__(self, blocks: Sequence[PlaceBlock]) -> None:
        self._digits = [Digit(block, arranged=True, turned=block.orientations > 1) for block in blocks]
        self.size = prod(digit.size for digit in self._digits)

    @classmethod
    def of(cls, blocks: Sequence[PlaceBlock]) -> Numerals | None:
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


def _nodes(block: PlaceBlock) -> int:
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
