"""How many states of a definition moves lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log10, prod
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles.definitions.blocks import Block, Charges, states_at_most
from puzzlebase.puzzles.definitions.order import Images, order_of

MOST_POINTS = 1200
"""Of a group whose order is found."""
SECONDS = 20.0
_ENOUGH = 1 << 64
"""States, to know that there are too many to number."""


class Count(NamedTuple):
    """A number of states, and whether it is the exact one; else it is an upper bound.

    There are `at_least` so many.
    """

    states: int
    exact: bool
    at_least: int

    @property
    def readable(self) -> bool:
        """True if there are so few digits that people can read them."""
        return self.states < 10**30

    @property
    def words(self) -> str:
        """The number for people: all digits of one that can be read."""
        return f"{self.states:,}" if self.readable else f"about 10^{int(log10(self.states))}"


def points_of(blocks: Sequence[Block]) -> tuple[list[Images], list[int]]:
    """The moves on points, a place with an orientation each; and the first point of each block.

    Each image is where a move takes a point. The points of a place follow one another.
    """
    starts, at = [], 0
    for block in blocks:
        starts.append(at)
        at += len(block.labels) * block.ways
    moves = []
    for move in range(len(blocks[0].turns)):
        to = np.zeros(at, np.int16)
        for block, start in zip(blocks, starts, strict=True):
            turn, ways = block.turns[move], block.ways
            every = np.arange(ways)
            for place, (source, turned) in enumerate(zip(turn.source.tolist(), turn.turned.tolist(), strict=True)):
                to[start + source * ways + every] = start + place * ways + (every + turned) % ways
        moves.append(to)
    return moves, starts


def count(blocks: Sequence[Block], charges: Charges | None, seconds: float = SECONDS) -> Count:
    """The number of states, by the order of the group of moves.

    Where the group has every element that parities and sums allow, moves lead to every state that these allow. Where
    every element makes another state, there are as many states as elements. Else `_mixed` may know.
    """
    if not blocks:
        return Count(1, True, 1)
    bound = states_at_most(blocks, charges)
    counted = _few(blocks)
    if not counted:
        return Count(bound, False, 1)
    apart = [_told_apart(block) for block in counted]
    # Elements that leave all these blocks as they look are so many at most.
    alike = prod(block.largest for block in apart) // prod(block.largest for block in counted)
    most = states_at_most(apart, Charges.of(apart))
    if len(counted) < len(blocks):
        most = min(most, alike * _ENOUGH)
    order, proved = order_of(points_of(counted)[0], most, seconds)
    found: int | None = None
    if len(counted) < len(blocks):
        pass
    elif order == most:
        found = bound
    elif proved:
        found = order if all(block.told_apart for block in blocks) else _mixed(blocks, order, seconds)
    return Count(bound, False, -(-order // alike)) if found is None else Count(found, True, found)


def _few(blocks: Sequence[Block]) -> Sequence[Block]:
    """So many of the first blocks as a group is found for."""
    points, few = 0, list[Block]()
    for block in blocks:
        points += len(block.labels) * block.ways
        if points > MOST_POINTS:
            break
        few.append(block)
    return few


def _mixed(blocks: Sequence[Block], order: int, seconds: float) -> int | None:
    """The number of states where some blocks tell all their pieces and turns apart and others do not; None if unknown.

    The elements that leave the first blocks as they are form a subgroup. If it has all elements of the others whose
    charges parities and sums allow, the others may be in every state whose charges go with those of the first.
    """
    first, others = [block for block in blocks if block.told_apart], [block for block in blocks if not block.told_apart]
    apart = [_told_apart(block) for block in others]
    charges, alone = Charges.of([*first, *apart]), Charges.of(first) if first else None
    if charges is None or alone is None:
        return None
    of_first, proved = order_of(points_of(first)[0], states_at_most(first, alone), seconds)
    split = 2 * len(first)
    kept = {charge[split:] for charge in charges.every if not any(charge[:split])}
    allowed = prod(block.largest for block in apart) * len(kept) // prod(charges.moduli[split:])
    if not proved or order != of_first * allowed:
        return None
    moduli = [modulus for block in others for modulus in block.charges]
    seen = {tuple(part % modulus for part, modulus in zip(charge, moduli, strict=True)) for charge in kept}
    return of_first * prod(block.largest for block in others) * len(seen) // prod(moduli)


def _told_apart(block: Block) -> Block:
    """The block with all pieces different, and every orientation of each."""
    places = len(block.labels)
    return replace(block, labels=np.arange(places), names=np.arange(places), moduli=np.full(places, block.ways))
