"""puzzlebase/in_bulk.py: what many states at once are is what each is alone."""

from __future__ import annotations

import shutil
from collections import UserList
from collections.abc import Iterator
from functools import cache
from itertools import compress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import puzzlebase
from puzzlebase import in_bulk
from puzzlebase.db.errors import MissingTable
from puzzlebase.opened import OpenPuzzle
from puzzlebase.paths import table_path
from puzzlebase.plugins.definitions.tests.small_definitions import SMALL, definitions_from
from tests.fixtures import build_table
from tests.one_way import installed

pytestmark = pytest.mark.needs("definitions", "levels")

PUZZLES = ("novice", "novice-sixths", "sliding-3x2", "corners", "small-triangle", "room")
"""Stored as orbits of wheels, rows and columns, states, classes up to symmetry;
with one-way moves; and the found states of a level.
"""
ROOM = "#######\n#@ $ .#\n# $  .#\n#  #  #\n#######\n"


@pytest.fixture(scope="module")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    tables = tmp_path_factory.mktemp("tables")
    (tables / "corners.tws").write_text(SMALL["corners"].text)
    (tables / "room.xsb").write_text(ROOM)
    with installed(tmp_path_factory.mktemp("pegs")), definitions_from(tables):
        for name in PUZZLES[:2]:
            shutil.copy(table_path(data, name), tables)
        for name in PUZZLES[2:]:
            build_table(tables, name)
        yield tables


@pytest.fixture(params=PUZZLES)
def puzzle(
    request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> OpenPuzzle:
    """A puzzle whose arrays are made in several pieces."""
    monkeypatch.setattr(in_bulk, "_TOGETHER", 50)
    return puzzlebase.open(request.param, data=folder)


def some_of(puzzle: OpenPuzzle) -> list[int]:
    """Up to 120 states, all over the space."""
    return [*range(0, puzzle.size, -(-puzzle.size // 120))]


def test_states_at_once_are_those_one_by_one(puzzle: OpenPuzzle) -> None:
    some = some_of(puzzle)
    texts, boards = puzzle.texts(some), puzzle.boards(some)
    assert puzzle.indices_of(texts).tolist() == some
    assert [*map(puzzle.record.format, boards)] == texts
    assert (puzzle.symbols[puzzle.one_hot(some).argmax(axis=2)] == boards).all()
    distances, after, optimal = puzzle.distances(some), puzzle.expand(some), puzzle.optimal(some)
    for at, text in enumerate(texts):
        alone = puzzle.lookup(text)
        names = [move.name for move in puzzle.record.moves_of(text)]
        legal = {move["move"]: puzzle.index(move["state"]) for move in alone["moves"]}
        assert after[at, : len(names)].tolist() == [legal.get(name, -1) for name in names]
        best = {move["move"] for move in alone["moves"] if move["optimal"]}
        assert {*compress(names, optimal[at])} == best
        assert distances[at] == (-1 if alone["distance"] is None else alone["distance"])
    assert "\n" not in repr((puzzle.record, puzzle._space))


def test_solutions_are_counted_as_moves_branch(puzzle: OpenPuzzle) -> None:
    some = some_of(puzzle)[::8]

    @cache
    def paths(text: str) -> int:
        alone = puzzle.lookup(text)
        best = (move["state"] for move in alone["moves"] if move["optimal"])
        return 1 if alone["distance"] == 0 else sum(map(paths, best))

    assert puzzle.paths(some).tolist() == [*map(paths, puzzle.texts(some))]


def test_each_distance_has_its_states(puzzle: OpenPuzzle) -> None:
    array, layers = puzzle.array(), puzzle.histogram()["layers"]
    assert array.dtype == np.int8
    assert (array == puzzle.distances(range(puzzle.size))).all()
    for distance in range(-1, len(layers) + 1):
        assert (puzzle.indices(distance) == np.flatnonzero(array == distance)).all()
    balanced = array[puzzle.sample(5, by="distance", seed=7)]
    assert np.bincount(balanced).tolist() == [min(5, states) for states in layers]
    sample = puzzle.sample(10, seed=7).tolist()
    assert len({*sample}) == 10
    assert sample == puzzle.sample(10, seed=7).tolist() != puzzle.sample(10).tolist()
    assert (puzzle.sample(puzzle.size) == np.flatnonzero(array >= 0)).all()


def test_columns_are_of_any_kind(
    data: Path, known: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    novice, texts = puzzlebase.open("novice", data=data), sorted(known)[::997]
    indices = novice.indices_of(texts)
    of_objects = indices.astype(object)  # as pandas gives a column that may have nulls
    of_indices = UserList(indices), indices.astype(np.uint32), of_objects, pa.array(indices)
    for column in (*of_indices, pa.chunked_array([indices]), UserList(texts), pa.array(texts)):
        assert novice.distances(column).tolist() == [known[text] for text in texts]
    assert novice.distances([]).dtype == np.int32
    assert novice.expand([]).shape == (0, 10)
    with pytest.raises(ValueError, match="not by 'moves'"):
        novice.sample(5, by="moves")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not as float64"):
        novice.expand([1.5])
    with pytest.raises(IndexError, match="no index 97020; indices go from 0 to 97019"):
        novice.distances([5, 97_020])
    monkeypatch.setattr(in_bulk, "_SAFE", 20)
    with pytest.raises(OverflowError):
        novice.paths(indices)


def test_what_needs_a_table_says_so(tmp_path: Path) -> None:
    novice = puzzlebase.open("novice", data=tmp_path)
    assert novice.indices_of(novice.texts([7])).tolist() == [7]
    for asked in (
        novice.array,
        lambda: novice.indices(3),
        lambda: novice.optimal([7]),
        lambda: novice.random(difficulty="easy"),
    ):
        with pytest.raises(MissingTable, match="there is no table of novice"):
            asked()
