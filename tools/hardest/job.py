"""The job of the hardest states: found over all states of a table and written to a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from puzzlebase.builder.preflight import Estimate, memory_for_distances
from puzzlebase.builder.verify import texts
from puzzlebase.db.table import Table
from puzzlebase.db.table_file import ANTIPODES_KEPT, TableFile
from puzzlebase.puzzles import Indices
from puzzlebase.tools.hardest.every_move import Counts, Looked
from puzzlebase.tools.hardest.file import HARDEST_FILES, MOST_NAMED, Found, Hardest, hardest_path
from puzzlebase.tools.hardest.symmetry import Symmetry, images, symmetries
from puzzlebase.tools.json_job import JsonJob

_MOST_STEPS = 50_000_000  # moves to walk at most, to compare states under one symmetry
_MOVE = 3e-8  # seconds of one thread for each move


class _LookEstimate(Estimate):
    stores, work, do = "states to examine", "an examination of all moves of", "examine them"


@dataclass(frozen=True)
class HardestJob(JsonJob):
    """The hardest states of a goal."""

    files = HARDEST_FILES

    @property
    def path(self) -> Path:
        """The file of the results."""
        return hardest_path(self.data, self.table_name)

    def estimate(self) -> Estimate:
        """The needs of the examination of every state, and the machine's memory and disk."""
        with TableFile(self.table_path) as file:
            bytes_of_distance = np.min_scalar_type(-len(file.info.layers)).itemsize
        size, moves = self.space.size, self.space.expand(self.space.goal_states[:1]).shape[1]
        return _LookEstimate.over_table(
            self.path,
            "hardest",
            states=size,
            stored=size,
            memory=size * (bytes_of_distance + 1) + 16 * min(size, 1 << 24),  # distances, flags, and lists of states
            seconds=size * moves * _MOVE,
            threads=self.threads,
        )

    def result(self) -> Hardest:
        """Examine all moves of all states."""
        with Table(self.table_path, memory_for_distances()) as table:
            digest, info = table.file.digest, table.info
            looked = Looked(self.space, table.range, info.gods_number, self.threads, self.report)
        found = looked.found()
        with self.report.phase("symmetries", len(self.puzzle.moves), "moves"):
            group = symmetries(self.space, looked.distances, info.gods_number)
            kinds = {name: self._named(looked, group, *each) for name, each in found.items()}
        return Hardest(self.puzzle.name, self.goal.key, digest, None if group is None else len(group), kinds)

    def _named(
        self, looked: Looked, group: list[Symmetry] | None, counts: Counts, distance: int | None, states: Indices
    ) -> Found:
        """The record of a kind; `states`, at most ANTIPODES_KEPT, are at `distance`."""
        count = 0 if distance is None else int(counts[distance])
        different = None
        if group is not None and count <= ANTIPODES_KEPT and count * looked.gods_number <= _MOST_STEPS:
            first = np.min([images(self.space, looked.distances, states, each) for each in group], axis=0)
            states = np.unique(first)
            different = len(states)
        return {
            "states": int(counts.sum()),
            "by_distance": counts.tolist(),
            "distance": distance,
            "count": count,
            "different": None if distance is None else different,
            "named": texts(self, states[:MOST_NAMED].tolist()),
        }
