"""The pieces of states, stored beside the numbers of patterns,
and the numbers of a pattern's view of an inverse state.

Let a state have piece x in place y: then its inverse has piece y in place x. So each piece alone
determines its part of the inverse: a share of a key, in which each part of a pattern's number has
some bits. A table for each part leads from these bits to its addend in the number
(plugins/definitions/factors.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.definitions.definition import Definition, Numbers
from puzzlebase.plugins.definitions.factors import Product
from puzzlebase.plugins.definitions.moves import all_moves
from puzzlebase.plugins.definitions.place_blocks import PlaceBlock, blocks_of
from puzzlebase.plugins.definitions.rows import Rows
from puzzlebase.plugins.definitions.space import ProductSpace
from puzzlebase.plugins.definitions.symmetries import Symmetry
from puzzlebase.puzzles import Patterns
from puzzlebase.puzzles.contract.space import Space

_KEY_BITS = 62
_MOST_BITS = 26  # of a part's key


@dataclass(frozen=True, eq=False)
class Inverses:
    """The map from the codes of a state to the numbers of its inverse in the views of a pattern."""

    # of each code in each place, int64[views, places, codes]; no views if keys would be too long
    shares: Numbers
    # of each part its first bit, its mask, and its addend by its bits
    parts: list[tuple[int, int, Numbers]]


@dataclass(frozen=True, kw_only=True)
class WithPieces(Patterns):
    """The views of one pattern, of a puzzle whose pieces all differ."""

    rows: Rows
    codes: Callable[[str], npt.NDArray[Any]]  # of a state's text, [places]
    inverses: Callable[[Space], Inverses]  # in the space of the pattern


class _Weights:
    """A key of a block's labels or turns: a sum over places."""

    def __init__(self, block: PlaceBlock, *, arranged: bool) -> None:
        places, ways = len(block.labels), block.orientations
        self.block, self.arranged, radix = block, arranged, 1
        if arranged:
            self.of = np.zeros((places, len(block.counts)), np.int64)
            for label in sorted(range(len(block.counts)), key=block.counts.__getitem__)[:-1]:
                alone = block.counts[label] == 1
                self.of[:, label] = radix * (np.arange(places) if alone else 1 << np.arange(places))
                radix *= places if alone else 1 << places
        else:
            self.of, radix = ways ** np.arange(places)[:, None] * np.arange(ways), ways**places
        self.bits = (radix - 1).bit_length()

    def key(self, labels: Numbers, turns: Numbers) -> Numbers:
        """The keys of states, int64[n]."""
        seen = self.block.within(labels) if self.arranged else turns[:, self.block.places]
        keys: Numbers = self.of[np.arange(seen.shape[1]), seen].sum(axis=1)
        return keys

    def share(self, block: PlaceBlock, view: Symmetry) -> Numbers:
        """The shares of codes, int64[places, codes], of a block of the whole."""
        homes, here, ways = block.places[np.argsort(block.labels)], block.places, block.orientations
        if not np.array_equal(np.sort(view.places[here]), self.block.places):
            return np.zeros((len(here), len(here) * ways), np.int64)
        # the place in the inverse's view, [labels]
        to = np.searchsorted(self.block.places, view.places[homes])
        if self.arranged:
            label = self.block.labels[np.searchsorted(self.block.places, view.places[here])]
            return np.repeat(self.of[to[None, :], label[:, None]], ways, axis=1)
        shifts = view.shifts[homes][None, :] - view.shifts[here][:, None]
        turned = (shifts[:, :, None] - view.signs[homes][None, :, None] * np.arange(ways)) % ways
        share: Numbers = self.of[to[None, :, None], turned].reshape(len(here), -1)
        return share


def inverses_of_pieces(
    definition: Definition,
    whole: Sequence[PlaceBlock],
    rows: Rows,
    views: Sequence[Symmetry],
    space: Space,
) -> Inverses:
    """Make the numbers of inverses of states by `rows`,
    in the views of a pattern by its definition and space.
    """
    parts = _parts(definition, space.factors) if isinstance(space, ProductSpace) else []
    shares = np.zeros(
        (len(views) if parts else 0, rows.source.shape[1], rows.turnings.shape[1]), np.int64
    )
    placed, bit = [], 0
    for weights, by_key in parts:
        for share, view in zip(shares, views, strict=True):
            own = [weights.share(block, view) for block in whole]
            for at, each in zip(accumulate(map(len, own), initial=0), own, strict=False):
                share[at : at + len(each), : each.shape[1]] += each << bit
        placed.append((bit, len(by_key) - 1, by_key))
        bit += weights.bits
    return Inverses(shares, placed)


def _parts(definition: Definition, product: Product) -> list[tuple[_Weights, Numbers]]:
    """The parts of a pattern's number,
    with each part's addend by its key; none if keys would be too long.
    """
    blocks = blocks_of(definition, [move.turn for move in all_moves(definition)])
    parts = []
    for level in (*product.rows, *product.columns):
        factor = level.factor
        weights = _Weights(blocks[factor.charges[0] // 2], arranged=factor.charges[0] % 2 == 0)
        if weights.bits > _MOST_BITS:
            return []
        keys = weights.key(*factor.states(definition))
        by_key = np.zeros(1 << weights.bits, np.int64)
        by_key[keys] = level.digits * (product.width if level in product.rows else 1)
        parts.append((weights, by_key))
    return parts if sum(weights.bits for weights, _ in parts) <= _KEY_BITS else []
