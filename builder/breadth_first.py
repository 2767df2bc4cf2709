"""Breadth-first search over a whole graph, layer by layer; each finished layer is spilled.

Three engines find the same layers, and go on behind those that the spill already has. `by_rows`
needs the product form: three bits a node in memory, and a thread owns the rows it writes.
`by_adjacency` first writes down all links, where they fit into memory: graphs with hundreds of
thousands of layers take no longer than others. `by_expansion` needs only `expand`: a byte or more a
node, frontiers as lists of nodes where they are thin.

The other loop over layers, in puzzles/_frontier.py, marks nothing: it is for the few layers around a node
of a graph of any size. Over a whole graph its sorted lists would take 64 bits for each node of two layers
where this takes one, and each layer would be sorted; here memory for every node is taken first, which a
search that ends after a thousandth of them could not afford.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from builder.bits import fetch, scan, wake, whole_words
from builder.spill import NONE, Codes, Layout, Spill
from builder.threads import ranges
from kernels import kernel
from puzzles import Graph, Indices

Report = Callable[[int, int, int], None]
"""Called after each layer with its distance, its nodes, and the nodes found so far."""

ADJACENCY_LIMIT = 1 << 29
"""Bytes that the links of a graph may take to be written down."""


def layout_of(graph: Graph) -> Layout:
    """How the graph's nodes lie in bit sets."""
    return Layout(graph.size, graph.product().width if graph.product else _WIDTH)


def find_layers(graph: Graph, spill: Spill, threads: int, report: Report) -> None:
    """Spill every layer that is not there yet; the same layers whatever the number of threads."""
    if not spill.layers:
        for piece, (first, last) in enumerate(map(spill.layout.nodes, spill.pieces)):
            spill.add_nodes(piece, graph.goal_states[(graph.goal_states >= first) & (graph.goal_states < last)])
        report(0, spill.end_layer(), len(graph.goal_states))
    if spill.complete:
        return
    found, reported = sum(spill.layers), len(spill.layers)
    for _ in engine_of(graph)(graph, spill, threads):
        for distance in range(reported, len(spill.layers)):
            nodes = spill.layers[distance]
            found += nodes
            if nodes:
                report(distance, nodes, found)
        reported = len(spill.layers)


def engine_of(graph: Graph) -> Callable[[Graph, Spill, int], Iterator[None]]:
    """What suits a graph; each yields when layers have been spilled."""
    if graph.product:
        return by_rows
    return by_adjacency if adjacency_bytes(graph) <= ADJACENCY_LIMIT else by_expansion


# By rows.

# Testing a node not yet reached costs about four times as much as fetching one of the last layer:
# on Avenger's orbits, scanning from a ratio of 4 took 0.15 s in all, from 1 0.16 s, from 1/4 0.19 s.
_SCAN_COST = 4


def by_rows(graph: Graph, spill: Spill, threads: int) -> Iterator[None]:
    """Breadth-first search in product form; see the head of this file.

    A layer is found by going along each row's links to the rows they lead to and fetching what is
    set there through the inverse column map; where few nodes are left, by testing each of those.
    Only rows that the last layer's rows lead to are looked at.
    """
    assert graph.product is not None
    product = graph.product()
    layout, pieces = spill.layout, spill.pieces
    frontier, found, reached = (np.zeros((layout.rows, layout.words), np.uint64) for _ in range(3))
    frontier_filled, found_filled, awake, waking = (np.zeros(layout.rows, np.uint8) for _ in range(4))
    row_move, kind = (np.ascontiguousarray(table.T) for table in (product.row_move, product.kind))
    column_map, inverse = product.column_map, _inverse(product.column_map)
    del product  # it may be as large as the bit sets
    whole = whole_words(inverse)
    with ThreadPoolExecutor(threads) as pool:

        def take_up(piece: int) -> None:
            first, last = pieces[piece]
            reached[first:last] = spill.bits(piece, range(len(spill.layers)))
            frontier[first:last] = spill.bits(piece, range(len(spill.layers) - 1, len(spill.layers)))
            wake(first, last, row_move, frontier, frontier_filled, awake)

        deque(pool.map(take_up, range(len(pieces))), maxlen=0)
        if layout.width % 64:
            reached[:, -1] |= ~np.uint64(0) << np.uint64(layout.width % 64)
        total = sum(spill.layers)
        while not spill.complete:
            few_left = (graph.size - total) * _SCAN_COST < spill.layers[-1]
            step, maps = (scan, column_map) if few_left else (fetch, inverse)
            bits = (frontier, frontier_filled, reached, found, found_filled, awake, waking)

            def find(piece: int, step=step, maps=maps, bits=bits) -> None:  # type: ignore[no-untyped-def]
                first, last = pieces[piece]
                nodes = step(first, last, row_move, kind, maps, whole, *bits)
                spill.add_bits(piece, bits[3][first:last], nodes)

            deque(pool.map(find, range(len(pieces))), maxlen=0)
            total += spill.end_layer()
            frontier, found = found, frontier
            frontier_filled, found_filled = found_filled, frontier_filled
            awake, waking = waking, awake
            yield


def _inverse(maps: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    inverse = np.empty_like(maps)
    every = np.arange(maps.shape[1], dtype=np.uint32)
    for kind in range(maps.shape[0]):
        inverse[kind, maps[kind]] = every
    return inverse


# By adjacency.


def adjacency_bytes(graph: Graph) -> int:
    """What all links of a graph take, written down."""
    links: int = graph.expand(graph.goal_states[:1]).shape[1]
    return 4 * links * graph.size


def by_adjacency(graph: Graph, spill: Spill, threads: int) -> Iterator[None]:
    """Breadth-first search along links written down, for links closed under inversion; see the head of this file.

    It is one queue and one thread, and all layers are spilled at once: nodes are few here.
    """
    successors = np.empty((graph.size, adjacency_bytes(graph) // (4 * graph.size)), np.int32)
    distances = np.full(graph.size, NONE)
    queue = np.empty(graph.size, np.int32)
    queue[: len(graph.goal_states)] = graph.goal_states
    distances[graph.goal_states] = 0
    with ThreadPoolExecutor(threads) as pool:

        def write_down(chunk: tuple[int, int]) -> None:
            successors[slice(*chunk)] = graph.expand(np.arange(*chunk))

        deque(pool.map(write_down, ranges(graph.size, -(-graph.size // _CHUNK))), maxlen=0)
        reached = _walk(successors, distances, NONE, queue, len(graph.goal_states))
        counts = np.bincount(distances[queue[:reached]])
        distances[graph.goal_states] = NONE  # the spill has them
        pieces = [(piece, *spill.layout.nodes(rows)) for piece, rows in enumerate(spill.pieces)]
        deque(pool.map(lambda piece: spill.add_distances(piece[0], distances[piece[1] : piece[2]]), pieces), maxlen=0)
    spill.end_layers(np.append(counts[1:], 0))
    yield


@kernel
def _walk(successors, distances, none, queue, tail):  # type: ignore[no-untyped-def]
    """Give distances to what can be reached from the nodes in the queue, which grows by it; returns its length."""
    head = 0
    while head < tail:
        node = queue[head]
        head += 1
        for m in range(successors.shape[1]):
            successor = successors[node, m]
            if successor >= 0 and distances[successor] == none:
                distances[successor] = distances[node] + np.uint32(1)
                queue[tail] = successor
                tail += 1
    return tail


# By expansion.

_WIDTH = 1 << 16  # of a row of bits where the graph has no rows of its own
_CHUNK = 1 << 14  # nodes expanded at a time: with ten links, about a core's cache
_THIN = 1 / 64  # of all nodes: below it a layer is a list, above it is found by looking through the distances


def by_expansion(graph: Graph, spill: Spill, threads: int) -> Iterator[None]:
    """Breadth-first search with `expand` alone, for links closed under inversion; see the head of this file.

    Threads may find a node at the same time and write the same distance, so a layer is counted
    only once it is complete, from a sorted list without repeats or from the distances themselves.
    """
    pieces = [spill.layout.nodes(piece) for piece in spill.pieces]
    chunks = ranges(graph.size, -(-graph.size // (4 * _CHUNK)))
    distances: Codes = np.concatenate([spill.codes(piece) for piece in range(len(pieces))])
    layer: Indices | None = None
    if spill.layers[-1] < graph.size * _THIN:
        layer = np.concatenate([spill.nodes(piece, len(spill.layers) - 1) for piece in range(len(pieces))])
    with ThreadPoolExecutor(threads) as pool:
        while not spill.complete:
            distance = len(spill.layers)
            distances = _widened(distances, distance)

            def expand(nodes: Indices, distances=distances, distance=distance) -> Indices:  # type: ignore[no-untyped-def]
                successors = graph.expand(nodes)
                new = np.empty(successors.size, np.int64)
                return new[: _claim(successors, distances, distance, new)].copy()

            def expand_range(chunk: tuple[int, int], distances=distances, distance=distance) -> int:  # type: ignore[no-untyped-def]
                return len(expand(chunk[0] + np.flatnonzero(distances[chunk[0] : chunk[1]] == distance - 1)))

            def spill_piece(piece: int, distances=distances, distance=distance) -> int:  # type: ignore[no-untyped-def]
                first, last = pieces[piece]
                nodes = first + np.flatnonzero(distances[first:last] == distance)
                spill.add_nodes(piece, nodes)
                return len(nodes)

            if layer is None:
                deque(pool.map(expand_range, chunks), maxlen=0)
                thin = sum(pool.map(spill_piece, range(len(pieces)))) < graph.size * _THIN
                if thin:
                    layer = np.concatenate([spill.nodes(piece, distance) for piece in range(len(pieces))])
            else:
                parts = ranges(len(layer), -(-len(layer) // _CHUNK))
                layer = np.unique(np.concatenate(list(pool.map(expand, [layer[first:last] for first, last in parts]))))
                ends = np.searchsorted(layer, [last for _, last in pieces]).tolist()
                for piece, (first, last) in enumerate(pairwise([0, *ends])):
                    spill.add_nodes(piece, layer[first:last])
                if len(layer) >= graph.size * _THIN:
                    layer = None
            spill.end_layer()
            yield


def _widened(distances: Codes, distance: int) -> Codes:
    """The same distances in a type that also holds `distance`."""
    greatest = np.iinfo(distances.dtype).max
    if distance < greatest:
        return distances
    wide: Codes = distances.astype(np.uint16 if greatest == np.iinfo(np.uint8).max else np.uint32)
    wide[distances == greatest] = np.iinfo(wide.dtype).max
    return wide


@kernel
def _claim(successors, distances, distance, new):  # type: ignore[no-untyped-def]
    """Give `distance` to the successors that have none yet, list them in `new`, and return how many."""
    none = distances.dtype.type(-1)
    count = 0
    for i in range(successors.shape[0]):
        for m in range(successors.shape[1]):
            node = successors[i, m]
            if node >= 0 and distances[node] == none:
                distances[node] = distance
                new[count] = node
                count += 1
    return count
