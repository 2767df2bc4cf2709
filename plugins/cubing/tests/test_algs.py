"""Sequences as cubing.js writes them: each is the sequence of plain moves that its notation stands for."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from puzzlebase.puzzles.definitions.definition import InvalidDefinition, Transformation
from puzzlebase.puzzles.definitions.folder import DefinitionFile
from tests.puzzles.small_definitions import written

NAMES = "R", "U", "2R", "2-3r", "f2", "U_SQ_", "D_SQ_", "_SLASH_", "UR_PLUS_", "R_PLUSPLUS_"

MEANS = {
    "": "",
    "R U'": "R U'",
    "R3": "R R R",
    "R2'": "R' R'",
    "R0": "",
    "2R' 2-3r2": "2R' 2-3r 2-3r",
    "(R U)": "R U",
    "(R U)2'": "U' R' U' R'",
    "[R: U]": "R U R'",
    "[R, U]": "R U R' U'",
    "[R, U]'": "U R U' R'",
    "[R: [U, 2R]]": "R U 2R U' 2R' R'",
    "[[R: U], 2R]": "R U R' 2R R U' R' 2R'",
    "((R)2 (U (2R)')2)'": "2R U' 2R U' R' R'",
    "[R,]": "",
    "R // U [ ( no sequence\nU": "R U",
    "\n R \n\n U\n": "R U",
    "(1, -2)": "U_SQ_ D_SQ_' D_SQ_'",
    "(0,1)/(-1,0)/": "D_SQ_ _SLASH_ U_SQ_' _SLASH_",
    "/ R /": "_SLASH_ R _SLASH_",
    "UR3+ UR2-": "UR_PLUS_ UR_PLUS_ UR_PLUS_ UR_PLUS_' UR_PLUS_'",
    "R++ U R--": "R_PLUSPLUS_ U R_PLUSPLUS_'",
}


def read(folder: Path, derived: dict[str, str]) -> DefinitionFile:
    """Moves at random with turns of both signs, and derived ones."""
    draw = random.Random(7)
    moves = {
        name: {
            "A": {
                "permutation": draw.sample(range(9), 9),
                "orientationDelta": [draw.randrange(-2, 3) for _ in range(9)],
            }
        }
        for name in NAMES
    }
    orbits = [{"orbitName": "A", "numPieces": 9, "numOrientations": 3}]
    text = json.dumps({"orbits": orbits, "moves": moves, "derivedMoves": derived})
    return written(folder, "own", text, ".json")


@pytest.mark.parametrize("alg", MEANS)
def test_a_sequence_is_what_its_notation_stands_for(tmp_path: Path, alg: str) -> None:
    found = read(tmp_path, {"T": alg, "Needs": "T' R"}).definition
    turn = Transformation.none(len(found.orientations))
    for word in MEANS[alg].split():
        once = found.generators[word.removesuffix("'")]
        turn = turn.then(once.inverse(found.orientations) if word.endswith("'") else once, found.orientations)
    if turn.does_nothing:
        assert "T: changes nothing, which is no move here" in found.notes
    else:
        assert found.generators["T"].key == turn.key


WRONG = {
    "R2U": "needs the move 'R2U'",
    "(R)U": "no space before 'U'",
    "R(U)": "no space before '('",
    "(R": "'(' without its end",
    "[R, U": "',' without its end",
    "(R]": "']' without its beginning",
    "[R U]": "[ ] without , or :",
    "[R, U: R]": "':' outside",
    "R''": "\"R''\"",
    "^(R)": "no space before '('",
    "(R)1234567890": "the amount 1234567890",
    "(" * 31 + "R" + ")" * 31: "30 brackets",
    "Q": "needs the move 'Q'",
}


@pytest.mark.parametrize("alg", WRONG)
def test_what_is_no_sequence_is_refused(tmp_path: Path, alg: str) -> None:
    with pytest.raises(InvalidDefinition) as refused:
        read(tmp_path, {"T": alg}).definition  # noqa: B018
    assert WRONG[alg] in str(refused.value)
    assert "T" in str(refused.value)


def test_turns_of_the_whole_puzzle_are_no_moves(tmp_path: Path) -> None:
    """By their names, x to z with an amount too, as the clock of cubing.js has y2."""
    file = read(tmp_path, {"x": "R U", "y2": "[R: U]", "Rv": "U2 R"})
    assert {*file.definition.generators} == {*NAMES}
    assert file.definition.notes == ("x, y2, Rv: rotations of the whole puzzle, which are no moves here",)
