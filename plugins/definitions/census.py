"""Histograms of states that are stored up to symmetry: the rows of a class are counted once, and added up."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np

from puzzlebase.db.block_cache import Packed
from puzzlebase.db.blocks import unpack_rows
from puzzlebase.db.histograms import Counts, Histograms, range_length
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Indices, ProductForm
from puzzlebase.puzzles.contract.space import Read
from puzzlebase.threads import for_all

_AT_ONCE = 1 << 8  # rows, or ranges


def histograms_of_rows(
    vertices: ProductForm, packed: Packed, threads: int, advance: Callable[[int], None]
) -> Histograms:
    """Count the states of each range by the distances of their vertices; `advance` gets the states of some ranges."""
    width, size = vertices.width, vertices.rows * vertices.width
    length = range_length(size)
    layers, to_class, kinds = packed.max_distance + 1, vertices.row_move[0], vertices.kind[0]
    dtype = np.min_scalar_type(-layers)

    def count(rows: Indices, kind: Indices, columns: Indices) -> Counts:
        """Count the first columns of some vertices' rows, seen through a column map: int64[n, layers]."""
        distances = np.empty((len(rows), width), dtype)
        unpack_rows(rows, *packed.arrays, distances)
        counts = np.zeros((len(rows), layers), np.int64)
        _count(distances, kind, vertices.column_map, columns, counts)
        return counts

    def count_classes(first: int) -> None:
        rows = np.arange(first, min(first + _AT_ONCE, len(of_classes)))
        of_classes[rows] = count(rows, np.zeros_like(rows), np.full_like(rows, width))

    def count_ranges(first: int) -> None:
        ends = np.minimum(np.arange(first, min(first + _AT_ONCE, len(found)) + 1) * length, size)
        rows, columns = np.divmod(ends, width)
        at = np.minimum(rows, vertices.rows - 1)  # behind the last row there is none to count
        _add_rows(rows, to_class, of_classes, count(to_class[at], kinds[at], columns), found[first:])
        advance(int(ends[-1] - ends[0]))

    of_classes = np.empty((int(to_class.max()) + 1, layers), np.int32)
    found = np.empty((-(-size // length), layers), np.int64)
    with ThreadPoolExecutor(threads) as pool:
        for_all(pool, count_classes, range(0, len(of_classes), _AT_ONCE))
        for_all(pool, count_ranges, range(0, len(found), _AT_ONCE))
    return _without_gaps(length, found)


def histograms_of_classes(
    first: Indices, width: int, layers: int, read: Read, threads: int, advance: Callable[[int], None]
) -> Histograms:
    """Count the states of classes of rows, whose vertices are one row: the states' rows of class c are first[c] and on.

    A row of states has as many states at each distance as the vertices of its class, which `read` gives. `advance` gets
    the states of some classes. Ranges end where rows do.
    """
    classes, states = len(first) - 1, int(first[-1]) * width
    length = range_length(states, width)
    identity = np.arange(width, dtype=np.uint32)[None, :]
    found = np.zeros((-(-states // length), layers), np.int64)
    adding = Lock()

    def count_some(begin: int) -> None:
        end = min(begin + _AT_ONCE, classes)
        distances = read(begin * width, end * width).reshape(-1, width)
        counts = np.zeros((end - begin, layers), np.int64)
        _count(distances, np.zeros(len(counts), np.int64), identity, np.full(len(counts), width), counts)
        some = first[begin : end + 1]
        with adding:
            _add_classes(some, counts, length // width, found)
        advance(int(some[-1] - some[0]) * width)

    with ThreadPoolExecutor(threads) as pool:
        for_all(pool, count_some, range(0, classes, _AT_ONCE))
    return _without_gaps(length, found)


def _without_gaps(length: int, found: Counts) -> Histograms:
    """The histograms of ranges from the counts at each distance from 0 on: int64[ranges, layers]."""
    some = found > 0
    base = some.argmax(axis=1)
    here = np.logical_or.accumulate(some, axis=1) & np.logical_or.accumulate(some[:, ::-1], axis=1)[:, ::-1]
    return Histograms(length, base, np.append(0, np.cumsum(here.sum(axis=1))), found[here])


@kernel
def _count(distances, kind, column_map, columns, counts):  # type: ignore[no-untyped-def]
    for row in range(distances.shape[0]):
        for column in range(columns[row]):
            distance = distances[row, column_map[kind[row], column]]
            if distance >= 0:
                counts[row, distance] += 1


@kernel
def _add_rows(ends, to_class, of_classes, before, found):  # type: ignore[no-untyped-def]
    """Add up the rows of each range: those between its ends, and the columns before these in the rows there."""
    for number in range(before.shape[0] - 1):
        for layer in range(found.shape[1]):
            found[number, layer] = before[number + 1, layer] - before[number, layer]
        for row in range(ends[number], ends[number + 1]):
            for layer in range(found.shape[1]):
                found[number, layer] += of_classes[to_class[row], layer]


@kernel
def _add_classes(first, counts, rows, found):  # type: ignore[no-untyped-def]
    """Add the counts of classes, as often as they have rows in it, to each range of so many rows."""
    for number in range(counts.shape[0]):
        row = first[number]
        while row < first[number + 1]:
            at = row // rows
            end = min((at + 1) * rows, first[number + 1])
            for layer in range(found.shape[1]):
                found[at, layer] += (end - row) * counts[number, layer]
            row = end
