"""Blocks of places that exchange pieces, and the parities and sums that moves keep.

Glossary
    block       places that moves exchange among themselves, all in one set; none has places whose pieces never change.
    parity      of a block of different pieces: 1 if their permutation is odd.
    sum         of a block: the turns of all its pieces together, as far as one can see them.
    charge      of a state: the parities and sums of all blocks. A move adds the same to the charge of every state, so
                the charges that moves lead to are a group, and a state with another charge is never reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from math import factorial, gcd, lcm, prod

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.definitions.definition import MOST_DIFFERENT, AnyNumbers, Definition, Numbers, Transformation

_MOST_CHARGES = 1 << 11
_FEW_SYMBOLS = 50  # in sequences whose pairs are compared: there are not many more than it takes to follow the cycles

Charge = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class PlaceBlock:
    """Places that exchange pieces.

    Attributes:
        places: the places, int64[n], ascending.
        labels: of the solved state, int64[n], numbered from 0 within the block.
        names: the definition's label of each of those.
        turned: of the solved state.
        moduli: of each label.
        turns: for each move where the piece of each place comes from, counted within the block, and how it turns.
    """

    places: Numbers
    labels: Numbers
    names: Numbers
    turned: Numbers
    moduli: Numbers
    turns: tuple[Transformation, ...]

    @cached_property
    def _numbers(self) -> Numbers:
        """The number within the block of each label of the set, -1 for labels of other blocks; the last is for -1."""
        numbers: Numbers = np.full(MOST_DIFFERENT + 1, -1)
        numbers[self.names] = np.arange(len(self.names))
        return numbers

    def within(self, labels: AnyNumbers) -> Numbers:
        """The pieces in the block's places, numbered within the block: int[n, all places] -> int64[n, places]."""
        return self._numbers[labels[:, self.places]]

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The number of pieces with each label."""
        return tuple(np.bincount(self.labels).tolist())

    @cached_property
    def distinct(self) -> bool:
        """True if all pieces are different."""
        return len(self.counts) == len(self.labels)

    @cached_property
    def rearranged(self) -> bool:
        """True if moves bring different pieces to other places."""
        return len(self.counts) > 1 and len(self.labels) > 1

    @cached_property
    def orientations(self) -> int:
        """The number of orientations of each piece that can be told apart; 0 where that depends on the piece."""
        moduli = {*self.moduli.tolist()}
        return moduli.pop() if len(moduli) == 1 else 0

    @cached_property
    def ways(self) -> int:
        """The number of orientations: the least common multiple of the moduli."""
        return lcm(*self.moduli.tolist())

    @property
    def told_apart(self) -> bool:
        """True if all pieces and all their orientations can be told apart."""
        return self.distinct and bool(self.orientations)

    @cached_property
    def charges(self) -> tuple[int, ...]:
        """The moduli of parity and sum; 1 where there is none."""
        parity = 2 if self.distinct and len(self.labels) > 1 else 1
        return parity, gcd(*self.moduli.tolist())

    @property
    def steps(self) -> list[Charge]:
        """The charge that each move adds."""
        odd = parities(np.stack([turn.source for turn in self.turns])) % self.charges[0]
        sums = [int(turn.turned.sum()) % self.charges[1] for turn in self.turns]
        return [*zip(odd.tolist(), sums, strict=True)]

    def parities(self, labels: AnyNumbers) -> npt.NDArray[np.int32]:
        """The parities of states by their labels within the block, int[n, places] -> int32[n]."""
        if self.charges[0] == 1:
            return np.zeros(len(labels), np.int32)
        odd: npt.NDArray[np.int32] = parities(labels) ^ parities(self.labels[None, :])
        return odd

    def sums(self, turns: AnyNumbers) -> npt.NDArray[np.int32]:
        """The sums of states by the turns of the block's pieces, int[n, places] -> int32[n]."""
        sums: Numbers = turns.sum(axis=1, dtype=np.int64) - int(self.turned.sum())
        return (sums % self.charges[1]).astype(np.int32)

    @property
    def largest(self) -> int:
        """The number of states if any piece can be put anywhere, in any orientation."""
        alike = prod(factorial(count) for count in self.counts)
        turned = prod(int(self.moduli[label]) for label in self.labels)
        return factorial(len(self.labels)) // alike * turned


def parities(sequences: AnyNumbers) -> npt.NDArray[np.int32]:
    """1 for each sequence of different symbols that is an odd permutation, int[n, length] -> int32[n]."""
    length = sequences.shape[1]
    odd = np.zeros(len(sequences), np.int32)
    if length <= _FEW_SYMBOLS:
        for one, other in combinations(range(length), 2):
            odd ^= sequences[:, one] > sequences[:, other]
        return odd
    to = sequences.astype(np.int64)
    least = np.broadcast_to(np.arange(length), to.shape)  # of the symbols that 1, 2, 4, ... steps of a cycle meet
    for _ in range(length.bit_length()):
        least = np.minimum(least, np.take_along_axis(least, to, 1))
        to = np.take_along_axis(to, to, 1)
    cycles = (least == np.arange(length)).sum(axis=1)
    odd[:] = (length - cycles) % 2
    return odd


def blocks_of(definition: Definition, turns: Sequence[Transformation]) -> tuple[PlaceBlock, ...]:
    """The blocks, by their first places."""
    found = []
    for group in _orbits(definition, turns):
        names, labels = np.unique(definition.labels[group], return_inverse=True)
        moduli = np.zeros(len(names), np.int64)
        moduli[labels] = definition.moduli[group]
        whole = int(np.lcm.reduce(moduli))
        inside = np.full(len(definition.labels), -1)
        inside[group] = np.arange(len(group))
        within = tuple(Transformation(inside[turn.source[group]], turn.turned[group] % whole) for turn in turns)
        if all(turn.does_nothing for turn in within):
            continue
        found.append(PlaceBlock(group, labels, names, definition.turned[group] % moduli[labels], moduli, within))
    return tuple(found)


def _orbits(definition: Definition, turns: Sequence[Transformation]) -> list[Numbers]:
    """Places that moves exchange, by their first place."""
    first = np.arange(len(definition.labels))
    while True:
        before = first.copy()
        for turn in turns:
            least = np.minimum(first, first[turn.source])
            np.minimum.at(least, turn.source, least.copy())
            first = least[least]
        if (first == before).all():
            return [np.flatnonzero(first == place) for place in np.unique(first)]


@dataclass(frozen=True)
class Charges:
    """The charges that moves lead to, from that of the solved state, which is 0 everywhere.

    `every` has two numbers a block, its parity and its sum.
    """

    moduli: tuple[int, ...]
    every: frozenset[Charge]

    @classmethod
    def of(cls, blocks: Sequence[PlaceBlock]) -> Charges | None:
        """The charges of some blocks; None where they are too many to list."""
        moduli = tuple(modulus for block in blocks for modulus in block.charges)
        steps = {tuple(chain.from_iterable(step)) for step in zip(*(block.steps for block in blocks), strict=True)}
        start = (0,) * len(moduli)
        found, queue = {start}, [start]
        for charge in queue:
            for step in steps:
                after = tuple((a + b) % m for a, b, m in zip(charge, step, moduli, strict=True))
                if after not in found:
                    found.add(after)
                    queue.append(after)
                    if len(found) > _MOST_CHARGES:
                        return None
        return cls(moduli, frozenset(found))

    @property
    def share(self) -> int:
        """Of so many states with any charge, one has a charge that moves lead to."""
        return prod(self.moduli) // len(self.every)


def states_at_most(blocks: Sequence[PlaceBlock], charges: Charges | None) -> int:
    """The number of states with charges that moves lead to: as many as can be reached, or more."""
    return prod(block.largest for block in blocks) // (charges.share if charges else 1)
