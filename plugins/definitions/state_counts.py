"""The number of states of a definition, by the order of the group of its moves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import log10, prod
from typing import NamedTuple

from puzzlebase.plugins.definitions.place_blocks import (
    Charges,
    PlaceBlock,
    most_states_of_blocks,
    moves_on_block_points,
)
from puzzlebase.plugins.definitions.stabilizer_chain import (
    Stabilizer,
    order_of_chain,
    stabilizer_chain_of,
)
from puzzlebase.plugins.definitions.work import Work

MOST_POINTS = 1200  # of a group whose order is found
_ENOUGH = 1 << 64  # a lower bound of states that are too many to number


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


def count_states(blocks: Sequence[PlaceBlock], charges: Charges | None, work: Work) -> Count:
    """Count the states of a definition.

    A group with every element that parities and sums allow leads to every state that these allow.
    If each element makes another state, there are as many states as elements. Otherwise only bounds
    are known.
    """
    if not blocks:
        return Count(1, True, 1)
    bound = most_states_of_blocks(blocks, charges)
    points = accumulate(block.points for block in blocks)
    counted = [block for block, most in zip(blocks, points, strict=True) if most <= MOST_POINTS]
    if not counted:
        return Count(bound, False, 1)
    apart = [block.with_different_pieces for block in counted]
    # The most elements that leave all these blocks looking as they are.
    alike = prod(block.largest for block in apart) // prod(block.largest for block in counted)
    whole = len(counted) == len(blocks)
    levels, proved, most = chain_of_blocks(counted, work, None if whole else alike * _ENOUGH)
    order = order_of_chain(levels)
    if whole and order == most:
        return Count(bound, True, bound)
    if whole and proved and all(block.told_apart for block in blocks):
        return Count(order, True, order)
    return Count(bound, False, -(-order // alike))


def chain_of_blocks(
    blocks: Sequence[PlaceBlock], work: Work, enough: int | None = None
) -> tuple[list[Stabilizer], bool, int]:
    """The levels of a chain for the moves on blocks, True if they have all elements,
    or `enough`, and the most that there can be by parities and sums.
    """
    apart = [block.with_different_pieces for block in blocks]
    most = most_states_of_blocks(apart, Charges.of(apart))
    most = min(most, enough or most)
    return *stabilizer_chain_of(moves_on_block_points(blocks)[0], most, work), most
