"""Answers about states outside a space,
and searches where moves cannot be taken back: never a false "cannot".
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlebase.puzzles import Indices, NoSpace
from puzzlebase.service.answers import solutions
from puzzlebase.service.sources.bidirectional import OneWayMoves, bidirectional_search
from tests.fixtures import searching
from tests.graphs import PATH, Edges, distances_in, on
from tests.naive import reversal
from tests.puzzles.test_reversible import graphs
from tests.waiting import PATIENCE


@settings(max_examples=60, deadline=None)
@given(edges=graphs(), data=st.data())
def test_a_search_never_calls_a_state_unsolvable_that_leads_to_the_goal(
    edges: Edges, data: st.DataObject
) -> None:
    """Whatever the graph: its solution leads to the goal.
    Where every edge has one back its distance is right.
    """
    vertex = data.draw(st.integers(0, len(edges) - 1))
    puzzle = on(edges)
    expected = distances_in(edges)[vertex]
    try:
        answer = solutions.solve(searching(puzzle, seconds=PATIENCE), str(vertex))
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
    edges = np.stack(
        [np.where(at > 1, at - 1, -1), np.where((at > 0) & (at < size - 1), at + 1, -1)], axis=1
    )
    expanded = 0

    def expand(vertices: Indices) -> Indices:
        nonlocal expanded
        expanded += len(vertices)
        found: Indices = edges[vertices]
        return found

    puzzle = on(PATH)
    graph = replace(puzzle.space(puzzle.goal()), size=size, expand=expand)
    found = bidirectional_search(graph, np.array([5]), [np.array([0])], lambda *_: True, 1 << 28)
    assert found.distance == -1
    assert expanded < 20_000
    edges[7, 1] = 0
    with pytest.raises(OneWayMoves):
        bidirectional_search(graph, np.array([5]), [np.array([0])], lambda *_: True, 1 << 28)
