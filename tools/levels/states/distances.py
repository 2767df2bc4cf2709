"""The distances of a game whose moves may be one-way: from the solved states backwards.

Where all moves lead one layer on, as in peg solitaire, one pass is enough, of the states farthest from the start first:
a distance is one more than the least after a move. Else each state's predecessors are listed where all moves fit into
memory, and one queue goes through them. Where they do not fit, there are passes until none lowers a distance.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock

import numpy as np

from puzzlebase.builder.threads import ranges
from puzzlebase.kernels import kernel
from puzzlebase.tools.levels.states.numbered import NONE, Depths, LevelStates, TooDeep, Visited
from puzzlebase.tools.levels.states.packed import Indices, Keys

_CHUNK = 1 << 12
_PIECE = 1 << 18
_BYTES_OF_A_STATE = 12
_BYTES_OF_A_MOVE = 4


class StateLeftOut(Exception):
    """A move leads to a state that is not in the set."""


def distances_of(states: LevelStates, threads: int, memory: int) -> Depths:
    """The distance of every state, uint16[size]; NONE where no solved state can be reached.

    `memory` is in bytes, beside the states and the distances. Raises StateLeftOut, TooDeep.
    """
    seen = _Seen(states)
    walk = states.walk(seen.visit, threads)
    if seen.outside:
        raise StateLeftOut
    size, moves = states.ranking.size, int(seen.moves.sum(dtype=np.int64))
    if not walk.layered and size < 1 << 31 and _BYTES_OF_A_STATE * size + _BYTES_OF_A_MOVE * moves <= memory:
        _by_predecessors(states, seen, threads)
    else:
        _by_passes(states, seen, walk, threads)
    return seen.distances


class _Seen:
    """What the first walk has seen: the solved states, and how many moves lead to each state."""

    def __init__(self, states: LevelStates) -> None:
        self._solved = states.rules.solved
        self._counting = Lock()
        self.distances = np.full(states.ranking.size, NONE)
        self.moves = np.zeros(states.ranking.size, np.uint32)
        self.outside = False

    def visit(self, numbers: Indices, keys: Keys, after: Indices) -> None:
        """Note some states."""
        self.distances[numbers[self._solved(keys)]] = 0
        with self._counting:
            self.outside |= bool(_count(after, self.moves))


def _by_predecessors(states: LevelStates, seen: _Seen, threads: int) -> None:
    """Go back from the solved states through a list of all states' predecessors."""
    size = states.ranking.size
    ends = np.zeros(size + 1, np.int64)
    np.cumsum(seen.moves, out=ends[1:])
    begins = ends[:-1].copy()
    predecessors = np.empty(ends[-1], np.int32)
    with ThreadPoolExecutor(threads) as pool:
        chunks = ranges(size, -(-size // _CHUNK))
        expanded = pool.map(lambda chunk: states.expand(states.ranking.keys(np.arange(*chunk))), chunks)
        for (first, _), after in zip(chunks, expanded, strict=True):
            _list(first, after, begins, predecessors)
    queue = np.empty(size, np.int32)
    solved = np.flatnonzero(seen.distances == 0)
    queue[: len(solved)] = solved
    if _go_back(queue, len(solved), ends, predecessors, NONE, seen.distances) >= NONE:
        raise TooDeep


def _by_passes(states: LevelStates, seen: _Seen, walk: Visited, threads: int) -> None:
    """Lower distances until none is more than one above the least after a move, the deepest states first.

    Once is enough where each move leads to the next depth.
    """
    size = states.ranking.size
    pieces = ranges(size, -(-size // _PIECE))

    def lower(piece: tuple[int, int], depth: int) -> bool:
        numbers = np.flatnonzero(walk.depths[slice(*piece)] == depth) + piece[0]
        lowered = False
        for first in range(0, len(numbers), _CHUNK):
            some = numbers[first : first + _CHUNK]
            lowered |= bool(_lower(some, states.expand(states.ranking.keys(some)), NONE, seen.distances))
        return lowered

    with ThreadPoolExecutor(threads) as pool:
        again = True
        while again:
            lowered = False
            for depth in reversed(range(len(walk.layers))):
                lowered |= any([*pool.map(partial(lower, depth=depth), pieces)])
            again = lowered and not walk.layered


@kernel
def _count(after, moves):  # type: ignore[no-untyped-def]
    """Count the moves to each state; return how many lead out of the set."""
    outside = 0
    for i in range(after.shape[0]):
        for k in range(after.shape[1]):
            if after[i, k] == -1:
                break
            if after[i, k] < 0:
                outside += 1
            else:
                moves[after[i, k]] += np.uint32(1)
    return outside


@kernel
def _list(first, after, begins, predecessors):  # type: ignore[no-untyped-def]
    """Enter states among the predecessors of those that their moves lead to."""
    for i in range(after.shape[0]):
        for k in range(after.shape[1]):
            if after[i, k] < 0:
                break
            predecessors[begins[after[i, k]]] = first + i
            begins[after[i, k]] += 1


@kernel
def _go_back(queue, tail, ends, predecessors, none, distances):  # type: ignore[no-untyped-def]
    """Give distances to all states from which those in the queue can be reached; return the greatest."""
    first = 0
    distance = np.int64(0)
    while first < tail:
        state = queue[first]
        first += 1
        distance = np.int64(distances[state])
        for k in range(ends[state], ends[state + 1]):
            before = predecessors[k]
            if distances[before] == none:
                distances[before] = distance + 1
                queue[tail] = before
                tail += 1
    return distance


@kernel
def _lower(numbers, after, none, distances):  # type: ignore[no-untyped-def]
    """Lower the distances of states to one more than the least after a move; return how many were lowered."""
    lowered = 0
    for i in range(after.shape[0]):
        least = np.int64(none)
        for k in range(after.shape[1]):
            if after[i, k] < 0:
                break
            least = min(least, np.int64(distances[after[i, k]]))
        if least + 1 < np.int64(distances[numbers[i]]):
            distances[numbers[i]] = least + 1
            lowered += 1
    return lowered
