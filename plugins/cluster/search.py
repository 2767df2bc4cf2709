"""The search of one part: the layers in its own rows, and the messages from which others find their next layer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.bits import fetch, scan
from puzzlebase.builder.breadth_first.rows import SCAN_COST, RowSearch
from puzzlebase.builder.journal import Journal, Words
from puzzlebase.db.blocks import compress, decompress
from puzzlebase.plugins.cluster.plan import Division
from puzzlebase.puzzles import Graph, Indices

_PIECE = 1 << 25  # bits of rows that go into one message, 4 MB


class Message(NamedTuple):
    """Rows of the sender, packed by zstd: uint64[rows, 1 + words], each its number, and its bits."""

    sender: int
    rows: int
    data: bytes

    def add_to(self, words: Words, filled: npt.NDArray[np.bool_]) -> None:
        """Set the bits in `words`, uint64[rows, words], and mark their rows in `filled`."""
        width = 1 + words.shape[1]
        packed = np.frombuffer(decompress(self.data, 8 * self.rows * width), np.uint64).reshape(self.rows, width)
        rows = packed[:, 0].astype(np.int64)
        words[rows] |= packed[:, 1:]
        filled[rows] = True


def of_rows(sender: int, rows: Indices, words: Words) -> Message:
    """Make the message of rows, one or more, and their bits."""
    return Message(sender, len(rows), compress(np.column_stack([rows.astype(np.uint64), words]).tobytes()))


class PartSearch(RowSearch):
    """The search by rows of one part, from the last layer of its journal on.

    After each layer every part sends to all others the bits of its *border*: of those own rows that lead to rows of
    other parts.
    """

    def __init__(self, graph: Graph, division: Division, part: int, journal: Journal) -> None:
        super().__init__(graph, journal)
        self._layout, self._part, self._own = division.layout, part, division.pieces(part)
        self._first, self._last = division.rows(part)
        for piece in self._own:
            self.take_up(piece)
        to = self._moves.row_move[self._first : self._last]
        self._border = (((to >= 0) & (to < self._first)) | (to >= self._last)).any(axis=1)

    def turn(self, messages: Iterable[Message]) -> int:
        """Find the next layer in own rows from the messages of all parts; returns the number of its vertices."""
        bits, filled = self._frontier
        old = self._rows_of_others(filled)  # of two layers before
        bits[old], filled[old] = 0, False
        for message in messages:
            if message.sender != self._part:
                message.add_to(bits, filled)
        to = self._moves.row_move[self._rows_of_others(filled)]
        self._marked[to[to >= 0]] = True
        layers = self._journal.layers
        left = (self._last - self._first) * self._layout.width - sum(layers)
        step = scan if left * SCAN_COST < layers[-1] else fetch
        for piece in self.pieces():
            if piece in self._own:
                self.find(step, piece)
        vertices = self._journal.end_layer()
        self.next_layer()
        return vertices

    def _rows_of_others(self, filled: npt.NDArray[np.bool_]) -> Indices:
        return np.append(np.flatnonzero(filled[: self._first]), self._last + np.flatnonzero(filled[self._last :]))

    def messages(self) -> list[Message]:
        """The messages about the last layer: the bits of own rows."""
        bits, filled = self._frontier
        rows = self._first + np.flatnonzero(filled[self._first : self._last] & self._border)
        at_once = max(_PIECE // (self._layout.words * 64), 1)
        some = [rows[first : first + at_once] for first in range(0, len(rows), at_once)]
        return [of_rows(self._part, each, bits[each]) for each in some]
