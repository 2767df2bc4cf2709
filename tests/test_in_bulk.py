"""puzzlebase/in_bulk.py: what many states at once are is what each is alone."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

import puzzlebase
from puzzlebase.db.errors import MissingTable
from puzzlebase.opened import OpenPuzzle
from puzzlebase.paths import table_path
from puzzlebase.plugins.definitions.tests.small_definitions import SMALL, definitions_from
from tests.fixtures import build_table
from tests.one_way import installed

pytestmark = pytest.mark.needs("definitions", "levels")

PUZZLES = ("sliding-3x2", "novice", "novice-sixths", "corners", "small-triangle", "room")
"""Stored as states, orbits of wheels, rows and columns, classes up to symmetry,
states that moves may leave for good, and found states of a level.
"""
ROOM = "#######\n#@ $ .#\n# $  .#\n#  #  #\n#######\n"


@pytest.fixture(scope="module")
def tables_of_all(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("tables")
    (folder / "corners.tws").write_text(SMALL["corners"].text)
    (folder / "room.xsb").write_text(ROOM)
    with installed(tmp_path_factory.mktemp("pegs")), definitions_from(folder):
        for name in PUZZLES:
            if "novice" in name:
                shutil.copy(table_path(data, name), folder)
            else:
                build_table(folder, name)
        yield folder


@pytest.fixture(scope="module", params=PUZZLES)
def puzzle(request: pytest.FixtureRequest, tables_of_all: Path) -> OpenPuzzle:
    return puzzlebase.open(request.param, data=tables_of_all)


@pytest.fixture(scope="module")
def novice(data: Path) -> OpenPuzzle:
    return puzzlebase.open("novice", data=data)


def some_of(puzzle: OpenPuzzle) -> list[int]:
    """Up to 120 states: every so many, and the last."""
    return [*range(0, puzzle.size, -(-puzzle.size // 120)), puzzle.size - 1]


def test_states_at_once_are_those_one_by_one(puzzle: OpenPuzzle) -> None:
    some = some_of(puzzle)
    texts = puzzle.texts(some)
    assert puzzle.indices_of(texts).tolist() == some
    boards = puzzle.boards(some)
    assert boards.dtype == np.uint8
    assert [*map(puzzle.record.format, boards)] == texts
    after, optimal = puzzle.expand(some), puzzle.optimal(some)
    assert after.dtype == np.int64
    assert optimal.dtype == np.bool_
    for at, text in enumerate(texts):
        alone = puzzle.lookup(text)
        names = [move.name for move in puzzle.record.moves_of(text)]
        legal = {names[move]: to for move, to in enumerate(after[at].tolist()) if to >= 0}
        assert legal == {move["move"]: puzzle.index(move["state"]) for move in alone["moves"]}
        assert {names[move] for move in np.flatnonzero(optimal[at])} == {
            move["move"] for move in alone["moves"] if move["optimal"]
        }
        assert puzzle.distances([text]).tolist() == [
            -1 if alone["distance"] is None else alone["distance"]
        ]


def test_solutions_are_counted_as_the_moves_branch(puzzle: OpenPuzzle) -> None:
    some = some_of(puzzle)[::8]

    @cache
    def paths(text: str) -> int:
        alone = puzzle.lookup(text)
        best = (move["state"] for move in alone["moves"] if move["optimal"])
        return 1 if alone["distance"] == 0 else sum(map(paths, best))

    assert puzzle.paths(some).tolist() == [*map(paths, puzzle.texts(some))]


def test_a_place_has_one_symbol(puzzle: OpenPuzzle) -> None:
    some = some_of(puzzle)
    hot, boards = puzzle.one_hot(some), puzzle.boards(some)
    assert hot.dtype == np.bool_
    symbols = puzzle.symbols.tolist()
    assert hot.tolist() == [
        [[symbol == place for symbol in symbols] for place in board] for board in boards.tolist()
    ]
    assert (hot.sum(axis=2) == 1).all()


def test_more_solutions_than_fit_are_an_error(novice: OpenPuzzle) -> None:
    with mock.patch("puzzlebase.in_bulk._SAFE", 20), pytest.raises(OverflowError):
        novice.paths(novice.indices(11))


def test_the_array_has_every_distance(puzzle: OpenPuzzle) -> None:
    array = puzzle.array()
    assert array.dtype == np.int8
    assert len(array) == puzzle.size
    some = some_of(puzzle)
    assert array[some].tolist() == puzzle.distances(puzzle.texts(some)).tolist()
    layers = puzzle.histogram()["layers"]
    for distance in range(-1, len(layers) + 1):
        at_distance = puzzle.indices(distance)
        assert at_distance.tolist() == np.flatnonzero(array == distance).tolist()
        if distance >= 0:
            assert len(at_distance) == sum(layers[distance : distance + 1])


def test_samples_have_equal_chances(puzzle: OpenPuzzle) -> None:
    array, layers = puzzle.array(), puzzle.histogram()["layers"]
    balanced = puzzle.sample(5, by="distance", seed=7)
    assert Counter(array[balanced].tolist()) == {
        at: min(5, states) for at, states in enumerate(layers)
    }
    sample = puzzle.sample(10, seed=7)
    assert len({*sample.tolist()}) == 10
    assert array[sample].min() >= 0
    assert puzzle.sample(10, seed=7).tolist() == sample.tolist() != puzzle.sample(10).tolist()
    assert (puzzle.sample(puzzle.size) == np.flatnonzero(array >= 0)).all()


def test_a_sample_is_uniform(novice: OpenPuzzle) -> None:
    """Of a hundred samples, as many states lie in each tenth as chance allows."""
    drawn = np.concatenate([novice.sample(100, seed=seed) for seed in range(100)])
    tenths = np.bincount(drawn * 10 // novice.size)
    assert abs(tenths - 1000).max() < 150  # five standard deviations


def test_large_arrays_are_made_in_pieces(novice: OpenPuzzle) -> None:
    many = np.random.default_rng(5).integers(novice.size, size=(1 << 19) + 3)
    once, at = np.unique(many, return_inverse=True)
    for made in (novice.expand, novice.boards, novice.optimal):
        assert (made(many) == made(once)[at]).all()


def test_columns_of_any_kind(novice: OpenPuzzle) -> None:
    import pyarrow as pa  # noqa: PLC0415 -- which takes a while

    indices = [5, 6, 96_000]
    texts = novice.texts(indices)
    of_objects = np.array(indices, object)  # as pandas gives a column that may have nulls
    for given in (indices, of_objects, pa.array(indices), pa.chunked_array([indices])):
        assert novice.boards(given).tolist() == novice.boards(np.array(indices)).tolist()
        assert novice.distances(given).tolist() == novice.distances(texts).tolist()
    assert novice.indices_of(pa.array(texts)).tolist() == indices
    assert novice.distances(pa.array(texts)).tolist() == novice.distances(texts).tolist()
    assert novice.expand([]).shape == (0, 10)
    with pytest.raises(TypeError, match="not as float64"):
        novice.expand([1.5])
    with pytest.raises(IndexError, match="no index 97020; indices go from 0 to 97019"):
        novice.boards([97_020])


def test_what_needs_a_table_says_so(tmp_path: Path) -> None:
    novice = puzzlebase.open("novice", data=tmp_path)
    assert novice.indices_of(novice.texts([7])).tolist() == [7]
    assert novice.expand([7]).shape == (1, 10)
    for asked in (novice.array, lambda: novice.indices(3), lambda: novice.optimal([7])):
        with pytest.raises(MissingTable, match="there is no table of novice"):
            asked()
