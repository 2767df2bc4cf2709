"""Positions of Panex for kernels: piles of tiles, and what can be reached from a position without a choke point.

Glossary
    tile            2 x size + 1 for a capital, 2 x size for its twin.
    pile            a tile and the pile below it, as a number; equal piles have equal numbers, 0 is the empty one.
    position        the piles of the three tracks in one integer, 20 bits each; no tile in the centre's layer 0.
    arrangement     of level k: a shape of the tiles 1 to k, and the three piles of larger tiles, all below layer k.
                    An integer: the shape at bit 60, then the piles. See _panex_words for shapes and words.
    order           one bit a size: whether the capital comes first, reading left, centre, right, each from the top;
                    bit k - 1 is size k's.
    region          positions with moves between them none of which is 2-useful, and the 2-useful ones next to them.
    neighbourhood   arrangements of level k with pieces of level k between them none of which is (k + 1)-useful,
                    and the (k + 1)-useful ones next to them.

A position is k-useful where it shows an arrangement of level k; its level is the greatest such k, 0 where
there is none. Kernels that run out of room set counts[1] of what was too small, and give nonsense.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kernels import kernel

_EMPTY = 0
_TILE, _BELOW, _LAYER = range(3)
_DEEPEST = 99
_BAR = ord("|")
_PILE = 20
_MASK = (1 << _PILE) - 1
SHAPE_AT = 60
_SHAPE = SHAPE_AT
_DROP = 12
_MOVES = 6

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]


class Piles(NamedTuple):
    """All piles, int32[room, 3]: tile, pile below, the tile's layer. What finds them; how many, and if too many."""

    pile: Small
    slots: Small
    counts: Ints


def piles(room: int) -> Piles:
    """Piles with none but the empty one; room is a power of two, at most 2^20."""
    made = Piles(np.zeros((room, 3), np.int32), np.full(2 * room, -1, np.int32), np.array([1, 0]))
    made.pile[_EMPTY, _LAYER] = _DEEPEST
    return made


class Table(NamedTuple):
    """Integers kept by key, int64[room, 3] each with its two values; how many, and if too many."""

    entries: Ints
    slots: Small
    counts: Ints


def table(room: int) -> Table:
    """An empty table; room is a power of two."""
    return Table(np.zeros((room, 3), np.int64), np.full(2 * room, -1, np.int32), np.array([0, 0]))


@kernel
def _mix(key):  # type: ignore[no-untyped-def]
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(32)
    return np.int64((mixed * np.uint64(0xC2B2AE3D27D4EB4F)) >> np.uint64(33))


@kernel
def _push(tile, below, pile, slots, counts):  # type: ignore[no-untyped-def]
    """The pile with a tile on top of another; it must fit."""
    mask = slots.shape[0] - 1
    at = _mix(tile << _PILE | below) & mask
    while slots[at] >= 0:
        found = np.int64(slots[at])
        if pile[found, _TILE] == tile and pile[found, _BELOW] == below:
            return found
        at = (at + 1) & mask
    made = counts[0]
    if made == pile.shape[0]:
        counts[1] = 1
        return np.int64(_EMPTY)
    counts[0] = made + 1
    slots[at] = made
    pile[made, _TILE] = tile
    pile[made, _BELOW] = below
    pile[made, _LAYER] = min(tile >> 1, pile[below, _LAYER] - 1)
    return made


@kernel
def _size(at, pile):  # type: ignore[no-untyped-def]
    """The size of a pile's top tile, 0 for the empty one."""
    return pile[at, _TILE] >> 1


@kernel
def _track(position, track):  # type: ignore[no-untyped-def]
    return position >> (_PILE * (2 - track)) & _MASK


@kernel
def _with(position, track, at):  # type: ignore[no-untyped-def]
    shift = _PILE * (2 - track)
    return position & ~(np.int64(_MASK) << shift) | np.int64(at) << shift


@kernel
def read(boards, positions, pile, slots, counts):  # type: ignore[no-untyped-def]
    """The positions of states' characters, uint8[m, 2 n + 2] -> int64[m]; here a tile may lie in the way."""
    for i in range(boards.shape[0]):
        position = np.int64(0)
        at = np.int64(_EMPTY)
        track = 2
        for j in range(boards.shape[1] - 1, -1, -1):
            letter = np.int64(boards[i, j])
            if letter == _BAR:
                position = _with(position, track, at)
                at = np.int64(_EMPTY)
                track -= 1
            else:
                at = _push(2 * ((letter | 32) - 96) + (1 - (letter >> 5 & 1)), at, pile, slots, counts)
        positions[i] = _with(position, track, at)


def tiles(position: int, track: int, pile: Small) -> list[int]:
    """The tiles of a track, from the top."""
    found = []
    at = position >> (_PILE * (2 - track)) & _MASK
    while at != _EMPTY:
        tile, at, _ = pile[at].tolist()
        found.append(tile)
    return found


@kernel
def _tower(at, pile):  # type: ignore[no-untyped-def]
    """Whether tiles 1 and 2 lie on top, in their own layers."""
    return pile[at, _LAYER] == 1 and _size(at, pile) == 1 and _size(pile[at, _BELOW], pile) == 2


@kernel
def _corner(centre, side, pile):  # type: ignore[no-untyped-def]
    """Whether the centre shows tile 2 and a side 1, 1, 2, in layers 2 and 0, 1, 2."""
    under = pile[side, _BELOW]
    return (
        pile[centre, _LAYER] == 2
        and _size(centre, pile) == 2
        and pile[side, _LAYER] == 0
        and _size(side, pile) == 1
        and _size(under, pile) == 1
        and _size(pile[under, _BELOW], pile) == 2
    )


@kernel
def _shape(position, pile):  # type: ignore[no-untyped-def]
    """The shape that tiles 1 and 2 show, -1 for none or where larger ones are among them."""
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
    """The arrangement of level 2 of a position that shows a shape, and the order of its tiles 1 and 2."""
    order = np.int64(0)
    seen = 0
    arranged = np.int64(shape) << _SHAPE
    for track in range(3):
        at = _track(position, track)
        while 0 < _size(at, pile) <= 2:
            size = _size(at, pile)
            if not seen & size:
                order |= (np.int64(pile[at, _TILE]) & 1) << (size - 1)
            seen |= size
            at = np.int64(pile[at, _BELOW])
        arranged = _with(arranged, track, at)
    return arranged, order


@kernel
def _climb(arranged, k, n, pile):  # type: ignore[no-untyped-def]
    """An arrangement of level k at its greatest level: that level, the arrangement, the order of sizes above k."""
    shape = arranged >> _SHAPE
    one = 1 if 1 <= shape <= 2 else 0
    two = 1 if shape >= 3 else 2
    other = 3 - one - two
    order = np.int64(0)
    while k < n:
        first, second = _track(arranged, one), _track(arranged, two)
        under = _size(first, pile) == k + 1 and _size(second, pile) == k + 1
        if not under or pile[_track(arranged, other), _LAYER] <= k + 1:
            break
        order |= (np.int64(pile[first, _TILE]) & 1) << k
        arranged = _with(_with(arranged, one, pile[first, _BELOW]), two, pile[second, _BELOW])
        k += 1
    return k, arranged, order


@kernel
def classify(positions, n, pile, found):  # type: ignore[no-untyped-def]
    """Level, arrangement and order of positions, int64[m] -> int64[m, 3]; level 0 where they are not 2-useful."""
    for i in range(positions.shape[0]):
        shape = _shape(positions[i], pile)
        found[i, 0] = 0
        if shape >= 0:
            arranged, order = _arrange(positions[i], shape, pile)
            level, arranged, more = _climb(arranged, 2, n, pile)
            found[i, 0] = level
            found[i, 1] = arranged
            found[i, 2] = order | more


@kernel
def _moved(position, move, pile, slots, counts):  # type: ignore[no-untyped-def]
    """The position after a move, -1 where it is not legal or ends in the centre's layer 0."""
    source = move // 2
    target = move % 2 + (move % 2 >= source)
    at, to = _track(position, source), _track(position, target)
    if at == _EMPTY:
        return np.int64(-1)
    tile = np.int64(pile[at, _TILE])
    if min(tile >> 1, pile[to, _LAYER] - 1) < (1 if target == 1 else 0):
        return np.int64(-1)
    put = _push(tile, to, pile, slots, counts)
    return _with(_with(position, source, np.int64(pile[at, _BELOW])), target, put)


@kernel
def in_the_way(positions, pile, found):  # type: ignore[no-untyped-def]
    """Whether a tile lies in the centre's layer 0, int64[m] -> bool[m]."""
    for i in range(positions.shape[0]):
        found[i] = pile[_track(positions[i], 1), _LAYER] == 0


@kernel
def successors(positions, after, pile, slots, counts):  # type: ignore[no-untyped-def]
    """Where each move of any positions leads, int64[m, 6], -1 for an illegal one; the centre's layer 0 included."""
    for i in range(positions.shape[0]):
        free = pile[_track(positions[i], 1), _LAYER]
        for move in range(_MOVES):
            source = move // 2
            target = move % 2 + (move % 2 >= source)
            at, to = _track(positions[i], source), _track(positions[i], target)
            after[i, move] = -1
            if at == _EMPTY or pile[to, _LAYER] == 0 or (free == 0 and source != 1):
                continue
            put = _push(np.int64(pile[at, _TILE]), to, pile, slots, counts)
            after[i, move] = _with(_with(positions[i], source, np.int64(pile[at, _BELOW])), target, put)


@kernel
def _slot(key, keys, slots):  # type: ignore[no-untyped-def]
    mask = slots.shape[0] - 1
    at = _mix(key) & mask
    while slots[at] >= 0 and keys[slots[at]] != key:
        at = (at + 1) & mask
    return at


@kernel
def region(position, inside, links, border, slots, counts, pile, pile_slots, pile_counts):  # type: ignore[no-untyped-def]
    """The region of a position that is not 2-useful.

    Fills `inside`, int64[room], with the positions of the region, the given one first; `links`,
    int32[room, 6], with where each move leads: a position's number, -1, or -2 - i for border[i], a
    2-useful position. `slots`, -1 before, find both. `counts` becomes: positions, whether there were too many,
    border positions.
    """
    room = inside.shape[0]
    inside[0] = position
    slots[_slot(position, inside, slots)] = 0
    known, edge, done = 1, 0, 0
    while done < known and not pile_counts[1]:
        for move in range(_MOVES):
            after = _moved(inside[done], move, pile, pile_slots, pile_counts)
            links[done, move] = -1
            if after < 0:
                continue
            if _shape(after, pile) >= 0:
                links[done, move] = -2 - edge
                border[edge] = after
                edge += 1
                continue
            at = _slot(after, inside, slots)
            if slots[at] < 0:
                if known == room:
                    counts[1] = 1
                    return
                inside[known] = after
                slots[at] = known
                known += 1
            links[done, move] = slots[at]
        done += 1
        if edge + _MOVES > border.shape[0]:
            counts[1] = 1
            return
    counts[0] = known
    counts[2] = edge


@kernel
def flow(links, order, value):  # type: ignore[no-untyped-def]
    """Distances in a region: `value` holds bounds, the positions in `order` by them; lowers each by moves of 1."""
    count = value.shape[0]
    ahead = np.empty(count, np.int64)
    first = last = 0
    given = 0
    sure = np.zeros(count, np.bool_)
    while first < last or given < order.shape[0]:
        if first == last or (given < order.shape[0] and value[order[given]] <= value[ahead[first]]):
            x = order[given]
            given += 1
        else:
            x = ahead[first]
            first += 1
        if sure[x]:
            continue
        sure[x] = True
        for move in range(_MOVES):
            to = links[x, move]
            if to >= 0 and value[to] > value[x] + 1:
                value[to] = value[x] + 1
                ahead[last] = to
                last += 1


@kernel
def pieces_from(arranged, k, ends, letters, parent, types, first, pile, pile_slots, pile_counts):  # type: ignore[no-untyped-def]
    """Where a piece of each type of level k takes an arrangement of that level: ends[type - first type of its shape].

    It is -1 where the larger tiles cannot do the type's word. Gives the number of types of its shape. Words
    are a tree: `letters` of its nodes, each after its `parent`, node 0 the empty word; types[first[s] : first[s + 1]]
    are (end, node) of shape s.
    """
    state = np.empty(letters.shape[0], np.int64)
    tile = np.empty(4, np.int64)
    shape = arranged >> _SHAPE
    state[0] = arranged & ((np.int64(1) << _SHAPE) - 1)
    centre = _track(state[0], 1)
    tile[0] = pile[_track(state[0], 0), _TILE]
    tile[1] = pile[centre, _TILE]
    tile[2] = pile[np.int64(pile[centre, _BELOW]), _TILE]
    tile[3] = pile[_track(state[0], 2), _TILE]
    for word in range(1, letters.shape[0]):
        state[word] = -1
        before = state[parent[word]]
        if before < 0:
            continue
        letter = letters[word] % _DROP
        track = letter % 3
        at = _track(before, track)
        if letters[word] < _DROP:
            if at != _EMPTY:
                state[word] = _with(before, track, np.int64(pile[at, _BELOW]))
        elif pile[at, _LAYER] > k + 1:
            state[word] = _with(before, track, _push(tile[letter // 3], at, pile, pile_slots, pile_counts))
    count = first[shape + 1] - first[shape]
    for i in range(count):
        after = state[types[first[shape] + i, 1]]
        ends[i] = after | np.int64(types[first[shape] + i, 0]) << _SHAPE if after >= 0 else -1
    return count


@kernel
def explore(k, n, keys, found, slots, edges, counts, letters, parent, types, first, pile, pile_slots, pile_counts):  # type: ignore[no-untyped-def]
    """The neighbourhood, at level k, of keys[0], an arrangement whose level is k.

    Fills `keys`, int64[room], with arrangements of level k, and `found`, int64[room, 3], with the level of each,
    itself at that level and the order of the sizes above k; those whose level is k have edges. `edges` is
    int32[room, 3]: from, type, to. `slots`, -1 before, find the keys. `counts` becomes: keys, whether there
    were too many, edges. For the words and types see `pieces_from`.
    """
    ends = np.empty(types.shape[0], np.int64)
    slots[_slot(keys[0], keys, slots)] = 0
    found[0, 0], found[0, 1], found[0, 2] = _climb(keys[0], k, n, pile)
    known, edge, done = 1, 0, 0
    while done < known and not pile_counts[1]:
        count = 0
        if found[done, 0] == k:
            count = pieces_from(keys[done], k, ends, letters, parent, types, first, pile, pile_slots, pile_counts)
        if known + count > keys.shape[0] or edge + count > edges.shape[0]:
            counts[1] = 1
            return
        for i in range(count):
            if ends[i] < 0:
                continue
            at = _slot(ends[i], keys, slots)
            if slots[at] < 0:
                keys[known] = ends[i]
                found[known, 0], found[known, 1], found[known, 2] = _climb(ends[i], k, n, pile)
                slots[at] = known
                known += 1
            edges[edge, 0] = done
            edges[edge, 1] = first[keys[done] >> _SHAPE] + i
            edges[edge, 2] = slots[at]
            edge += 1
        done += 1
    counts[0] = known
    counts[2] = edge


@kernel
def climb(keys, k, n, pile, found):  # type: ignore[no-untyped-def]
    """Level, arrangement there and order above k of arrangements of level k: int64[m] -> int64[m, 3]."""
    for i in range(keys.shape[0]):
        found[i, 0], found[i, 1], found[i, 2] = _climb(keys[i], k, n, pile)


@kernel
def keep(keys, one, two, entries, slots, counts):  # type: ignore[no-untyped-def]
    """Enters keys with two values each, in place of what they had."""
    mask = slots.shape[0] - 1
    for i in range(keys.shape[0]):
        at = _mix(keys[i]) & mask
        while slots[at] >= 0 and entries[slots[at], 0] != keys[i]:
            at = (at + 1) & mask
        if slots[at] < 0:
            if counts[0] == entries.shape[0]:
                counts[1] = 1
                return
            slots[at] = counts[0]
            counts[0] += 1
        entries[slots[at], 0] = keys[i]
        entries[slots[at], 1] = one[i]
        entries[slots[at], 2] = two[i]


@kernel
def kept(keys, entries, slots, found):  # type: ignore[no-untyped-def]
    """Whether each key is there, and its values: int64[m] -> int64[m, 3]."""
    mask = slots.shape[0] - 1
    for i in range(keys.shape[0]):
        at = _mix(keys[i]) & mask
        while slots[at] >= 0 and entries[slots[at], 0] != keys[i]:
            at = (at + 1) & mask
        found[i, 0] = slots[at] >= 0
        if slots[at] >= 0:
            found[i, 1] = entries[slots[at], 1]
            found[i, 2] = entries[slots[at], 2]
