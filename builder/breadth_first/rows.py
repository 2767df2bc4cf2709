"""Breadth-first search on bit sets, for graphs in product form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from puzzlebase.builder.bits import BitLayer, fetch_layer_bits, scan_layer_bits
from puzzlebase.builder.columns import RowMoves
from puzzlebase.builder.journal import BitLayout, Journal, Words
from puzzlebase.puzzles import Graph, Indices
from puzzlebase.puzzles.contract.space import ProductForm
from puzzlebase.threads import for_all

# To test a vertex not reached costs about four times as much as to fetch one of the last layer. On
# Avenger's orbits, a scan from a ratio of 4 on took 0.15 s in all, from 1 on 0.16 s, from 1/4 on
# 0.19 s.
_SCAN_COST = 4
# vertices; the Avenger's search gains 0.03 s by a scan, which takes half a second to compile
_SCANNED_FROM = 1 << 26


def by_rows(graph: Graph, journal: Journal, threads: int) -> Iterator[None]:
    """Find a layer by fetching the last one's bits along edges;
    near the end, by testing vertices not reached.
    """
    assert graph.product
    search = RowSearch(graph.product(), journal.layout)
    layers = range(len(journal.layers))

    def take_up(piece: int) -> None:
        search.take_up(piece, journal.bits(piece, layers))
        search.enter(piece, journal.bits(piece, layers[-1:]))

    def find(by_scan: bool, piece: int) -> None:
        journal.add_bits(piece, *search.find(piece, by_scan))

    with ThreadPoolExecutor(threads) as pool:
        for_all(pool, take_up, range(len(journal.pieces)))
        while not journal.complete:
            for_all(pool, partial(find, row_scan_pays(graph.size, journal.layers)), search.pieces())
            journal.end_layer()
            search.next_layer()
            yield


def row_scan_pays(size: int, layers: Sequence[int]) -> bool:
    """True if a scan of the rows finds the next layer faster: few vertices are left after these."""
    return size >= _SCANNED_FROM and (size - sum(layers)) * _SCAN_COST < layers[-1]


class RowSearch:
    """The bit sets of a search, uint64[rows, words]: the last layer,
    the layer being found, and all vertices reached.

    Flags, a byte a row: `marked` for rows that the layer being found
    may be in, `later` for rows that the layer after it may be in.
    """

    def __init__(self, product: ProductForm, layout: BitLayout) -> None:
        self._width, self._pieces = layout.width, layout.pieces
        bits = (np.zeros((layout.rows, layout.words), np.uint64) for _ in range(3))
        self._frontier, self._found = (
            BitLayer(next(bits), np.zeros(layout.rows, np.bool_)) for _ in range(2)
        )
        self._reached = next(bits)
        self._marked, self._later = np.zeros((2, layout.rows), np.bool_)
        self._moves = RowMoves.of(product)  # the form may be as large as the bit sets

    def take_up(self, piece: int, reached: Words) -> None:
        """Take the vertices of a piece that are reached before the search, uint64[rows, words]."""
        first, last = self._pieces[piece]
        self._reached[first:last] = reached
        if self._width % 64:  # bits after the last column count as reached: nothing is found there
            self._reached[first:last, -1] |= ~np.uint64(0) << np.uint64(self._width % 64)

    def enter(self, piece: int, bits: Words) -> None:
        """Make the vertices of a piece, uint64[rows, words], those of the last layer there."""
        first, last = self._pieces[piece]
        filled = bits.any(axis=1)
        self._frontier.bits[first:last] = bits
        self._frontier.filled[first:last] = filled
        to = self._moves.row_move[first:last][filled]
        self._marked[to[to >= 0]] = True

    def pieces(self) -> list[int]:
        """The pieces that may have vertices of the layer being found,
        or bits that an earlier layer left.
        """
        # a thread for each of panex-7's pieces in each layer took 7 s of 47
        flags = self._marked, self._found.filled
        ends = enumerate(self._pieces)
        return [
            piece for piece, (first, last) in ends if any(each[first:last].any() for each in flags)
        ]

    def find(self, piece: int, by_scan: bool) -> tuple[Words, int, Indices]:
        """Find the layer in a piece: `fetch_layer_bits` from the last layer,
        or `scan_layer_bits` of the vertices not reached.

        Returns its bits, uint64[rows, words],
        the number of its vertices, and the rows that may have some.
        """
        first, last = self._pieces[piece]
        rows = first + self._marked[first:last].nonzero()[0]
        old = first + self._found.filled[first:last].nonzero()[0]
        found, reached, step = (
            self._found,
            self._reached,
            scan_layer_bits if by_scan else fetch_layer_bits,
        )
        vertices = step(
            rows, old, self._moves, self._frontier, reached, found, self._marked, self._later
        )
        return found.bits[first:last], vertices, rows - first

    def next_layer(self) -> None:
        """Make the layer that was found the last one."""
        self._frontier, self._found = self._found, self._frontier
        self._marked, self._later = self._later, self._marked
