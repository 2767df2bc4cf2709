"""Messages between parts about a layer: bits of some rows, unchanged if they are dense, else as gaps between vertices.

A gap is the difference to the vertex before it, seven bits in each byte from the lowest ones on; the high bit says that
the number goes on. A vertex takes one byte if more than one of 128 is set, and two if one of 16,384 is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.bits import set_vertices, vertices_of
from puzzlebase.builder.journal import Words
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Indices

Bytes = npt.NDArray[np.uint8]

BITS_OF_A_GAP = 8  # or more vertices for a set one; so bits take no more bytes if one vertex of eight is set


class Message(NamedTuple):
    """Bits in rows first .. first + rows - 1 of the sender, as the receiver numbers them; `dense` tells the form."""

    sender: int
    first: int
    rows: int
    dense: bool
    data: Bytes

    def add_to(self, words: Words, width: int, filled: npt.NDArray[np.bool_]) -> None:
        """Set the bits in `words`, uint64[rows, words], and mark in `filled` the rows that have one."""
        some, marks = words[self.first : self.first + self.rows], filled[self.first : self.first + self.rows]
        if self.dense:
            bits = self.data.view(np.uint64).reshape(some.shape)
            some |= bits
            marks |= bits.any(axis=1)
        else:
            _add_gaps(self.data, width, some, marks)


def of_bits(sender: int, first: int, words: Words, width: int) -> Message | None:
    """Make the message of some rows of bits; None if no bit is set."""
    count = int(np.bitwise_count(words).sum())
    if not count:
        return None
    if count * BITS_OF_A_GAP >= words.size * 64:
        return Message(sender, first, len(words), True, words.view(np.uint8).reshape(-1))
    vertices = np.empty(count, np.int64)
    vertices_of(words, np.arange(len(words)), width, vertices)
    return Message(sender, first, len(words), False, _gaps(vertices))


def of_vertices(sender: int, vertices: Indices, width: int, words: int) -> Message:
    """Make the message of vertices, one or more, sorted without repeats, in rows of `words` words."""
    first, last = int(vertices[0]) // width, int(vertices[-1]) // width + 1
    vertices = vertices - first * width
    if len(vertices) * BITS_OF_A_GAP >= (last - first) * words * 64:
        bits = np.zeros((last - first, words), np.uint64)
        set_vertices(bits, width, vertices)
        return Message(sender, first, last - first, True, bits.view(np.uint8).reshape(-1))
    return Message(sender, first, last - first, False, _gaps(vertices))


def _gaps(vertices: Indices) -> Bytes:
    data = np.empty(len(vertices) * 9, np.uint8)
    return data[: _write_gaps(vertices, data)].copy()


@kernel
def _write_gaps(indices, data):  # type: ignore[no-untyped-def]
    """Write the gaps of sorted indices and return the number of bytes."""
    at = 0
    before = np.int64(0)
    for index in indices:
        gap = index - before
        before = index
        while gap >= 128:
            data[at] = (gap & 127) | 128
            gap >>= 7
            at += 1
        data[at] = gap
        at += 1
    return at


@kernel
def _add_gaps(data, width, words, filled):  # type: ignore[no-untyped-def]
    """Set the bits of the indices with these gaps, and mark their rows in `filled`."""
    index = np.int64(0)
    gap = np.int64(0)
    shift = 0
    for byte in data:
        gap |= np.int64(byte & 127) << shift
        shift += 7
        if byte < 128:
            index += gap
            gap = np.int64(0)
            shift = 0
            row = index // width
            column = np.uint64(index - row * width)
            words[row, column >> np.uint64(6)] |= np.uint64(1) << (column & np.uint64(63))
            filled[row] = 1
