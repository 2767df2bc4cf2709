"""The lengths of the pieces of every level, each from those of the level below, and their data as named blobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

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

_CAPACITY = 1 << 14
_MEMO = 1 << 16


@dataclass(frozen=True)
class Lengths:
    """The data of an oracle for towers of n, as plain arrays.

    Types: `types` is int32[types, 3]: start shape, end shape, word; `words[w]` are the letters of word w.

    The graph of places: 0 .. 4 are the partial states where pieces start, 5 + p is partial state p as it is reached.
    The steps from place x are begin[x] .. begin[x + 1] - 1, `target` has where each leads, `by` its type. `ends`,
    [types, 2], are the places where a type's pieces end: with the pair of its level in its order, and exchanged. All
    are int32.

    Functions: `node` and `offset`, int64[n + 1, types], are the lengths of the pieces of level k = 2 .. n, made of
    `nodes`, int64[count, 5], as in Diagrams.

    Level 2: moves[first:last] of a piece have (first, last) = piece[type, flips], int32[types, 4, 2].
    """

    words: tuple[bytes, ...]
    types: SmallInts
    begin: SmallInts
    target: SmallInts
    by: SmallInts
    ends: SmallInts
    piece: SmallInts
    moves: bytes
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
    return Lengths(levels.words, types, begin, target, by, ends, piece, moves, node, offset, nodes)


def _base_moves(levels: Levels) -> tuple[SmallInts, bytes]:
    """The moves of all pieces of level 2, one after another, and the first and last move of each type and flips."""
    piece, moves = np.zeros((TYPES, 4, 2), np.int32), b""
    for each in levels.base_pieces:
        number = levels.types.index((each.start, each.end, levels.words.index(each.word)))
        piece[number, each.flips] = len(moves), len(moves) + len(each.moves)
        moves += each.moves
    return piece, moves


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


# Blobs: each array in integers just large enough for its values.

_STORED: dict[str, tuple[str, type[np.integer[Any]], tuple[int, ...]]] = {
    "types": ("<u2", np.int32, (-1, 3)),
    "begin": ("<u2", np.int32, (-1,)),
    "target": ("<u2", np.int32, (-1,)),
    "by": ("<u2", np.int32, (-1,)),
    "ends": ("<u2", np.int32, (-1, 2)),
    "piece": ("<u2", np.int32, (-1, 4, 2)),
    "node": ("<u2", np.int64, (-1, TYPES)),
    "offset": ("<i8", np.int64, (-1, TYPES)),
    "nodes": ("<i8", np.int64, (-1, 5)),
}
"""The types of arrays as they are stored and in memory, and their shapes."""

_BETWEEN = b"\xff"  # separates words; it is no letter of a word


def to_blobs(lengths: Lengths) -> dict[str, bytes]:
    """Lengths as named blobs."""
    made = {name: np.asarray(getattr(lengths, name)).astype(kind).tobytes() for name, (kind, _, _) in _STORED.items()}
    return made | {"words": _BETWEEN.join(lengths.words), "moves": lengths.moves}


def from_blobs(stored: Mapping[str, bytes]) -> Lengths:
    """Lengths from their blobs; raises KeyError or ValueError if they are not those of `to_blobs`."""
    arrays: dict[str, Any] = {
        name: np.frombuffer(stored[name], kind).astype(kind_in_memory).reshape(shape)
        for name, (kind, kind_in_memory, shape) in _STORED.items()
    }
    return Lengths(words=tuple(stored["words"].split(_BETWEEN)), moves=stored["moves"], **arrays)
