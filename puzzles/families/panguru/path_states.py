"""The states on shortest paths, as searches by iterative deepening (IDA*) meet them.

The limit of moves that succeeds is searched to its end, so every such state is met. Source: R. E. Korf, Artificial
Intelligence 27, 1985.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.listed import fill

Array = npt.NDArray[Any]

GOLDEN = 0x9E3779B97F4A7C15  # 2^64 / golden ratio: multiples of it spread similar keys over a hash table


class PathStates:
    """The states met on shortest paths: rows int64[capacity, columns] whose first `keys` columns are unique.

    `arrays` are these rows and their slots in a hash table, for kernels (plugins/listed.py).
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
