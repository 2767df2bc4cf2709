"""The search of one part: the layers in its own rows, and the messages from which others find their next layer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.bits import fetch, mark_rows, scan, vertices_of
from puzzlebase.builder.breadth_first.rows import SCAN_COST
from puzzlebase.builder.columns import ColumnMoves
from puzzlebase.builder.journal import Journal, Words
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Graph, Indices
from puzzlebase.tools.cluster.messages import Message, of_bits, of_vertices
from puzzlebase.tools.cluster.plan import Division

_PIECE = 1 << 25  # bits of rows that go into one message, 4 MB
_CHUNK = 1 << 14  # vertices expanded at a time: with ten edges, about a core's cache
_GATHERED = 1 << 24  # vertices that wait to be sent, to all parts together
_MESSAGE = 1 << 20  # vertices in one message at most

Send = Callable[[int, Message], None]
"""Sends a message to a part; it may wait until earlier ones have arrived."""


@dataclass
class PartSearch(ABC):
    """The bit sets of a part, uint64[rows, words], and a byte for each row, 1 if a bit is set; `work` counts work.

    All parts find a layer together in two steps. `turn` ends the messages about the layer before, and announces by
    `ready` that messages about the next one may come. From then on another thread may call `receive`. `tell` sends what
    other parts need. If a `journal` was opened anew, it replaces the former one.
    """

    graph: Graph
    division: Division
    part: int
    journal: Journal
    work: Callable[[int], None]

    def __post_init__(self) -> None:
        self.layout = self.division.layout
        self.first, self.last = self.division.rows(self.part)
        self.rows = self.last - self.first

    def own(self, piece: int) -> slice:
        """The rows of a piece of this part, counted from the part's first."""
        first, last = self.journal.pieces[piece]
        return slice(first - self.first, last - self.first)

    def bits(self, layers: range) -> Words:
        """The part's vertices in these layers together, from the journal."""
        words = np.empty((self.rows, self.layout.words), np.uint64)
        for piece in self.division.pieces(self.part):
            words[self.own(piece)] = self.journal.bits(piece, layers)
            self.work(1)
        return words

    @abstractmethod
    def take_up(self, layer: int) -> None:
        """Make this layer, which the journal has, the last one."""

    @abstractmethod
    def turn(self, layer: int, ready: Callable[[], None]) -> int:
        """Find and write the next layer, or read it if the journal has it; returns its vertices in this part."""

    @abstractmethod
    def tell(self, send: Send) -> None:
        """Send the other parts what they need of this layer to find the next one."""

    @abstractmethod
    def receive(self, message: Message) -> None:
        """Take a message of another part."""


class RowSearch(PartSearch):
    """The search by rows, for graphs in product form, by the kernels of one machine (builder/breadth_first/rows.py).

    The part's rows are numbered from 0. After them comes its *margin*: the rows of other parts that its own rows lead
    to, in their order. After each layer a part sends the bits of its rows that are in the margins of others.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        assert self.graph.product
        product, parts = self.graph.product(), range(self.division.parts)
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
        self._row_move = np.ascontiguousarray(np.where(moves < 0, np.int32(-1), number[moves]).T)
        self._kind = np.ascontiguousarray(product.kind[:, here].T)
        self._moves = ColumnMoves.of(product.column_map)
        self._left = self._in_layer = 0

    def take_up(self, layer: int) -> None:
        """Make a layer of the journal the last one; the other parts send its bits in the margin."""
        total = len(self._row_move)
        self._frontier, self._found = np.zeros((2, total, self.layout.words), np.uint64)
        self._frontier_filled, self._found_filled, self._marked, self._later = np.zeros((4, total), np.bool_)
        self._reached = self.bits(range(layer + 1))
        self._found[: self.rows] = self.bits(range(layer, layer + 1))
        width = self.layout.width
        self._left = self.rows * width - int(np.bitwise_count(self._reached).sum())
        self._in_layer = int(np.bitwise_count(self._found).sum())
        if width % 64:
            self._reached[:, -1] |= ~np.uint64(0) << np.uint64(width % 64)
        mark_rows(0, self.rows, self._row_move, self._found, self._found_filled, self._later)

    def turn(self, layer: int, ready: Callable[[], None]) -> int:
        """Find the next layer from the last one, in own rows and in the margin."""
        self._frontier, self._found = self._found, self._frontier
        self._frontier_filled, self._found_filled = self._found_filled, self._frontier_filled
        self._marked, self._later = self._later, self._marked
        old = self.rows + np.flatnonzero(self._found_filled[self.rows :])
        self._found[old] = 0
        self._found_filled[old] = 0
        mark_rows(self.rows, len(self._row_move), self._row_move, self._frontier, self._frontier_filled, self._marked)
        ready()
        known = layer < len(self.journal.layers)
        self._in_layer = self._read(layer) if known else self._find()
        self._left -= self._in_layer
        return self._in_layer

    def _find(self) -> int:
        step = scan if self._left * SCAN_COST < self._in_layer else fetch
        moves = self._row_move, self._kind, *self._moves
        bits = self._frontier, self._frontier_filled, self._reached, self._found, self._found_filled
        for piece in self.division.pieces(self.part):
            own = self.own(piece)
            rows, old = (own.start + np.flatnonzero(marked[own]) for marked in (self._marked, self._found_filled))
            some = step(rows, old, *moves, *bits, self._marked, self._later)
            self.journal.add_bits(piece, self._found[own], some, rows - own.start, self._reached[own])
            self.work(1)
        return self.journal.end_layer()

    def _read(self, layer: int) -> int:
        self._found_filled[: self.rows] = 0
        self._marked[: self.rows] = 0
        self._found[: self.rows] = self.bits(range(layer, layer + 1))
        self._reached |= self._found[: self.rows]
        mark_rows(0, self.rows, self._row_move, self._found, self._found_filled, self._later)
        return self.journal.layers[layer]

    def tell(self, send: Send) -> None:
        """Send each part the bits of own rows in its margin."""
        at_once = max(_PIECE // (self.layout.words * 64), 1)
        for part, border in enumerate(self._borders):
            filled = np.flatnonzero(self._found_filled[border])  # a part has no border with itself
            for first, last in _runs(filled, at_once):
                message = of_bits(self.part, first, self._found[border[first:last]], self.layout.width)
                if message:
                    send(part, message)

    def receive(self, message: Message) -> None:
        """Set the bits of the margin. Only one thread writes there, and none reads before the next turn."""
        margin = slice(int(self._margin[message.sender]), None)
        message.add_to(self._found[margin], self.layout.width, self._found_filled[margin])


def _runs(filled: Indices, at_once: int) -> Iterator[tuple[int, int]]:
    """Ranges of at most `most` rows that cover the filled ones; each begins and ends with a filled one."""
    at = 0
    while at < len(filled):
        end = int(np.searchsorted(filled, filled[at] + at_once))
        yield int(filled[at]), int(filled[end - 1]) + 1
        at = end


class ExpansionSearch(PartSearch):
    """The search with `expand` alone: successors are marked here, or sent to the part that has them.

    Each vertex has three bits: in the last layer, announced for the next one, and reached.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        parts = self.division.parts
        self._lock = Lock()  # of the next layer, in which two threads set bits
        self._gathered = np.empty((parts, min(_MESSAGE, _GATHERED // parts)), np.int64)
        self._lengths = np.zeros(parts, np.int64)

    def take_up(self, layer: int) -> None:
        """Make a layer of the journal the last one."""
        self._reached = self.bits(range(layer + 1))
        self._frontier = self.bits(range(layer, layer + 1))
        self._next = np.zeros_like(self._reached)
        self._lit: npt.NDArray[np.bool_] = np.asarray(self._frontier.any(axis=1))
        self._next_lit = np.zeros(self.rows, np.bool_)
        self._lengths[:] = 0

    def turn(self, layer: int, ready: Callable[[], None]) -> int:
        """End the layer that all parts have announced."""
        known = layer < len(self.journal.layers)
        vertices = sum(self._take(piece, layer, known=known) for piece in self.division.pieces(self.part))
        if not known:
            self.journal.end_layer()
        ready()
        return vertices

    def _take(self, piece: int, layer: int, *, known: bool) -> int:
        """Make a piece's new vertices its last layer, and return their number."""
        own = self.own(piece)
        frontier, new, reached = self._frontier[own], self._next[own], self._reached[own]
        frontier[self._lit[own]] = 0
        self._lit[own] = False
        told = np.flatnonzero(self._next_lit[own])
        if known:
            frontier |= self.journal.bits(piece, range(layer, layer + 1))
            reached |= frontier
        elif len(told):
            frontier[told] = new[told] & ~reached[told]
            reached[told] |= frontier[told]
        new[told] = 0
        self._next_lit[own] = False
        rows = slice(None) if known else told
        self._lit[own][rows] = frontier[rows].any(axis=1)
        vertices = int(np.bitwise_count(frontier[rows]).sum()) if known or len(told) else 0
        if not known:
            self.journal.add_bits(piece, frontier, vertices, told, reached)
        self.work(1)
        return vertices

    def tell(self, send: Send) -> None:
        """Expand the part's vertices of the layer."""
        for piece in self.division.pieces(self.part):
            own = self.own(piece)
            rows = np.flatnonzero(self._lit[own])
            if not len(rows):
                continue
            vertices = np.empty(int(np.bitwise_count(self._frontier[own]).sum()), np.int64)
            vertices_of(self._frontier[own], rows, self.layout.width, vertices)
            vertices += self.layout.vertices(self.journal.pieces[piece])[0]
            for first in range(0, len(vertices), _CHUNK):
                self._mark(self.graph.expand(vertices[first : first + _CHUNK]), send)
                self.work(1)
        for part in np.flatnonzero(self._lengths).tolist():
            self._send(part, send)

    def _mark(self, successors: Indices, send: Send) -> None:
        at = 0
        while at < len(successors):
            with self._lock:
                bits = self._reached, self._next, self._next_lit
                gathered = self._gathered, self._lengths
                at = _divide(successors, at, self.division.ends, self.part, self.layout.width, *bits, *gathered)
            full = self._gathered.shape[1] - successors.shape[1]
            for part in np.flatnonzero(self._lengths > full).tolist():
                self._send(part, send)

    def _send(self, part: int, send: Send) -> None:
        vertices = np.sort(self._gathered[part, : self._lengths[part]]) - self.division.ends[part]
        new = np.append(True, vertices[1:] != vertices[:-1])  # np.unique hashes, which took 20 times as long
        vertices = vertices[new]
        self._lengths[part] = 0
        send(part, of_vertices(self.part, vertices, self.layout.width, self.layout.words))

    def receive(self, message: Message) -> None:
        """Set the bits for the next layer."""
        with self._lock:
            message.add_to(self._next, self.layout.width, self._next_lit)


@kernel
def _divide(successors, at, ends, own, width, reached, new, filled, gathered, lengths):  # type: ignore[no-untyped-def]
    """Set the bits of own successors that are not reached, and gather the others by the part that has them.

    Begins with vertex number `at`, and stops when the list of a part is full; returns the number of the next vertex.
    """
    first = ends[own]
    last = ends[own + 1]
    limit = gathered.shape[1] - successors.shape[1]
    for i in range(at, successors.shape[0]):
        full = False
        for m in range(successors.shape[1]):
            index = successors[i, m]
            if index < 0:
                continue
            if first <= index < last:
                row = (index - first) // width
                column = np.uint64(index - first - row * width)
                bit = np.uint64(1) << (column & np.uint64(63))
                if not reached[row, column >> np.uint64(6)] & bit:
                    new[row, column >> np.uint64(6)] |= bit
                    filled[row] = 1
            else:
                low = 0
                high = ends.shape[0] - 1
                while high - low > 1:
                    middle = (low + high) // 2
                    if index >= ends[middle]:
                        low = middle
                    else:
                        high = middle
                gathered[low, lengths[low]] = index
                lengths[low] += 1
                full |= lengths[low] > limit
        if full:
            return i + 1
    return successors.shape[0]
