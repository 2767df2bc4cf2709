"""Breadth-first search over a whole graph: the distance of every node, layer by layer, on all cores.

Two engines give the same distances. `_by_rows` needs the product form: a layer is a bit set per row,
and a thread owns the rows it writes, so nothing is locked and no update is lost. `_by_expansion`
needs only `expand`: a byte (or two) per node, frontiers as lists of nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.extending import intrinsic

from builder.enumerated import Enumerated, pieces, unreached, widened
from puzzles import Graph, Indices

Report = Callable[[int, int, int], None]
"""Called after each layer with its distance, its nodes, and the nodes found so far."""


def enumerate_graph(graph: Graph, threads: int, report: Report) -> Enumerated:
    """Distances of all nodes to the graph's zeros; equal whatever the number of threads."""
    engine = by_rows if graph.product else by_expansion
    return engine(graph, threads, report)


# By rows.

_RANGES_PER_THREAD = 16

# Testing a node not yet reached costs about four times as much as fetching one of the last layer:
# on Avenger's orbits, scanning from a ratio of 4 took 0.15 s in all, from 1 0.16 s, from 1/4 0.19 s.
_SCAN_COST = 4


def by_rows(graph: Graph, threads: int, report: Report) -> Enumerated:
    """Breadth-first search in product form; see the head of this file.

    A layer is found by going along each row's links to the rows they lead to and fetching what is
    set there through the inverse column map; where few nodes are left, by testing each of those.
    """
    assert graph.product is not None
    product = graph.product()
    rows, width = product.rows, product.width
    words = -(-width // 64)
    frontier, found, reached = (np.zeros((rows, words), np.uint64) for _ in range(3))
    distances = unreached(graph.size)
    inverse = _inverse(product.column_map)
    at = np.divmod(graph.zeros, width)
    for bits in (frontier, reached):
        np.bitwise_or.at(bits, (at[0], at[1] // 64), np.uint64(1) << (at[1] % 64).astype(np.uint64))
    reached[:, -1] |= ~np.uint64(0) << np.uint64(width % 64) if width % 64 else np.uint64(0)
    distances[graph.zeros] = 0
    layers = [len(graph.zeros)]
    total = layers[0]
    report(0, layers[0], total)
    ranges = pieces(rows, threads * _RANGES_PER_THREAD)
    with ThreadPoolExecutor(threads) as pool:
        while layers[-1]:
            distance = len(layers)
            distances = widened(distances, distance)
            few_left = (graph.size - total) * _SCAN_COST < layers[-1]
            step, maps = (_scan, product.column_map) if few_left else (_fetch, inverse)
            arrays = (product.row_move, product.kind, maps, frontier, reached, found, distances, distance)
            layers.append(sum(pool.map(lambda rows, step=step, arrays=arrays: step(*rows, *arrays), ranges)))
            frontier, found = found, frontier
            total += layers[-1]
            if layers[-1]:
                report(distance, layers[-1], total)
    return Enumerated(distances)


def _inverse(maps: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    inverse = np.empty_like(maps)
    every = np.arange(maps.shape[1], dtype=np.uint32)
    for kind in range(maps.shape[0]):
        inverse[kind, maps[kind]] = every
    return inverse


@intrinsic
def _trailing_zeros(_typing, _word):  # type: ignore[no-untyped-def]
    def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return numba.uint64(numba.uint64), generate


@numba.njit(cache=True, nogil=True)
def _fetch(first, last, row_move, kind, inverse, frontier, reached, found, distances, distance):  # type: ignore[no-untyped-def]
    """Find the layer at `distance` in rows first .. last-1 from what is set in the rows they lead to."""
    width = inverse.shape[1]
    count = 0
    for row in range(first, last):
        new = found[row]
        new[:] = np.uint64(0)
        for m in range(row_move.shape[0]):
            source = row_move[m, row]
            if source < 0:
                continue
            bits = frontier[source]
            if kind[m, row] == 0:
                for w in range(bits.shape[0]):
                    new[w] |= bits[w]
                continue
            back = inverse[kind[m, row]]
            for w in range(bits.shape[0]):
                word = bits[w]
                while word:
                    column = np.uint64(back[np.uint64(w * 64) + _trailing_zeros(word)])
                    new[column >> np.uint64(6)] |= np.uint64(1) << (column & np.uint64(63))
                    word &= word - np.uint64(1)
        for w in range(new.shape[0]):
            word = new[w] & ~reached[row, w]
            new[w] = word
            reached[row, w] |= word
            while word:
                distances[row * width + w * 64 + np.int64(_trailing_zeros(word))] = distance
                count += 1
                word &= word - np.uint64(1)
    return count


@numba.njit(cache=True, nogil=True)
def _scan(first, last, row_move, kind, column_map, frontier, reached, found, distances, distance):  # type: ignore[no-untyped-def]
    """The same layer, by asking of each node not yet reached whether a link leads into the frontier."""
    width = column_map.shape[1]
    count = 0
    for row in range(first, last):
        for w in range(reached.shape[1]):
            left = ~reached[row, w]
            new = np.uint64(0)
            while left:
                bit: np.uint64 = _trailing_zeros(left)
                left &= left - np.uint64(1)
                column = np.uint64(w * 64) + bit
                for m in range(row_move.shape[0]):
                    source = row_move[m, row]
                    if source >= 0:
                        to = np.uint64(column_map[kind[m, row], column])
                        if (frontier[source, to >> np.uint64(6)] >> (to & np.uint64(63))) & np.uint64(1):
                            new |= np.uint64(1) << bit
                            distances[row * width + np.int64(column)] = distance
                            count += 1
                            break
            found[row, w] = new
    for row in range(first, last):
        for w in range(reached.shape[1]):
            reached[row, w] |= found[row, w]
    return count


# By expansion.

_CHUNK = 1 << 14  # nodes expanded at a time: with ten links, about a core's cache
_THIN = 1 / 64  # of all nodes: below it a layer is a list, above it is found by looking through the distances


def by_expansion(graph: Graph, threads: int, report: Report) -> Enumerated:
    """Breadth-first search with `expand` alone, for links closed under inversion; see the head of this file.

    Threads may find a node at the same time and write the same distance, so a layer is counted
    only once it is complete, from a sorted list without repeats or from the distances themselves.
    """
    distances = unreached(graph.size)
    distances[graph.zeros] = 0
    layer: Indices | None = graph.zeros
    count, total, distance = len(graph.zeros), len(graph.zeros), 0
    chunks = pieces(graph.size, -(-graph.size // (4 * _CHUNK)))
    with ThreadPoolExecutor(threads) as pool:
        while count:
            report(distance, count, total)
            distance += 1
            distances = widened(distances, distance)

            def expand(nodes: Indices, distances=distances, distance=distance) -> Indices:  # type: ignore[no-untyped-def]
                successors = graph.expand(nodes)
                new = np.empty(successors.size, np.int64)
                return new[: _claim(successors, distances, distance, new)].copy()

            def expand_range(chunk: tuple[int, int], distances=distances, distance=distance) -> Indices:  # type: ignore[no-untyped-def]
                return expand(chunk[0] + np.flatnonzero(distances[chunk[0] : chunk[1]] == distance - 1))

            if layer is None:
                new = list(pool.map(expand_range, chunks))
            else:
                parts = pieces(len(layer), -(-len(layer) // _CHUNK))
                new = list(pool.map(expand, [layer[first:last] for first, last in parts]))
            if sum(map(len, new)) < graph.size * _THIN:
                layer = np.unique(np.concatenate(new))
                count = len(layer)
            else:
                layer = None
                at = (distances[first:last] == distance for first, last in chunks)
                count = int(sum(pool.map(np.count_nonzero, at)))
            total += count
    return Enumerated(distances)


@numba.njit(cache=True, nogil=True)
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
