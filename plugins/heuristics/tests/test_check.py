"""The violations and errors of heuristics are those that plain loops find."""

from __future__ import annotations

import doctest
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import puzzlebase
from tests.fixtures import build_table
from tests.one_way import installed

README = Path(__file__).parents[1] / "README.md"


def test_errors_and_violations_are_those_of_plain_loops(tmp_path: Path) -> None:
    """Of half the distance, but for some states nine; in a game that can be lost."""
    with installed(tmp_path):
        build_table(tmp_path, "small-triangle")
        puzzle = puzzlebase.open("small-triangle", data=tmp_path)
        distances = puzzle.array()
        wrong = np.random.default_rng(2).integers(0, 9, puzzle.size) == 0
        h = np.where(wrong, 9, distances / 2)
        states = [*range(0, puzzle.size, 2)]
        check = puzzle.check_heuristic(lambda indices: h[indices], states)
        falls = [
            [at, after]
            for at in states
            for text in puzzle.texts([at])
            for after in puzzle.indices_of(
                [text for text in puzzle.record.after_moves(text) if text]
            )
            if h[at] > h[after] + 1
        ]
        assert check.falls.tolist() == falls[:10]
        over = [at for at in states if 0 <= distances[at] < h[at]]
        assert check.overestimates.tolist() == over[:10]
        for distance, error in check.mean_error.items():
            there = [h[at] - distance for at in states if distances[at] == distance]
            assert error == pytest.approx(sum(there) / len(there))
        assert len(ET.fromstring(check._repr_svg_()).findall("{*}text")) == len(check.mean_error)
        assert {*check.mean_error, -1} == {*distances[states].tolist()}


def test_the_document_shows_what_python_prints(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").symlink_to(data)
    monkeypatch.chdir(tmp_path)
    doctest.testfile(str(README), module_relative=False, raise_on_error=True)
