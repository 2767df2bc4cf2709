"""The lengths of the pieces of every level, each from those of the level below, as arrays that are stored."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import RANKING_TABLES
from puzzlebase.puzzles.families.panex.board import MAX_SIZE
from puzzlebase.puzzles.families.panex.diagrams import (
    EMPTY,
    ZERO,
    Diagrams,
    Function,
    Functions,
    Ints,
    SmallInts,
    new_diagrams,
    only_used,
    shortest_paths,
)
from puzzlebase.puzzles.families.panex.levels import SHAPES, Levels, derive

TYPES = 330
"""The number of types at every level."""

_BETWEEN = b"\xff"  # separates words; it is no letter of a word
_CAPACITY = 1 << 14
_MEMO = 1 << 16


Bytes = npt.NDArray[np.uint8]


class Lengths(NamedTuple):
    """The data of an oracle for towers of at most n, as plain arrays.

    Types: `types` is int32[types, 3]: start shape, end shape, word. `letters` are those of all words, one word after
    another, and `_BETWEEN` between them.

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
        return self.letters.tobytes().split(_BETWEEN)

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
    """The lengths of all levels, from the store if there is one."""
    return Lengths(**RANKING_TABLES.arrays("panex-lengths", lambda: find_lengths(MAX_SIZE)._asdict()))


def find_lengths(n: int) -> Lengths:
    """Find the lengths of all levels to n, 2 to 26, from the rules."""
    levels = derive()
    source, by, target = np.array(levels.steps, np.int32).T.copy()
    places = np.arange(len(levels.partials) + SHAPES + 1)
    begin = np.searchsorted(np.where(source < SHAPES, source, source + SHAPES), places).astype(np.int32)
    target += np.int32(SHAPES)
    ends = np.array(levels.ends, np.int32) + np.int32(SHAPES)
    types, (piece, moves) = np.array(levels.types, np.int32), _base_moves(levels)
    diagrams = new_diagrams(_CAPACITY, _MEMO)
    node, offset = np.zeros((2, n + 1, TYPES), np.int64)
    node[2], offset[2] = np.transpose([base_length(each, diagrams) for each in piece])
    for k in range(3, n + 1):
        for start in range(SHAPES):
            steps = node[k - 1, by], offset[k - 1, by]
            path, length = paths_from(start, k - 1, begin, target, steps, ends, diagrams)
            for type_ in np.flatnonzero(types[:, 0] == start).tolist():
                same, exchanged = ends[type_].tolist()
                joined = diagrams.join((path[same], length[same]), (path[exchanged], length[exchanged]))
                node[k, type_], offset[k, type_] = joined
        assert not diagrams.full
    nodes, node = only_used(diagrams.nodes[: diagrams.counts[0]], node)
    letters = np.frombuffer(_BETWEEN.join(levels.words), np.uint8)
    return Lengths(letters, types, begin, target, by, ends, piece, moves, node, offset, nodes)


def _base_moves(levels: Levels) -> tuple[SmallInts, Bytes]:
    """The moves of all pieces of level 2, one after another, and the first and last move of each type and flips."""
    piece, moves = np.zeros((TYPES, 4, 2), np.int32), b""
    for each in levels.base_pieces:
        number = levels.types.index((each.start, each.end, levels.words.index(each.word)))
        piece[number, each.flips] = len(moves), len(moves) + len(each.moves)
        moves += each.moves
    return piece, np.frombuffer(moves, np.uint8)


def base_length(piece: SmallInts, diagrams: Diagrams) -> Function:
    """The length of the pieces of level 2 of one type, as a function of two bits, from the ranges of their moves."""
    values = [(ZERO if moves else EMPTY, moves) for moves in np.diff(piece)[:, 0].tolist()]
    return diagrams.join(diagrams.join(values[0], values[1]), diagrams.join(values[2], values[3]))


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
