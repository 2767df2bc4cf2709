"""The search of one part with `expand` alone: successors of its vertices are marked here, or sent to their part.

It keeps three bits for each of its vertices: those of the last layer, those told of for the next one, and all reached.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.bits import vertices_of
from puzzlebase.builder.journal import Journal
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Graph
from puzzlebase.tools.cluster.messages import Message, of_vertices
from puzzlebase.tools.cluster.plan import Division
from puzzlebase.tools.cluster.search import PartSearch, Send

_CHUNK = 1 << 14  # vertices expanded at a time: with ten edges, about a core's cache
_GATHERED = 1 << 24  # vertices that wait for being sent, in all
_MESSAGE = 1 << 20  # vertices in one message at most


class ExpansionSearch(PartSearch):
    """The bit sets of a part, uint64[rows, words], and which of their rows have a bit set, a byte a row."""

    def __init__(
        self, graph: Graph, division: Division, part: int, journal: Journal, work: Callable[[int], None]
    ) -> None:
        super().__init__(division, part, journal, work)
        self._expand = graph.expand
        self._lock = Lock()  # of the next layer, in which two threads set bits
        self._gathered = np.empty((division.parts, min(_MESSAGE, _GATHERED // division.parts)), np.int64)
        self._lengths = np.zeros(division.parts, np.int64)

    def take_up(self, layer: int) -> None:
        """Make a layer of the journal the last one."""
        self._reached = self.bits(range(layer + 1))
        self._frontier = self.bits(range(layer, layer + 1))
        self._next = np.zeros_like(self._reached)
        self._lit: npt.NDArray[np.bool_] = np.asarray(self._frontier.any(axis=1))
        self._next_lit = np.zeros(self.rows, np.bool_)
        self._lengths[:] = 0

    def turn(self, layer: int, ready: Callable[[], None]) -> int:
        """End the layer that all parts have told of."""
        known = layer < len(self.journal.layers)
        vertices = sum(self._take(piece, layer, known=known) for piece in self.division.pieces(self.part))
        if not known:
            self.journal.end_layer()
        ready()
        return vertices

    def _take(self, piece: int, layer: int, *, known: bool) -> int:
        """Make what is new in a piece its last layer, and return how many vertices these are."""
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
            self.journal.add_bits(piece, frontier, vertices, told)
        self._work(1)
        return vertices

    def tell(self, send: Send) -> None:
        """Expand the part's vertices of the layer."""
        width = self.layout.width
        for piece in self.division.pieces(self.part):
            own = self.own(piece)
            rows = np.flatnonzero(self._lit[own])
            if not len(rows):
                continue
            vertices = np.empty(int(np.bitwise_count(self._frontier[own]).sum()), np.int64)
            vertices_of(self._frontier[own], rows, width, vertices)
            vertices += self.division.layout.vertices(self.journal.pieces[piece])[0]
            for first in range(0, len(vertices), _CHUNK):
                self._mark(self._expand(vertices[first : first + _CHUNK]), send)
                self._work(1)
        for part in np.flatnonzero(self._lengths).tolist():
            self._send(part, send)

    def _mark(self, successors: np.ndarray[tuple[int, int], np.dtype[np.int64]], send: Send) -> None:
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
        vertices = vertices[
            np.append(True, vertices[1:] != vertices[:-1])
        ]  # np.unique hashes, which took 20 times as long
        self._lengths[part] = 0
        send(part, of_vertices(self.part, vertices, self.layout.width, self.layout.words))

    def receive(self, message: Message) -> None:
        """Set the bits for the next layer."""
        with self._lock:
            message.add_to(self._next, self.layout.width, self._next_lit)


@kernel
def _divide(successors, at, ends, own, width, reached, new, lit, gathered, lengths):  # type: ignore[no-untyped-def]
    """Set the bits of own successors that are not reached, and gather the others by the part that has them.

    Begins with those of number `at`, and stops where the list of a part is full; returns the number to go on with.
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
                    lit[row] = 1
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
