"""States as rows of small numbers, one for each place that changes, on which moves are played fast.

Glossary
    code        a piece of a block and its turn as one number.
    row         the codes of all places in blocks, one block after another, as bytes.
    turning     of a block by some amount: the code after the turn for each code before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.plugins.definitions.definition import Flags, Numbers, Transformation
from puzzlebase.plugins.definitions.place_blocks import (
    Charges,
    PlaceBlock,
    possible_states,
)

_MOST_CODES = 1 << 16  # of a block: a code has one byte or two
_MOST_TURNINGS = 1 << 20  # turnings times codes

Bytes = npt.NDArray[np.uint8]


class Rows:
    """The rows of a definition's states and its moves on them."""

    def __init__(self, blocks: Sequence[PlaceBlock], charges: Charges | None) -> None:
        self._blocks, self._charges = blocks, charges
        self.places = np.concatenate([block.places for block in blocks])
        starts = np.cumsum([0, *(len(block.places) for block in blocks)]).tolist()
        # code of each label, not turned
        first_codes = [np.cumsum([0, *block.moduli.tolist()]) for block in blocks]
        # each block, its part of a row, and these codes
        self._parts = [
            *zip(blocks, [slice(*ends) for ends in pairwise(starts)], first_codes, strict=True)
        ]
        codes = max(int(first[-1]) for first in first_codes)
        self._type = np.dtype(np.uint8 if codes <= 1 << 8 else np.uint16)
        self.source = np.zeros((len(blocks[0].turns), len(self.places)), np.int32)
        self.turning = np.zeros_like(self.source)
        # those of each block, by the amount; codes that it lacks stay
        amounts = sum(block.ways for block in blocks)
        self.turnings = np.tile(np.arange(codes, dtype=self._type), (amounts, 1))
        begin = 0
        for block, here, first_of in self._parts:
            label = np.repeat(np.arange(len(block.moduli)), block.moduli)
            turns = np.arange(len(label)) - first_of[label] + np.arange(block.ways)[:, None]
            after = first_of[label] + turns % block.moduli[label]
            self.turnings[begin : begin + block.ways, : len(label)] = after
            every = Transformation.stack(block.turns)
            self.source[:, here] = every.source + here.start
            self.turning[:, here] = every.turned + begin
            begin += block.ways

    @property
    def codes_at(self) -> Numbers:
        """The number of codes of each place, int64[places in blocks]."""
        counts = [np.full_like(block.places, first[-1]) for block, _, first in self._parts]
        return np.concatenate(counts)

    @classmethod
    def of(cls, blocks: Sequence[PlaceBlock], charges: Charges | None) -> Rows | None:
        """Make the rows; None if codes would be too long, or turnings too many."""
        most = max((int(block.moduli.sum()) for block in blocks), default=_MOST_CODES + 1)
        fits = most <= _MOST_CODES and most * sum(block.ways for block in blocks) <= _MOST_TURNINGS
        return cls(blocks, charges) if fits else None

    def codes(self, labels: Numbers, turns: Numbers) -> npt.NDArray[Any]:
        """The codes of labels and turns, [n, places in blocks];
        those of other blocks' pieces have no meaning.
        """
        codes = np.zeros((len(labels), len(self.places)), np.int64)
        for block, here, first in self._parts:
            codes[:, here] = first[block.within(labels)] + turns[:, block.places]
        return codes.astype(self._type)

    def play(self, rows: Bytes) -> Bytes:
        """Play all moves on rows: uint8[n, width] -> uint8[n, moves, width]."""
        codes = rows.view(self._type)
        after = np.empty((len(codes), *self.source.shape), self._type)
        _play(codes, self.source, self.turning, self.turnings, after)
        return after.view(np.uint8)

    def encode(self, labels: Numbers, turns: Numbers) -> tuple[Bytes, Flags]:
        """The rows of labels and turns, int[n, places] or -1,
        and True for those with possible pieces and charges.
        """
        fits = possible_states(self._blocks, self._charges, labels, turns)
        codes = self.codes(labels, turns)
        codes[~fits] = 0
        return codes.view(np.uint8), fits

    def decode(self, rows: Bytes, labels: Numbers, turns: Numbers) -> None:
        """Write the labels and turns of rows into two arrays of solved states,
        int64[n, places] each.
        """
        codes = np.ascontiguousarray(rows).view(self._type)
        for block, here, first in self._parts:
            inside = np.searchsorted(first, codes[:, here], side="right") - 1
            labels[:, block.places] = block.names[inside]
            turns[:, block.places] = codes[:, here] - first[inside]


@kernel
def _play(codes, source, turning, turnings, after):  # type: ignore[no-untyped-def]
    for i in range(len(codes)):
        for move in range(len(source)):
            for place in range(codes.shape[1]):
                after[i, move, place] = turnings[
                    turning[move, place], codes[i, source[move, place]]
                ]
