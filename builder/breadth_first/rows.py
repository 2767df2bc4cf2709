"""Breadth-first search on bit sets, for graphs in product form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from puzzlebase.builder.bits import BitLayer, fetch, mark_rows, scan
from puzzlebase.builder.columns import RowMoves
from puzzlebase.builder.journal import Journal
from puzzlebase.puzzles import Graph
from puzzlebase.threads import for_all

# To test a vertex not reached costs about four times as much as to fetch one of the last layer. On Avenger's orbits, a
# scan from a ratio of 4 on took 0.15 s in all, from 1 on 0.16 s, from 1/4 on 0.19 s.
SCAN_COST = 4
_SCANNED_FROM = 1 << 26  # vertices; the Avenger's search gains 0.03 s by a scan, which takes half a second to compile


def by_rows(graph: Graph, journal: Journal, threads: int) -> Iterator[None]:
    """Find a layer by fetching the last one's bits along edges; near the end, by testing vertices not reached."""
    search = RowSearch(graph, journal)
    with ThreadPoolExecutor(threads) as pool:
        for_all(pool, search.take_up, range(len(journal.pieces)))
        total = sum(journal.layers)
        while not journal.complete:
            few_left = graph.size >= _SCANNED_FROM and (graph.size - total) * SCAN_COST < journal.layers[-1]
            for_all(pool, partial(search.find, scan if few_left else fetch), search.pieces())
            total += journal.end_layer()
            search.next_layer()
            yield


class RowSearch:
    """The bit sets of a search, uint64[rows, words]: the last layer, the layer being found, and all vertices reached.

    Flags, a byte a row: `marked` for rows that the layer being found
    may be in, `later` for rows that the layer after it may be in.
    """

    def __init__(self, graph: Graph, journal: Journal) -> None:
        assert graph.product is not None
        layout = journal.layout
        self._journal = journal
        bits = (np.zeros((layout.rows, layout.words), np.uint64) for _ in range(3))
        self._frontier, self._found = (BitLayer(next(bits), np.zeros(layout.rows, np.bool_)) for _ in range(2))
        self._reached = next(bits)
        self._marked, self._later = np.zeros((2, layout.rows), np.bool_)
        self._moves = RowMoves.of(graph.product())  # the form may be as large as the bit sets

    def take_up(self, piece: int) -> None:
        """Read the journal's layers of a piece."""
        layers = len(self._journal.layers)
        first, last = self._journal.pieces[piece]
        self._reached[first:last] = self._journal.bits(piece, range(layers))
        if self._journal.layout.width % 64:  # bits after the last column count as reached: nothing is found there
            self._reached[first:last, -1] |= ~np.uint64(0) << np.uint64(self._journal.layout.width % 64)
        self._frontier.bits[first:last] = self._journal.bits(piece, range(layers - 1, layers))
        mark_rows(first, last, self._moves.row_move, self._frontier, self._marked)

    def pieces(self) -> list[int]:
        """The pieces that may have vertices of the layer being found, or bits that an earlier layer left."""
        flags = self._marked, self._found.filled  # a thread for each of panex-7's pieces in each layer took 7 s of 47
        ends = enumerate(self._journal.pieces)
        return [piece for piece, (first, last) in ends if any(each[first:last].any() for each in flags)]

    def find(self, step: Callable[..., int], piece: int) -> None:
        """Find and write the layer in a piece: `fetch` it from the last layer, or `scan` the vertices not reached."""
        first, last = self._journal.pieces[piece]
        rows = first + self._marked[first:last].nonzero()[0]
        old = first + self._found.filled[first:last].nonzero()[0]
        found, reached = self._found, self._reached
        vertices = step(rows, old, self._moves, self._frontier, reached, found, self._marked, self._later)
        self._journal.add_bits(piece, found.bits[first:last], vertices, rows - first)

    def next_layer(self) -> None:
        """Make the layer that was found the last one."""
        self._frontier, self._found = self._found, self._frontier
        self._marked, self._later = self._later, self._marked
