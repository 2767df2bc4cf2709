"""The search of one part: the layers in its own rows, and the messages from which others find their next layer."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.bits import BitLayer, fetch, mark_rows, scan
from puzzlebase.builder.breadth_first.rows import SCAN_COST
from puzzlebase.builder.columns import RowMoves
from puzzlebase.builder.journal import Journal, Words
from puzzlebase.db.blocks import compress, decompress
from puzzlebase.puzzles import Indices, ProductForm
from puzzlebase.tools.cluster.plan import Division

_PIECE = 1 << 25  # bits of rows that go into one message, 4 MB


class Message(NamedTuple):
    """Rows of the sender, packed by zstd: uint64[rows, 1 + words], each its number for the receiver, and its bits."""

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


@dataclass
class PartSearch:
    """The search by rows of one part, by the kernels of one machine (builder/breadth_first/rows.py).

    The part's rows are numbered from 0. After them comes its *margin*: the rows of other parts that its own rows lead
    to, in their order. After each layer a part sends the bits of its rows that are in the margins of others, and gets
    those of its own margin.
    """

    product: InitVar[ProductForm]  # not stored: it may be as large as the bit sets
    division: Division
    part: int
    journal: Journal

    def __post_init__(self, product: ProductForm) -> None:
        parts = range(self.division.parts)
        self.layout = self.division.layout
        self.first, self.last = self.division.rows(self.part)
        self.rows = self.last - self.first
        margins = [self.division.margin(product, each) for each in parts]
        within = [(margin >= self.first) & (margin < self.last) for margin in margins]
        self._borders = [margin[own] - self.first for margin, own in zip(margins, within, strict=True)]
        margin = margins[self.part]
        self._margin = self.rows + np.searchsorted(margin, [self.division.rows(each)[0] for each in parts])
        number = np.full(product.rows, -1, np.int32)
        number[self.first : self.last] = np.arange(self.rows)
        number[margin] = self.rows + np.arange(len(margin))
        here = np.append(np.arange(self.first, self.last), margin)
        moves = product.row_move[:, here]
        row_move = np.where(moves < 0, np.int32(-1), number[moves])
        self._moves = RowMoves.of(ProductForm(row_move, product.kind[:, here], product.column_map))
        self._left = self._in_layer = 0

    def own(self, piece: int) -> slice:
        """The rows of a piece of this part, counted from the part's first."""
        first, last = self.journal.pieces[piece]
        return slice(first - self.first, last - self.first)

    def bits(self, layers: range) -> Words:
        """The part's vertices in these layers together, from the journal."""
        words = np.empty((self.rows, self.layout.words), np.uint64)
        for piece in self.division.pieces(self.part):
            words[self.own(piece)] = self.journal.bits(piece, layers)
        return words

    def take_up(self, layer: int) -> None:
        """Make a layer of the journal the last one; the other parts send its bits in the margin."""
        total = len(self._moves.row_move)
        self._marked, self._later, *filled = np.zeros((4, total), np.bool_)
        self._frontier, self._found = map(BitLayer, np.zeros((2, total, self.layout.words), np.uint64), filled)
        self._reached = self.bits(range(layer + 1))
        self._found.bits[: self.rows] = self.bits(range(layer, layer + 1))
        width = self.layout.width
        self._left = self.rows * width - int(np.bitwise_count(self._reached).sum())
        self._in_layer = int(np.bitwise_count(self._found.bits).sum())
        if width % 64:
            self._reached[:, -1] |= ~np.uint64(0) << np.uint64(width % 64)
        mark_rows(0, self.rows, self._moves.row_move, self._found, self._later)

    def turn(self, layer: int) -> int:
        """Find the next layer from the last one, in own rows and in the margin; returns the number of own vertices."""
        self._frontier, self._found = self._found, self._frontier
        self._marked, self._later = self._later, self._marked
        old = self.rows + np.flatnonzero(self._found.filled[self.rows :])
        self._found.bits[old] = 0
        self._found.filled[old] = 0
        row_move = self._moves.row_move
        mark_rows(self.rows, len(row_move), row_move, self._frontier, self._marked)
        known = layer < len(self.journal.layers)
        self._in_layer = self._read(layer) if known else self._find()
        self._left -= self._in_layer
        return self._in_layer

    def _find(self) -> int:
        step = scan if self._left * SCAN_COST < self._in_layer else fetch
        found, reached = self._found, self._reached
        for piece in self.division.pieces(self.part):
            own = self.own(piece)
            rows, old = (own.start + np.flatnonzero(marked[own]) for marked in (self._marked, found.filled))
            some = step(rows, old, self._moves, self._frontier, reached, found, self._marked, self._later)
            self.journal.add_bits(piece, found.bits[own], some, rows - own.start)
        return self.journal.end_layer()

    def _read(self, layer: int) -> int:
        self._found.filled[: self.rows] = 0
        self._marked[: self.rows] = 0
        self._found.bits[: self.rows] = self.bits(range(layer, layer + 1))
        self._reached |= self._found.bits[: self.rows]
        mark_rows(0, self.rows, self._moves.row_move, self._found, self._later)
        return self.journal.layers[layer]

    def messages(self) -> list[list[Message]]:
        """The messages to each part about the last layer: the bits of own rows in its margin."""
        at_once = max(_PIECE // (self.layout.words * 64), 1)
        found: list[list[Message]] = []
        for border in self._borders:
            filled = np.flatnonzero(self._found.filled[border])  # a part has no border with itself
            some = [filled[first : first + at_once] for first in range(0, len(filled), at_once)]
            found.append([of_rows(self.part, rows, self._found.bits[border[rows]]) for rows in some])
        return found

    def receive(self, message: Message) -> None:
        """Set the bits of the margin that are in the last layer."""
        margin = slice(int(self._margin[message.sender]), None)
        message.add_to(self._found.bits[margin], self._found.filled[margin])
