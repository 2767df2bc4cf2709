"""Panguru's own search: iterative deepening (IDA*) with a lower bound from the pebbles.

The limit of moves that succeeds is searched to its end, so every state on a shortest path is met.
Source: R. E. Korf, Artificial Intelligence 27, 1985.

A pebble on a plate of its colour may stay. A pebble in line with such a plate needs at least one
move, any other at least two. Each colour's plates are assigned to its pebbles at the least cost,
and the costs of all colours are added: a leap changes the cost of one colour.

Tried and dropped: the layers around the goal in a hash table, where paths could end. Five layers
take a millisecond to make, more than most searches, and save a fortieth of the leaps. One more move
"while the hole is off the odd plate" would be no lower bound: a pebble's leap home can bring the
hole there.

Glossary
    code        0 for the hole, then the colours, less than 8, as in index.py.
    word        a board: bits 3p .. 3p+2 are the code in place p. 0 is none, since a board has only
                one hole.
    entry       a word and, from bit 48, its distance.
    pebbles     the places of a colour's pebbles, one bit for each place.
    cost        the moves a colour needs at least: cost[code << places | pebbles].
    partners    the places in line with the hole, counts[hole] of them.
    path        the states from the one asked about to the present one, a row for each: its word,
                its hole, the number of its next partner, the moves that its pebbles need at least,
                and the hole before.
    met         the entries of the states on shortest paths, and their hash table.
    visited     a transposition table, since many paths lead to a state: entries of the states
                entered last. Each state is farther from the goal than the distance in its entry.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations, permutations
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.hash_tables import enter_row, fill_hash_slots, hash_slot
from puzzlebase.puzzles import Boards, Indices, Shortest, Spend, kernel

_GOALS = 16  # with cached costs, a quarter of a megabyte each
_TRANSPOSITIONS = 1 << 15
"""Slots of the transposition table, in a core's own cache. They halve the longest searches; 2^20 of
them save another third of the leaps, but no time.
"""

_GOLDEN = (
    0x9E3779B97F4A7C15  # 2^64 / golden ratio: multiples of it spread similar words over a table
)
# leaps examined, in a tenth of a second or less, before the search reports its progress
_SLICE = 1 << 20
_FIRST_ROWS = 1 << 10  # the first capacity for states on shortest paths

_BITS = 3
_DISTANCE = 48
_CODE = MOST_COLOURS = (1 << _BITS) - 1
_SHARED = (
    5  # pebbles of a colour whose plates are assigned; each further pebble takes the nearest plate
)


@kernel
def _code(word, place):  # type: ignore[no-untyped-def]
    return (word >> (place * np.uint64(_BITS))) & np.uint64(_CODE)


@kernel
def _entry(word, distance):  # type: ignore[no-untyped-def]
    return word | (np.uint64(distance) << np.uint64(_DISTANCE))


@kernel
def _add_path(entry, path, depth, limit, met, slots, count):  # type: ignore[no-untyped-def]
    """Add an entry and the new states of the path to it, from the last one upwards."""
    for at in range(depth + 1, -1, -1):
        if at <= depth:
            entry = _entry(path[at, 0], limit - at)
        if enter_row((entry,), met, slots, count) == count:
            count += 1
        elif at <= depth:
            break
    return count


@kernel
def _deepen(path, depth, pebbles, partners, counts, cost, visited, most, met, slots, count):  # type: ignore[no-untyped-def]
    """Extend the path by all paths after it, and add every state of those that succeed to `met`.

    The path has a row for each move that the limit allows. With none left the goal is reached,
    since the bound allows no other state. A state in `met` is not entered again: all shortest paths
    behind it are in `met` too. Nor is a state in the transposition table. A state is put there when
    it is entered: the path can come to it again only with fewer moves left, and `met` is looked up
    first.

    Ends after `most` leaps, or if `met` may be too small for another path, or at depth -1 when all
    paths are done. Returns the depth, the number of states met, and the number of leaps.
    """
    places = np.uint64(len(partners))
    limit = len(path)
    looked = 0
    word, hole, k = path[depth, 0], path[depth, 1], path[depth, 2]
    needed, before = path[depth, 3], path[depth, 4]
    while looked < most and count + len(path) < len(met):
        if k == counts[hole]:
            depth -= 1
            if depth < 0:
                break
            place = hole
            word, hole, k = path[depth, 0], path[depth, 1], path[depth, 2]
            needed, before = path[depth, 3], path[depth, 4]
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
        leapt = word ^ (code << (place * np.uint64(_BITS))) ^ (code << (hole * np.uint64(_BITS)))
        entry = _entry(leapt, left)
        spot = ((leapt * np.uint64(_GOLDEN)) >> np.uint64(32)) & np.uint64(len(visited) - 1)
        if left == 0 or (count > 0 and slots[hash_slot((entry,), met, slots)] >= 0):
            count = _add_path(entry, path, depth, limit, met, slots, count)
        elif visited[spot] != entry:
            visited[spot] = entry
            path[depth, 2] = k
            depth += 1
            pebbles[code] ^= both
            word, hole, k, needed, before = leapt, place, np.uint64(0), after, hole
            path[depth, 0], path[depth, 1], path[depth, 3], path[depth, 4] = (
                word,
                hole,
                needed,
                before,
            )
    if depth >= 0:
        path[depth, 2] = k
    return depth, count, looked


class _Met(NamedTuple):
    """The entries of the states on shortest paths, and their table (plugins/hash_tables.py)."""

    entries: npt.NDArray[np.uint64]  # uint64[capacity, 1]
    slots: npt.NDArray[np.int32]

    @classmethod
    def of(cls, capacity: int) -> Self:
        """Room for so many entries."""
        return cls(
            np.empty((capacity, 1), np.uint64),
            np.full(1 << (2 * capacity).bit_length(), -1, np.int32),
        )

    def wider(self, count: int) -> Self:
        """Copy the first entries, with twice the capacity."""
        wider = self.of(2 * len(self.entries))
        wider.entries[:count] = self.entries[:count]
        fill_hash_slots(wider.entries[:count], wider.slots)
        return wider


class PanguruSearch:
    """The search on one triangle, to any goal.

    `aligned`, bool[places, places], is True for places in line. Code c has `counts[c - 1]` pebbles.
    `rank` and `unrank` translate between boards of codes and indices.
    """

    def __init__(
        self,
        aligned: npt.NDArray[np.bool_],
        counts: tuple[int, ...],
        rank: Callable[[Boards], Indices],
        unrank: Callable[[Indices], Boards],
    ) -> None:
        self._rank, self._unrank = rank, unrank
        places, partners = len(aligned), aligned.sum(axis=1)
        self._counts = partners.astype(np.uint64)
        self._partners = np.argsort(~aligned, axis=1, kind="stable")[:, : partners.max()].astype(
            np.uint64
        )
        self._shifts = np.uint64(_BITS) * np.arange(places, dtype=np.uint64)
        self._moves = np.where(np.eye(places, dtype=np.bool_), 0, np.where(aligned, 1, 2))
        self._sets = {
            copies: np.array(list(combinations(range(places), copies))) for copies in counts
        }
        self._cost = lru_cache(_GOALS)(self._make_cost)

    def shortest(self, goal_states: Indices, index: int, spend: Spend) -> Shortest:
        """The shortest paths as in `GraphSearch.shortest`, to the one goal state."""
        cost = self._cost(self._unrank(goal_states)[0].tobytes())
        board = self._unrank(np.array([index]))[0]
        word = np.bitwise_or.reduce(board.astype(np.uint64) << self._shifts)
        hole = board.argmin()
        pebbles = np.zeros(_CODE + 1, np.uint64)
        np.add.at(pebbles, board, np.uint64(1) << np.arange(len(board), dtype=np.uint64))
        limit = needed = sum(
            int(cost[code << len(board) | int(pebbles[code])]) for code in range(1, board.max() + 1)
        )
        if not needed:
            return Shortest(0, 0, (np.array([index]),))
        tables = self._partners, self._counts, cost, np.zeros(_TRANSPOSITIONS, np.uint64)

        def begin(limit: int) -> npt.NDArray[np.uint64]:
            path = np.empty((limit, 5), np.uint64)
            # the hole as where it was before: no partner of itself
            path[0] = word, hole, 0, needed, hole
            return path

        met, count, path, depth, looked = _Met.of(_FIRST_ROWS), 0, begin(limit), 0, 0
        while spend(looked, limit):
            depth, count, looked = _deepen(path, depth, pebbles, *tables, _SLICE, *met, count)
            if depth < 0 and count:
                spend(looked, limit)
                return Shortest(limit, limit, self._levels(met.entries[:count]))
            if depth < 0:
                limit += 1
                path, depth = begin(limit), 0
            elif looked < _SLICE:
                met = met.wider(count)
        return Shortest(None, limit)

    def _levels(self, entries: npt.NDArray[np.uint64]) -> tuple[Indices, ...]:
        """The indices of the states met by distance, sorted."""
        distances = (entries[:, 0] >> np.uint64(_DISTANCE)).astype(np.int64)
        indices = self._rank((entries >> self._shifts & np.uint64(_CODE)).astype(np.uint8))
        order = np.lexsort((indices, distances))
        return tuple(np.split(indices[order], np.cumsum(np.bincount(distances))[:-1]))

    def _make_cost(self, goal: bytes) -> npt.NDArray[np.uint8]:
        """The cost table: for each code and each set of places,
        the least cost of assigning the code's plates.
        """
        board = np.frombuffer(goal, np.uint8)
        colours = int(board.max())
        cost = np.zeros((colours + 1) << len(board), np.uint8)
        for code in range(1, colours + 1):
            plates = np.flatnonzero(board == code)
            sets = self._sets[len(plates)]
            if len(plates) > _SHARED:
                moves = self._moves[sets[:, :, None], plates].min(axis=2).sum(axis=1)
            else:
                shares = np.array(list(permutations(plates)))
                moves = self._moves[sets[:, None], shares].sum(axis=2).min(axis=1)
            cost[code << len(board) | (1 << sets).sum(axis=1)] = moves
        return cost
