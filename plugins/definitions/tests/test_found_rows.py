"""Rows found by moves up to symmetry:
every state of a small puzzle has the distance of a plain search.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyarrow import dataset

from puzzlebase.builder import TableJob, verify
from puzzlebase.db.sql.scan import StateScan
from puzzlebase.db.table import Table
from puzzlebase.plugins.definitions import factors
from puzzlebase.plugins.definitions.found_rows import FoundRows
from puzzlebase.plugins.definitions.ksolve import read_ksolve
from puzzlebase.plugins.definitions.moves import all_moves
from puzzlebase.plugins.definitions.space import Numbered
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.puzzles import Space
from puzzlebase.puzzles.machinery.frontier import NO_VERTICES
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sql.tables import sql_rows_of_table
from tests.fixtures import Held, enumerated, quiet_job

from .small_definitions import EXAMPLES, written

FEW = 1000
"""States times moves of a factor that may be listed:
the 720 arrangements of a pyraminx's edges are too many.
"""
TEXT = (
    (EXAMPLES / "pyraminx.tws")
    .read_text("utf-8")
    .replace("5 6\n0 0 0 0 0 0\nEnd", "5 6\n? ? ? ? ? ?\nEnd", 1)
)
"""The pyraminx, whose edges show no orientation."""


def pyraminx(most_listed: int) -> Space:
    """Its states with a set of goals: the solved state,
    and those with all axial pieces turned alike.
    """
    definition = read_ksolve(TEXT)
    labels, turns = definition.solved(3)
    turns[1:, :4] = [[1], [2]]
    goals, moves = (labels, turns), all_moves(definition)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(factors, "MOST_LISTED", most_listed)
        return Numbered(Texts(definition), moves, goals=goals).space()


@pytest.fixture(scope="module")
def space() -> Space:
    return pyraminx(FEW)


def storage_of(space: Space) -> FoundRows:
    assert isinstance(space.storage, FoundRows)
    return space.storage


def test_states_are_numbered_without_gaps(tmp_path: Path, space: Space) -> None:
    """The board of each index has that index,
    and its moves lead to the indices of the boards after them.
    """
    storage = storage_of(space)
    assert (space.size, storage.first[-1], storage.symmetries) == (29_160, 360, 72)
    every = np.arange(space.size)
    assert (space.rank(space.unrank(every)) == every).all()
    some = every[:: space.size // 1000]
    after = written(tmp_path, "pyraminx", TEXT).puzzle("pyraminx").board.letters
    assert after
    successors = space.expand(some)
    assert (
        space.rank(after.play(space.unrank(some)).reshape(len(some) * 8, -1)).reshape(
            successors.shape
        )
        == successors
    ).all()
    assert (space.expand(np.array([-1])) == -1).all()
    classes, counts = np.unique(space.symmetric(every).min(axis=1), return_counts=True)
    assert (len(classes), counts.max()) == (426, 72)


def test_distances_are_the_plain_ones(space: Space) -> None:
    plain = pyraminx(1 << 25)
    assert not isinstance(plain.storage, FoundRows)
    held = Held(enumerated(space.stored()))
    expected = Held(enumerated(plain.stored()))
    every = np.arange(space.size)
    distances = plain.distances(plain.rank(space.unrank(every)), expected.probe)
    assert distances.min() == 0
    assert (space.distances(every, held.probe) == distances).all()
    read = held.distances.__getitem__
    assert (
        space.distance_range(1000, 20_000, lambda first, last: read(slice(first, last)))
        == distances[1000:20_000]
    ).all()


def test_wrong_symmetries_are_refused(space: Space) -> None:
    storage = storage_of(space)
    goals = space.goal_states
    assert storage.problem(goals) is None
    assert "moves the goal" in (storage.problem(goals[:1]) or "")
    source = storage.renamings.source.copy()
    source[:, 5] = source[:, 6]
    wrong = {
        "to their images": replace(storage, renamings=storage.renamings._replace(source=source)),
        "not the least": replace(storage, leaders=storage.leaders[::-1].copy()),
        "of no class": replace(storage, leaders=storage.leaders[:-1], first=storage.first[:-1]),
        "other rows": replace(storage, first=storage.first + np.arange(len(storage.first))),
    }
    for what, changed in wrong.items():
        assert what in (changed.problem(NO_VERTICES) or ""), what


def test_a_table_counts_states_by_classes(tmp_path: Path, space: Space) -> None:
    puzzle = written(tmp_path, "pyraminx", TEXT).puzzle("pyraminx")
    texts = tuple(puzzle.format(board) for board in space.unrank(space.goal_states))
    goal, side = replace(puzzle.goal(), states=texts), puzzle.index_side
    assert side
    puzzle = replace(puzzle, goals=(goal,), index_side=replace(side, space=lambda _goal: space))
    job = quiet_job(TableJob, puzzle, tmp_path)
    with Table(job.build()) as table:
        distances = space.distance_range(0, space.size, table.range)
        assert table.info.layers == tuple(np.bincount(distances).tolist())
        assert table.antipodes(0, 1 << 20) == np.flatnonzero(distances == distances.max()).tolist()
        here = np.flatnonzero(distances == 3).tolist()
        source = OpenTable(job.puzzle, job.goal, job.space, table)
        assert [source.locate(3, 3, rank) for rank in range(0, len(here), 40)] == here[::40]
        scan = StateScan(lambda: sql_rows_of_table(source)).scanner(
            filter=dataset.field("distance") == 3
        )
        assert scan.to_reader().read_all()["index"].to_pylist() == here
        findings = verify.examine_graph(job, space.stored(), table.load())
        assert [each.graph for each in findings.certificates] == ["orbits"]
