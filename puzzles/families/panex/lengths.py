"""The lengths of the pieces of every level, each level's from those of the level before, and their data as named blobs.

A piece of level N + 1 leaves the pair of size N + 1 in its order or exchanges it: the top bit of the function.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
from puzzlebase.puzzles.families.panex.levels import SHAPES, derive

TYPES = 330
"""How many types there are at every level."""

_CAPACITY = 1 << 14
_MEMO = 1 << 16


@dataclass(frozen=True)
class Lengths:
    """What an oracle for towers of n is made of, as plain arrays.

    Types: `types` is int32[types, 3]: start shape, end shape, word; `words[w]` are the letters of word w.

    The graph of places, whose shortest paths are pieces: places 0 .. 4 are the partial states in which pieces start,
    and place 5 + p is partial state p as it is reached. The steps from place x are begin[x] .. begin[x + 1] - 1;
    `target` is the place each leads to, `by` its type. `ends`, int32[types, 2], are the places where a piece of a type
    ends: with the pair of its level in the order it had, and exchanged. All are int32.

    Functions: `node` and `offset`, int64[n + 1, types], are the lengths of the pieces of level k = 2 .. n. They are
    made of `nodes`, int64[count, 5], as Diagrams has them.

    Level 2: the moves of a piece of a type with these flips are moves[first:last], where piece[type, flips], of
    int32[types, 4, 2], is (first, last).
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
        """Diagrams that begin with these nodes, and can hold at least as many more."""
        while capacity < 2 * len(self.nodes):
            capacity *= 2
        return new_diagrams(capacity, memo, self.nodes)


def find_lengths(n: int) -> Lengths:
    """The lengths of all levels to n, 2 to 26, from the rules."""
    diagrams = new_diagrams(_CAPACITY, _MEMO)
    lengths = _without_lengths(n, diagrams.nodes)
    for type_, piece in enumerate(lengths.piece):
        lengths.node[2, type_], lengths.offset[2, type_] = base_length(piece, diagrams)
    for k in range(3, n + 1):
        for start in range(SHAPES):
            node, offset = paths_from(start, lengths, k - 1, lengths.of(k - 1, lengths.by), diagrams)
            for type_ in np.flatnonzero(lengths.types[:, 0] == start).tolist():
                same, exchanged = lengths.ends[type_].tolist()
                joined = diagrams.join((node[same], offset[same]), (node[exchanged], offset[exchanged]))
                lengths.node[k, type_], lengths.offset[k, type_] = joined
        assert not diagrams.full
    nodes, node = only_used(diagrams.nodes[: diagrams.counts[0]], lengths.node.ravel())
    return replace(lengths, nodes=nodes, node=node.reshape(lengths.node.shape))


def _without_lengths(n: int, nodes: Ints) -> Lengths:
    """All but the functions, which are zeros."""
    levels = derive()
    source, by, target = np.array(levels.steps, np.int32).T
    places = np.arange(len(levels.partials) + SHAPES + 1)
    piece = np.zeros((len(levels.types), 4, 2), np.int32)
    moves = b""
    for each in levels.base_pieces:
        number = levels.types.index((each.start, each.end, levels.words.index(each.word)))
        piece[number, each.flips] = len(moves), len(moves) + len(each.moves)
        moves += each.moves
    return Lengths(
        words=levels.words,
        types=np.array(levels.types, np.int32),
        begin=np.searchsorted(np.where(source < SHAPES, source, source + SHAPES), places).astype(np.int32),
        target=target + np.int32(SHAPES),
        by=by.copy(),
        ends=np.array(levels.ends, np.int32) + SHAPES,
        piece=piece,
        moves=moves,
        node=np.zeros((n + 1, len(levels.types)), np.int64),
        offset=np.zeros((n + 1, len(levels.types)), np.int64),
        nodes=nodes,
    )


def base_length(piece: SmallInts, diagrams: Diagrams) -> Function:
    """The length of the pieces of level 2 of one type, as a function of two bits, from where their moves lie."""
    values = [(ZERO if moves else EMPTY, moves) for moves in np.diff(piece)[:, 0].tolist()]
    return diagrams.join(diagrams.join(values[0], values[1]), diagrams.join(values[2], values[3]))


def paths_from(start: int, lengths: Lengths, k: int, steps: Functions, diagrams: Diagrams) -> Functions:
    """The lengths of the shortest paths within a piece of level k + 1, from a start to every place, as functions.

    They have k bits. `steps` are the lengths of the steps, pieces of level k.
    """
    places = len(lengths.begin) - 1
    node, offset = np.full(places, EMPTY, np.int64), np.zeros(places, np.int64)
    node[start], offset[start] = diagrams.point(k, 0)
    stop = np.zeros(places, np.bool_)
    stop[lengths.ends] = True
    shortest_paths(lengths.begin, lengths.target, *steps, stop, node, offset, *diagrams)
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
"""How arrays are stored, and what they are in memory."""

_BETWEEN = b"\xff"  # what separates words; no letter of a word


def to_blobs(lengths: Lengths) -> dict[str, bytes]:
    """Lengths as named blobs."""
    made = {name: np.asarray(getattr(lengths, name)).astype(kind).tobytes() for name, (kind, _, _) in _STORED.items()}
    return made | {"words": _BETWEEN.join(lengths.words), "moves": lengths.moves}


def from_blobs(stored: Mapping[str, bytes]) -> Lengths:
    """Lengths from their blobs; raises KeyError or ValueError where the blobs are not those of `to_blobs`."""
    arrays: dict[str, Any] = {
        name: np.frombuffer(stored[name], kind).astype(kind_in_memory).reshape(shape)
        for name, (kind, kind_in_memory, shape) in _STORED.items()
    }
    return Lengths(words=tuple(stored["words"].split(_BETWEEN)), moves=stored["moves"], **arrays)
