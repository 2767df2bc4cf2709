"""Iterative deepening: a limit of moves is raised until a path within it reaches the goal (IDA*).

The limit that succeeds is searched to its end, which meets every state on a shortest path. Source: R. E. Korf,
Artificial Intelligence 27, 1985.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.space import Indices, Shortest, Spend
from puzzlebase.puzzles.machinery.listed import fill

Array = npt.NDArray[Any]
APath = TypeVar("APath")

GOLDEN = 0x9E3779B97F4A7C15  # 2^64 / golden ratio: multiples of it spread similar keys over a hash table
_SLICE = 1 << 20  # moves examined, in a tenth of a second or less, before the search tells its progress
_FIRST_ROWS = 1 << 10  # the first capacity for states on shortest paths


class PathStates:
    """The states met on shortest paths: rows int64[capacity, columns] whose first `keys` columns are unique.

    `arrays` are these rows and their slots in a hash table, for kernels (machinery/listed.py).
    """

    def __init__(self, columns: int, keys: int, capacity: int) -> None:
        self._keys = keys
        self.count = 0
        self.arrays = np.empty((capacity, columns), np.int64), np.full(1 << (2 * capacity).bit_length(), -1, np.int32)

    @property
    def rows(self) -> Array:
        """The states in the order of meeting: int64[states, columns]."""
        return self.arrays[0][: self.count]

    def wider(self) -> PathStates:
        """Copy with twice the capacity."""
        capacity, columns = self.arrays[0].shape
        wider = PathStates(columns, self._keys, 2 * capacity)
        wider.count = self.count
        wider.rows[:] = self.rows
        fill(wider.rows[:, : self._keys], wider.arrays[1])
        return wider


def shortest_paths(
    limit: int,
    step: int,
    columns: tuple[int, int],
    begin: Callable[[int], APath],
    go_on: Callable[[int, APath, int, int, PathStates], tuple[int, int, int]],
    levels: Callable[[int, Array], tuple[Indices, ...]],
    spend: Spend,
) -> Shortest:
    """Raise a limit, a lower bound of the distance, by `step` until paths are within it.

    `columns` are the columns of `PathStates` and its keys. `begin` makes the path of a limit, at depth 0.
    `go_on(limit, path, depth, most, met)` returns the depth and the numbers of states met and of moves examined. It
    stops after `most` moves, where `met` may be too short, or at depth -1 when all paths are done. `levels(distance,
    rows)` makes the levels of `Shortest` from the states met. `spend` is as in `Space.shortest`.
    """
    met = PathStates(*columns, _FIRST_ROWS)
    path, depth, looked = begin(limit), 0, 0
    while spend(looked, limit):
        depth, met.count, looked = go_on(limit, path, depth, _SLICE, met)
        if depth < 0 and met.count:
            spend(looked, limit)
            return Shortest(limit, limit, levels(limit, met.rows))
        if depth < 0:
            limit += step
            path, depth = begin(limit), 0
        elif looked < _SLICE:
            met = met.wider()
    return Shortest(None, limit)
