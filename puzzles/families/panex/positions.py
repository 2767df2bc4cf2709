"""Positions of towers of n as piles of tiles,
with the moves and the pieces of a level that lead on from them.

A tile is 2 x size, and 1 more for a capital. A position has 20 bits for the pile of each track, the
left one highest. Layer 0 of the centre is empty unless stated otherwise. An arrangement has its
shape at bit 60 above the piles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from puzzlebase.plugins.hash_tables import enter_row, hash_slot
from puzzlebase.puzzles import Boards, kernel
from puzzlebase.puzzles.families.panex.board import MOVES
from puzzlebase.puzzles.families.panex.diagrams import Flags, Ints, SmallInts
from puzzlebase.puzzles.families.panex.lengths import DROP, SHAPES, Lengths

MAX_PILES = 1 << 20
MOVE_COUNT = len(MOVES)

_NO_PILE = 0
_TILE, _BELOW, _LAYER = range(3)
_DEEPEST = 99
_BAR = ord("|")
_BITS = 20
_MASK = (1 << _BITS) - 1
_SHAPE_AT = 60


class CapacityExceeded(Exception):
    """The memory for the known distances to a goal is too small."""


class Piles(NamedTuple):
    """All piles so far: `pile`, int32[capacity, 3],
    has top tile, pile below it and top tile's layer.

    `slots`, int32[2 capacity], is their hash table. `counts` are the number of piles, and 1 if one
    did not fit: then all results since mean nothing.
    """

    pile: SmallInts
    slots: SmallInts
    counts: Ints


class Region(NamedTuple):
    """The positions of a region, their moves,
    int32[positions, 6], and the 2-useful positions next to it.

    A move is the number of a position, -1 if it is illegal, -2 - i for border[i].
    """

    inside: Ints
    moves: SmallInts
    border: Ints


class Neighbourhood(NamedTuple):
    """Arrangements of own level k with pieces between them,
    and the arrangements next to them, of higher own level.

    `keys` are all of them at level k. `found`, int64[m, 3], is what `_climb` gives; `inside` is set
    where the own level is k. Edge i is a piece of type by[i] from number source[i] to number
    target[i]; sources are sorted.
    """

    k: int
    keys: Ints
    found: Ints
    inside: Flags
    source: SmallInts
    by: SmallInts
    target: SmallInts

    def reversed(self) -> Neighbourhood:
        """The neighbourhood with every edge reversed."""
        order = np.argsort(self.target, kind="stable")
        return self._replace(
            source=self.target[order], by=self.by[order], target=self.source[order]
        )


class Positions:
    """Positions of towers of n, as integers that are valid for this object alone.

    `capacity`, a power of two, at most MAX_PILES, is the number of piles. If they do not fit,
    methods raise CapacityExceeded.
    """

    def __init__(self, n: int, lengths: Lengths, capacity: int) -> None:
        self.n = n
        assert (np.diff(lengths.types[:, 0]) >= 0).all()
        first = np.searchsorted(lengths.types[:, 0], np.arange(SHAPES + 1)).astype(np.int32)
        self._words = lengths.letters, lengths.words, lengths.types, first
        self._piles = Piles(
            np.zeros((capacity, 3), np.int32), np.full(2 * capacity, -1, np.int32), np.array([1, 0])
        )
        self._piles.pile[_NO_PILE, _LAYER] = _DEEPEST

    def _check(self) -> None:
        if self._piles.counts[1]:
            raise CapacityExceeded

    def read(self, boards: Boards) -> Ints:
        """The positions of boards, uint8[m, 2 n + 2] -> int64[m], also of blocked ones."""
        positions = np.empty(len(boards), np.int64)
        _read(boards, positions, self._piles)
        self._check()
        return positions

    def successors(self, positions: Ints) -> Ints:
        """The position after each move, int64[m] -> int64[m, 6],
        -1 if it is not legal; of blocked ones too.
        """
        successors = np.empty((len(positions), MOVE_COUNT), np.int64)
        _find_successors(positions, successors, self._piles)
        self._check()
        return successors

    def classify(self, positions: Ints) -> Ints:
        """Levels, 0 if not 2-useful, -1 if blocked; arrangements; orders: int64[m, 3]."""
        found = np.zeros((len(positions), 3), np.int64)
        _classify(positions, self.n, self._piles.pile, found)
        return found

    def region(self, position: int, capacity: int = 1 << 12) -> Region:
        """The region of a position that is not 2-useful, which comes first."""
        inside, moves = (
            np.empty((capacity, 1), np.int64),
            np.empty((capacity, MOVE_COUNT), np.int32),
        )
        border, slots = np.empty(capacity, np.int64), np.full(2 * capacity, -1, np.int32)
        known, edge = _find_region(position, inside, moves, border, slots, self._piles)
        self._check()
        if not known:
            return self.region(position, 2 * capacity)
        return Region(inside[:known, 0], moves[:known], border[:edge])

    def neighbourhood(self, k: int, arrangement: int, capacity: int = 1 << 10) -> Neighbourhood:
        """The neighbourhood of an arrangement whose own level is k."""
        keys, found = np.empty((capacity, 1), np.int64), np.empty((capacity, 3), np.int64)
        edges, slots = np.empty((8 * capacity, 3), np.int32), np.full(2 * capacity, -1, np.int32)
        keys[0, 0] = arrangement
        known, edge = _find_neighbourhood(
            k, self.n, keys, found, slots, edges, self._words, self._piles
        )
        self._check()
        if not known:
            return self.neighbourhood(k, arrangement, 2 * capacity)
        source, by, target = edges[:edge].T.copy()
        return Neighbourhood(
            k, keys[:known, 0], found[:known], found[:known, 0] == k, source, by, target
        )


@kernel
def _push(tile, below, piles):  # type: ignore[no-untyped-def]
    """The pile with a tile on top of another pile, where it must fit."""
    pile, slots, counts = piles
    at = hash_slot((tile, below), pile, slots)
    if slots[at] >= 0:
        return np.int64(slots[at])
    made = np.int64(counts[0])
    if made == len(pile):
        counts[1] = 1
        return np.int64(_NO_PILE)
    counts[0] = made + 1
    slots[at] = made
    pile[made, _TILE] = tile
    pile[made, _BELOW] = below
    pile[made, _LAYER] = min(tile >> 1, pile[below, _LAYER] - 1)
    return made


@kernel
def _size(at, pile):  # type: ignore[no-untyped-def]  # 0 for the empty pile
    return pile[at, _TILE] >> 1


@kernel
def _track(position, track):  # type: ignore[no-untyped-def]  # its pile
    return position >> (_BITS * (2 - track)) & _MASK


@kernel
def _with(position, track, at):  # type: ignore[no-untyped-def]
    """The position with another pile in a track."""
    shift = _BITS * (2 - track)
    return position & ~(np.int64(_MASK) << shift) | np.int64(at) << shift


# Positions and moves.


@kernel
def _read(boards, positions, piles):  # type: ignore[no-untyped-def]
    for i in range(len(boards)):
        position = np.int64(0)
        at = np.int64(_NO_PILE)
        track = 2
        for j in range(boards.shape[1] - 1, -1, -1):
            letter = np.int64(boards[i, j])
            if letter == _BAR:
                position = _with(position, track, at)
                at = np.int64(_NO_PILE)
                track -= 1
            else:
                at = _push(2 * ((letter | 32) - 96) + (1 - (letter >> 5 & 1)), at, piles)
        positions[i] = _with(position, track, at)


@kernel
def _moved(position, move, highest, piles):  # type: ignore[no-untyped-def]
    """The position after a move, -1 where it is not legal.
    In the centre tiles lie in layer `highest` or below.
    """
    pile = piles.pile
    source = move // 2
    target = move % 2 + (move % 2 >= source)
    at, to = _track(position, source), _track(position, target)
    if at == _NO_PILE:
        return np.int64(-1)
    tile = np.int64(pile[at, _TILE])
    if min(tile >> 1, pile[to, _LAYER] - 1) < (highest if target == 1 else 0):
        return np.int64(-1)
    put = _push(tile, to, piles)
    return _with(_with(position, source, np.int64(pile[at, _BELOW])), target, put)


@kernel
def _find_successors(positions, successors, piles):  # type: ignore[no-untyped-def]
    """Fill `successors` with the positions after each move,
    from blocked positions and to them too.
    """
    for i in range(len(positions)):
        blocked = piles.pile[_track(positions[i], 1), _LAYER] == 0
        for move in range(MOVE_COUNT):
            successors[i, move] = -1
            if move // 2 == 1 or not blocked:
                successors[i, move] = _moved(positions[i], move, 0, piles)


# Shapes and arrangements.


@kernel
def _tower(at, pile):  # type: ignore[no-untyped-def]
    """Find out if tiles 1 and 2 lie on top, in their own layers."""
    return pile[at, _LAYER] == 1 and _size(at, pile) == 1 and _size(pile[at, _BELOW], pile) == 2


@kernel
def _corner(centre, side, pile):  # type: ignore[no-untyped-def]
    """Find out if the centre shows tile 2 in layer 2,
    and a side the tiles 1, 1, 2 in layers 0, 1, 2.
    """
    if (
        pile[centre, _LAYER] != 2
        or _size(centre, pile) != 2
        or pile[side, _LAYER] != 0
        or _size(side, pile) != 1
    ):
        return False
    under = pile[side, _BELOW]
    return _size(under, pile) == 1 and _size(pile[under, _BELOW], pile) == 2


@kernel
def _shape(position, pile):  # type: ignore[no-untyped-def]
    """The shape that tiles 1 and 2 show, -1 where they show none or larger tiles are among them."""
    left, centre, right = _track(position, 0), _track(position, 1), _track(position, 2)
    if pile[left, _LAYER] > 2:
        if _tower(centre, pile) and _tower(right, pile):
            return 1
        return 2 if _corner(centre, right, pile) else -1
    if pile[right, _LAYER] > 2:
        if _tower(left, pile) and _tower(centre, pile):
            return 3
        return 4 if _corner(centre, left, pile) else -1
    return 0 if pile[centre, _LAYER] > 2 and _tower(left, pile) and _tower(right, pile) else -1


@kernel
def _arrange(position, shape, pile):  # type: ignore[no-untyped-def]
    """The arrangement of level 2 of a position that shows a shape,
    and the order of its tiles 1 and 2.
    """
    order = np.int64(0)
    seen = 0
    arrangement = np.int64(shape) << _SHAPE_AT
    for track in range(3):
        at = _track(position, track)
        while 0 < _size(at, pile) <= 2:
            size = _size(at, pile)
            if not seen & size:
                order |= (np.int64(pile[at, _TILE]) & 1) << (size - 1)
            seen |= size
            at = np.int64(pile[at, _BELOW])
        arrangement = _with(arrangement, track, at)
    return arrangement, order


@kernel
def _climb(arrangement, k, max_level, pile):  # type: ignore[no-untyped-def]
    """An arrangement of level k at its own level, or at `max_level`:
    the level, the arrangement, the order above k.
    """
    shape = arrangement >> _SHAPE_AT
    one = 1 if 1 <= shape <= 2 else 0
    two = 1 if shape >= 3 else 2
    other = 3 - one - two
    order = np.int64(0)
    while k < max_level:
        first, second = _track(arrangement, one), _track(arrangement, two)
        under = _size(first, pile) == k + 1 and _size(second, pile) == k + 1
        if not under or pile[_track(arrangement, other), _LAYER] <= k + 1:
            break
        order |= (np.int64(pile[first, _TILE]) & 1) << k
        arrangement = _with(_with(arrangement, one, pile[first, _BELOW]), two, pile[second, _BELOW])
        k += 1
    return k, arrangement, order


@kernel
def _classify(positions, max_level, pile, found):  # type: ignore[no-untyped-def]
    for i in range(len(positions)):
        shape = _shape(positions[i], pile)
        found[i, 0] = -1 if pile[_track(positions[i], 1), _LAYER] == 0 else 0
        if shape >= 0:
            arrangement, order = _arrange(positions[i], shape, pile)
            level, arrangement, above = _climb(arrangement, 2, max_level, pile)
            found[i, 0] = level
            found[i, 1] = arrangement
            found[i, 2] = order | above


# Regions.


@kernel
def _find_region(position, inside, moves, border, slots, piles):  # type: ignore[no-untyped-def]
    """Fill the arrays of a Region; `slots`, -1 before,
    are its hash table. Returns how many positions and border ones.

    No positions are returned where they are too many.
    """
    enter_row((position,), inside, slots, 0)
    known, edge, done = 1, 0, 0
    while done < known and not piles.counts[1]:
        if max(known, edge) + MOVE_COUNT > len(inside):
            return 0, 0
        for move in range(MOVE_COUNT):
            after = _moved(inside[done, 0], move, 1, piles)
            moves[done, move] = -1
            if after < 0:
                continue
            if _shape(after, piles.pile) >= 0:
                moves[done, move] = -2 - edge
                border[edge] = after
                edge += 1
                continue
            moves[done, move] = enter_row((after,), inside, slots, known)
            known += moves[done, move] == known
        done += 1
    return known, edge


@kernel
def lower_positions_by_moves(moves, distance):  # type: ignore[no-untyped-def]
    """Lower distances within a region, in place, by single moves, which can be taken back."""
    lowered = True
    while lowered:
        lowered = False
        for position in range(len(distance)):
            for move in range(MOVE_COUNT):
                to = moves[position, move]
                if to >= 0 and distance[to] + 1 < distance[position]:
                    distance[position] = distance[to] + 1
                    lowered = True


# Pieces and neighbourhoods.


@kernel
def _ends_of_pieces(arrangement, k, ends, words, piles):  # type: ignore[no-untyped-def]
    """Fill `ends` with the arrangements after the pieces of level k from this one;
    returns how many types there are.

    ends[i] is for the i-th type that starts in its shape,
    -1 where the big tiles cannot do the word.
    """
    letters, begin, types, first = words
    pile = piles.pile
    after = np.empty(len(begin) - 1, np.int64)
    tile = np.empty(4, np.int64)
    shape = arrangement >> _SHAPE_AT
    start = arrangement & ((np.int64(1) << _SHAPE_AT) - 1)
    centre = _track(start, 1)
    tile[0] = pile[_track(start, 0), _TILE]
    tile[1] = pile[centre, _TILE]
    tile[2] = pile[np.int64(pile[centre, _BELOW]), _TILE]
    tile[3] = pile[_track(start, 2), _TILE]
    for word in range(len(after)):
        after[word] = start
        for letter in letters[begin[word] : begin[word + 1]]:
            track = letter % 3
            at = _track(after[word], track)
            if letter < DROP and at != _NO_PILE:
                after[word] = _with(after[word], track, np.int64(pile[at, _BELOW]))
            elif letter >= DROP and pile[at, _LAYER] > k + 1:
                after[word] = _with(after[word], track, _push(tile[letter % DROP // 3], at, piles))
            else:
                after[word] = -1
                break
    count = first[shape + 1] - first[shape]
    for i in range(count):
        _, end_shape, word = types[first[shape] + i]
        ends[i] = after[word] | np.int64(end_shape) << _SHAPE_AT if after[word] >= 0 else -1
    return count


@kernel
def _find_neighbourhood(k, n, keys, found, slots, edges, words, piles):  # type: ignore[no-untyped-def]
    """Fill the arrays of the Neighbourhood of keys[0];
    edges are source, type, target. Returns how many keys and edges.

    No keys are returned where they are too many.
    """
    _, _, types, first = words
    ends = np.empty(len(types), np.int64)
    enter_row(keys[0], keys, slots, 0)
    known, edge, done = 1, 0, 0
    while done < known and not piles.counts[1]:
        key = keys[done, 0]
        found[done, 0], found[done, 1], found[done, 2] = _climb(key, k, n, piles.pile)
        count = _ends_of_pieces(key, k, ends, words, piles) if found[done, 0] == k else 0
        if known + count > len(keys) or edge + count > len(edges):
            return 0, 0
        for i in range(count):
            if ends[i] < 0:
                continue
            edges[edge, 0] = done
            edges[edge, 1] = first[key >> _SHAPE_AT] + i
            edges[edge, 2] = enter_row((ends[i],), keys, slots, known)
            known += edges[edge, 2] == known
            edge += 1
        done += 1
    return known, edge
