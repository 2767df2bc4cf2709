"""The lengths of the pieces of every level, which a program in `research/panex_lengths` makes from the rules."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.families.panex.diagrams import (
    ZERO,
    Diagrams,
    Functions,
    Ints,
    SmallInts,
    new_diagrams,
    shortest_paths,
)

FILE = Path(__file__).with_name("lengths.npz")
BETWEEN = b"\xff"  # separates words; it is no letter of a word

SHAPES = 5
TOWERS = ((0, 2), (1, 2), (1, 2), (0, 1), (0, 1))
"""The two tracks with towers in each shape, the left one first."""

CORNERS = {2: 2, 4: 0}
"""The shapes with both tiles of size 1 on one tower, and that tower's track."""

DROP = 12
"""A letter below DROP is a lift, any other a drop."""


Bytes = npt.NDArray[np.uint8]


class Lengths(NamedTuple):
    """The data of an oracle for towers of at most n, as plain arrays.

    Types: `types` is int32[types, 3]: start shape, end shape, word. `letters` are those of all words, one word after
    another, and `BETWEEN` between them.

    The graph of places: 0 .. 4 are the partial states where pieces start, 5 + p is partial state p as it is reached.
    The steps from place x are begin[x] .. begin[x + 1] - 1, `target` has where each leads, `by` its type. `ends`,
    [types, 2], are the places where a type's pieces end: with the pair of its level in its order, and exchanged. All
    are int32.

    Functions: `node` and `offset`, int64[n + 1, types], are the lengths of the pieces of level k = 2 .. n, made of
    `nodes`, int64[count, 5], as in Diagrams.

    Level 2: moves[first:last] of a piece have (first, last) = piece[type, flips], int32[types, 4, 2].
    """

    letters: Bytes
    types: SmallInts
    begin: SmallInts
    target: SmallInts
    by: SmallInts
    ends: SmallInts
    piece: SmallInts
    moves: Bytes
    node: Ints
    offset: Ints
    nodes: Ints

    @property
    def words(self) -> list[bytes]:
        """The letters of each word."""
        return self.letters.tobytes().split(BETWEEN)

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


def paths_from(
    start: int, k: int, begin: SmallInts, target: SmallInts, steps: Functions, stop: SmallInts, diagrams: Diagrams
) -> Functions:
    """The lengths of the shortest paths from a place to every place, as functions of k bits.

    `begin`, `target` and `steps`, their lengths, are as in `shortest_paths`; no path goes on from the places `stop`.
    """
    places = len(begin) - 1
    node, offset = np.zeros((2, places), np.int64)  # EMPTY is 0
    node[start], offset[start] = diagrams.extended((ZERO, 0), 0, k, 0)
    stopping = np.zeros(places, np.bool_)
    stopping[stop] = True
    shortest_paths(begin, target, *steps, stopping, node, offset, *diagrams)
    return node, offset
