"""Numbers of the states of a block whose pieces look alike, but for some: by the places of these.

The places as a set are the row, and the order of the pieces in them is the column. A move takes the
set of a row to that of another one, and changes the order as it changes that of the places.
"""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb

import numpy as np

from puzzlebase.plugins.definitions.definition import AnyNumbers, Numbers
from puzzlebase.plugins.definitions.factors import Rank, Unrank
from puzzlebase.plugins.definitions.place_blocks import PlaceBlock, holds_own_pieces
from puzzlebase.puzzles.contract.space import Indices, ProductForm
from puzzlebase.sentinels import NO_STATE

_MOST_PLACES = 62  # whose sets are bits of a word
_MOST_APART = 9  # pieces with 362,880 orders
_MOST_EDGES = 1 << 21  # sets times moves
_MAP_BYTES = 1 << 25


def placings(block: PlaceBlock) -> tuple[ProductForm, Rank, Unrank] | None:
    """The moves of a block as tables, and its numbers;
    None if other pieces look alike or are turned, or tables would be too large.
    """
    places, apart = len(block.labels), np.flatnonzero(np.array(block.counts) == 1)
    few = places <= _MOST_PLACES and len(apart) <= _MOST_APART
    alone = len(apart) == len(block.counts) - 1 and block.orientations == 1
    if not (few and alone and comb(places, len(apart)) * len(block.turns) <= _MOST_EDGES):
        return None
    # sorted by their bits
    sets = np.array([*combinations(range(places - 1, -1, -1), len(apart))])[::-1, ::-1]
    bits = (1 << sets).sum(axis=1)
    orders = np.array([*permutations(range(len(apart)))])

    def rank(labels: Numbers, _turns: Numbers) -> Indices:
        inside = block.within(labels)
        to = np.stack([(inside == label).argmax(axis=1) for label in apart], axis=1)
        rows = np.searchsorted(bits, (1 << to).sum(axis=1))
        own = holds_own_pieces([block], labels)
        return np.where(own, rows * len(orders) + _order(to), NO_STATE)

    def unrank(numbers: Indices, labels: Numbers, _turns: Numbers) -> None:
        rows, columns = np.divmod(numbers, len(orders))
        to = np.take_along_axis(sets[rows], orders[columns], 1)
        labels[:, block.places] = block.names[np.argmax(block.counts)]
        np.put_along_axis(labels, block.places[to], block.names[apart][None, :], 1)

    after = np.stack([np.argsort(turn.source)[sets] for turn in block.turns])
    to = np.searchsorted(bits, (1 << after).sum(axis=2)).astype(np.int32)
    kinds = _order(after.reshape(-1, len(apart)))
    numbers, kind = np.unique(np.append(0, kinds), return_inverse=True)
    if numbers.size * len(orders) * 4 > _MAP_BYTES:
        return None
    maps = np.stack([_order(order[orders]) for order in orders[numbers]])
    form = ProductForm(to, kind[1:].reshape(to.shape).astype(np.int32), maps.astype(np.uint32))
    return form, rank, unrank


def _order(places: AnyNumbers) -> Indices:
    """The number of the order of places, as in `permutations`: int[n, pieces] -> int64[n]."""
    number: Indices = np.zeros(len(places), np.int64)
    for at in range(places.shape[1]):
        before = (places[:, at + 1 :] < places[:, [at]]).sum(axis=1)
        number = number * (places.shape[1] - at) + before
    return number
