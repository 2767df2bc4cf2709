"""The proofs of tables that are stored up to symmetry.

The certificate of the vertices and the law of symmetries imply that of the states,
which are counted alone.
"""

from __future__ import annotations

from puzzlebase.builder.proofs import Proof
from puzzlebase.db.histograms import Histograms
from puzzlebase.plugins.definitions.class_histograms import histograms_of_classes
from puzzlebase.plugins.definitions.symmetry_classes import SymmetryClasses


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
