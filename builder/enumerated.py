"""Distances of every node of a graph in memory, while a table is built or checked."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from puzzles import Distances, Indices

Unsigned = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]


@dataclass(frozen=True)
class Enumerated:
    """One or two bytes a node: its distance, or the type's greatest value where the goal cannot be reached."""

    distances: Unsigned

    def probe(self, indices: Indices) -> Distances:
        """Distances of nodes, int64[n] -> int32[n], UNREACHED where there is none."""
        return _signed(self.distances[indices])

    def range(self, first: int, last: int) -> Distances:
        """Distances of nodes first .. last-1."""
        return _signed(self.distances[first:last])


def _signed(distances: Unsigned) -> Distances:
    signed = distances.astype(np.int32)
    signed[distances == np.iinfo(distances.dtype).max] = -1
    return signed


def unreached(size: int, greatest: int = 0) -> Unsigned:
    """Room for distances up to `greatest`, all of them unreached."""
    return np.full(size, 255, np.uint8) if greatest < 255 else np.full(size, 65535, np.uint16)


def widened(distances: Unsigned, distance: int) -> Unsigned:
    """The same distances in a type that also holds `distance`."""
    if distance < np.iinfo(distances.dtype).max:
        return distances
    if distances.dtype == np.uint16:
        raise OverflowError(f"distance {distance} does not fit into 16 bits")
    wide = distances.astype(np.uint16)
    wide[distances == 255] = 65535
    return wide


def pieces(size: int, count: int) -> list[tuple[int, int]]:
    """0 .. size cut into `count` ranges, about equal, none empty."""
    ends = np.linspace(0, size, max(min(count, size), 1) + 1).astype(int).tolist()
    return list(pairwise(ends))


def default_threads() -> int:
    """One for each processor this process may use."""
    return len(os.sched_getaffinity(0))
