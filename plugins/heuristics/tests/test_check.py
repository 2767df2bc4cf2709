"""The violations and errors of heuristics are those that plain loops find."""

from __future__ import annotations

import doctest
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import puzzlebase
from puzzlebase.opened import OpenPuzzle
from puzzlebase.paths import table_path
from tests.fixtures import build_table
from tests.one_way import installed

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.parametrize("name", ["sliding-3x2", "small-triangle"])
def test_errors_and_violations_are_those_of_plain_loops(
    name: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Of random numbers that are right for most states."""
    with installed(tmp_path_factory.mktemp("pegs")):
        build_table(tmp_path, name)
        puzzle = puzzlebase.open(name, data=tmp_path)
        distances = puzzle.array().tolist()
        chance = np.random.default_rng(2).integers(0, 9, puzzle.size) == 0
        h = np.where(chance, 9, puzzle.array() / 2)
        some = [*range(0, puzzle.size, 3)]
        for states, check in (
            ([*range(puzzle.size)], puzzle.check_heuristic(h)),
            (some, puzzle.check_heuristic(lambda indices: h[indices], some)),
        ):
            over = [at for at in states if 0 <= distances[at] < h[at]]
            falls = falls_of(puzzle, h.tolist(), states)
            assert check.overestimates.tolist() == over[:10]
            assert check.falls.tolist() == falls[:10]
            assert check.admissible == (not over)
            assert check.consistent == (not falls)
            for distance, error in check.mean_error.items():
                there = [h[at] - distance for at in states if distances[at] == distance]
                assert error == pytest.approx(sum(there) / len(there))
            assert {*check.mean_error} == {distances[at] for at in states} - {-1}


def falls_of(puzzle: OpenPuzzle, h: list[float], states: list[int]) -> list[list[int]]:
    """The moves that lower it by more than one, by looking up each state."""
    falls = []
    for state, text in zip(states, puzzle.texts(states), strict=True):
        after = {move["move"]: puzzle.index(move["state"]) for move in puzzle.lookup(text)["moves"]}
        names = [move.name for move in puzzle.record.moves_of(text)]
        falls += [
            [state, after[name]]
            for name in names
            if name in after and h[state] > h[after[name]] + 1
        ]
    return falls


def test_the_distances_themselves_are_perfect(data: Path) -> None:
    novice = puzzlebase.open("novice", data=data)
    check = novice.check_heuristic(novice.array())
    assert check.admissible
    assert check.consistent
    assert {*check.mean_error.values()} == {0.0}
    drawn = ET.fromstring(check._repr_svg_())
    assert len([each for each in drawn if each.tag.endswith("text")]) == 14
    with pytest.raises(ValueError, match="reshape"):
        novice.check_heuristic(lambda _: [1, 2])


def test_the_document_shows_what_python_prints(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    table_path(tmp_path / "data", "novice").symlink_to(table_path(data, "novice"))
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 8
    assert not failed, capsys.readouterr().out
