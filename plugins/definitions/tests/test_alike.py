"""classes.py: rows that are alike are read once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pyarrow import dataset

from puzzlebase.db.sql.scan import StateScan
from puzzlebase.db.table import Table
from puzzlebase.plugins.definitions.classes import FoundClasses
from puzzlebase.puzzles import Indices
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sql.tables import states
from tests.builder.test_reversible import distances_in
from tests.builder.test_storage import Folded, stored_by

WIDTH, ROWS = 5, 4


def around(row: int, column: int) -> int:
    """The state of a row and a column of a cycle."""
    return row * WIDTH + column % WIDTH


SPOKES = [
    [around(row, column + 1), around(row, column - 1)]
    + [around(to, column + to) if not row else around(0, column - to) if row == to else -1 for to in range(1, ROWS)]
    for row in range(ROWS)
    for column in range(WIDTH)
]
"""A cycle in each row. An edge leads from the first row to each of the others, whose columns are turned against it."""


class Alike(Folded):
    """Two classes of rows of SPOKES: the first row, and the others, whose vertices are the second row."""

    size_of_graph = 2 * WIDTH

    def vertices(self, states: Indices) -> Indices:
        """The vertex of each state."""
        row, column = np.divmod(states, WIDTH)
        return np.where(row < 1, states, WIDTH + (column - row + 1) % WIDTH)

    def alike(self, first: int, last: int) -> Iterator[tuple[int, int, int]]:
        """The two classes."""
        return FoundClasses.alike(FOUND, first, last)


FOUND: Any = SimpleNamespace(vertices=SimpleNamespace(width=WIDTH), first_rows=np.array([0, 1, ROWS]))


def test_states_at_a_distance_are_found_among_rows_that_are_alike(tmp_path: Path) -> None:
    job = stored_by(Alike(), tmp_path, SPOKES)
    expected = np.array(distances_in(SPOKES))
    with Table(job.build()) as table:
        source = OpenTable(job.puzzle, job.goal, job.space, table)
        assert table.antipodes(0, 9) == np.flatnonzero(expected == table.info.gods_number).tolist()
        for distance, count in enumerate(table.info.layers):
            here = np.flatnonzero(expected == distance).tolist()
            assert [source.locate(distance, distance, rank) for rank in range(count)] == here
            scan = StateScan(lambda: states(source)).scanner(filter=dataset.field("distance") == distance)
            assert scan.to_reader().read_all()["index"].to_pylist() == here
    job.verify()


@pytest.mark.parametrize("first", range(ROWS * WIDTH))
def test_pieces_of_a_run_hold_equally_many_states_at_each_distance(first: int) -> None:
    expected = distances_in(SPOKES)
    for last in range(first + 1, ROWS * WIDTH + 1):
        at = first
        for begin, end, length in Alike().alike(first, last):
            assert begin == at < end
            pieces = [sorted(expected[piece : piece + length]) for piece in range(begin, end, length)]
            assert all(piece == pieces[0] for piece in pieces)
            at = end
        assert at == last
