"""families/panex/mirror.py: tables of half the rows answer as whole ones, and as the reference implementation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from puzzlebase.builder import TableJob, verify
from puzzlebase.db.table import Table
from puzzlebase.db.table_file import TableFile
from puzzlebase.puzzles import Indices, Space, find
from puzzlebase.puzzles.families.panex.mirror import Mirror
from puzzlebase.service.answers import whole_tables
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.search import OpenSearch, Searchable
from tests import naive
from tests.conftest import build_table, quiet
from tests.families.panex.panex_states import graph_of_text, wander
from tests.matrix import only
from tests.naive import panex as naive_panex

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
    opened = Tables(tmp_path).get(f"panex-{n}-halved")
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


@pytest.mark.slow(3)
@pytest.mark.parametrize("n", only((5).__eq__, [5, 6]))
def test_larger_ones_have_the_layers_and_the_distances_of_whole_tables(n: int, tmp_path: Path) -> None:
    halved, whole = f"panex-{n}-halved", f"panex-{n}"
    files = {name: build_table(tmp_path, name) for name in (halved, whole)}
    tables = Tables(tmp_path)
    assert whole_tables.histogram(tables.get(halved))["layers"] == whole_tables.histogram(tables.get(whole))["layers"]
    some = np.random.default_rng(n).integers(0, space_of(n).size, 1 << 18)
    assert np.array_equal(tables.get(halved).distances(some), tables.get(whole).distances(some))
    assert files[halved].stat().st_size < 0.7 * files[whole].stat().st_size


def test_states_are_certified_where_a_row_is_shorter_than_its_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of panex-7: to count once for each class took 25 GB there."""
    monkeypatch.setattr(verify, "STATES_IN_MEMORY", 0)
    expected, _ = to_goals(3)
    with TableFile(build_table(tmp_path, "panex-3-halved")) as file:
        assert [one.graph for one in file.certificates()] == ["orbits", "states"]
        assert file.info.layers == tuple(np.bincount([*expected.values()]))


def test_states_are_certified_where_the_table_exceeds_memory(tmp_path: Path) -> None:
    puzzle = find("panex-4-halved")
    job = TableJob(puzzle, puzzle.goal(), tmp_path, "test", 1, quiet())
    with Table(job.build(), 0) as table:
        assert not table.resident
        assert table.info.gods_number > np.iinfo(np.int8).max
        findings = verify.examine(job, job.space.stored(), table)
        assert [one.graph for one in findings.certificates] == ["orbits", "states"]
        assert findings.layers == table.info.layers


def test_a_search_goes_from_vertex_to_vertex() -> None:
    puzzle, (expected, _) = find("panex-3-halved"), to_goals(3)
    searchable = Searchable.of(puzzle, puzzle.goal(), None)
    for seed in range(10):
        state = wander(3, 100, seed)
        for each in (state, naive_panex.mirrored(state)):
            found = OpenSearch(searchable, Budget(seconds=10)).distance(puzzle.index(each, puzzle.goal()))
            assert found == expected[state]


def test_columns_that_the_mirror_exchanges_have_one_representative() -> None:
    """In rows that are their own images: of panex-3 there are seven."""
    space, mirror = space_of(3), Mirror(3)
    own = np.flatnonzero(mirror.row == np.arange(len(mirror.row)))
    assert len(own) == 7
    every, searched = np.arange(space.size), space.searched()
    images = mirror.image(every)
    assert np.array_equal(searched.vertices(every), searched.vertices(images))
    assert len(searched.vertices(every)) == len(np.unique(np.minimum(every, images)))


def test_goals_that_are_not_their_own_image_have_whole_tables() -> None:
    puzzle = find("panex-3-halved")
    halved = {goal.name: puzzle.space(goal).orbits is not None for goal in puzzle.goals}
    assert halved == {"exchange": True} | dict.fromkeys([*halved][1:], False)
    assert puzzle.space(puzzle.goal("abc||ABC")).orbits is not None


def test_hardly_an_edge_leads_from_one_half_to_the_other() -> None:
    """So nearly every edge keeps its column map, which flips one bit or none."""
    product = space_of(4).stored().product
    assert product is not None
    legal, flips = product().row_move >= 0, product().kind
    assert np.count_nonzero(legal) == 9060
    assert np.count_nonzero(flips & (flips - 1)) == 10


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
    assert mirror.orbits(goal_states).problem() is None
    mirror.row, mirror.flips = mirror.row.copy(), mirror.flips.copy()
    change(mirror)
    assert what in (mirror.orbits(goal_states).problem() or "")


def test_moves_that_none_takes_back_are_refused() -> None:
    mirror, goal_states = Mirror(3), space_of(3).goal_states
    moves = mirror._index.product()
    moves.row_move[0, 0] = -1
    mirror._index = SimpleNamespace(product=lambda: moves)  # type: ignore[assignment]
    assert "takes it back" in (mirror.orbits(goal_states).problem() or "")
