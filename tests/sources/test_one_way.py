"""Answers about states outside a space, and searches where moves cannot be taken back: never a false "cannot"."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlebase.builder import TableJob
from puzzlebase.db.table import Table
from puzzlebase.puzzles import Indices, NoSpace
from puzzlebase.puzzles.definitions import letter_puzzles
from puzzlebase.service.answers import batches, grades, hints, lookups, solutions, text
from puzzlebase.service.error_status import problem_of
from puzzlebase.service.sources.bidirectional import OneWayMoves, shortest
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.table import OpenTable
from tests.builder.test_reversible import PATH, Edges, distances_in, on
from tests.conftest import quiet_job, searching
from tests.naive import reversal
from tests.puzzles.test_reversible import graphs, modes


@pytest.fixture(params=["table", "search"])
def source(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    """The digits with a mode, of which fewer states are passed than some have."""
    monkeypatch.setattr(letter_puzzles, "FOLLOWED", 999)
    puzzle = modes()
    if request.param == "search":
        return searching(puzzle, seconds=10)
    goal = puzzle.goal()
    path = quiet_job(TableJob, puzzle, tmp_path).build()
    return OpenTable(puzzle, goal, puzzle.space(goal), Table(path))


def test_a_state_whose_moves_end_cannot_be_solved(source: Source) -> None:
    answer = solutions.solve(source, "A010")
    assert (answer["solvable"], answer["distance"], answer["exact"], answer["solution"]) == (False, None, True, [])
    assert [*text.distance(answer)] == [f"A010  cannot reach the goal ({source.origin.name})"]
    assert solutions.solve(source, "A300")["distance"] == 3


def test_a_state_whose_moves_go_on_is_not_known_to_be_unsolvable(source: Source) -> None:
    answer = lookups.lookup(source, "C123")
    facts = {"solvable": None, "distance": None, "exact": False, "lower_bound": 1, "upper_bound": None}
    assert answer.items() >= facts.items()
    assert [(move["move"], move["state"]) for move in answer["moves"]] == [
        ("1+", "C223"),
        ("1-", "C023"),
        ("2+", "C133"),
        ("2-", "C113"),
        ("3+", "C124"),
        ("3-", "C122"),
    ]
    assert all(move["distance"] is move["delta"] is move["optimal"] is None for move in answer["moves"])
    assert next(text.distance(answer)).startswith("C123  not known whether it can be solved; at least 1 moves")
    assert solutions.solve(source, "C123", all=2).items() >= {**facts, "solution": [], "optimal_count": None}.items()
    assert hints.hint(source, "C123", 4).items() >= {**facts, "groups": [], "move": None, "solution": []}.items()
    graded = grades.grade(source, "C123", moves=["1+", "3-"])
    assert graded.items() >= {**facts, "legal": True, "solved": False, "stars": 0}.items()
    results = json.loads(batches.lookup_batch(source, ["A100", "C123", "A010"]))["results"]
    assert [each["solvable"] for each in results] == [True, None, False]
    assert results[1].items() >= facts.items()
    with_moves = json.loads(batches.lookup_batch(source, ["C123", "A100"], moves=True))["results"]
    assert [len(each["moves"]) for each in with_moves] == [6, 2]


def test_a_state_whose_moves_lead_in_is_an_error(source: Source) -> None:
    with pytest.raises(NoSpace, match="drop leads from 'B900' to 'A900', and no move leads back") as caught:
        solutions.solve(source, "B700")
    found = problem_of(caught.value)
    assert found
    assert (found["status"], found["title"]) == (409, "No table")
    entries = json.loads(batches.lookup_batch(source, ["B700", "A100"]))["results"]
    assert entries[0]["problem"]["detail"] == str(caught.value)
    assert entries[1]["distance"] == 1


@settings(max_examples=60, deadline=None)
@given(edges=graphs(), data=st.data())
def test_a_search_never_calls_a_state_unsolvable_that_leads_to_the_goal(edges: Edges, data: st.DataObject) -> None:
    """Whatever the graph: its solution leads to the goal. Where every edge has one back its distance is right."""
    vertex = data.draw(st.integers(0, len(edges) - 1))
    puzzle = on(edges)
    expected = distances_in(edges)[vertex]
    try:
        answer = solutions.solve(searching(puzzle, seconds=10), str(vertex))
    except NoSpace:
        assert reversal.one_way_edges(edges)
        return
    assert (answer["distance"] is None) == (answer["solvable"] is False) == (expected < 0)
    text = str(vertex)
    for move in answer["solution"]:
        text = puzzle.play(text, move)
    assert text == "0" or answer["distance"] is None
    if not reversal.one_way_edges(edges):
        assert answer["distance"] == (None if expected < 0 else expected)


def test_no_more_than_some_vertices_are_followed() -> None:
    """A long path apart from the goal: it is not walked to its end, and its end is not the goal."""
    size = 100_000
    at = np.arange(size)
    edges = np.stack([np.where(at > 1, at - 1, -1), np.where((at > 0) & (at < size - 1), at + 1, -1)], axis=1)
    expanded = 0

    def expand(vertices: Indices) -> Indices:
        nonlocal expanded
        expanded += len(vertices)
        found: Indices = edges[vertices]
        return found

    puzzle = on(PATH)
    graph = replace(puzzle.space(puzzle.goal()), size=size, expand=expand)
    found = shortest(graph, np.array([5]), [np.array([0])], lambda *_: True, 1 << 28)
    assert found.distance == -1
    assert expanded < 20_000
    edges[7, 1] = 0
    with pytest.raises(OneWayMoves):
        shortest(graph, np.array([5]), [np.array([0])], lambda *_: True, 1 << 28)
