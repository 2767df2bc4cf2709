"""The moves of a piece of any level, unrolled only as far as asked, from any of its moves on.

A piece of level k is a row of pieces of level k - 1, which is found by walking back from its end; a piece of level 2
is a row of moves. Whole pieces before the first move asked for are skipped by their lengths.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles.families.panex.diagrams import Functions, SmallInts
from puzzlebase.puzzles.families.panex.lengths import Lengths, paths_from

_ROOM = 1 << 14
_MEMO = 1 << 16
_KEPT = 1 << 14
"""Pieces whose parts are remembered; a solution has few different ones."""


class Part(NamedTuple):
    """A piece of level k - 1 within a piece of level k."""

    type: int
    flips: int
    length: int


class PieceMoves:
    """The moves of all pieces that have these lengths; any thread may ask."""

    def __init__(self, lengths: Lengths, room: int = _ROOM) -> None:
        self._lengths = lengths
        self._lock = Lock()
        self._forget(room)
        self._begin, self._source, self._by = _steps_to(lengths)
        self.parts = lru_cache(_KEPT)(self._find_parts)

    def _forget(self, room: int) -> None:
        """Forget all functions but the lengths, and make room for at least so many nodes."""
        self._diagrams = self._lengths.diagrams(room, _MEMO)
        self._paths: dict[tuple[int, int], Functions] = {}

    def moves(self, k: int, type_: int, flips: int, skip: int = 0) -> Iterator[bytes]:
        """The moves of a piece of level k without the first `skip`, some at a time, numbered as in MOVES."""
        if k == 2:
            first, end = self._lengths.piece[type_, flips].tolist()
            yield self._lengths.moves[first + skip : end]
            return
        for part in self.parts(k, type_, flips):
            if skip >= part.length:
                skip -= part.length
            else:
                yield from self.moves(k - 1, part.type, part.flips, skip)
                skip = 0

    def _find_parts(self, k: int, type_: int, flips: int) -> tuple[Part, ...]:
        """The parts of a piece of level k > 2, in their order."""
        with self._lock:
            remembered = bool(self._paths)
            parts = list(self._walk_back(k, type_, flips))
            while self._diagrams.full:
                self._forget(len(self._diagrams.nodes) * (1 if remembered else 2))
                remembered = False
                parts = list(self._walk_back(k, type_, flips))
        return tuple(reversed(parts))

    def _walk_back(self, k: int, type_: int, flips: int) -> Iterator[Part]:
        lengths, diagrams = self._lengths, self._diagrams
        start = int(lengths.types[type_, 0])
        if (k, start) not in self._paths:
            steps = lengths.of(k - 1, lengths.by)
            self._paths[k, start] = paths_from(start, lengths, k - 1, steps, diagrams)
        node, offset = self._paths[k, start]
        place = int(lengths.ends[type_, flips >> (k - 1)])
        flips &= (1 << (k - 1)) - 1
        left = diagrams.value((int(node[place]), int(offset[place])), k - 1, flips)
        while place != start and not diagrams.full:
            steps_here = slice(self._begin[place], self._begin[place + 1])
            source, types = self._source[steps_here], self._by[steps_here]
            at, flipped = diagrams.find_summands(
                lengths.of(k - 1, types), (node[source], offset[source]), k - 1, flips, left
            )
            last, last_offset = lengths.node[k - 1, types[at]], lengths.offset[k - 1, types[at]]
            part = Part(int(types[at]), flipped, diagrams.value((int(last), int(last_offset)), k - 1, flipped))
            yield part
            left -= part.length
            flips ^= part.flips
            place = int(source[at])
        assert diagrams.full or left == flips == 0


def _steps_to(lengths: Lengths) -> tuple[SmallInts, SmallInts, SmallInts]:
    """The steps by where they lead: where those to each place begin, their sources, and their types."""
    places = len(lengths.begin) - 1
    source = np.repeat(np.arange(places, dtype=np.int32), np.diff(lengths.begin))
    order = np.argsort(lengths.target, kind="stable")
    begin = np.searchsorted(lengths.target[order], np.arange(places + 1)).astype(np.int32)
    return begin, source[order], lengths.by[order]
