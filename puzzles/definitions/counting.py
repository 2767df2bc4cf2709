"""How many states of a definition moves lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import lcm, log10
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles.definitions.blocks import Block, Charges, states_at_most
from puzzlebase.puzzles.definitions.order import Images, order_of

MOST_POINTS = 1200
"""Of a group whose order is found."""
SECONDS = 20.0


class Count(NamedTuple):
    """A number of states, and whether it is the exact one; else it is an upper bound."""

    states: int
    exact: bool

    @property
    def words(self) -> str:
        """The number for people: all digits of one that can be read."""
        if self.states < 10**30:
            return f"{self.states:,}"
        return f"about 10^{int(log10(self.states))}"


def points_of(blocks: Sequence[Block]) -> tuple[list[Images], list[int]]:
    """The moves on points, a place with an orientation each; and the first point of each block.

    Each image is where a move takes a point. The points of a place follow one another.
    """
    starts, at = [], 0
    for block in blocks:
        starts.append(at)
        at += len(block.labels) * _ways(block)
    moves = []
    for move in range(len(blocks[0].turns)):
        to = np.zeros(at, np.int16)
        for block, start in zip(blocks, starts, strict=True):
            turn, ways = block.turns[move], _ways(block)
            every = np.arange(ways)
            for place, (source, turned) in enumerate(zip(turn.source.tolist(), turn.turned.tolist(), strict=True)):
                to[start + source * ways + every] = start + place * ways + (every + turned) % ways
        moves.append(to)
    return moves, starts


def _ways(block: Block) -> int:
    return lcm(*block.moduli.tolist())


def count(blocks: Sequence[Block], charges: Charges | None, seconds: float = SECONDS) -> Count:
    """The number of states, by the order of the group of moves.

    Where the group has every element that parities and sums allow, moves lead to every state that these allow. Where
    every element makes another state, there are as many states as elements.
    """
    if not blocks:
        return Count(1, True)
    bound = states_at_most(blocks, charges)
    if sum(len(block.labels) * _ways(block) for block in blocks) > MOST_POINTS:
        return Count(bound, False)
    apart = [_told_apart(block) for block in blocks]
    allowed = Charges.of(apart)
    most = states_at_most(apart, allowed)
    order, proved = order_of(points_of(blocks)[0], most, seconds)
    if order == most:
        return Count(bound, True)
    if all(block.distinct and block.orientations for block in blocks):
        return Count(order if proved else bound, proved)
    return Count(bound, False)


def _told_apart(block: Block) -> Block:
    """The block with all pieces different, and every orientation of each."""
    places = len(block.labels)
    return replace(block, labels=np.arange(places), names=np.arange(places), moduli=np.full(places, _ways(block)))
