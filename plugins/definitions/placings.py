"""Numbers of the states of a block whose pieces look alike, but for some.

The places of these pieces, as a set, are the row; their order in these places is the column. A move
takes the set of a row to that of another one, and changes every order alike.
"""

from __future__ import annotations

import numpy as np

from puzzlebase.plugins.definitions.definition import Numbers
from puzzlebase.plugins.definitions.factors import Rank, Unrank
from puzzlebase.plugins.definitions.place_blocks import PlaceBlock, holds_own_pieces
from puzzlebase.puzzles.contract.space import Indices, ProductForm
from puzzlebase.puzzles.machinery.automaton import Arrangements
from puzzlebase.sentinels import NO_STATE

_MOST_APART = 9  # pieces with 362,880 orders
_MOST_EDGES = 1 << 22  # sets times moves
_MAP_BYTES = 1 << 25


def placings(block: PlaceBlock) -> tuple[ProductForm, Rank, Unrank] | None:
    """The moves of a block as tables, and its numbers, if pieces of its first label look alike;
    None if others do or are turned, or if tables would be too large.
    """
    alike, apart = block.counts[0], len(block.counts) - 1
    if alike + apart != len(block.labels) or block.orientations != 1 or apart > _MOST_APART:
        return None
    sets, orders = Arrangements((alike, apart)), Arrangements((1,) * apart)
    if sets.size * len(block.turns) > _MOST_EDGES:
        return None

    def numbers(inside: Numbers) -> tuple[Indices, Indices]:
        """The rows and columns of labels within the block, int64[n, places]."""
        order = inside[inside > 0].reshape(len(inside), apart) - 1
        return sets.rank((inside > 0).astype(np.uint8)), orders.rank(order.astype(np.uint8))

    def labelled(indices: Indices) -> Numbers:
        rows, columns = np.divmod(indices, orders.size)
        inside = sets.automaton.unrank(rows).astype(np.int64)
        inside[inside > 0] = orders.automaton.unrank(columns).reshape(-1) + 1
        return inside

    def rank(labels: Numbers, _turns: Numbers) -> Indices:
        indices = np.full(len(labels), NO_STATE, np.int64)
        own = holds_own_pieces([block], labels)
        rows, columns = numbers(block.within(labels[own]))
        indices[own] = rows * orders.size + columns
        return indices

    def unrank(indices: Indices, labels: Numbers, _turns: Numbers) -> None:
        labels[:, block.places] = block.names[labelled(indices)]

    first = labelled(np.arange(sets.size) * orders.size)
    to, kinds = np.stack([numbers(first[:, turn.source]) for turn in block.turns], axis=1)
    known, kind = np.unique(np.append(0, kinds), return_inverse=True)
    if len(known) * orders.size * np.uint32().nbytes > _MAP_BYTES:
        return None
    maps = [orders.rank(orders.sequences[:, order]) for order in orders.sequences[known]]
    form = to.astype(np.int32), kind[1:].reshape(to.shape).astype(np.int32)
    return ProductForm(*form, np.stack(maps).astype(np.uint32)), rank, unrank
