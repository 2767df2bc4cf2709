"""Tests of the file of a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.table import Table

_FLIPS = 12
"""Bytes that are changed, one after another."""


def distances_of(path: Path) -> bytes:
    """All stored distances of a file; raises DamagedTable."""
    with Table(path) as table:
        return table.probe(np.arange(table.info.stored_size)).tobytes()


class TableLaws:
    """A subclass has a fixture `path`, that of a table's file."""

    def test_counts_are_those_of_the_distances(self, path: Path) -> None:
        """The file's header counts all states."""
        with Table(path) as table:
            assert sum(table.info.layers) == table.info.reachable <= table.info.states

    def test_a_flipped_byte_is_an_error_or_changes_nothing(
        self, path: Path, tmp_path: Path
    ) -> None:
        """A damaged copy never gives another distance."""
        content = path.read_bytes()
        sound = distances_of(path)
        for at in np.random.default_rng(0).integers(0, len(content), _FLIPS).tolist():
            damaged = bytearray(content)
            damaged[at] ^= 1
            copy = tmp_path / path.name
            copy.write_bytes(damaged)
            try:
                distances = distances_of(copy)
            except DamagedTable:
                continue
            assert distances == sound, at
