"""The search of one part by rows, for graphs in product form.

The part's rows are numbered from 0 on. After them come the rows of other parts that its own lead to, its *margin*, in
their order. So the kernels of the search on one machine see a graph like any other. After each layer a part sends the
bits of those of its rows that lie in the margins of others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.bits import fetch, scan, wake
from puzzlebase.builder.breadth_first.rows import SCAN_COST
from puzzlebase.builder.columns import ColumnMoves
from puzzlebase.builder.journal import Journal
from puzzlebase.puzzles import Indices, ProductForm
from puzzlebase.tools.cluster.messages import Message, of_bits
from puzzlebase.tools.cluster.plan import Division
from puzzlebase.tools.cluster.search import PartSearch, Send

_PIECE = 1 << 25  # bits of rows that go into one message, 4 MB


class RowSearch(PartSearch):
    """The bit sets of a part, uint64[rows, words]: own rows, then those of the margin. See breadth_first/rows.py."""

    def __init__(
        self, product: ProductForm, division: Division, part: int, journal: Journal, work: Callable[[int], None]
    ) -> None:
        super().__init__(division, part, journal, work)
        margins = [margin_of(product, division, each) for each in range(division.parts)]
        within = [(margin >= self.first) & (margin < self.last) for margin in margins]
        self._borders = [margin[own] - self.first for margin, own in zip(margins, within, strict=True)]
        margin = margins[part]
        self._margin = self.rows + np.searchsorted(margin, [division.rows(each)[0] for each in range(division.parts)])
        number = np.full(product.rows, -1, np.int32)
        number[self.first : self.last] = np.arange(self.rows)
        number[margin] = self.rows + np.arange(len(margin))
        here = np.append(np.arange(self.first, self.last), margin)
        moves = product.row_move[:, here]
        self._row_move = np.ascontiguousarray(np.where(moves < 0, np.int32(-1), number[moves]).T)
        self._kind = np.ascontiguousarray(product.kind[:, here].T)
        self._moves = ColumnMoves.of(product.column_map)
        self._left = self._in_layer = 0

    def take_up(self, layer: int) -> None:
        """Make a layer of the journal the last one. What other parts have of it in the margin, they tell."""
        total = len(self._row_move)
        self._frontier, self._found = np.zeros((2, total, self.layout.words), np.uint64)
        self._frontier_lit, self._found_lit, self._awake, self._waking = np.zeros((4, total), np.bool_)
        self._reached = self.bits(range(layer + 1))
        self._found[: self.rows] = self.bits(range(layer, layer + 1))
        width = self.layout.width
        self._left = self.rows * width - int(np.bitwise_count(self._reached).sum())
        self._in_layer = int(np.bitwise_count(self._found).sum())
        if width % 64:
            self._reached[:, -1] |= ~np.uint64(0) << np.uint64(width % 64)
        wake(0, self.rows, self._row_move, self._found, self._found_lit, self._waking)

    def turn(self, layer: int, ready: Callable[[], None]) -> int:
        """Find the next layer from the last one, in own rows and in the margin."""
        self._frontier, self._found = self._found, self._frontier
        self._frontier_lit, self._found_lit = self._found_lit, self._frontier_lit
        self._awake, self._waking = self._waking, self._awake
        old = self.rows + np.flatnonzero(self._found_lit[self.rows :])
        self._found[old] = 0
        self._found_lit[old] = 0
        wake(self.rows, len(self._row_move), self._row_move, self._frontier, self._frontier_lit, self._awake)
        ready()
        if layer < len(self.journal.layers):
            return self._read(layer)
        few_left = self._left * SCAN_COST < self._in_layer
        step = scan if few_left else fetch
        moves = self._row_move, self._kind, *self._moves
        bits = self._frontier, self._frontier_lit, self._reached, self._found, self._found_lit
        vertices = 0
        for piece in self.division.pieces(self.part):
            own = self.own(piece)
            rows, old = (own.start + np.flatnonzero(marked[own]) for marked in (self._awake, self._found_lit))
            some = step(rows, old, *moves, *bits, self._awake, self._waking)
            self.journal.add_bits(piece, self._found[own], some, rows - own.start)
            vertices += some
            self._work(1)
        self.journal.end_layer()
        self._left -= vertices
        self._in_layer = vertices
        return vertices

    def _read(self, layer: int) -> int:
        """Take a layer from the journal."""
        self._found_lit[: self.rows] = 0
        self._awake[: self.rows] = 0
        self._found[: self.rows] = self.bits(range(layer, layer + 1))
        self._reached |= self._found[: self.rows]
        wake(0, self.rows, self._row_move, self._found, self._found_lit, self._waking)
        self._in_layer = self.journal.layers[layer]
        self._left -= self._in_layer
        return self._in_layer

    def tell(self, send: Send) -> None:
        """Send each part the bits of own rows in its margin."""
        at_once = max(_PIECE // (self.layout.words * 64), 1)
        for part, border in enumerate(self._borders):
            lit = np.flatnonzero(self._found_lit[border])  # a part has no border with itself
            for first, last in _runs(lit, at_once):
                message = of_bits(self.part, first, self._found[border[first:last]], self.layout.width)
                if message:
                    send(part, message)

    def receive(self, message: Message) -> None:
        """Set the bits of the margin. Only one thread writes there, and none reads before the next turn."""
        margin = slice(int(self._margin[message.sender]), None)
        message.add_to(self._found[margin], self.layout.width, self._found_lit[margin])


def margin_of(product: ProductForm, division: Division, part: int) -> npt.NDArray[np.int64]:
    """The rows of other parts that a part's rows lead to, sorted."""
    first, last = division.rows(part)
    needed = np.zeros(product.rows, np.bool_)
    for moves in product.row_move[:, first:last]:
        needed[moves[moves >= 0]] = True
    needed[first:last] = False
    return np.flatnonzero(needed)


def _runs(lit: Indices, at_once: int) -> Iterator[tuple[int, int]]:
    """Ranges of at most so many rows that have all the lit ones in them; they begin and end with a lit one."""
    at = 0
    while at < len(lit):
        end = int(np.searchsorted(lit, lit[at] + at_once))
        yield int(lit[at]), int(lit[end - 1]) + 1
        at = end
