"""Panguru's own search: iterative deepening, with a lower bound that the pebbles give and a perimeter of the goal.

A move moves one pebble. One that lies on a plate of its colour may stay, one in line with such a plate has at
least one move to make, any other at least two; what the pebbles need adds up. Of the ways to share out a
colour's plates among its pebbles the cheapest counts, and a leap changes the sum for one colour only. Iterative
deepening (IDA*: R. E. Korf, Artificial Intelligence 27, 1985) goes down every line of moves that could be over
within a limit, and raises the limit by one until a line is. A line ends where it enters the perimeter, the first
layers around the goal, which are made for each goal. The limit that succeeds is gone through to its end, and so
every state on a shortest way is met.

One more move "while the hole is off the odd plate" would be no lower bound: a pebble's leap home can be what
brings the hole there.

Glossary
    code        0 for the hole, then the colours, less than 8, as in panguru.py.
    word        a board: bits 3p .. 3p+2 are the code in place p. 0 is none, since a board has only one hole.
    entry       a word and, from bit 48, its distance.
    pebbles     where the pebbles of a colour lie, one bit for each place.
    cost        the moves a colour needs at least: cost[code << places | pebbles].
    partners    the places in line with the hole, links[hole] of them.
    perimeter   a hash table of the entries of all states within _RADIUS moves of the goal.
    line        the moves from the state asked about to where the search is, one row for each state.
    way         the states on shortest ways that were met: their entries, and a hash table of these.
    refuted     entries of states, each farther from the goal than its entry says: those the search has entered last,
                for it comes to the same state by many lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations

import numba
import numpy as np
import numpy.typing as npt

from puzzles._space import Boards, Indices, Shortest, Spend

Board = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]

_RADIUS = 5
"""Layers of the perimeter: some 20,000 states in half a millisecond. Six take 5 ms, and the longest searches
are not a tenth shorter."""

_GOALS_KEPT = 16
"""Goals whose perimeters stay ready, a megabyte each."""

_SLICE = 1 << 20
"""Leaps looked at, in some 15 ms, before the search says how far it is."""

_ROOM = 1 << 12
"""States on shortest ways that there is room for to begin with; few searches find more."""

_REFUTED = 1 << 15
"""Slots for refuted entries, in a core's own cache. They halve the longest searches; 2^20 of them save a third of the
leaps that then are left, but no time."""

_BITS = 3
_DISTANCE = 48
_CODE = (1 << _BITS) - 1
_WORD = (1 << _DISTANCE) - 1
_GOLDEN = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio: multiplied by it, words that differ little are spread over a hash table."""


# Words, and hash tables of entries.


@numba.njit(cache=True, nogil=True)
def _code(word, place):  # type: ignore[no-untyped-def]
    return (word >> (place * np.uint64(_BITS))) & np.uint64(_CODE)


@numba.njit(cache=True, nogil=True)
def _leap(word, place, hole, code):  # type: ignore[no-untyped-def]
    return word ^ (code << (place * np.uint64(_BITS))) ^ (code << (hole * np.uint64(_BITS)))


@numba.njit(cache=True, nogil=True)
def _hole(word):  # type: ignore[no-untyped-def]
    hole = np.uint64(0)
    while _code(word, hole) != np.uint64(0):
        hole += np.uint64(1)
    return hole


@numba.njit(cache=True, nogil=True)
def _entry(word, distance):  # type: ignore[no-untyped-def]
    return word | (np.uint64(distance) << np.uint64(_DISTANCE))


@numba.njit(cache=True, nogil=True)
def _first_slot(word, table):  # type: ignore[no-untyped-def]
    return ((word * np.uint64(_GOLDEN)) >> np.uint64(32)) & np.uint64(table.shape[0] - 1)


@numba.njit(cache=True, nogil=True)
def _slot(word, table):  # type: ignore[no-untyped-def]
    """Where a word's entry is in a hash table, or the empty slot where it would be."""
    last = np.uint64(table.shape[0] - 1)
    slot = _first_slot(word, table)
    while table[slot] != np.uint64(0) and table[slot] & np.uint64(_WORD) != word:
        slot = (slot + np.uint64(1)) & last
    return slot


@numba.njit(cache=True, nogil=True)
def _distance(word, table):  # type: ignore[no-untyped-def]
    """The distance that a hash table has for a word, -1 where it has none."""
    entry = table[_slot(word, table)]
    return np.int64(entry >> np.uint64(_DISTANCE)) if entry != np.uint64(0) else np.int64(-1)


@numba.njit(cache=True, nogil=True)
def _add(entry, entries, table, count):  # type: ignore[no-untyped-def]
    """Add an entry unless the table has it; how many there are now."""
    slot = _slot(entry & np.uint64(_WORD), table)
    if table[slot] == np.uint64(0):
        table[slot] = entry
        entries[count] = entry
        count += 1
    return count


@numba.njit(cache=True, nogil=True)
def _add_all(added, entries, table, count):  # type: ignore[no-untyped-def]
    for entry in added:
        count = _add(entry, entries, table, count)
    return count


@numba.njit(cache=True, nogil=True)
def _add_line(line, depth, limit, entries, table, count):  # type: ignore[no-untyped-def]
    """Add the states of a line from its end upwards, as far as they are new."""
    before = -1
    while depth >= 0 and count != before:
        before = count
        count = _add(_entry(line[depth, 0], limit - depth), entries, table, count)
        depth -= 1
    return count


# The perimeter.


@numba.njit(cache=True, nogil=True)
def _surround(partners, links, entries, table, count):  # type: ignore[no-untyped-def]
    """Add, layer by layer, all states within _RADIUS moves of the first entry."""
    first = 0
    for distance in range(1, _RADIUS + 1):
        end = count
        for i in range(first, end):
            word = entries[i] & np.uint64(_WORD)
            hole = _hole(word)
            for k in range(links[hole]):
                place = partners[hole, k]
                after = _leap(word, place, hole, _code(word, place))
                count = _add(_entry(after, distance), entries, table, count)
        first = end


@numba.njit(cache=True, nogil=True)
def _enter(first, perimeter, partners, links, entries, table, count):  # type: ignore[no-untyped-def]
    """Go on to the goal from all states of the way inside the perimeter, those that are added too.

    Begins with entry `first`, and ends behind the last or where there may be no room for what the next adds;
    gives that next one and the number of entries.
    """
    while first < count and count + partners.shape[1] <= entries.shape[0]:
        word = entries[first] & np.uint64(_WORD)
        distance = _distance(word, perimeter)
        hole = _hole(word)
        for k in range(links[hole] if distance > 0 else np.uint64(0)):
            place = partners[hole, k]
            after = _leap(word, place, hole, _code(word, place))
            if _distance(after, perimeter) == distance - 1:
                count = _add(_entry(after, distance - 1), entries, table, count)
        first += 1
    return first, count


# The search. A state's row in the line: its word, its hole, which partner is next, the moves that all its pebbles
# need at least, and where the hole was before.


@numba.njit(cache=True, nogil=True)
def _deepen(line, depth, pebbles, partners, links, cost, perimeter, refuted, most, entries, table, count):  # type: ignore[no-untyped-def]
    """Go on with the line and with all lines after it, and add to the way every state of those that succeed.

    The last row of the line is that of the last state outside the perimeter. A state that is on the way need not
    be entered again, since all that lies beyond it is on the way too, nor one that is refuted. An entry is put
    among the refuted when its state is entered: until it is done with, the line can only come to that state
    with fewer moves left, and if it turns out to be on the way, that is asked first. Ends after `most` leaps
    looked at, or where the way may have no room for another line, or at depth -1 when all lines are done; gives
    the depth, the number of entries on the way, and that of the leaps.
    """
    places = np.uint64(partners.shape[0])
    last = line.shape[0] - 1
    limit = line.shape[0] + _RADIUS
    looked = 0
    word, hole, k = line[depth, 0], line[depth, 1], line[depth, 2]
    needed, before = line[depth, 3], line[depth, 4]
    while looked < most and count + line.shape[0] < entries.shape[0]:
        if k == links[hole]:
            depth -= 1
            if depth < 0:
                break
            place = hole
            word, hole, k = line[depth, 0], line[depth, 1], line[depth, 2]
            needed, before = line[depth, 3], line[depth, 4]
            pebbles[_code(word, place)] ^= (np.uint64(1) << hole) | (np.uint64(1) << place)
            continue
        place = partners[hole, k]
        k += np.uint64(1)
        looked += 1
        code = _code(word, place)
        both = (np.uint64(1) << hole) | (np.uint64(1) << place)
        at = (code << places) | pebbles[code]
        after = needed + np.uint64(cost[at ^ both]) - np.uint64(cost[at])
        left = limit - depth - 1
        if place == before or after > np.uint64(left):
            continue
        leapt = _leap(word, place, hole, code)
        entry = _entry(leapt, left)
        slot = _first_slot(leapt, refuted)
        if _distance(leapt, perimeter if depth == last else table) == left:
            count = _add(entry, entries, table, count)
            count = _add_line(line, depth, limit, entries, table, count)
        elif depth < last and refuted[slot] != entry:
            refuted[slot] = entry
            line[depth, 2] = k
            depth += 1
            pebbles[code] ^= both
            word, hole, k, needed, before = leapt, place, np.uint64(0), after, hole
            line[depth, 0], line[depth, 1], line[depth, 3], line[depth, 4] = word, hole, needed, before
    if depth >= 0:
        line[depth, 2] = k
    return depth, count, looked


@dataclass(frozen=True)
class _Near:
    """What a search needs of its goal: the cost table, uint8[codes << places], and the perimeter."""

    cost: npt.NDArray[np.uint8]
    perimeter: Words


class _Entries:
    """Entries with a hash table of them, and room for more."""

    def __init__(self, room: int) -> None:
        self._all = np.empty(room, np.uint64)
        self.table = np.zeros(1 << (3 * room // 2).bit_length(), np.uint64)
        self.count = 0

    @property
    def arrays(self) -> tuple[Words, Words, int]:
        """All of it, for kernels."""
        return self._all, self.table, self.count

    @property
    def words(self) -> Words:
        """The words, in the order they were added in."""
        return self._all[: self.count] & np.uint64(_WORD)

    @property
    def distances(self) -> Words:
        """The distances in that order."""
        return self._all[: self.count] >> np.uint64(_DISTANCE)

    def add(self, entries: Words) -> None:
        """Add those that are new."""
        self.count = _add_all(entries, *self.arrays)

    def wider(self) -> _Entries:
        """The same with twice the room."""
        wider = _Entries(2 * len(self._all))
        wider.add(self._all[: self.count])
        return wider


class Search:
    """The search on one triangle, to any goal.

    `aligned` says which places are in line, bool[places, places]; `copies` is how many pebbles a colour has; `rank`
    and `unrank` lead between boards of codes and indices.
    """

    def __init__(
        self,
        aligned: npt.NDArray[np.bool_],
        copies: int,
        rank: Callable[[Boards], Indices],
        unrank: Callable[[Indices], Boards],
    ) -> None:
        self._rank, self._unrank = rank, unrank
        places, links = len(aligned), aligned.sum(axis=1)
        self._links = links.astype(np.uint64)
        self._partners = np.argsort(~aligned, axis=1, kind="stable")[:, : links.max()].astype(np.uint64)
        self._shifts = np.uint64(_BITS) * np.arange(places, dtype=np.uint64)
        self._moves = np.where(np.eye(places, dtype=np.bool_), 0, np.where(aligned, 1, 2))
        self._sets = np.array(list(combinations(range(places), copies)))
        self._shares = np.array(list(permutations(range(copies))))
        self._near = lru_cache(_GOALS_KEPT)(self._make_near)

    def shortest(self, goal: bytes, index: int, spend: Spend) -> Shortest:
        """What `Space.shortest` says, to the goal whose board of codes this is."""
        near = self._near(goal)
        board = self._unrank(np.array([index]))[0]
        way = _Entries(_ROOM)
        distance = _distance(self._word(board), near.perimeter)
        if distance >= 0:
            way.add(np.array([_entry(self._word(board), distance)]))
        else:
            distance, way = self._from_outside(near, board, spend)
        if not way.count:
            return Shortest(None, distance)
        return Shortest(distance, distance, self._levels(self._entered(near, way)))

    def _from_outside(self, near: _Near, board: Board, spend: Spend) -> tuple[int, _Entries]:
        """The distance of a board outside the perimeter, and the way into that.

        Where the search has to stop, a lower bound and no way.
        """
        pebbles = np.zeros(_CODE + 1, np.uint64)
        np.add.at(pebbles, board, np.uint64(1) << np.arange(len(board), dtype=np.uint64))
        needed = sum(int(near.cost[code << len(board) | int(pebbles[code])]) for code in range(1, board.max() + 1))
        limit = max(needed, _RADIUS + 1)
        line, way = np.empty((0, 5), np.uint64), _Entries(_ROOM)
        refuted = np.zeros(_REFUTED, np.uint64)
        depth, looked = -1, 0
        while spend(looked, limit):
            if depth < 0:
                line, depth = np.empty((limit - _RADIUS, 5), np.uint64), 0
                line[0] = self._word(board), board.argmin(), 0, needed, board.argmin()
            tables = self._partners, self._links, near.cost, near.perimeter
            depth, way.count, looked = _deepen(line, depth, pebbles, *tables, refuted, _SLICE, *way.arrays)
            if depth >= 0:
                way = way if looked == _SLICE else way.wider()
            elif way.count:
                spend(looked, limit)
                return limit, way
            else:
                limit += 1
        return limit, _Entries(0)

    def _entered(self, near: _Near, way: _Entries) -> _Entries:
        """The way, continued from the perimeter to the goal."""
        first, way.count = _enter(0, near.perimeter, self._partners, self._links, *way.arrays)
        while first < way.count:
            way = way.wider()
            first, way.count = _enter(first, near.perimeter, self._partners, self._links, *way.arrays)
        return way

    def _levels(self, way: _Entries) -> tuple[Indices, ...]:
        """The indices of the way by distance, sorted."""
        indices = self._rank((way.words[:, None] >> self._shifts & np.uint64(_CODE)).astype(np.uint8))
        order = np.lexsort((indices, way.distances))
        return tuple(np.split(indices[order], np.cumsum(np.bincount(way.distances.astype(np.int64)))[:-1]))

    def _word(self, board: Board) -> np.uint64:
        word: np.uint64 = np.bitwise_or.reduce(board.astype(np.uint64) << self._shifts)
        return word

    def _make_near(self, goal: bytes) -> _Near:
        board = np.frombuffer(goal, np.uint8)
        codes = np.arange(1, board.max() + 1)
        plates = np.argsort(board, kind="stable")[1:].reshape(len(codes), 1, -1)[:, :, self._shares]
        cost = np.zeros((len(codes) + 1) << len(board), np.uint8)
        moves = self._moves[self._sets[:, None], plates].sum(axis=3).min(axis=2)
        cost[codes[:, None] << len(board) | (1 << self._sets).sum(axis=1)] = moves
        ways = self._partners.shape[1]
        perimeter = _Entries(1 + sum(ways * (ways - 1) ** k for k in range(_RADIUS)))
        perimeter.add(np.array([self._word(board)]))
        _surround(self._partners, self._links, *perimeter.arrays)
        return _Near(cost, perimeter.table)
