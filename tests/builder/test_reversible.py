"""Builds and verification refuse moves that cannot be taken back, and name one with both states."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.builder import LayersJob, TableJob, VerificationError
from puzzlebase.builder.certificate import certify
from puzzlebase.builder.job import Job
from puzzlebase.db.layers import LayersFile
from puzzlebase.db.table import Table
from puzzlebase.service.answers import random_states
from puzzlebase.service.sources import sources
from tests.fixtures import Held, quiet_job
from tests.graphs import LETTERS, PATH, Edges, distances_in, on, with_edge
from tests.naive import reversal
from tests.puzzles.test_reversible import FORMS, edges_of, form


def refused(job: Job, edges: Edges) -> tuple[int, int]:
    """The edge that the refusal of a build or a verification names."""
    with pytest.raises(VerificationError) as caught:
        job.build() if not job.path.exists() else job.verify()
    named = re.match(
        r"the moves of graph cannot all be taken back: (\d+) leads from '(.)' to '(.)', and no "
        r"move leads back; give ",
        str(caught.value),
    )
    assert named, str(caught.value)
    vertex, to = LETTERS.index(named[2]), LETTERS.index(named[3])
    assert edges[vertex][int(named[1])] == to
    assert (vertex, to) in reversal.one_way_edges(edges)
    return vertex, to


@pytest.mark.parametrize(
    "edges",
    [
        with_edge(2, 5),  # which distances would not show
        with_edge(5, 2),  # a shortcut to the goal, which a search from there does not see
        with_edge(3, 0),
        [[1], [2], [0]],
        [[-1], [0]],
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_an_edge_without_one_back_is_named(edges: Edges, threads: int, tmp_path: Path) -> None:
    puzzle = on(edges)
    refused(quiet_job(TableJob, puzzle, tmp_path, threads=threads), edges)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", FORMS)
def test_tables_of_rows_and_columns_are_right_or_refused(name: str, tmp_path: Path) -> None:
    product = FORMS[name]
    edges = edges_of(product)
    puzzle = on(edges, product)
    job = quiet_job(TableJob, puzzle, tmp_path)
    try:
        path = job.build()
    except VerificationError:
        assert refused(job, edges)
        assert [*tmp_path.iterdir()] == []
    else:
        with Table(path) as table:
            assert table.probe(np.arange(len(edges))).tolist() == distances_in(edges)


def test_no_scramble_leads_where_no_move_leads_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two states are one move from solved;
    one leads to the last state, which leads to the other.
    """
    product = form([[1, 0, 0, 2], [2, 3, -1, -1]], [[0] * 4] * 2, [[0]])
    puzzle = on(edges_of(product), product)
    quiet_job(TableJob, puzzle, tmp_path).build()
    monkeypatch.setattr(sources, "find", lambda _name: puzzle)
    table = sources.Sources(tmp_path).table("graph")
    answers = [
        random_states.random_state(table, distance=distance, seed="a") for distance in (1, 2)
    ]
    assert answers[0]["scramble"]
    assert (answers[1]["state"], answers[1]["distance"], answers[1]["scramble"]) == ("3", 2, None)


def test_a_table_of_moves_that_can_no_longer_be_taken_back_is_not_sound(tmp_path: Path) -> None:
    """Without the edge back from 4 to 2 every distance is right all the same."""
    edges = with_edge(2, 4, with_edge(4, 2, [[*row, -1] for row in PATH]))
    quiet_job(TableJob, on(edges), tmp_path).build()
    one_way = with_edge(4, 2, [[*row, -1, -1] for row in PATH])
    puzzle = on(one_way)
    assert distances_in(edges) == distances_in(one_way)
    assert refused(quiet_job(TableJob, puzzle, tmp_path), one_way) == (4, 2)


def test_layers_are_checked_as_far_as_they_go(tmp_path: Path) -> None:
    edges = with_edge(0, 2, [[*row, -1] for row in PATH])
    puzzle = on(edges)
    assert refused(quiet_job(LayersJob, puzzle, tmp_path, depth=2), edges) == (0, 2)
    assert [*tmp_path.iterdir()] == []
    beyond = on(with_edge(5, 3))
    path = quiet_job(LayersJob, beyond, tmp_path, depth=3).build()
    assert [layer.tolist() for layer in LayersFile(path).layers] == [[0], [1], [2], [3]]


def test_a_space_that_says_too_much_is_refused(tmp_path: Path) -> None:
    puzzle = on([[1], [0], [3], [2]], connected=True)
    with pytest.raises(
        VerificationError, match="states that can reach the goal: expected 4, found 2"
    ):
        quiet_job(TableJob, puzzle, tmp_path).build()
    apart = on([[1], [0], [3], [2]])
    with Table(quiet_job(TableJob, apart, tmp_path).build()) as table:
        assert table.probe(np.arange(4)).tolist() == [0, 1, -1, -1]


def test_any_number_of_threads_finds_that_moves_cannot_be_taken_back() -> None:
    random = np.random.default_rng(5)
    edges = random.integers(-1, 50_000, (50_001, 3))
    edges[-1] = -1
    space = replace(
        on(PATH).space(on(PATH).goal()), size=50_000, expand=lambda vertices: edges[vertices]
    )
    known = Held(np.full(50_001, -1, np.int32))
    for threads in (1, 2, 5):
        with pytest.raises(
            VerificationError, match="not every move between states can be taken back"
        ):
            certify("states", space, known, threads)
