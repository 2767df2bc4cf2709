"""The rows of a dataset, and the split of each state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from puzzlebase.in_bulk import InBulk, rows_in_bulk
from puzzlebase.puzzles import Indices, Puzzle, Space
from puzzlebase.service.sources.table import OpenTable

SPLITS = ("train", "validation", "test")
# It is odd, and the bits of its products look random.
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class TableStates(InBulk):
    """The states of one table."""

    source: OpenTable

    @property
    def record(self) -> Puzzle:
        """The puzzle."""
        return self.source.puzzle

    @property
    def _space(self) -> Space:
        return self.source.space

    def _table(self) -> OpenTable:
        return self.source

    def rows(self, indices: Indices, *, texts: bool) -> pa.Table:
        """The rows of states, none of them null."""
        columns = {
            "index": pa.array(indices),
            "distance": pa.array(self.source.distances(indices)),
            "optimal": _lists(self.optimal(indices)),
            "board": _lists(self.boards(indices)),
        }
        if texts:
            columns["state"] = pa.array(self.texts(indices), pa.string())
        fields = [pa.field(name, each.type, nullable=False) for name, each in columns.items()]
        facts = {
            "puzzle": self.record.name,
            "goal": self.source.goal.name,
            "digest": self.source.origin.tag,
        }
        return pa.table(columns, schema=pa.schema(fields, facts))

    @property
    def symmetries(self) -> int:
        """The number of known symmetries, the identity among them."""
        images = self._space.symmetric(self._space.goal_states[:1])
        return int(images.shape[1])

    def splits(self, indices: Indices, seed: int) -> npt.NDArray[np.intp]:
        """The number of the split of each state, int[n], of four fifths, a tenth and a tenth:
        the same for states that known symmetries lead to one another.
        """
        least = rows_in_bulk(lambda some: self._space.symmetric(some).min(axis=1), indices)
        bits = least.view(np.uint64) * _FACTOR + np.uint64(seed)
        bits = (bits ^ (bits >> np.uint64(32))) * _FACTOR
        splits: npt.NDArray[np.intp] = np.digitize(bits / 2.0**64, [0.8, 0.9])
        return splits


def _lists(rows: npt.NDArray[Any]) -> pa.Array:
    """Rows as lists of one length, [n, length]."""
    return pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), rows.shape[1])
