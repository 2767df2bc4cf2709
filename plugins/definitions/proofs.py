"""The proofs of tables that are stored up to symmetry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from puzzlebase.builder.certificate import RowCheck, Unsigned, greatest, lower_along, signed
from puzzlebase.builder.proofs import Proof, fits
from puzzlebase.db.blocks import unpack_rows
from puzzlebase.db.histograms import Histograms
from puzzlebase.plugins.definitions.census import histograms_of_classes, histograms_of_rows
from puzzlebase.plugins.definitions.classes import FoundClasses, ListedClasses
from puzzlebase.puzzles import Graph, ProductForm


@dataclass(frozen=True)
class SymmetricCheck(RowCheck):
    """The check of states whose edges lead to vertices, as their own distances are those of vertices."""

    vertices: ProductForm  # an edge from each state

    def read_own(self, rows: slice, own: Unsigned, buffer: Unsigned) -> None:
        """Read the distances of the vertices of some rows of states."""
        own.fill(greatest(own))
        row, kind = self.vertices.row_move[0, rows], self.vertices.kind[0, rows]
        unpack_rows(row, *self.packed.arrays, signed(buffer))
        lower_along(row, kind, self.vertices.column_map, buffer, own)


class OfListedClasses(Proof):
    """The proof of classes up to symmetry: states have the distances of their vertices, so no state's is made."""

    bytes_of_state = 0
    seconds_beyond = 0.0

    def run(self) -> tuple[tuple[int, ...], Histograms]:
        """Prove it, as Proof does."""
        space, storage = self.space, self.space.storage
        assert isinstance(storage, ListedClasses)
        if not self.in_rows or not (packed := self.stored.packed()):
            return super().run()
        layers = self.certify(storage.name, self.graph, self.stored).layers
        if fits(space) or len(layers) > storage.vertices.width:  # else a row's counts are no longer than the row
            states = Graph(
                size=space.size, expand=space.expand, goal_states=self.graph.goal_states, product=storage.moves
            )
            check, goals = partial(SymmetricCheck, vertices=storage.vertices), len(space.goal_states)
            return layers, self.certify("states", states, self.stored, check, goals)
        with self.report.phase("states", space.size, "states") as phase:
            return layers, histograms_of_rows(storage.vertices, packed, self.threads, phase.advance)


class OfFoundClasses(Proof):
    """The proof of classes too many to list: their certificate, and the law of symmetries, imply that of the states.

    States are never certified one by one, as each would take longer than all else of its class.
    """

    bytes_of_state = 0
    seconds_in_memory = seconds_beyond = 0.0
    seconds_of_vertex = 2e-8  # with twice as many edges as most graphs, and column maps that no cache holds

    def run(self) -> tuple[tuple[int, ...], Histograms]:
        """Prove it, as Proof does."""
        space, storage = self.space, self.space.storage
        assert isinstance(storage, FoundClasses)
        layers = self.certify(storage.name, self.graph, self.stored).layers
        with self.report.phase("states", space.size, "states") as phase:
            rows = storage.first_rows, storage.vertices.width
            read = self.stored.range
            return layers, histograms_of_classes(*rows, len(layers), read, self.threads, phase.advance)
