"""The moves of pieces of Panex: a piece of any level, unrolled as far as asked, from any of its moves on.

Glossary
    piece, type, partial state   see _panex_words.
    flips                        which sizes change their order in a piece, one bit a size, size 1 lowest.
    place                        a start or a partial state, as Lengths numbers them.

A piece of level k is a row of pieces of level k - 1, found by walking back from its end; one of level 2
is a row of moves. Whole pieces before the first move asked for are passed over by their lengths.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from threading import Lock

import numpy as np

from puzzles.panex.diagrams import Ints, Small, at_bits, way
from puzzles.panex.levels import Lengths, step

_ROOM = 1 << 14
_MEMO = 1 << 16
_KEPT = 1 << 14
"""Pieces whose row is kept; a solution has few different ones."""

Part = tuple[int, int, int]
"""Type, flips and length of a piece within another."""


class Ways:
    """Moves of the pieces that these lengths are of; any thread may ask."""

    def __init__(self, lengths: Lengths, room: int = _ROOM) -> None:
        self._lengths = lengths
        self._lock = Lock()
        self._clear(room)
        self._begin, self._source, self._by = _backwards(lengths)
        self.parts = lru_cache(_KEPT)(self._parts)

    def _clear(self, room: int) -> None:
        """Forgets all functions but the lengths, and makes room for so many nodes at least."""
        self._made = self._lengths.diagrams(room, _MEMO)
        self._functions: dict[tuple[int, int], tuple[Ints, Ints]] = {}

    def length(self, k: int, by: int, flips: int) -> int:
        """The number of moves of a piece of level k."""
        node, offset = self._lengths.node[k, by : by + 1].copy(), self._lengths.offset[k, by : by + 1].copy()
        at_bits(node, offset, np.array([k]), 0, np.array([flips]), self._lengths.nodes)
        return int(offset[0])

    def moves(self, k: int, by: int, flips: int, skip: int = 0) -> Iterator[bytes]:
        """The moves of a piece of level k but the first `skip`, a few at a time, as numbers in MOVES."""
        if k == 2:
            first, end = self._lengths.piece[by, flips].tolist()
            yield self._lengths.moves[first + skip : end]
            return
        for part, flipped, length in self.parts(k, by, flips):
            if skip >= length:
                skip -= length
            else:
                yield from self.moves(k - 1, part, flipped, skip)
                skip = 0

    def _parts(self, k: int, by: int, flips: int) -> tuple[Part, ...]:
        """The pieces of level k - 1 that a piece of level k > 2 is made of."""
        with self._lock:
            before = len(self._functions)
            parts = list(self._back(k, by, flips))
            while self._made.full:
                self._clear(len(self._made.nodes) * (1 if before else 2))
                before = 0
                parts = list(self._back(k, by, flips))
        return tuple(reversed(parts))

    def _back(self, k: int, by: int, flips: int) -> Iterator[Part]:
        lengths = self._lengths
        start = int(lengths.types[by, 0])
        if (k, start) not in self._functions:
            self._functions[k, start] = step(
                lengths, k - 1, start, self._made, lengths.node[k - 1], lengths.offset[k - 1]
            )
        label, cost = self._functions[k, start]
        place = int(lengths.ends[by, flips >> (k - 1)])
        flips &= (1 << (k - 1)) - 1
        left = self._at(label[place], cost[place], k - 1, flips)
        while place != start and not self._made.full:
            before = slice(self._begin[place], self._begin[place + 1])
            source, types = self._source[before], self._by[before]
            at, flipped = way(
                *(lengths.node[k - 1][types], lengths.offset[k - 1][types], label[source], cost[source]),
                *(k - 1, flips, left, *self._made),
            )
            part = int(types[at])
            length = self.length(k - 1, part, int(flipped))
            yield part, int(flipped), length
            left -= length
            flips ^= int(flipped)
            place = int(source[at])
        assert self._made.full or left == flips == 0

    def _at(self, label: int, cost: int, k: int, flips: int) -> int:
        node, offset = np.array([label]), np.array([cost])
        at_bits(node, offset, np.array([k]), 0, np.array([flips]), self._made.nodes)
        return int(offset[0])


def _backwards(lengths: Lengths) -> tuple[Small, Small, Small]:
    """The steps sorted by where they lead: where each place's begin, their sources, their types."""
    places = len(lengths.begin) - 1
    source = np.repeat(np.arange(places, dtype=np.int32), np.diff(lengths.begin))
    order = np.argsort(lengths.target, kind="stable")
    begin = np.searchsorted(lengths.target[order], np.arange(places + 1)).astype(np.int32)
    return begin, source[order], lengths.by[order]
