"""The lengths of the pieces of every level,
which a program in `research/panex_lengths` makes from the rules.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.families.panex.diagrams import (
    Diagrams,
    Functions,
    Ints,
    SmallInts,
    new_diagrams,
)

FILE = Path(__file__).with_name("lengths.npz")

SHAPES = 5

DROP = 12
"""A letter below DROP is a lift, any other a drop."""


Bytes = npt.NDArray[np.uint8]


class Lengths(NamedTuple):
    """The data of an oracle for towers of at most n, as plain arrays.

    Types: `types` is int32[types, 3]: start shape, end shape, word. `letters` are those of all
    words, one word after another. Those of word w are letters[words[w] : words[w + 1]]; `words` is
    int32[words + 1].

    Functions: `node` and `offset`, int64[n + 1, types], are the lengths of the pieces of level k =
    2 .. n, made of `nodes`, int64[count, 5], as in Diagrams.
    """

    letters: Bytes
    words: SmallInts
    types: SmallInts
    node: Ints
    offset: Ints
    nodes: Ints

    def of(self, k: int, types: SmallInts) -> Functions:
        """The lengths of pieces of level k, by their types."""
        return self.node[k][types], self.offset[k][types]

    def diagrams(self, capacity: int, memo: int) -> Diagrams:
        """Diagrams that begin with these nodes and hold at least as many more."""
        while capacity < 2 * len(self.nodes):
            capacity *= 2
        return new_diagrams(capacity, memo, self.nodes)


@cache
def all_lengths() -> Lengths:
    """The lengths of all levels, from their file."""
    with np.load(FILE) as arrays:
        return Lengths(**arrays)
