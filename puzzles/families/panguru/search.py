"""Panguru's own search: iterative deepening with a lower bound that the pebbles give.

A move moves one pebble. One that lies on a plate of its colour may stay, one in line with such a plate has at
least one move to make, any other at least two; what the pebbles need adds up. Of the ways to share out a
colour's plates among its pebbles the cheapest counts, and a leap changes the sum for one colour only. Iterative
deepening (IDA*: R. E. Korf, Artificial Intelligence 27, 1985) goes down every line of moves that could be over
within a limit, and raises the limit by one until a line is. The limit that succeeds is gone through to its end,
and so every state on a shortest way is met.

Tried and dropped: the layers around the goal in a hash table, where lines could end. Five layers take a
millisecond to make, more than most searches, and save a fortieth of the leaps looked at. One more move "while the
hole is off the odd plate" would be no lower bound: a pebble's leap home can be what brings the hole there.

Glossary
    code        0 for the hole, then the colours, less than 8, as in panguru.py.
    word        a board: bits 3p .. 3p+2 are the code in place p. 0 is none, since a board has only one hole.
    entry       a word and, from bit 48, its distance.
    pebbles     where the pebbles of a colour lie, one bit for each place.
    cost        the moves a colour needs at least: cost[code << places | pebbles].
    partners    the places in line with the hole, links[hole] of them.
    line        the moves from the state asked about to where the search is, one row for each state.
    way         the states on shortest ways that were met: their entries, and a hash table of these.
    visited     a transposition table: entries of states, each farther from the goal than its entry says. It has those
                that the search has entered last, for it comes to the same state by many lines.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.space import Boards, Indices, Shortest, Spend

Words = npt.NDArray[np.uint64]

_GOALS_KEPT = 16
"""Goals whose costs stay ready, a quarter of a megabyte each."""

_SLICE = 1 << 20
"""Leaps looked at, in some 15 ms, before the search says how far it is."""

_ROOM = 1 << 12
"""States on shortest ways that there is room for to begin with; few searches find more."""

_TRANSPOSITIONS = 1 << 15
"""Slots of the transposition table, in a core's own cache. They halve the longest searches; 2^20 of them save a third
of the leaps that then are left, but no time."""

_BITS = 3
_DISTANCE = 48
_CODE = (1 << _BITS) - 1
_WORD = (1 << _DISTANCE) - 1
_GOLDEN = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio: multiplied by it, words that differ little are spread over a hash table."""


# Words, and hash tables of entries.


@kernel
def _code(word, place):  # type: ignore[no-untyped-def]
    return (word >> (place * np.uint64(_BITS))) & np.uint64(_CODE)


@kernel
def _leap(word, place, hole, code):  # type: ignore[no-untyped-def]
    return word ^ (code << (place * np.uint64(_BITS))) ^ (code << (hole * np.uint64(_BITS)))


@kernel
def _entry(word, distance):  # type: ignore[no-untyped-def]
    return word | (np.uint64(distance) << np.uint64(_DISTANCE))


@kernel
def _unpack(entries, boards, distances):  # type: ignore[no-untyped-def]
    for i in range(entries.shape[0]):
        distances[i] = entries[i] >> np.uint64(_DISTANCE)
        for place in range(boards.shape[1]):
            boards[i, place] = _code(entries[i], np.uint64(place))


@kernel
def _first_slot(word, table):  # type: ignore[no-untyped-def]
    return ((word * np.uint64(_GOLDEN)) >> np.uint64(32)) & np.uint64(table.shape[0] - 1)


@kernel
def _slot(word, table):  # type: ignore[no-untyped-def]
    """Where a word's entry is in a hash table, or the empty slot where it would be."""
    last = np.uint64(table.shape[0] - 1)
    slot = _first_slot(word, table)
    while table[slot] != np.uint64(0) and table[slot] & np.uint64(_WORD) != word:
        slot = (slot + np.uint64(1)) & last
    return slot


@kernel
def _add(entry, entries, table, count):  # type: ignore[no-untyped-def]
    """Add an entry unless the table has it; how many there are now."""
    slot = _slot(entry & np.uint64(_WORD), table)
    if table[slot] == np.uint64(0):
        table[slot] = entry
        entries[count] = entry
        count += 1
    return count


@kernel
def _add_all(added, entries, table, count):  # type: ignore[no-untyped-def]
    for entry in added:
        count = _add(entry, entries, table, count)
    return count


@kernel
def _add_line(line, depth, limit, entries, table, count):  # type: ignore[no-untyped-def]
    """Add the states of a line from its end upwards, as far as they are new."""
    before = -1
    while depth >= 0 and count != before:
        before = count
        count = _add(_entry(line[depth, 0], limit - depth), entries, table, count)
        depth -= 1
    return count


# The search. A state's row in the line: its word, its hole, which partner is next, the moves that all its pebbles
# need at least, and where the hole was before.


@kernel
def _deepen(line, depth, pebbles, partners, links, cost, visited, most, entries, table, count):  # type: ignore[no-untyped-def]
    """Go on with the line and with all lines after it, and add to the way every state of those that succeed.

    The line has a row for each move that the limit allows; where none is left, nothing that is needed is, and the
    goal has been reached. A state on the way is not entered again, since all that is on a shortest way behind it
    is on the way too; nor is one that the transposition table has. Its entry is put there when a state is entered: as
    long as it is in the line, the line can come to it again with fewer moves left only, and should it prove to
    be on the way, that is asked first.

    Ends after `most` leaps looked at, or where the way may have no room for another line, or at depth -1 when all
    lines are done; gives the depth, the number of entries on the way, and that of the leaps.
    """
    places = np.uint64(partners.shape[0])
    limit = line.shape[0]
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
        slot = _first_slot(leapt, visited)
        if left == 0 or table[_slot(leapt, table)] == entry:
            count = _add(entry, entries, table, count)
            count = _add_line(line, depth, limit, entries, table, count)
        elif visited[slot] != entry:
            visited[slot] = entry
            line[depth, 2] = k
            depth += 1
            pebbles[code] ^= both
            word, hole, k, needed, before = leapt, place, np.uint64(0), after, hole
            line[depth, 0], line[depth, 1], line[depth, 3], line[depth, 4] = word, hole, needed, before
    if depth >= 0:
        line[depth, 2] = k
    return depth, count, looked


class _Entries:
    """Entries with a hash table of them, and room for more."""

    def __init__(self, room: int) -> None:
        self._all = np.empty(room, np.uint64)
        self._table = np.zeros(1 << (3 * room // 2).bit_length(), np.uint64)
        self.count = 0

    @property
    def arrays(self) -> tuple[Words, Words, int]:
        """All of it, for kernels."""
        return self._all, self._table, self.count

    @property
    def entries(self) -> Words:
        """Those there are, in the order they were added in."""
        return self._all[: self.count]

    def add(self, entries: Words) -> None:
        """Add those that are new."""
        self.count = _add_all(entries, *self.arrays)

    def wider(self) -> _Entries:
        """The same with twice the room."""
        wider = _Entries(2 * len(self._all))
        wider.add(self.entries)
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
        self._cost = lru_cache(_GOALS_KEPT)(self._make_cost)

    @np.errstate(over="ignore")  # hashes are products modulo 2^64, where kernels run as plain Python too
    def shortest(self, goal: bytes, index: int, spend: Spend) -> Shortest:
        """What `Space.shortest` says, to the goal whose board of codes this is."""
        cost = self._cost(goal)
        board = self._unrank(np.array([index]))[0]
        word = np.bitwise_or.reduce(board.astype(np.uint64) << self._shifts)
        hole = board.argmin()
        pebbles = np.zeros(_CODE + 1, np.uint64)
        np.add.at(pebbles, board, np.uint64(1) << np.arange(len(board), dtype=np.uint64))
        limit = needed = sum(int(cost[code << len(board) | int(pebbles[code])]) for code in range(1, board.max() + 1))
        if not needed:
            return Shortest(0, 0, (np.array([index]),))
        line, way, visited = np.empty((0, 5), np.uint64), _Entries(_ROOM), np.zeros(_TRANSPOSITIONS, np.uint64)
        depth, looked = -1, 0
        while spend(looked, limit):
            if depth < 0:
                line, depth = np.empty((limit, 5), np.uint64), 0
                line[0] = word, hole, 0, needed, hole  # the hole as where it was before: no partner of itself
            depth, way.count, looked = _deepen(
                line, depth, pebbles, self._partners, self._links, cost, visited, _SLICE, *way.arrays
            )
            if depth < 0 and way.count:
                spend(looked, limit)
                return Shortest(limit, limit, self._levels(way))
            if depth < 0:
                limit += 1
            elif looked < _SLICE:
                way = way.wider()
        return Shortest(None, limit)

    def _levels(self, way: _Entries) -> tuple[Indices, ...]:
        """The indices of the way by distance, sorted."""
        boards, distances = np.empty((way.count, len(self._shifts)), np.uint8), np.empty(way.count, np.uint8)
        _unpack(way.entries, boards, distances)
        indices = self._rank(boards)
        order = np.lexsort((indices, distances))
        return tuple(np.split(indices[order], np.cumsum(np.bincount(distances))[:-1]))

    def _make_cost(self, goal: bytes) -> npt.NDArray[np.uint8]:
        """The cost table: for each code and each set of places, the cheapest way to share out the code's plates."""
        board = np.frombuffer(goal, np.uint8)
        codes = np.arange(1, board.max() + 1)
        plates = np.argsort(board, kind="stable")[1:].reshape(len(codes), 1, -1)[:, :, self._shares]
        cost = np.zeros((len(codes) + 1) << len(board), np.uint8)
        moves = self._moves[self._sets[:, None], plates].sum(axis=3).min(axis=2)
        cost[codes[:, None] << len(board) | (1 << self._sets).sum(axis=1)] = moves
        return cost
