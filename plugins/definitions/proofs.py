"""The proofs of tables that are stored up to symmetry.

The certificate of the vertices and the law of symmetries imply that of the states,
which are counted alone: the rows of a class once, and added up.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np

from puzzlebase.builder.proofs import Proof
from puzzlebase.db.histograms import Histograms, range_length
from puzzlebase.kernels import kernel
from puzzlebase.plugins.definitions.symmetry_classes import SymmetryClasses
from puzzlebase.puzzles import Indices
from puzzlebase.puzzles.contract.space import Read
from puzzlebase.threads import for_all

_AT_ONCE = 1 << 8  # classes


class OfClasses(Proof):
    """The proof of classes of rows."""

    bytes_of_state = 0
    seconds_in_memory = seconds_beyond = 0.0

    def of_all(self, layers: tuple[int, ...]) -> Histograms:
        """Count the states by classes."""
        storage = self.space.storage
        assert isinstance(storage, SymmetryClasses)
        with self.report.phase("states", self.space.size, "states") as phase:
            rows = *storage.rows_of_classes(), storage.vertices.width
            return histograms_of_classes(
                *rows, len(layers), self.stored.range, self.threads, phase.advance
            )


class OfFoundRows(OfClasses):
    """The proof of rows that are too many to list."""

    seconds_of_vertex = (
        2e-8  # with twice as many edges as most graphs, and column maps that no cache holds
    )


def histograms_of_classes(
    first: Indices,
    rows: Indices,
    width: int,
    layers: int,
    read: Read,
    threads: int,
    advance: Callable[[int], None],
) -> Histograms:
    """Count the states of classes of rows, whose vertices are one row.

    The rows of class c are `rows` from first[c] on; if `rows` is empty, they have these numbers
    themselves. Each has as many states at each distance as the vertices of its class, which `read`
    gives. `advance` gets the states of some classes. Ranges end where rows do.
    """
    classes, states = len(first) - 1, int(first[-1]) * width
    length = range_length(states, width)
    found = np.zeros((-(-states // length), layers), np.int64)
    adding = Lock()

    def count_some(begin: int) -> None:
        end = min(begin + _AT_ONCE, classes)
        distances = read(begin * width, end * width).reshape(-1, width)
        counts = np.zeros((end - begin, layers), np.int64)
        _count(distances, counts)
        some = first[begin : end + 1]
        with adding:
            _add_classes(some, rows, counts, length // width, found)
        advance(int(some[-1] - some[0]) * width)

    with ThreadPoolExecutor(threads) as pool:
        for_all(pool, count_some, range(0, classes, _AT_ONCE))
    nearest = (found > 0).argmax(axis=1).tolist()
    return Histograms.of(length, zip(nearest, map(np.trim_zeros, found), strict=True))


@kernel
def _count(distances, counts):  # type: ignore[no-untyped-def]
    for row in range(distances.shape[0]):
        for distance in distances[row]:
            if distance >= 0:
                counts[row, distance] += 1


@kernel
def _add_classes(first, rows, counts, rows_of_range, found):  # type: ignore[no-untyped-def]
    """Add the counts of classes to the ranges of their rows."""
    for number in range(counts.shape[0]):
        for at in range(first[number], first[number + 1]):
            row = rows[at] if rows.shape[0] else at
            for layer in range(found.shape[1]):
                found[row // rows_of_range, layer] += counts[number, layer]
