"""Messages between parts about a layer: the bits of some rows, packed by zstd."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.journal import Words
from puzzlebase.db.blocks import compress, decompress
from puzzlebase.puzzles import Indices


class Message(NamedTuple):
    """Rows of the sender, each its number as the receiver counts them, and its bits: packed uint64[rows, 1 + words]."""

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
