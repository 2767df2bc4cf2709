"""A part of a build, which finds the vertices of each layer in its own pieces,
and the messages that it sends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from itertools import chain
from typing import NamedTuple

import numpy as np

from puzzlebase.builder.breadth_first.rows import RowSearch
from puzzlebase.builder.journal import BitLayout, Journal, Words
from puzzlebase.db.blocks import compress, decompress
from puzzlebase.puzzles import Indices
from puzzlebase.puzzles.contract.space import ProductForm


class Message(NamedTuple):
    """Vertices of a piece, packed by zstd: uint64[rows, 1 + words],
    each row's number in the piece, and its bits.
    """

    piece: int
    vertices: int
    shape: tuple[int, int]
    data: bytes

    @classmethod
    def of(cls, piece: int, bits: Words, vertices: int, rows: Indices) -> Message:
        """The vertices in some rows of the bits of a piece, of which some may have none."""
        filled = rows[bits[rows].any(axis=1)]
        table = np.column_stack([filled.astype(np.uint64), bits[filled]])
        return cls(piece, vertices, table.shape, compress(table.tobytes()))

    def rows(self) -> tuple[Indices, Words]:
        """The numbers of the rows, and their bits."""
        table = np.frombuffer(
            decompress(self.data, 8 * self.shape[0] * self.shape[1]), np.uint64
        ).reshape(self.shape)
        return table[:, 0].astype(np.int64), table[:, 1:]

    def bits(self, layout: BitLayout) -> Words:
        """The bits of the whole piece."""
        first, last = layout.pieces[self.piece]
        bits = np.zeros((last - first, layout.words), np.uint64)
        rows, bits_of_rows = self.rows()
        bits[rows] = bits_of_rows
        return bits


class Part:
    """A process that finds the vertices of each layer in its own pieces."""

    def __init__(self, product: ProductForm, layout: BitLayout, pieces: range) -> None:
        self._layout, self._pieces = layout, pieces
        self._search = RowSearch(deepcopy(product), layout)  # what Ray shares is read-only

    def begin(self, reached: Sequence[Message], layer: Sequence[Message]) -> None:
        """Take the vertices that were reached in own pieces before,
        and the last layer in all pieces.
        """
        for message in reached:
            if message.piece in self._pieces:
                self._search.take_up(message.piece, message.bits(self._layout))
        for message in layer:
            self._search.enter(message.piece, message.bits(self._layout))

    def step(self, by_scan: bool, *layer: Sequence[Message]) -> list[Message]:
        """Find the next layer in own pieces from the last one, which all parts found."""
        for message in chain(*layer):
            if message.piece not in self._pieces:
                self._search.enter(message.piece, message.bits(self._layout))
        pieces = [piece for piece in self._search.pieces() if piece in self._pieces]
        messages = [Message.of(piece, *self._search.find(piece, by_scan)) for piece in pieces]
        self._search.next_layer()
        return messages


def messages_to_part(journal: Journal, layers: range) -> list[Message]:
    """The messages that give a part the vertices of some layers together."""
    messages = []
    for piece in range(len(journal.pieces)):
        bits = journal.bits(piece, layers)
        messages.append(Message.of(piece, bits, 0, np.arange(len(bits))))
    return messages


def messages_to_journal(layer: Iterable[Message], journal: Journal) -> None:
    """Write a whole layer, the messages of all parts, to the journal of a build."""
    for message in layer:
        rows, _ = message.rows()
        journal.add_bits(message.piece, message.bits(journal.layout), message.vertices, rows)
    journal.end_layer()
