"""Definitions of cubing.js: their meaning, and the quick refusal of hostile ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from puzzlebase.plugins.definitions.tests.small_definitions import EXAMPLES, written
from puzzlebase.plugins.definitions.tests.test_definition_files import ONES, assert_refused_at_once
from tests.matrix import one_in
from tests.naive.definition import NaiveDefinition

PYRAMINX: dict[str, Any] = {
    "name": "Pyraminx",
    "orbits": {
        "AXIALS": {"numPieces": 4, "numOrientations": 3},
        "EDGES": {"numPieces": 6, "orientations": 2},
    },
    "moves": {
        "U": {
            "AXIALS": {"permutation": [0, 1, 2, 3], "orientationDelta": [1, 0, 0, 0]},
            "EDGES": {"permutation": [2, 0, 1, 3, 4, 5], "orientation": [0, 1, 1, 0, 0, 0]},
        },
    },
}


def test_a_kpuzzle_is_the_same_puzzle(tmp_path: Path) -> None:
    """A KPuzzle turns the piece in a place; a move of ksolve turns the piece of that number."""
    text = (EXAMPLES / "pyraminx.tws").read_text("utf-8").partition("Move L")[0]
    one = written(tmp_path, "one", text)
    two = written(tmp_path, "two", json.dumps(PYRAMINX), ".json")
    assert one.definition.digest == two.definition.digest
    naive = NaiveDefinition(text)
    assert [file.puzzle(file.name).goals[0].start for file in (one, two)] == [
        naive.text(naive.solved)
    ] * 2
    assert one.puzzle("one").play(naive.text(naive.solved), "U") == naive.text(
        naive.after(naive.solved, "U")
    )


def test_a_kpuzzle_may_have_remarks(tmp_path: Path) -> None:
    remarks = {
        "about": "A pyramid.",
        "label": {"U": "upper corner"},
        "rows": {"EDGES": "3 3"},
        "abuot": 7,
    }
    plain = written(tmp_path, "plain", json.dumps(PYRAMINX), ".json")
    file = written(tmp_path, "said", json.dumps(PYRAMINX | {"puzzlebase": remarks}), ".json")
    puzzle = file.puzzle("said")
    assert puzzle.about.sentence == "A pyramid."
    assert {move.group for move in puzzle.moves} == {"upper corner"}
    assert file.definition.remarks.rows == {"EDGES": [3, 3]}
    assert file.definition.unused == ("abuot: left out, no remarks",)
    assert file.definition.digest == plain.definition.digest
    wrong = written(tmp_path, "wrong", json.dumps(PYRAMINX | {"puzzlebase": "a text"}), ".json")
    assert "puzzlebase is str" in str(wrong.error)


def _kpuzzle(derived: dict[str, Any]) -> str:
    """A KPuzzle with a turn R and these derived moves."""
    orbits = [{"orbitName": "A", "numPieces": 3, "numOrientations": 1}]
    moves = {"R": {"A": {"permutation": [1, 2, 0], "orientationDelta": [0, 0, 0]}}}
    return json.dumps({"orbits": orbits, "moves": moves, "derivedMoves": derived})


HOSTILE = {
    "deep": "[" * 1_000_000,
    "a long number": '{"orbits": {"A": {"numPieces": ' + "9" * 1_000_000 + "}}}",
    "negative": '{"orbits": {"A": {"numPieces": -1, "numOrientations": 1}}}',
    "not a number": '{"orbits": {"A": {"numPieces": NaN}}}',
    "digits in a derived move": _kpuzzle({"S": ONES}),
    "moves in a derived move": _kpuzzle({"S": "R " * 500_000}),
    "moves that are no text": _kpuzzle({"S": ["R"]}),
    "moves in derived moves": _kpuzzle(
        {f"S{at}": " ".join(["R999999999"] * 999) for at in range(3000)}
    ),
}


def test_derived_moves_are_sequences_of_moves(tmp_path: Path) -> None:
    """Those with other signs or with a move's name are left out, and told."""
    derived = {"S": "R R2'", "T": "R / S", "R": "S", "U": "[R' S2: S] R3"}
    definition = written(tmp_path, "own", _kpuzzle(derived), ".json").definition
    turn = definition.generators["R"]
    back = turn.inverse(definition.orientations).key
    assert {name: each.key for name, each in definition.generators.items()} == {
        "R": turn.key,
        "S": back,
        "U": back,
    }
    assert definition.unused == (
        "T: left out, no sequences of moves and of [A: B]",
        "R: left out, moves of these names count",
    )


def test_orbits_that_only_moves_name_are_left_out(tmp_path: Path) -> None:
    """As in the kilominx of twips, whose moves have edges too."""
    text = _kpuzzle({}).replace('"R": {', '"R": {"EDGES": {"permutation": [1, 0]}, ')
    definition = written(tmp_path, "own", text, ".json").definition
    assert definition.unused == ("EDGES: left out, no orbits of the file",)


def test_a_name_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    text = _kpuzzle({}).replace('"moves": {', '"moves": {"R": {}, ')
    assert "'R' is there twice" in str(written(tmp_path, "wrong", text, ".json").error)


@pytest.mark.slow
@pytest.mark.parametrize("name", one_in(3, HOSTILE))
def test_hostile_files_are_refused_at_once(tmp_path: Path, name: str) -> None:
    assert_refused_at_once(tmp_path / "x.json", HOSTILE[name])
