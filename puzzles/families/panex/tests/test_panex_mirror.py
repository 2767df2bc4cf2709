"""families/panex/mirror.py: tables of half the rows answer as whole ones, and as the reference implementation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.db.table_file import TableFile
from puzzlebase.puzzles import Indices, Space, find
from puzzlebase.puzzles.contract.space import STATES
from puzzlebase.puzzles.families.panex.mirror import Mirror
from puzzlebase.service.answers import whole_tables
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.sources import Sources
from tests import naive
from tests.fixtures import build_table
from tests.matrix import only
from tests.naive import panex as naive_panex

from .panex_states import graph_of_text, wander

SIZES = only((3).__eq__, [1, 2, 3, 4])


def space_of(n: int) -> Space:
    puzzle = find(f"panex-{n}-halved")
    return puzzle.space(puzzle.goal())


def texts_of(space: Space, indices: Indices) -> list[str]:
    return [board.tobytes().decode("ascii") for board in space.unrank(indices)]


def to_goals(n: int) -> tuple[dict[str, int], dict[str, int]]:
    """The distances to the exchange and to the start, by the reference implementation."""
    start = find(f"panex-{n}").goals[0].start
    goals = naive_panex.mirrored(start, colours=False), start
    exchanged, start_again = (naive.distances(goal, graph_of_text(n).__getitem__) for goal in goals)
    return exchanged, start_again


@pytest.mark.parametrize("n", SIZES)
def test_images_are_those_of_the_reference_implementation(n: int) -> None:
    space, mirror = space_of(n), Mirror(n)
    every = np.arange(space.size)
    for colours in (True, False):
        images = [naive_panex.mirrored(text, colours=colours) for text in texts_of(space, every)]
        assert texts_of(space, mirror.image(every, colours=colours)) == images


@pytest.mark.parametrize("n", SIZES)
def test_one_symmetry_keeps_the_distances_to_a_goal_and_the_others_lead_to_those_from_the_start(n: int) -> None:
    """So half of the states serve one goal, and a quarter would serve none."""
    exchanged, start_again = to_goals(n)
    for state, distance in exchanged.items():
        assert exchanged[naive_panex.mirrored(state)] == distance
        assert start_again[state.swapcase()] == start_again[naive_panex.mirrored(state, colours=False)] == distance
    as_far = sum(exchanged[state.swapcase()] == distance for state, distance in exchanged.items())
    assert as_far < len(exchanged) / 2


@pytest.mark.parametrize("n", SIZES)
def test_a_halved_table_has_the_distance_of_every_state(n: int, tmp_path: Path) -> None:
    path, (expected, _) = build_table(tmp_path, f"panex-{n}-halved"), to_goals(n)
    opened = Sources(tmp_path).table(f"panex-{n}-halved")
    every = np.arange(opened.space.size)
    distances = [expected[text] for text in texts_of(opened.space, every)]
    assert opened.distances(every).tolist() == distances
    assert whole_tables.histogram(opened)["layers"] == np.bincount(distances).tolist()
    with TableFile(path) as file:
        stored, layers = file.info.stored_size, file.info.layers
        assert {one.graph: one.vertices for one in file.certificates()} == {"orbits": stored, "states": len(every)}
    rows = {text.lower() for text in expected}
    assert stored == len({min(row, naive_panex.mirrored(row, colours=False)) for row in rows}) << n
    assert layers == tuple(np.bincount(distances))


def test_a_search_goes_from_vertex_to_vertex() -> None:
    puzzle, (expected, _) = find("panex-3-halved"), to_goals(3)
    searchable = Searchable.of(puzzle, puzzle.goal(), None)
    for seed in range(10):
        state = wander(3, 100, seed)
        for each in (state, naive_panex.mirrored(state)):
            found = OpenSearch(searchable, Budget(seconds=10)).distance(puzzle.index(each, puzzle.goal()))
            assert found == expected[state]


def test_goals_that_are_not_their_own_image_have_whole_tables() -> None:
    puzzle = find("panex-3-halved")
    halved = {goal.name: puzzle.space(goal).storage is not STATES for goal in puzzle.goals}
    assert halved == {"exchange": True} | dict.fromkeys([*halved][1:], False)
    assert puzzle.space(puzzle.goal("abc||ABC")).storage is not STATES


MUTATIONS: dict[str, tuple[str, Callable[[Mirror], object]]] = {
    "two rows have one image": ("another row", lambda mirror: mirror.row.put(0, 1)),
    "a bit of an image is wrong": ("other columns", lambda mirror: mirror.flips.put(70, mirror.flips[70] ^ 1)),
    "all bits stay": ("move", lambda mirror: mirror.flips.fill(0)),
    "rows are their own images": ("moves the goal", lambda mirror: mirror.flips.fill(1)),
    "each row is its own image": ("move LC", lambda mirror: mirror.row.put(range(609), range(609))),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_wrong_mirror_is_refused(mutation: str) -> None:
    what, change = MUTATIONS[mutation]
    mirror, goal_states = Mirror(3), space_of(3).goal_states
    assert mirror.problem(goal_states) is None
    mirror.row, mirror.flips = mirror.row.copy(), mirror.flips.copy()
    change(mirror)
    assert what in (mirror.problem(goal_states) or "")
