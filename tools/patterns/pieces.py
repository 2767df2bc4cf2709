"""The pieces of states, kept beside the numbers of patterns, and the numbers of a pattern's view of an inverse state.

The inverse of a state has in the place of each piece the piece of that place. So each piece alone tells its part of the
inverse: a share of a key, in which each part of a pattern's number has some bits. A table for each leads from these
bits to what the part adds to the number (puzzles/definitions/factors.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.engines import Patterns
from puzzlebase.puzzles.definitions.blocks import PlaceBlock
from puzzlebase.puzzles.definitions.definition import Numbers
from puzzlebase.puzzles.definitions.factors import Level
from puzzlebase.puzzles.definitions.rows import Rows
from puzzlebase.puzzles.definitions.space import Numbered
from puzzlebase.puzzles.definitions.symmetries import Symmetry

_KEY_BITS = 62
_MOST_BITS = 26  # of a part's key


@dataclass(frozen=True, eq=False)
class InverseView:
    """What leads from the codes of a state to the number of its inverse in a view."""

    share: Numbers  # of each code in each place, int64[places, codes]
    parts: list[tuple[int, int, Numbers]]  # of each part its first bit, its mask, and what it adds by its bits


@dataclass(frozen=True, kw_only=True)
class WithPieces(Patterns):
    """Patterns of a puzzle whose pieces all differ."""

    rows: Rows
    codes: Callable[[str], npt.NDArray[Any]]  # of a state's text, [places]
    inverses: dict[int, InverseView]  # by the number of the pattern


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
        return self.of[np.arange(seen.shape[1]), seen].sum(axis=1)

    def share(self, block: PlaceBlock, view: Symmetry) -> Numbers:
        """The shares of codes, int64[places, codes], of a block of the whole."""
        homes, here, ways = block.places[np.argsort(block.labels)], block.places, block.orientations
        if not np.array_equal(np.sort(view.places[here]), self.block.places):
            return np.zeros((len(here), len(here) * ways), np.int64)
        to = np.searchsorted(self.block.places, view.places[homes])  # the place in the inverse's view, [labels]
        if self.arranged:
            label = self.block.labels[np.searchsorted(self.block.places, view.places[here])]
            return np.repeat(self.of[to[None, :], label[:, None]], ways, axis=1)
        shifts = view.shifts[homes][None, :] - view.shifts[here][:, None]
        turned = (shifts[:, :, None] - view.signs[homes][None, :, None] * np.arange(ways)) % ways
        return self.of[to[None, :, None], turned].reshape(len(here), -1)


class Part:
    """A part of a pattern's number: its key, and what it adds to the number."""

    def __init__(self, numbered: Numbered, level: Level, width: int) -> None:
        self._numbered, self._level, self._width = numbered, level, width
        charge = level.factor.charges[0]
        self.weights = _Weights(numbered.blocks[charge // 2], arranged=charge % 2 == 0)

    @cached_property
    def by_key(self) -> Numbers:
        """What the part adds, by its key."""
        definition, factor = self._numbered.definition, self._level.factor
        labels, turns = np.tile(definition.labels, (factor.size, 1)), np.tile(definition.turned, (factor.size, 1))
        factor.unrank(np.arange(factor.size), labels, turns)
        found = np.zeros(1 << self.weights.bits, np.int64)
        found[self.weights.key(labels, turns)] = self._level.digits * self._width
        return found


def parts_of(numbered: Numbered) -> list[Part]:
    """The parts of a pattern's number; none where a key would be too long."""
    if not (product := numbered.product):
        return []
    parts = [Part(numbered, level, width) for some, width in ((product.rows, product.width), (product.columns, 1)) for level in some]
    bits = [part.weights.bits for part in parts]
    return parts if max(bits) <= _MOST_BITS and sum(bits) <= _KEY_BITS else []


def inverse_view(rows: Rows, blocks: Sequence[PlaceBlock], view: Symmetry, parts: Sequence[Part]) -> InverseView:
    """Make the inverses of a view of states by `rows`."""
    share = np.zeros((rows.source.shape[1], rows.turnings.shape[1]), np.int64)
    found = []
    bit = 0
    for part in parts:
        own = [part.weights.share(block, view) for block in blocks]
        for at, each in zip(accumulate(map(len, own), initial=0), own, strict=False):
            share[at : at + len(each), : each.shape[1]] += each << bit
        found.append((bit, (1 << part.weights.bits) - 1, part.by_key))
        bit += part.weights.bits
    return InverseView(share, found)
