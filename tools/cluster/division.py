"""How a graph is divided among the parts of a cluster: each part has a range of rows, whole pieces of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from puzzlebase.builder.journal import BitLayout
from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.puzzles import Indices


@dataclass(frozen=True)
class Division:
    """The ranges of all parts. Parts follow one another in the order of the nodes, and none is empty."""

    layout: BitLayout
    parts: int

    @classmethod
    def of(cls, layout: BitLayout, wanted: int) -> Division:
        """As many parts as are wanted, or one for each piece where there are fewer pieces."""
        return cls(layout, min(wanted, len(layout.pieces)))

    @cached_property
    def _pieces(self) -> list[tuple[int, int]]:
        return self.layout.pieces

    def pieces(self, part: int) -> range:
        """The numbers of a part's pieces."""
        count = len(self._pieces)
        return range(part * count // self.parts, (part + 1) * count // self.parts)

    def rows(self, part: int) -> tuple[int, int]:
        """The first row of a part and the row after its last."""
        pieces = self.pieces(part)
        return self._pieces[pieces.start][0], self._pieces[pieces.stop - 1][1]

    def nodes(self, part: int) -> tuple[int, int]:
        """The first node of a part and the node after its last."""
        return self.layout.nodes(self.rows(part))

    @cached_property
    def ends(self) -> Indices:
        """The first node of each part, and the number of all nodes: int64[parts + 1]."""
        return np.array([*(self.nodes(part)[0] for part in range(self.parts)), self.layout.size])

    def blocks(self, part: int) -> range:
        """The numbers of the table's blocks that begin in a part; it writes these."""
        first, last = self.nodes(part)
        return range(-(-first // BLOCK_SIZE), -(-last // BLOCK_SIZE))

    def parts_of(self, nodes: Indices) -> Indices:
        """The parts that have these nodes, by number."""
        return np.searchsorted(self.ends, nodes, side="right") - 1

    def owners(self, first: int, last: int) -> list[tuple[int, int, int]]:
        """The parts that have nodes first .. last-1: of each its number, its first of these nodes and the one after."""
        return [
            (part, max(first, start), min(last, end))
            for part, (start, end) in enumerate(map(self.nodes, range(self.parts)))
            if start < last and first < end
        ]
