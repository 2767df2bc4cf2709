"""Sequences as cubing.js writes them: each is the sequence of plain moves that its notation stands for."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from puzzlebase.puzzles.definitions.definition import InvalidDefinition
from puzzlebase.puzzles.definitions.folder import DefinitionFile
from puzzlebase.puzzles.definitions.sequences import all_moves
from tests.puzzles.small_definitions import written

NAMES = "R", "U", "2R", "2-3r", "f2", "U_SQ_", "D_SQ_", "_SLASH_", "UR_PLUS_", "R_PLUSPLUS_"

MEANS = {
    "": "",
    "R U'": "R U'",
    "R3": "R R R",
    "R2'": "R' R'",
    "R0": "",
    "2R' 2-3r2": "2R' 2-3r 2-3r",
    "f2'": "f2'",
    "(R U)": "R U",
    "(R U)2'": "U' R' U' R'",
    "(R U)0": "",
    "[R: U]": "R U R'",
    "[R U: 2R]": "R U 2R U' R'",
    "[R, U]": "R U R' U'",
    "[R, U]'": "U R U' R'",
    "[R: U]2": "R U U R'",
    "[R: [U, 2R]]": "R U 2R U' 2R' R'",
    "[[R: U], 2R]": "R U R' 2R R U' R' 2R'",
    "((R)2 (U (2R)')2)'": "2R U' 2R U' R' R'",
    "[:]": "",
    "[R,]": "",
    "R . U .": "R U",
    "R // U [ ( no sequence\nU": "R U",
    "\n R \n\n U\n": "R U",
    "(1, -2)": "U_SQ_ D_SQ_' D_SQ_'",
    "(0,1)/(-1,0)/": "D_SQ_ _SLASH_ U_SQ_' _SLASH_",
    "/ R /": "_SLASH_ R _SLASH_",
    "UR3+ UR2-": "UR_PLUS_ UR_PLUS_ UR_PLUS_ UR_PLUS_' UR_PLUS_'",
    "R++ U R--": "R_PLUSPLUS_ U R_PLUSPLUS_'",
}


def definition(derived: dict[str, str]) -> dict[str, Any]:
    """Two orbits, and moves at random with turns of both signs."""
    chosen = random.Random(7)
    orbits = {"A": (7, 3), "B": (5, 1)}
    moves = {
        name: {
            orbit: {
                "permutation": chosen.sample(range(places), places),
                "orientationDelta": [chosen.randrange(-ways + 1, ways) for _ in range(places)],
            }
            for orbit, (places, ways) in orbits.items()
        }
        for name in NAMES
    }
    sets = [{"orbitName": name, "numPieces": size, "numOrientations": ways} for name, (size, ways) in orbits.items()]
    return {"orbits": sets, "moves": moves, "derivedMoves": derived}


def read(folder: Path, derived: dict[str, str]) -> DefinitionFile:
    return written(folder, "own", json.dumps(definition(derived)), ".json")


@pytest.mark.parametrize("alg", MEANS)
def test_a_sequence_is_what_its_notation_stands_for(tmp_path: Path, alg: str) -> None:
    """A player by hand, move by move: the piece of each place comes from the place that the permutation names."""
    file = read(tmp_path, {"T": alg, "Needs": "T' R"})
    moves = definition({})["moves"]
    state = [(at, 0) for at in range(7)], [(at, 0) for at in range(5)]

    def made(state: Any, move: dict[str, Any]) -> Any:
        after = []
        for pieces, ways, orbit in zip(state, (3, 1), ("A", "B"), strict=True):
            sources, turns = move[orbit]["permutation"], move[orbit]["orientationDelta"]
            found = [(pieces[source], turn) for source, turn in zip(sources, turns, strict=True)]
            after.append([(piece, (turned + turn) % ways) for (piece, turned), turn in found])
        return tuple(after)

    for word in MEANS[alg].split():
        name = word.removesuffix("'")
        back = name != word
        before = state
        state = made(state, moves[name])
        while back and made(state, moves[name]) != before:  # the power that takes the move back
            state = made(state, moves[name])
    expected = "-".join(
        "".join("ABCDEFG"[piece] + (str(turned) if orbit == 0 else "") for piece, turned in pieces)
        for orbit, pieces in enumerate(state)
    )
    puzzle = file.puzzle("own")
    start = puzzle.goals[0].start
    if expected == start:
        assert "T: changes nothing, which is no move here" in file.definition.notes
    else:
        found = file.definition
        turn = found.generators["T"]
        every = all_moves(found)
        same = next(move.name for move in every if move.turn.key == turn.key)  # it may be a power of another move
        assert puzzle.play(start, same) == expected


WRONG = {
    "R2U": "needs the move 'R2U'",
    "(R)U": "no space before 'U'",
    "R(U)": "no space before '('",
    "(R": "'(' without its end",
    "[R, U": "',' without its end",
    "R)": "')' without its beginning",
    "(R]": "']' without its beginning",
    "[R U]": "[ ] without , or :",
    "[R, U: R]": "':' outside",
    "(R: U)": "':' outside",
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
