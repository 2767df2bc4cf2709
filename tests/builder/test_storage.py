"""Ways to store distances that are defined here alone: their tables are built, verified and looked up."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pyarrow import dataset

from puzzlebase.builder import TableJob, VerificationError, proofs
from puzzlebase.db.sql.scan import StateScan
from puzzlebase.db.table import Table
from puzzlebase.puzzles import Distances, Graph, Indices, Signed, Space
from puzzlebase.puzzles.contract.space import Probe, Read, SearchGraph, Storage
from puzzlebase.puzzles.machinery.classes import FoundClasses
from puzzlebase.service.answers.lookups import lookup
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sql.tables import states
from tests.builder.test_reversible import LETTERS, Edges, distances_in, on
from tests.fixtures import quiet_job

SIZE = 9
CYCLE = [[(at + 1) % SIZE, (at - 1) % SIZE] for at in range(SIZE)]
"""Its goal is vertex 0; vertices at and SIZE - at have the distance at, up to the middle."""


class Folded(Storage):
    """The half of a cycle: vertex v stands for the states v and SIZE - v."""

    name = "folded"
    size_of_graph = SIZE // 2 + 1

    def __init__(self, fold: int = SIZE) -> None:
        self.fold = fold

    def vertices(self, states: Indices) -> Indices:
        """The vertex of each state."""
        return np.where(states < 0, -1, np.minimum(states, self.fold - states))

    def graph(self, space: Space) -> Graph:
        """The folded cycle."""
        expand = lambda vertices: self.vertices(space.expand(vertices))  # noqa: E731
        return Graph(size=self.size_of_graph, expand=expand, goal_states=space.goal_states)

    def searched(self, space: Space) -> SearchGraph:
        """The same for searches."""
        return SearchGraph(self.graph(space), lambda states: np.unique(self.vertices(states)), lambda some: some)

    def distances(self, space: Space, states: Indices, probe: Probe) -> Distances:  # noqa: ARG002
        """Those of the vertices."""
        return probe(self.vertices(states))

    def distance_range(self, space: Space, first: int, last: int, read: Read) -> Signed:  # noqa: ARG002
        """The same."""
        return read(0, self.size_of_graph)[self.vertices(np.arange(first, last))]


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


def stored_by(storage: Storage, data: Path, edges: Edges = CYCLE) -> TableJob:
    puzzle = on(edges)
    side = puzzle.index_side
    assert side
    folded = replace(puzzle, index_side=replace(side, space=lambda goal: replace(side.space(goal), storage=storage)))
    return quiet_job(TableJob, folded, data)


@pytest.mark.parametrize("states", [0, 1 << 28])
def test_a_fifth_way_is_built_verified_and_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, states: int
) -> None:
    monkeypatch.setattr(proofs, "STATES_IN_MEMORY", states)
    job = stored_by(Folded(), tmp_path)
    with Table(job.build()) as table:
        assert (table.info.stored, table.info.stored_size, table.info.layers) == ("folded", 5, (1, 2, 2, 2, 2))
        assert [one.graph for one in table.file.certificates()] == ["folded", "states"][: 2 if states else 1]
        source = OpenTable(job.puzzle, job.goal, job.space, table)
        for at, letter in enumerate(LETTERS[:SIZE]):
            found = lookup(source, letter)
            assert found["distance"] == min(at, SIZE - at)
            assert {LETTERS.index(move["state"]): move["distance"] for move in found["moves"]} == {
                to: min(to, SIZE - to) for to in CYCLE[at]
            }
    job.verify()


def test_a_fifth_way_that_folds_elsewhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VerificationError):
        stored_by(Folded(SIZE - 1), tmp_path).build()


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
