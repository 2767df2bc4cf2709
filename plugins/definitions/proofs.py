"""The proofs of tables that are stored up to symmetry.

The certificate of the vertices and the law of symmetries imply that of the states, which are counted alone.
"""

from __future__ import annotations

from puzzlebase.builder.proofs import Proof
from puzzlebase.db.histograms import Histograms
from puzzlebase.plugins.definitions.census import histograms_of_classes, histograms_of_rows
from puzzlebase.plugins.definitions.classes import FoundClasses, ListedClasses


class OfListedClasses(Proof):
    """The proof of classes that are listed."""

    bytes_of_state = 0
    seconds_in_memory = seconds_beyond = 0.0

    def of_all(self, layers: tuple[int, ...]) -> Histograms:
        """Count the states by rows, if these are longer than their counts."""
        storage, packed = self.space.storage, self.stored.packed()
        assert isinstance(storage, ListedClasses)
        if not packed or not self.in_rows or len(layers) > storage.vertices.width:
            return super().of_all(layers)
        with self.report.phase("states", self.space.size, "states") as phase:
            return histograms_of_rows(storage.vertices, packed, self.threads, phase.advance)


class OfFoundClasses(Proof):
    """The proof of classes too many to list."""

    bytes_of_state = 0
    seconds_in_memory = seconds_beyond = 0.0
    seconds_of_vertex = 2e-8  # with twice as many edges as most graphs, and column maps that no cache holds

    def of_all(self, layers: tuple[int, ...]) -> Histograms:
        """Count the states by classes."""
        storage = self.space.storage
        assert isinstance(storage, FoundClasses)
        with self.report.phase("states", self.space.size, "states") as phase:
            rows = storage.first_rows, storage.vertices.width
            read = self.stored.range
            return histograms_of_classes(*rows, len(layers), read, self.threads, phase.advance)
