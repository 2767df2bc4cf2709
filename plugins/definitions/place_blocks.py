"""Blocks of places that exchange pieces, and the parities and sums that moves keep.

Glossary
    block       places of one set that moves exchange; places whose pieces never change are in none.
    parity      of a block of different pieces: 1 if their permutation is odd.
    sum         of a block: the visible turns of all its pieces, added up.
    charge      of a state: the parities and sums of all blocks. A move adds the same to the charge
                of every state. So the charges that moves lead to are a group, and a state with
                another charge is never reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, chain, combinations
from math import factorial, gcd, lcm, prod

import numpy as np

from puzzlebase.plugins.definitions.definition import (
    MOST_DIFFERENT,
    AnyNumbers,
    Definition,
    Flags,
    Numbers,
    SmallNumbers,
    Transformation,
)
from puzzlebase.plugins.definitions.stabilizer_chain import Element

_MOST_CHARGES = 1 << 11
_FEW_SYMBOLS = 50  # in sequences whose pairs are compared; following the cycles is faster for more

Charge = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class PlaceBlock:
    """Places that exchange pieces; arrays are int64."""

    places: Numbers  # [n], ascending
    labels: Numbers  # of the solved state, [n], numbered from 0 within the block
    names: Numbers  # the definition's label for each of the block's labels
    turned: Numbers  # of the solved state, [n]
    moduli: Numbers  # of each label
    turns: tuple[Transformation, ...]  # each move on these places alone, counted within the block

    @cached_property
    def _numbers(self) -> Numbers:
        """The block's label for each label of the set,
        -1 for labels of other blocks; the last is for -1.
        """
        numbers: Numbers = np.full(MOST_DIFFERENT + 1, -1)
        numbers[self.names] = np.arange(len(self.names))
        return numbers

    def within(self, labels: AnyNumbers) -> Numbers:
        """The labels within the block: int[n, all places] -> int64[n, places]."""
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
        """True if moves exchange different pieces."""
        return len(self.counts) > 1 and len(self.labels) > 1

    @cached_property
    def orientations(self) -> int:
        """The number of visible orientations of a piece; 0 if it depends on the piece."""
        moduli = {*self.moduli.tolist()}
        return moduli.pop() if len(moduli) == 1 else 0

    @cached_property
    def ways(self) -> int:
        """The least common multiple of the moduli."""
        return lcm(*self.moduli.tolist())

    @property
    def with_different_pieces(self) -> PlaceBlock:
        """The block with all pieces different, and all their orientations."""
        every = np.arange(len(self.labels))
        moduli = np.full_like(every, self.ways)
        return replace(self, labels=every, names=every, moduli=moduli)

    @property
    def points(self) -> int:
        """The number of points: one for each place and orientation."""
        return len(self.labels) * self.ways

    @property
    def told_apart(self) -> bool:
        """True if all pieces and all their orientations look different."""
        return self.distinct and bool(self.orientations)

    @cached_property
    def charges(self) -> tuple[int, ...]:
        """The moduli of parity and sum; 1 if there is none."""
        parity = 2 if self.distinct and len(self.labels) > 1 else 1
        return parity, gcd(*self.moduli.tolist())

    @property
    def steps(self) -> list[Charge]:
        """The charge that each move adds."""
        odd = parities(np.stack([turn.source for turn in self.turns])) % self.charges[0]
        sums = [int(turn.turned.sum()) % self.charges[1] for turn in self.turns]
        return [*zip(odd.tolist(), sums, strict=True)]

    def parities(self, labels: AnyNumbers) -> SmallNumbers:
        """The parities of labels within the block, int[n, places] -> int32[n]."""
        if self.charges[0] == 1:
            return np.zeros(len(labels), np.int32)
        odd: SmallNumbers = parities(labels) ^ parities(self.labels[None, :])
        return odd

    def sums(self, turns: AnyNumbers) -> SmallNumbers:
        """The sums of the block's turns, int[n, places] -> int32[n]."""
        sums: Numbers = turns.sum(axis=1, dtype=np.int64) - int(self.turned.sum())
        return (sums % self.charges[1]).astype(np.int32)

    @property
    def largest(self) -> int:
        """The number of states with any piece in any place and orientation."""
        alike = prod(factorial(count) for count in self.counts)
        turned = prod(int(self.moduli[label]) for label in self.labels)
        return factorial(len(self.labels)) // alike * turned


def blocks_of(
    definition: Definition, turns: Sequence[Transformation], *, still: bool = False
) -> tuple[PlaceBlock, ...]:
    """Divide places into blocks, ordered by their first places;
    `still` adds those whose pieces never change.
    """
    found = []
    for group in places_of_blocks(definition, turns):
        names, labels = np.unique(definition.labels[group], return_inverse=True)
        moduli = np.zeros(len(names), np.int64)
        moduli[labels] = definition.moduli[group]
        whole = int(np.lcm.reduce(moduli))
        inside = np.full(len(definition.labels), -1)
        inside[group] = np.arange(len(group))
        within = tuple(
            Transformation(inside[turn.source[group]], turn.turned[group] % whole) for turn in turns
        )
        if not still and all(turn.does_nothing for turn in within):
            continue
        found.append(
            PlaceBlock(
                group, labels, names, definition.turned[group] % moduli[labels], moduli, within
            )
        )
    return tuple(found)


def places_of_blocks(definition: Definition, turns: Sequence[Transformation]) -> list[Numbers]:
    """Divide the places by the moves that exchange them, ordered by first places."""
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
    """The charges that moves lead to,
    a parity and a sum for each block; the solved state has zeros.
    """

    moduli: tuple[int, ...]
    every: frozenset[Charge]

    @classmethod
    def of(cls, blocks: Sequence[PlaceBlock]) -> Charges | None:
        """Find the charges of blocks; None if they are too many to list."""
        moduli = tuple(modulus for block in blocks for modulus in block.charges)
        steps = {
            tuple(chain.from_iterable(step))
            for step in zip(*(block.steps for block in blocks), strict=True)
        }

        def added(charge: Charge, step: Charge) -> Charge:
            return tuple((a + b) % m for a, b, m in zip(charge, step, moduli, strict=True))

        found = {(0,) * len(moduli)}
        for step in steps:
            before, multiple = [*found], step
            while multiple not in found:
                found |= {added(charge, multiple) for charge in before}
                if len(found) > _MOST_CHARGES:
                    return None
                multiple = added(multiple, step)
        return cls(moduli, frozenset(found))

    @property
    def share(self) -> int:
        """The number of all charges for each charge that moves lead to."""
        return prod(self.moduli) // len(self.every)


def holds_own_pieces(blocks: Sequence[PlaceBlock], labels: AnyNumbers) -> Flags:
    """True for states whose blocks have their own pieces,
    in any order: int[n, all places] -> bool[n].
    """
    own = np.ones(len(labels), bool)
    for block in blocks:
        own &= (np.sort(block.within(labels), axis=1) == np.sort(block.labels)).all(axis=1)
    return own


def possible_states(
    blocks: Sequence[PlaceBlock], charges: Charges | None, labels: AnyNumbers, turns: AnyNumbers
) -> Flags:
    """True for states whose blocks have their own pieces, turned as these can be,
    with charges that moves lead to: int[n, all places] each -> bool[n].
    """
    possible = holds_own_pieces(blocks, labels)
    for block in blocks:
        by = turns[:, block.places]
        possible &= ((by >= 0) & (by < block.moduli[block.within(labels)])).all(axis=1)
    if charges:
        possible &= [charge in charges.every for charge in charges_by_blocks(blocks, labels, turns)]
    return possible


def charges_by_blocks(
    blocks: Sequence[PlaceBlock], labels: AnyNumbers, turns: AnyNumbers
) -> Iterator[Charge]:
    """The charge of each state, by all labels and all turns, int[n, all places] each."""
    parts = [
        (block.parities(block.within(labels)), block.sums(turns[:, block.places]))
        for block in blocks
    ]
    return zip(*(part.tolist() for pair in parts for part in pair), strict=True)


def most_states_of_blocks(blocks: Sequence[PlaceBlock], charges: Charges | None) -> int:
    """Count the states with charges that moves lead to, an upper bound of those reached."""
    return prod(block.largest for block in blocks) // (charges.share if charges else 1)


def moves_on_block_points(blocks: Sequence[PlaceBlock]) -> tuple[list[Element], list[int]]:
    """The moves on points, one for each orientation of each place,
    and the first point of each block.
    """
    starts = [0, *accumulate(block.points for block in blocks)]
    moves = []
    for move in range(len(blocks[0].turns)):
        of_blocks = [
            block.turns[move].points(np.full_like(block.places, block.ways)) for block in blocks
        ]
        to = [points + start for points, start in zip(of_blocks, starts, strict=False)]
        moves.append(np.concatenate(to).astype(np.int16))
    return moves, starts[:-1]


def move_block_pieces(
    blocks: Sequence[PlaceBlock],
    images: Callable[[Numbers], Numbers],
    labels: Numbers,
    turns: Numbers,
) -> None:
    """Move the pieces of solved states, int64[n, all places] each,
    by elements; `images` maps points to [n, points].
    """
    for block, start in zip(blocks, moves_on_block_points(blocks)[1], strict=True):
        to = images(start + block.ways * np.arange(len(block.labels))) - start
        places, turned = block.places[to // block.ways], to % block.ways
        np.put_along_axis(labels, places, labels[:, block.places], 1)
        np.put_along_axis(turns, places, (turned + block.turned) % block.moduli[block.labels], 1)


def parities(sequences: AnyNumbers) -> SmallNumbers:
    """1 for odd permutations among sequences of different symbols, int[n, length] -> int32[n]."""
    length = sequences.shape[1]
    odd = np.zeros(len(sequences), np.int32)
    if length <= _FEW_SYMBOLS:
        for one, other in combinations(range(length), 2):
            odd ^= sequences[:, one] > sequences[:, other]
        return odd
    cycles = (cycles_of(sequences) == np.arange(length)).sum(axis=1)
    odd[:] = (length - cycles) % 2
    return odd


def cycles_of(permutations: AnyNumbers) -> Numbers:
    """The cycles of permutations: the least symbol of the cycle of each symbol,
    int[n, length] -> int64[n, length].
    """
    to = permutations.astype(np.int64)
    # symbol met in 1, 2, 4, ... steps of a cycle
    least = np.broadcast_to(np.arange(to.shape[1]), to.shape)
    for _ in range(to.shape[1].bit_length()):
        least = np.minimum(least, np.take_along_axis(least, to, 1))
        to = np.take_along_axis(to, to, 1)
    return least
