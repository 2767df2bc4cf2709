"""The proofs of tables that are stored up to symmetry.

The certificate of the vertices and the law of symmetries imply that of the states, which are counted alone.
"""

from __future__ import annotations

from puzzlebase.builder.proofs import Proof
from puzzlebase.db.histograms import Histograms
from puzzlebase.plugins.definitions.census import histograms_of_classes, histograms_of_rows
from puzzlebase.plugins.definitions.found_rows import FoundRows
from puzzlebase.plugins.definitions.symmetric_rows import SymmetricRows


class OfSymmetricRows(Proof):
    """The proof of rows that are listed."""

    bytes_of_state = 0
    seconds_in_memory = seconds_beyond = 0.0

    def of_all(self, layers: tuple[int, ...]) -> Histograms:
        """Count the states by rows, if these are longer than their counts."""
        storage, packed = self.space.storage, self.stored.packed()
        assert isinstance(storage, SymmetricRows)
        if not packed or not self.in_rows or len(layers) > storage.vertices.width:
            return super().of_all(layers)
        with self.report.phase("states", self.space.size, "states") as phase:
            return histograms_of_rows(storage.vertices, packed, self.threads, phase.advance)


class OfFoundRows(Proof):
    """The proof of rows too many to list."""

    bytes_of_state = 0
    seconds_in_memory = seconds_beyond = 0.0
    seconds_of_vertex = 2e-8  # with twice as many edges as most graphs, and column maps that no cache holds

    def of_all(self, layers: tuple[int, ...]) -> Histograms:
        """Count the states by classes."""
        storage = self.space.storage
        assert isinstance(storage, FoundRows)
        with self.report.phase("states", self.space.size, "states") as phase:
            rows = storage.rows.first, storage.product.width
            read = self.stored.range
            return histograms_of_classes(*rows, len(layers), read, self.threads, phase.advance)
