"""Ways to store distances that are defined here alone:
their tables are built, verified and looked up.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.builder import TableJob, VerificationError, proofs
from puzzlebase.db.table import Table
from puzzlebase.puzzles import Distances, Graph, Indices, Signed, Space
from puzzlebase.puzzles.contract.space import Probe, Read, SearchGraph, Storage
from puzzlebase.service.answers.lookups import lookup
from puzzlebase.service.sources.table import OpenTable
from tests.fixtures import quiet_job
from tests.graphs import LETTERS, Edges, on

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
        return SearchGraph(
            self.graph(space), lambda states: np.unique(self.vertices(states)), lambda some: some
        )

    def distances(self, space: Space, states: Indices, probe: Probe) -> Distances:  # noqa: ARG002
        """Those of the vertices."""
        return probe(self.vertices(states))

    def distance_range(self, space: Space, first: int, last: int, read: Read) -> Signed:  # noqa: ARG002
        """The same."""
        return read(0, self.size_of_graph)[self.vertices(np.arange(first, last))]


def stored_by(storage: Storage, data: Path, edges: Edges = CYCLE) -> TableJob:
    puzzle = on(edges)
    side = puzzle.index_side
    assert side
    folded = replace(
        puzzle,
        index_side=replace(side, space=lambda goal: replace(side.space(goal), storage=storage)),
    )
    return quiet_job(TableJob, folded, data)


@pytest.mark.parametrize("states", [0, 1 << 28])
def test_a_fifth_way_is_built_verified_and_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, states: int
) -> None:
    monkeypatch.setattr(proofs, "STATES_IN_MEMORY", states)
    job = stored_by(Folded(), tmp_path)
    with Table(job.build()) as table:
        assert (table.info.stored, table.info.stored_size, table.info.layers) == (
            "folded",
            5,
            (1, 2, 2, 2, 2),
        )
        assert [one.graph for one in table.file.certificates()] == ["folded", "states"][
            : 2 if states else 1
        ]
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
