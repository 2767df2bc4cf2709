"""Positions of towers of n, and what is reached from them: by single moves, and by pieces of a level."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles.contract.puzzle import Board
from puzzlebase.puzzles.contract.space import Boards
from puzzlebase.puzzles.families.panex.diagrams import Flags, Ints, SmallInts
from puzzlebase.puzzles.families.panex.lengths import Lengths
from puzzlebase.puzzles.families.panex.piles import (
    SHAPE_AT,
    classify,
    climb,
    ends_of_pieces,
    find_blocked,
    find_neighbourhood,
    find_region,
    find_successors,
    new_piles,
    read,
)
from puzzlebase.puzzles.families.panex.words import CORNERS, SHAPES, TOWERS

_MOVES = 6
_REGION_ROOM = 1 << 12
_NEIGHBOURHOOD_ROOM = 1 << 10


class OutOfRoom(Exception):
    """What is remembered does not fit."""


class WordTree(NamedTuple):
    """The words and types of a level as `find_neighbourhood` takes them, all int32.

    Words are a tree: `letters` are the last letters of its nodes, each after its `parent`; node 0 is the empty word.
    types[first[s] : first[s + 1]] are (end shape, node) of the types that start in shape s.
    """

    letters: SmallInts
    parent: SmallInts
    types: SmallInts
    first: SmallInts


def word_tree(lengths: Lengths) -> WordTree:
    """The words and types of these lengths."""
    nodes = {b"": 0}
    for word in lengths.words:
        for end in range(1, len(word) + 1):
            nodes.setdefault(word[:end], len(nodes))
    assert (np.diff(lengths.types[:, 0]) >= 0).all()
    number = [nodes[word] for word in lengths.words]
    return WordTree(
        np.array([word[-1] if word else 0 for word in nodes], np.int32),
        np.array([nodes[word[:-1]] for word in nodes], np.int32),
        np.array([(end, number[word]) for _, end, word in lengths.types.tolist()], np.int32),
        np.searchsorted(lengths.types[:, 0], np.arange(SHAPES + 1)).astype(np.int32),
    )


class Region(NamedTuple):
    """The positions of a region, where their moves lead, and the 2-useful positions next to it.

    `links` is int32[positions, 6]: the number of a position, -1 for an illegal move, -2 - i for border[i].
    """

    inside: Ints
    links: SmallInts
    border: Ints


class Neighbourhood(NamedTuple):
    """Arrangements of level k with pieces between them, and those next to them, whose own level is higher.

    `keys` are all of them at level k. `found`, int64[m, 3], has the own level of each, itself at that level, and the
    order above k; `inside` is set where the own level is k. Edge i is a piece of type by[i] from number source[i] to
    number target[i]; sources are sorted.
    """

    k: int
    keys: Ints
    found: Ints
    inside: Flags
    source: SmallInts
    by: SmallInts
    target: SmallInts

    def reversed(self) -> Neighbourhood:
        """The same with every edge turned round: values go from the end of a piece to its start."""
        order = np.argsort(self.target, kind="stable")
        return self._replace(source=self.target[order], by=self.by[order], target=self.source[order])


class Positions:
    """Positions of towers of n, as integers that hold for this object alone.

    Where a position is said by level, arrangement and order, that is int64[m, 3]. Methods raise OutOfRoom once the
    piles of all positions do not fit.
    """

    def __init__(self, n: int, lengths: Lengths, room: int) -> None:
        self.n = n
        self.types = lengths.types
        self._words = word_tree(lengths)
        self._piles = new_piles(room)

    def _check(self) -> None:
        if self._piles.full:
            raise OutOfRoom

    def read(self, boards: Boards) -> Ints:
        """The positions of boards, uint8[m, 2 n + 2] -> int64[m]."""
        positions = np.empty(len(boards), np.int64)
        read(boards, positions, *self._piles)
        self._check()
        return positions

    def blocked(self, positions: Ints) -> Flags:
        """Whether a tile lies in the centre's layer 0."""
        blocked = np.empty(len(positions), np.bool_)
        find_blocked(positions, self._piles.pile, blocked)
        return blocked

    def successors(self, positions: Ints) -> Ints:
        """Where each move leads, int64[m] -> int64[m, 6], -1 where it is not legal."""
        successors = np.empty((len(positions), _MOVES), np.int64)
        find_successors(positions, successors, *self._piles)
        self._check()
        return successors

    def classify(self, positions: Ints, max_level: int | None = None) -> Ints:
        """Level, arrangement and order, at most at `max_level`; level 0 for those that are not 2-useful."""
        found = np.zeros((len(positions), 3), np.int64)
        classify(positions, self.n if max_level is None else max_level, self._piles.pile, found)
        return found

    def climb(self, arrangements: Ints, k: int) -> Ints:
        """Of arrangements of level k, their own level, themselves at that level, and the order above k."""
        found = np.empty((len(arrangements), 3), np.int64)
        climb(arrangements, k, self.n, self._piles.pile, found)
        return found

    def region(self, position: int) -> Region:
        """The region of a position that is not 2-useful, which comes first."""
        room = _REGION_ROOM
        while True:
            inside, links = np.empty(room, np.int64), np.empty((room, _MOVES), np.int32)
            border, slots = np.empty(room, np.int64), np.full(2 * room, -1, np.int32)
            counts = np.zeros(3, np.int64)
            find_region(position, inside, links, border, slots, counts, *self._piles)
            self._check()
            if not counts[1]:
                break
            room *= 2
        known, _, edge = counts.tolist()
        return Region(inside[:known], links[:known], border[:edge])

    def neighbourhood(self, k: int, arrangement: int) -> Neighbourhood:
        """The neighbourhood of an arrangement whose own level is k."""
        room = _NEIGHBOURHOOD_ROOM
        while True:
            keys, found = np.empty(room, np.int64), np.empty((room, 3), np.int64)
            edges, slots = np.empty((8 * room, 3), np.int32), np.full(2 * room, -1, np.int32)
            counts = np.zeros(3, np.int64)
            keys[0] = arrangement
            find_neighbourhood(k, self.n, keys, found, slots, edges, counts, *self._words, *self._piles)
            self._check()
            if not counts[1]:
                break
            room *= 2
        known, _, edge = counts.tolist()
        source, by, target = edges[:edge].T.copy()
        return Neighbourhood(k, keys[:known], found[:known], found[:known, 0] == k, source, by, target)

    def pieces_from(self, k: int, arrangement: int) -> tuple[SmallInts, Ints]:
        """The types of all possible pieces of level k from an arrangement of that level, and where each ends."""
        ends = np.empty(len(self.types), np.int64)
        count = ends_of_pieces(arrangement, k, ends, *self._words, *self._piles)
        self._check()
        possible = np.flatnonzero(ends[:count] >= 0)
        return (possible + self._words.first[arrangement >> SHAPE_AT]).astype(np.int32), ends[possible]

    def board(self, k: int, arrangement: int, order: int) -> Board:
        """The board of an arrangement of level k, whose tiles 1 to k have this order."""
        shape = arrangement >> SHAPE_AT
        tracks: list[list[int]] = [[], [], []]
        for size in range(1, k + 1):
            capital = order >> (size - 1) & 1
            one, two = TOWERS[shape]
            if size == 1 and shape in CORNERS:
                one = two = CORNERS[shape]
            tracks[one].append(2 * size + capital)
            tracks[two].append(2 * size + 1 - capital)
        for track in range(3):
            tracks[track] += self._piles.tiles(arrangement, track)
        letters = (bytes(ord("a") - 1 + tile // 2 - 32 * (tile & 1) for tile in track) for track in tracks)
        return np.frombuffer(b"|".join(letters), np.uint8)
