"""Tables of one-way moves: three ways to find the distances agree with the reference,
and wrong ones are refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlebase.builder import TableJob, VerificationError
from puzzlebase.builder.breadth_first import directed, find_layers, layout_of
from puzzlebase.builder.certificate import certify
from puzzlebase.builder.journal import Journal
from puzzlebase.builder.verify import verify_found_space
from puzzlebase.puzzles import Indices, Space
from tests.fixtures import Held, quiet, quiet_job
from tests.graphs import Edges, distances_in
from tests.one_way import on_directed, triangle
from tests.puzzles.test_reversible import graphs

HOW = ["predecessors", "listed", "passes"]


@contextmanager
def by(how: str) -> Iterator[None]:
    """Find distances in one of these ways; passes are for what does not fit into memory."""
    with pytest.MonkeyPatch.context() as patch:
        if how == "passes":
            patch.setattr(directed, "is_listed", lambda _graph: False)
        yield


def found(space: Space, path: Path, threads: int) -> list[int]:
    """The distances that a search finds, as its journal has them."""
    with Journal(path, {}, layout_of(space)) as journal:
        find_layers(space, journal, threads, lambda *_: None)
        distances = np.concatenate(
            [journal.distances(piece) for piece in range(len(journal.pieces))]
        )
        journal.close(remove=True)
    return [int(each) for each in distances]


@settings(max_examples=60, deadline=None)
@given(edges=graphs(), begins=st.booleans())
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("how", HOW)
def test_distances_are_those_of_the_reference(
    edges: Edges, begins: bool, threads: int, how: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"graph-{os.getpid()}.journal"
    start = led_from(edges) if begins else -1
    puzzle = on_directed(edges, predecessors=how == "predecessors", start=start)
    space = puzzle.space(puzzle.goal())
    with by(how):
        assert found(space, path, threads) == distances_in(edges)
    certify("states", space, Held(np.array(distances_in(edges), np.int32)), threads)


def led_from(edges: Edges) -> int:
    """A vertex that leads to all others, -1 where none does."""
    for start in range(len(edges)):
        passed = [start]
        for vertex in passed:
            passed += [to for to in dict.fromkeys(edges[vertex]) if to >= 0 and to not in passed]
        if len(passed) == len(edges):
            return start
    return -1


@pytest.mark.parametrize(
    ("vertex", "distance"), [(3, 2), (3, -1), (5, 4), (5, 0), (0, 1), (2, -1)], ids=str
)
def test_a_wrong_distance_is_refused(vertex: int, distance: int) -> None:
    """0 is solved; 1 to 3 lead there in a row;
    4 and 5 lead to each other alone, so they are lost.
    """
    edges = [[-1, -1], [0, 2], [1, 5], [2, 4], [5, -1], [4, -1]]
    puzzle = on_directed(edges)
    right = np.array([0, 1, 2, 3, -1, -1], np.int32)
    space = puzzle.space(puzzle.goal())
    certify("states", space, Held(right), 1)
    right[vertex] = distance
    with pytest.raises(VerificationError):
        certify("states", space, Held(right), 1)


def swapped(indices: Indices) -> Indices:
    return np.where(indices == 3, 4, indices)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda space: replace(space, size=space.size + 1, expand=_with_one_more(space)),
            "the start leads to",
        ),
        (
            lambda space: replace(space, expand=_without_a_move(space)),
            "states that the start leads to",
        ),
        (
            lambda space: replace(space, unrank=lambda indices: space.unrank(swapped(indices))),
            "not that of its board",
        ),
        (
            lambda space: replace(space, rank=lambda boards: swapped(space.rank(boards))),
            "not that of its board",
        ),
        (
            lambda space: replace(space, goal_states=space.goal_states[1:]),
            "solved state is no goal state",
        ),
        (
            lambda space: replace(space, expand=_with_a_move_out(space)),
            "a state that is not among those found",
        ),
    ],
)
def test_a_wrong_set_of_states_is_refused(
    change: Callable[[Space], Space], words: str, tmp_path: Path
) -> None:
    job = quiet_job(TableJob, triangle(), tmp_path).numbered()
    space = job.space
    verify_found_space(space, 2, quiet())
    with pytest.raises(VerificationError, match=words):
        verify_found_space(change(space), 2, quiet())


def _with_one_more(space: Space) -> Callable[[Indices], Indices]:
    """A state more, which nothing leads to."""
    return lambda indices: np.where(
        (indices < space.size)[:, None], space.expand(np.minimum(indices, 0)), -1
    )


def _without_a_move(space: Space) -> Callable[[Indices], Indices]:
    """The start's last move is missing, and with it a state that it alone leads to."""
    assert space.directed
    last = int(space.expand(np.array([space.directed.start])).max())
    return lambda indices: np.where(space.expand(indices) == last, -1, space.expand(indices))


def _with_a_move_out(space: Space) -> Callable[[Indices], Indices]:
    return lambda indices: np.where(
        space.expand(indices) == space.size - 1, -2, space.expand(indices)
    )
