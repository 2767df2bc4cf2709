"""Lengths of the pieces of every level of Panex, each level's from the one before, and their data as named blobs.

Glossary
    piece, type, partial   see _panex_words; functions, nodes and diagrams: see _panex_diagrams.
    lengths[N, type]       the least number of moves of a piece of level N of that type, as a function of N bits:
                           bit k is set where the piece changes the order of the two tiles of size k.

A piece of level N + 1 is a way through partial states, each step a piece of level N. The two tiles of size
N + 1 keep or change their order, which gives the function's top bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzles.panex.diagrams import (
    NOTHING,
    ZERO,
    Diagrams,
    Ints,
    Small,
    diagrams,
    extended,
    join,
    only,
    settle,
    trimmed,
)
from puzzles.panex.words import SHAPES, Levels, derive

_ROOM = 1 << 14
_MEMO = 1 << 16


@dataclass(frozen=True)
class Lengths:
    """What an oracle for towers of n is made of; all of it plain arrays.

    The steps are those of the partial states, sorted by their source: places 0 .. 4 are the starts, 5 .. 9
    the same partial states as ends, since what was reached is no start again. `begin` is int32[places + 1],
    `target` and `by` (types) int32[steps], `ends` int32[types, 2].
    `types` is int32[types, 3]: start shape, end shape, word. A word is `words[w]`, letters after one another.
    `node` and `offset`, int64[n + 1, types], are the functions of level k = 2 .. n, of nodes int64[count, 5].
    `moves` are those of the pieces of level 2, `piece` int32[types, 4, 2] where a type's begin and end there.
    """

    words: tuple[bytes, ...]
    types: Small
    begin: Small
    target: Small
    by: Small
    ends: Small
    piece: Small
    moves: bytes
    node: Ints
    offset: Ints
    nodes: Ints

    @property
    def n(self) -> int:
        """The greatest level."""
        return len(self.node) - 1

    def diagrams(self, room: int, memo: int) -> Diagrams:
        """Diagrams that begin with these nodes and have room for as many more at least."""
        while room < 2 * len(self.nodes):
            room *= 2
        return extended(diagrams(room, memo), self.nodes)


def lengths(n: int, levels: Levels | None = None) -> Lengths:
    """Lengths of all levels to n (2 to 26), from the rules, or from other levels than `derive` gives."""
    levels = levels or derive()
    types = np.array(levels.types, np.int32)
    steps = np.array(
        [(each.source + SHAPES * (each.source >= SHAPES), each.target + SHAPES, each.type) for each in levels.steps]
    )
    steps = steps[np.argsort(steps[:, 0], kind="stable")].astype(np.int32)
    begin = np.searchsorted(steps[:, 0], np.arange(levels.partials + SHAPES + 1)).astype(np.int32)
    piece, moves = _pieces(levels)
    count = len(types)
    made = diagrams(_ROOM, _MEMO)
    found = Lengths(
        words=levels.words,
        types=types,
        begin=begin,
        target=steps[:, 1].copy(),
        by=steps[:, 2].copy(),
        ends=np.array(levels.ends, np.int32) + SHAPES,
        piece=piece,
        moves=moves,
        node=np.zeros((n + 1, count), np.int64),
        offset=np.zeros((n + 1, count), np.int64),
        nodes=made.nodes,
    )
    for at in range(count):
        found.node[2, at], found.offset[2, at] = level_two(np.diff(piece[at])[:, 0].tolist(), made)
    for k in range(3, n + 1):
        for start in range(SHAPES):
            label, cost = step(found, k - 1, start, made, found.node[k - 1], found.offset[k - 1])
            for at in np.flatnonzero(types[:, 0] == start).tolist():
                same, other = found.ends[at].tolist()
                joined = join(label[same], cost[same], label[other], cost[other], *made)
                found.node[k, at], found.offset[k, at] = joined
        assert not made.full
    return _trimmed(found, made)


def step(found: Lengths, k: int, start: int, made: Diagrams, node: Ints, offset: Ints) -> tuple[Ints, Ints]:
    """Functions of k bits of the ways of a piece of level k + 1 from a start to every place: nodes and offsets.

    `node` and `offset` are the lengths of the pieces of level k, by type.
    """
    places = len(found.begin) - 1
    label, cost = np.full(places, NOTHING, np.int64), np.zeros(places, np.int64)
    label[start] = only(k, 0, made)
    stop = np.zeros(places, np.bool_)
    stop[found.ends] = True
    settle(found.begin, found.target, node[found.by], offset[found.by], stop, label, cost, *made)
    return label, cost


def _pieces(levels: Levels) -> tuple[Small, bytes]:
    """Where the moves of the pieces of level 2 begin and end, int32[types, 4, 2], and the moves."""
    number = {each: at for at, each in enumerate(levels.types)}
    piece = np.zeros((len(levels.types), 4, 2), np.int32)
    moves = b""
    for each in levels.pieces:
        piece[number[each.start, each.end, each.word], each.flips] = len(moves), len(moves) + len(each.moves)
        moves += each.moves
    return piece, moves


def level_two(fewest: list[int], made: Diagrams) -> tuple[int, int]:
    """The function of two bits with these values; 0 where there is no piece."""
    ways = [(ZERO if moves else NOTHING, moves) for moves in fewest]
    low, low_cost = join(*ways[0], *ways[1], *made)
    high, high_cost = join(*ways[2], *ways[3], *made)
    node, offset = join(low, low_cost, high, high_cost, *made)
    return int(node), int(offset)


def _trimmed(found: Lengths, made: Diagrams) -> Lengths:
    nodes, node = trimmed(made.nodes[: made.counts[0]], found.node.ravel())
    return replace(found, nodes=nodes, node=node.reshape(found.node.shape))


# As blobs: arrays of as few bytes as hold their values.

_STORED = {
    "types": "<u2",
    "begin": "<u2",
    "target": "<u2",
    "by": "<u2",
    "ends": "<u2",
    "piece": "<u2",
    "node": "<u2",
    "offset": "<i8",
    "nodes": "<i8",
}

_BETWEEN = b"\xff"
"""What is no letter of a word."""


def blobs(found: Lengths) -> dict[str, bytes]:
    """Lengths as named blobs."""
    made = {name: np.asarray(getattr(found, name)).astype(kind).tobytes() for name, kind in _STORED.items()}
    return made | {"words": _BETWEEN.join(found.words), "moves": found.moves}


def from_blobs(stored: Mapping[str, bytes]) -> Lengths:
    """Lengths from their blobs; raises KeyError or ValueError where they are no such blobs."""

    def raw(name: str) -> npt.NDArray[np.integer[Any]]:
        return np.frombuffer(stored[name], _STORED[name])

    def small(name: str, *shape: int) -> Small:
        return raw(name).astype(np.int32).reshape(shape)

    def ints(name: str, *shape: int) -> Ints:
        return raw(name).astype(np.int64).reshape(shape)

    types = small("types", -1, 3)
    return Lengths(
        words=tuple(stored["words"].split(_BETWEEN)),
        types=types,
        begin=small("begin", -1),
        target=small("target", -1),
        by=small("by", -1),
        ends=small("ends", len(types), 2),
        piece=small("piece", len(types), 4, 2),
        moves=stored["moves"],
        node=ints("node", -1, len(types)),
        offset=ints("offset", -1, len(types)),
        nodes=ints("nodes", -1, 5),
    )
