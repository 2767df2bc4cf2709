"""Exact distances in Panex of any size: of every position to any position, without a table.

Glossary
    position, arrangement, order, region, neighbourhood   see _panex_positions.
    target                  the positions at distance 0.
    lengths                 of pieces, by type and level: see _panex_levels.
    near[arrangement]       the way to it from the target, as a function of the order, where it is the first
                            arrangement of its level on that way.
    value[arrangement]      its distance to the target, as a function of the order.

A shortest way from a position comes to a 2-useful position first, then to a 3-useful one, and so on to an
n-useful one, of which there are five shapes; between them lie pieces. So values are found from the top
down: of level n by pieces that touch no larger tile; of a level k from those of the arrangements next to
its neighbourhood, whose level is greater; those of the positions of a region at last, move by move. A way
that turns back to the target before it comes to level k + 1 is the way through near[...] of level k.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from puzzles._space import UNREACHED
from puzzles.panex.diagrams import NONE, NOTHING, Diagrams, Ints, Small, at_bits, join, merge, only, settle, way
from puzzles.panex.levels import Lengths
from puzzles.panex.positions import (
    SHAPE_AT,
    Piles,
    Table,
    classify,
    climb,
    explore,
    flow,
    in_the_way,
    keep,
    kept,
    pieces_from,
    piles,
    read,
    region,
    successors,
    table,
    tiles,
)
from puzzles.panex.words import CORNERS, SHAPES, TOWERS

_T = TypeVar("_T")
_AT_ONCE = 1 << 5
"""Boards asked about together: all that they lead to has to fit, which of large towers' is a lot."""
_PILES = 1 << 20

Board = npt.NDArray[np.uint8]
Function = tuple[int, int]
"""A node and an offset."""


class Words(NamedTuple):
    """Words as a tree and the types by start shape, as `explore` takes them."""

    letters: Small
    parent: Small
    types: Small
    first: Small


def _tree(lengths: Lengths) -> Words:
    nodes = {b"": 0}
    for word in lengths.words:
        for end in range(1, len(word) + 1):
            nodes.setdefault(word[:end], len(nodes))
    assert (np.diff(lengths.types[:, 0]) >= 0).all()
    number = [nodes[word] for word in lengths.words]
    return Words(
        np.array([word[-1] if word else 0 for word in nodes], np.int32),
        np.array([nodes[word[:-1]] for word in nodes], np.int32),
        np.array([(end, number[word]) for _, end, word in lengths.types.tolist()], np.int32),
        np.searchsorted(lengths.types[:, 0], np.arange(SHAPES + 1)).astype(np.int32),
    )


class _NoRoom(Exception):
    """What is remembered does not fit."""


class Neighbourhood(NamedTuple):
    """Arrangements `key` of level k and those next to it; of each its level, itself at that level, the order above k.

    Edges, sorted by where they lead from: between numbers of arrangements, by types.
    """

    k: int
    key: Ints
    level: Ints
    above: Ints
    order: Ints
    source: Small
    by: Small
    target: Small


class Piece(NamedTuple):
    """A piece of level k of a type that changes the order of the sizes in `flips`, and the board after it."""

    k: int
    type: int
    flips: int
    after: Board


class Values:
    """Distances to a target, of positions of towers of n; for one thread at a time."""

    def __init__(self, lengths: Lengths, n: int, target: Board, room: int = 1 << 14) -> None:
        """The target is boards, uint8[m, 2 n + 2]; `room`, a power of two, is for what is remembered."""
        self.n = n
        self._lengths = lengths
        self._words = _tree(lengths)
        self._target = target
        self._room = room
        self._begin()

    # What is known so far, and room for it.

    def _begin(self) -> None:
        """Forgets everything but the target."""
        room = self._room
        self._made: Diagrams = self._lengths.diagrams(room, 4 * room)
        self._piles: Piles = piles(min(4 * room, _PILES))
        self._values: Table = table(room)
        self._distances: Table = table(8 * room)
        self._near: list[dict[int, Function]] = [{} for _ in range(self.n + 1)]
        with suppress(_NoRoom):
            self._find_target()

    def _find_target(self) -> None:
        self._goals = self._positions(self._target)
        self._sources = dict.fromkeys(self._goals[~self._in_the_way(self._goals)].tolist(), 0)
        for after in self._after(self._goals[self._in_the_way(self._goals)]).ravel().tolist():
            if after >= 0:
                self._sources.setdefault(after, 1)
        self._approach()
        if self.n > 1:
            self._settle(self._neighbourhood(self.n, 0))

    def _check(self) -> None:
        """Raises _NoRoom where kernels had to leave something out: what they gave then means nothing."""
        every = (self._made, self._piles, self._values, self._distances)
        if any(each.counts[1] for each in every):
            raise _NoRoom

    def _surely(self, ask: Callable[[], _T]) -> _T:
        """What `ask` gives when there was room for all of it."""
        begun = 0
        while True:
            with suppress(_NoRoom):
                self._check()
                answer = ask()
                self._check()
                return answer
            self._room <<= bool(begun)
            begun += 1
            self._begin()

    def _positions(self, boards: Board) -> Ints:
        """The positions of boards, uint8[m, 2 n + 2]; their numbers hold until `_begin`."""
        positions = np.empty(len(boards), np.int64)
        read(boards, positions, *self._piles)
        self._check()
        return positions

    def distances(self, boards: Board) -> Ints:
        """Fewest moves to the target of boards, uint8[m, 2 n + 2] -> int64[m]; UNREACHED where there is no way."""
        values = np.empty(len(boards), np.int64)
        for first in range(0, len(boards), _AT_ONCE):
            some = boards[first : first + _AT_ONCE]
            values[first : first + _AT_ONCE] = self._surely(partial(self._distances_at_once, some))
        return np.where(values < NONE, values, UNREACHED)

    def _distances_at_once(self, boards: Board) -> Ints:
        return self._at(self._positions(boards))

    def neighbours(self, board: Board) -> Ints:
        """The distance after each move of a board, int64[6]; UNREACHED also where a move is not legal."""
        values = self._surely(lambda: self._around(self._positions(board[None]))[0])
        return np.where(values < NONE, values, UNREACHED)

    def _around(self, positions: Ints) -> Ints:
        """Distances after each move, int64[m] -> int64[m, 6]; NONE where it is not legal."""
        after = self._after(positions)
        values = np.full(after.shape, NONE)
        values[after >= 0] = self._at(after[after >= 0])
        return values

    def piece(self, board: Board) -> Piece | None:
        """The piece that a shortest way from a board begins with, of the greatest level; None if with a mere move."""
        return self._surely(lambda: self._piece(self._positions(board[None])))

    def _at(self, positions: Ints) -> Ints:
        """Distances of positions, NONE or more where there is no way."""
        values = np.full(len(positions), NONE, np.int64)
        blocked = self._in_the_way(positions)
        if blocked.any():
            values[blocked] = 1 + self._around(positions[blocked]).min(axis=1)
        found = self._classified(positions)
        useful = found[:, 0] > 0
        if useful.any():
            values[useful] = self._worth(found[useful])
        rest = ~(blocked | useful)
        if rest.any():
            values[rest] = self._inside(positions[rest])
        values[np.isin(positions, self._goals)] = 0
        return values

    def _inside(self, positions: Ints) -> Ints:
        """The distances of positions that are not 2-useful."""
        found = np.zeros((len(positions), 3), np.int64)
        kept(positions, self._distances.entries, self._distances.slots, found)
        for at in np.flatnonzero(found[:, 0] == 0).tolist():
            one = found[at : at + 1]
            kept(positions[at : at + 1], self._distances.entries, self._distances.slots, one)
            if not one[0, 0]:
                one[0, 1] = self._through(int(positions[at]))
        return found[:, 1]

    def _in_the_way(self, positions: Ints) -> npt.NDArray[np.bool_]:
        found = np.empty(len(positions), np.bool_)
        in_the_way(positions, self._piles.pile, found)
        return found

    def _after(self, positions: Ints) -> Ints:
        """Where each move of positions leads, int64[m, 6], -1 where it is not legal."""
        after = np.empty((len(positions), 6), np.int64)
        successors(positions, after, *self._piles)
        self._check()
        return after

    def _classified(self, positions: Ints, most: int | None = None) -> Ints:
        """Level (at most `most`), arrangement and order of positions, int64[m, 3]."""
        found = np.zeros((len(positions), 3), np.int64)
        classify(positions, self.n if most is None else most, self._piles.pile, found)
        return found

    def _piece(self, position: Ints) -> Piece | None:
        left, top = int(self._at(position)[0]), int(self._classified(position)[0, 0])
        if not 0 < left < NONE:
            return None
        for k in range(top, 1, -1):
            [[_, arranged, order]] = self._classified(position, k).tolist()
            ends = np.empty(len(self._words.types), np.int64)
            count = pieces_from(arranged, k, ends, *self._words, *self._piles)
            self._check()
            possible = np.flatnonzero(ends[:count] >= 0)
            ends, types = ends[possible], possible + self._words.first[arranged >> SHAPE_AT]
            found = np.empty((len(ends), 3), np.int64)
            climb(ends, k, self.n, self._piles.pile, found)
            self._know(found[:, 0], found[:, 1])
            node, offset = self._functions(found[:, 1])
            at_bits(node, offset, found[:, 0], k, found[:, 2], self._made.nodes)
            length = self._lengths.node[k][types], self._lengths.offset[k][types]
            at, flips = way(*length, node, offset, k, order, left, *self._made)
            if at >= 0:
                return Piece(k, int(types[at]), int(flips), self._board(k, int(ends[at]), order ^ int(flips)))
        return None

    def after(self, board: Board, k: int, by: int, flips: int) -> Board:
        """The board after a piece of level k that begins at a board, by its type and the sizes whose order it flips."""
        return self._surely(lambda: self._after_piece(self._positions(board[None]), k, by, flips))

    def _after_piece(self, position: Ints, k: int, by: int, flips: int) -> Board:
        [[_, arranged, order]] = self._classified(position, k).tolist()
        ends = np.empty(len(self._words.types), np.int64)
        pieces_from(arranged, k, ends, *self._words, *self._piles)
        self._check()
        return self._board(k, int(ends[by - self._words.first[arranged >> SHAPE_AT]]), order ^ flips)

    def _board(self, k: int, arranged: int, order: int) -> Board:
        """The board of an arrangement of level k with an order of the sizes to k."""
        shape = arranged >> SHAPE_AT
        tracks: list[list[int]] = [[], [], []]
        for size in range(1, k + 1):
            capital = order >> (size - 1) & 1
            one, two = TOWERS[shape]
            if size == 1 and shape in CORNERS:
                one = two = CORNERS[shape]
            tracks[one].append(2 * size + capital)
            tracks[two].append(2 * size + 1 - capital)
        for track in range(3):
            tracks[track] += tiles(arranged, track, self._piles.pile)
        letters = (bytes(ord("a") - 1 + tile // 2 - 32 * (tile & 1) for tile in track) for track in tracks)
        return np.frombuffer(b"|".join(letters), np.uint8)

    # Regions: the moves between choke points.

    def _region(self, position: int) -> tuple[Ints, Small, Ints]:
        """Positions of a region, where their moves lead, and its 2-useful positions; as `region` says."""
        room = 1 << 12
        while True:
            inside, links = np.empty(room, np.int64), np.empty((room, 6), np.int32)
            border, slots = np.empty(room, np.int64), np.full(2 * room, -1, np.int32)
            counts = np.zeros(3, np.int64)
            region(position, inside, links, border, slots, counts, *self._piles)
            self._check()
            if not counts[1]:
                break
            room *= 2
        known, _, edge = counts.tolist()
        return inside[:known], links[:known], border[:edge]

    def _through(self, position: int) -> int:
        """The distance of a position that is not 2-useful, and of all its region."""
        inside, links, border = self._region(position)
        unique, number = np.unique(border, return_inverse=True)
        worth = self._worth(self._classified(unique))[number]
        value = np.full(len(inside), NONE, np.int64)
        at, move = np.nonzero(links <= -2)
        np.minimum.at(value, at, worth[-2 - links[at, move]] + 1)
        self._flow(inside, links, value)
        keep(inside, value, value, *self._distances)
        return int(value[0])

    def _flow(self, inside: Ints, links: Small, value: Ints) -> None:
        for position, distance in self._sources.items():
            value[inside == position] = distance
        first = np.flatnonzero(value < NONE)
        flow(links, first[np.argsort(value[first], kind="stable")], value)

    # Neighbourhoods: the pieces of a level between arrangements.

    def _worth(self, found: Ints) -> Ints:
        """Distances of positions given by level, arrangement and order, int64[m, 3]; NONE where there is no way."""
        self._know(found[:, 0], found[:, 1])
        node, offset = self._functions(found[:, 1])
        at_bits(node, offset, found[:, 0], 0, found[:, 2], self._made.nodes)
        return np.where(node == NOTHING, NONE, offset)

    def _functions(self, keys: Ints) -> tuple[Ints, Ints]:
        """The values of arrangements that are known."""
        found = np.zeros((len(keys), 3), np.int64)
        kept(keys, self._values.entries, self._values.slots, found)
        return found[:, 1].copy(), found[:, 2].copy()

    def _unknown(self, levels: Ints, keys: Ints) -> set[tuple[int, int]]:
        found = np.zeros((len(keys), 3), np.int64)
        kept(keys, self._values.entries, self._values.slots, found)
        missing = found[:, 0] == 0
        return set(zip(levels[missing].tolist(), keys[missing].tolist(), strict=True))

    def _know(self, levels: Ints, keys: Ints) -> None:
        """Finds the values of arrangements: upwards which ones matter, then downwards what they are."""
        unknown = self._unknown(levels, keys)
        explored = []
        while unknown:
            k, key = min(unknown)
            found = self._neighbourhood(k, key)
            explored.append(found)
            inside = found.level == k
            unknown -= {(k, each) for each in found.key[inside].tolist()}
            unknown |= self._unknown(found.level[~inside], found.above[~inside])
        for found in reversed(explored):
            self._settle(found)

    def _neighbourhood(self, k: int, key: int) -> Neighbourhood:
        room = 1 << 10
        while True:
            keys, found, slots = (
                np.empty(room, np.int64),
                np.empty((room, 3), np.int64),
                np.full(2 * room, -1, np.int32),
            )
            edges, counts = np.empty((8 * room, 3), np.int32), np.zeros(3, np.int64)
            keys[0] = key
            explore(k, self.n, keys, found, slots, edges, counts, *self._words, *self._piles)
            self._check()
            if not counts[1]:
                break
            room *= 2
        known, _, edge = counts.tolist()
        level, above, order = found[:known].T.copy()
        source, by, target = edges[:edge].T.copy()
        return Neighbourhood(k, keys[:known], level, above, order, source, by, target)

    def _settle(self, found: Neighbourhood) -> None:
        """The values of a neighbourhood's arrangements from those of the ones next to it."""
        k = found.k
        inside = found.level == k
        label, cost = self._begun(found, inside)
        beside = ~inside
        node, offset = self._functions(found.above[beside])
        at_bits(node, offset, found.level[beside], k, found.order[beside], self._made.nodes)
        label[beside], cost[beside] = node, offset
        self._flood(k, label, cost, np.zeros(len(label), np.bool_), found.target, found.source, found.by)
        keep(found.key[inside], label[inside], cost[inside], *self._values)

    def _begun(self, found: Neighbourhood, inside: npt.NDArray[np.bool_]) -> tuple[Ints, Ints]:
        """The ways from the target of the arrangements it is near to."""
        label, cost = np.zeros((2, len(found.key)), np.int64)
        if near := self._near[found.k]:
            for at in np.flatnonzero(inside).tolist():
                label[at], cost[at] = near.get(int(found.key[at]), (NOTHING, 0))
        return label, cost

    def _flood(
        self, k: int, label: Ints, cost: Ints, stop: npt.NDArray[np.bool_], source: Small, target: Small, by: Small
    ) -> None:
        """Lowers labels by all ways along edges, of pieces of level k."""
        if not (source[1:] >= source[:-1]).all():
            order = np.argsort(source, kind="stable")
            source, target, by = source[order], target[order], by[order]
        begin = np.searchsorted(source, np.arange(len(label) + 1)).astype(np.int32)
        node, offset = self._lengths.node[k][by], self._lengths.offset[k][by]
        settle(begin, target, node, offset, stop, label, cost, *self._made)

    # The target.

    def _approach(self) -> None:
        """Finds the ways from the target to the first arrangement of each level."""
        for position, distance in self._sources.items():
            [[level, arranged, order]] = self._classified(np.array([position])).tolist()
            if level:
                self._bring(level, arranged, (only(level, order, self._made), distance))
            else:
                self._leave_region(position)
        for k in range(2, self.n):
            ahead = set(self._near[k])
            while ahead:
                found = self._neighbourhood(k, ahead.pop())
                inside = found.level == k
                ahead -= set(found.key[inside].tolist())
                label, cost = self._begun(found, inside)
                self._flood(k, label, cost, ~inside, found.source, found.target, found.by)
                for at in np.flatnonzero(~inside).tolist():
                    level, order = int(found.level[at]), int(found.order[at])
                    self._bring(level, int(found.above[at]), self._among(k, level, order, (label[at], cost[at])))

    def _leave_region(self, position: int) -> None:
        inside, links, border = self._region(position)
        value = np.full(len(inside), NONE, np.int64)
        self._flow(inside, links, value)
        for (level, arranged, order), at in zip(
            self._classified(border).tolist(), np.nonzero(links <= -2)[0].tolist(), strict=True
        ):
            self._bring(level, arranged, (only(level, order, self._made), int(value[at]) + 1))

    def _among(self, k: int, level: int, order: int, function: Function) -> Function:
        """A function of k bits as one of more, without values but where the bits above k are those of `order`."""
        node, offset = function
        for at in range(k, level):
            pair = (NOTHING, 0, node, offset) if order >> at & 1 else (node, offset, NOTHING, 0)
            node, offset = join(*pair, *self._made)
        return int(node), int(offset)

    def _bring(self, level: int, arranged: int, function: Function) -> None:
        if function[0] != NOTHING:
            known = self._near[level].get(arranged, (NOTHING, 0))
            node, offset = merge(*known, *function, *self._made)
            self._near[level][arranged] = int(node), int(offset)
