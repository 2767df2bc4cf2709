"""The number of states of a definition that moves lead to, by the order of the group of its moves.

The method of Schreier and Sims finds orders with random elements. All found elements are in the
group, so the product of the orbits never exceeds the order. It equals the order if it equals a
known upper bound, or if every Schreier generator of every level is a product of cosets. Source:
Holt, Eick and O'Brien, Handbook of Computational Group Theory, chapter 4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, product
from math import log10, prod
from typing import NamedTuple

import numpy as np

from puzzlebase.plugins.definitions.blocks import Charges, PlaceBlock, states_at_most
from puzzlebase.plugins.definitions.definition import Numbers
from puzzlebase.plugins.definitions.stabilizer_chain import (
    Element,
    Stabilizer,
    inverse_of,
    moved_points,
    order_of,
    sift,
)
from puzzlebase.plugins.definitions.work import LINE, TooMuchWork, Work

MOST_POINTS = 1200  # of a group whose order is found
_ENOUGH = 1 << 64  # a lower bound of states that are too many to number
_SURE = 30  # random elements in a row that bring nothing new
_POOL = 12  # elements whose products are random


class Count(NamedTuple):
    """A number of states, exact or else an upper bound, and a lower bound."""

    states: int
    exact: bool
    at_least: int

    @property
    def readable(self) -> bool:
        """True if people can read its digits."""
        return self.states < 10**30

    @property
    def words(self) -> str:
        """The number for people, rounded if it is too long to read."""
        return f"{self.states:,}" if self.readable else f"about 10^{int(log10(self.states))}"


def points_of(blocks: Sequence[PlaceBlock]) -> tuple[list[Element], list[int]]:
    """The moves on points, one for each orientation of each place,
    and the first point of each block.
    """
    starts = [0, *accumulate(_points(block) for block in blocks)]
    moves = []
    for move in range(len(blocks[0].turns)):
        of_blocks = [
            block.turns[move].points(np.full_like(block.places, block.ways)) for block in blocks
        ]
        to = [points + start for points, start in zip(of_blocks, starts, strict=False)]
        moves.append(np.concatenate(to).astype(np.int16))
    return moves, starts[:-1]


def move_pieces(
    blocks: Sequence[PlaceBlock],
    images: Callable[[Numbers], Numbers],
    labels: Numbers,
    turns: Numbers,
) -> None:
    """Move the pieces of solved states, int64[n, all places] each,
    by elements; `images` maps points to [n, points].
    """
    for block, start in zip(blocks, points_of(blocks)[1], strict=True):
        to = images(start + block.ways * np.arange(len(block.labels))) - start
        places, turned = block.places[to // block.ways], to % block.ways
        np.put_along_axis(labels, places, labels[:, block.places], 1)
        np.put_along_axis(turns, places, (turned + block.turned) % block.moduli[block.labels], 1)


def _points(block: PlaceBlock) -> int:
    return len(block.labels) * block.ways


def count(blocks: Sequence[PlaceBlock], charges: Charges | None, work: Work) -> Count:
    """Count the states.

    A group with every element that parities and sums allow leads to every state that these allow.
    If each element makes another state, there are as many states as elements. Otherwise only bounds
    are known.
    """
    if not blocks:
        return Count(1, True, 1)
    bound = states_at_most(blocks, charges)
    points = accumulate(_points(block) for block in blocks)
    counted = [block for block, most in zip(blocks, points, strict=True) if most <= MOST_POINTS]
    if not counted:
        return Count(bound, False, 1)
    apart = [distinct_pieces(block) for block in counted]
    # The most elements that leave all these blocks looking as they are.
    alike = prod(block.largest for block in apart) // prod(block.largest for block in counted)
    most = states_at_most(apart, Charges.of(apart))
    if len(counted) < len(blocks):
        most = min(most, alike * _ENOUGH)
    levels, proved = chain_of(points_of(counted)[0], most, work)
    order = order_of(levels)
    if len(counted) == len(blocks):
        if order == most:
            return Count(bound, True, bound)
        if proved and all(block.told_apart for block in blocks):
            return Count(order, True, order)
    return Count(bound, False, -(-order // alike))


def distinct_pieces(block: PlaceBlock) -> PlaceBlock:
    """The block with all pieces different, and all their orientations."""
    places = len(block.labels)
    return replace(
        block, labels=np.arange(places), names=np.arange(places), moduli=np.full(places, block.ways)
    )


def chain_of(generators: list[Element], at_most: int, work: Work) -> tuple[list[Stabilizer], bool]:
    """The levels of a chain for a group of permutations,
    and True if they have all elements, of a known most.
    """
    levels: list[Stabilizer] = []
    try:
        for generator in generators:
            _enter(levels, generator, work)
        random = np.random.default_rng(5)
        pool = [generators[at % len(generators)] for at in range(max(_POOL, len(generators)))]
        for _ in range(5 * len(pool)):
            _random(pool, random)
        idle = 0
        while idle < _SURE and order_of(levels) < at_most:
            idle = 0 if _enter(levels, _random(pool, random), work) else idle + 1
        while order_of(levels) < at_most and (found := _missing(levels, work)) is not None:
            _enter(levels, found, work)
    except TooMuchWork:
        return levels, order_of(levels) == at_most
    return levels, True


def _random(pool: list[Element], random: np.random.Generator) -> Element:
    """Draw an element by product replacement."""
    one, other = random.choice(len(pool), 2, replace=False).tolist()
    factor = inverse_of(pool[other]) if random.integers(2) else pool[other]
    product: Element = factor[pool[one]] if random.integers(2) else pool[one][factor]
    pool[one] = product
    return product


def _enter(levels: list[Stabilizer], element: Element, work: Work) -> bool:
    """Add an element to the group; False if it was there. Raises TooMuchWork."""
    work.spend(len(levels) * len(element), 2 * len(levels) + 4)
    number, rest = sift(levels, element)
    if not moved_points(rest).any():
        return False
    if number == len(levels):
        levels.append(Stabilizer.moved_by(rest))
    for level in levels[: number + 1]:
        known = len(level.inverses)
        level.extend(rest)
        new = len(level.inverses) - known
        work.spend(new * len(rest) + LINE * (known + new * len(level.generators)), 3 * new)
    return True


def _missing(levels: list[Stabilizer], work: Work) -> Element | None:
    """Find a Schreier generator that is no product of cosets;
    None if there is none. Raises TooMuchWork.
    """
    for number in range(len(levels) - 1, -1, -1):
        level, below = levels[number], levels[number + 1 :]
        for point, generator in product(level.inverses, level.generators):
            work.spend(len(below) * len(generator), 2 * len(below) + 4)
            around = level.around(point, generator)
            if moved_points(sift(below, around)[1]).any():
                return around
    return None
