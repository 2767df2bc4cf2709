"""Puzzles with some of the moves of a definition, by their names and by --moves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from puzzlebase.plugins.definitions.definition_file import DefinitionFile
from puzzlebase.puzzles import UnknownPuzzle
from tests.commands import command
from tests.fixtures import enumerated
from tests.naive.definition import NaiveDefinition

from .small_definitions import EXAMPLES, SMALL, turning, written

pytestmark = pytest.mark.needs("check")

SIX = """Set C 7 1
Set D 5 1
Solved
End
Move D
C
2 3 4 5 6 1 7
End
Move T
D
2 1 3 4 5
End
Move F
D
2 3 4 5 1
End
Move a/b
C
1 2 3 4 5 7 6
End
"""
NAMES = {
    "T+D": ("D+T", "D D2 D3 D2' D' T"),
    "D2'": ("D2", "D2 D2'"),
    "F'": ("F'", "F F'"),
    "F'+F2": ("F", "F F2 F2' F'"),
    "D3+D": ("D", "D D2 D3 D2' D'"),
    "F2+D3+D'": ("D'+D3+F2", "D D' D3 F2 F2'"),
}


@pytest.mark.parametrize("words", NAMES)
def test_one_choice_has_one_name(tmp_path: Path, words: str) -> None:
    puzzle = written(tmp_path, "six", SIX).puzzle(f"six+{words}")
    assert (puzzle.name, " ".join(move.name for move in puzzle.moves)) == (
        f"six+{NAMES[words][0]}",
        NAMES[words][1],
    )


def test_all_moves_are_the_puzzle_itself() -> None:
    file = DefinitionFile(EXAMPLES / "2x2x2.tws")
    for name in ("2x2x2", "2x2x2-quarter"):
        assert file.puzzle(f"{name}+F+R+U").name == name
        assert file.puzzle(f"{name}+F+R+U").goals == file.puzzle(name).goals


@pytest.mark.parametrize("words", ["X", "", "D4", "a/b", "T+D+" + "D2+" * 100])
def test_moves_that_cannot_be_named_are_refused(tmp_path: Path, words: str) -> None:
    with pytest.raises(UnknownPuzzle) as refused:
        written(tmp_path, "six", SIX).puzzle(f"six+{words}")
    assert len(str(refused.value)) < 200


def test_the_command_line_makes_the_name(tmp_path: Path) -> None:
    there = ("--puzzles", str(EXAMPLES))
    assert (
        "God's number 10" in command(tmp_path, "build", "2x2x2", "--moves", "R2,U", *there).stdout
    )
    for question in (("2x2x2+R2+U",), ("2x2x2", "--moves", "U,R2")):
        answer = command(tmp_path, "solve", *question, "A0E0C0G0D0F0B0", *there).stdout
        assert answer.splitlines()[1] == "R2 U R2 U R2 U'"
    checked = command(tmp_path, "check", str(EXAMPLES / "2x2x2.tws"), "--moves", "U,R2").stdout
    assert "2x2x2+U+R2  4 moves: U U2 U' R2" in checked
    assert "120, exactly" in checked


def test_only_what_turns_everything_is_a_rotation(tmp_path: Path) -> None:
    """Lamps called x and y change three each; x turns a triangle, whose other moves are swaps."""
    lamps = "".join(
        f"Move {name}\nL\n1 2 3 4 5 6\n{press}\nEnd\n"
        for name, press in {"w": "0 0 1 1 1 0", "x": "1 1 1 0 0 0", "y": "0 1 1 1 0 0"}.items()
    )
    swaps = turning(3, "x") + "Move A\nC\n2 1 3\nEnd\nMove B\nC\n1 3 2\nEnd\n"
    for text, moves in (("Set L 6 2\nSolved\nEnd\n" + lamps, [*"wxy"]), (swaps, [*"AB"])):
        file = written(tmp_path, "turned", text)
        assert [*file.definition.generators] == moves
    assert file.puzzle("turned").notation.moves.startswith("A, B; x: rotations of the whole")


@pytest.mark.parametrize("first", ["R'", "L"])
def test_all_names_of_a_file_are_moves(tmp_path: Path, first: str) -> None:
    """R takes back the first move; T is another name of R."""
    back = turning(5).partition("End\n")[2].replace("2 3 4 5 1", "5 1 2 3 4")
    puzzle = written(tmp_path, "own", f"{turning(5, first)}{back}MoveAlias T R").puzzle("own")
    for word in ("R", "T"):
        assert puzzle.board.spelled("ABCDE", word) == [puzzle.moves[-1].name]
        assert puzzle.play("ABCDE", word) == "EABCD"


@pytest.mark.parametrize("name", ["corners", "equal"])
def test_moves_in_one_direction(tmp_path: Path, name: str) -> None:
    """Each distance is one more than the least after a move, which is a move of the file alone."""
    file, plain = written(tmp_path, name, SMALL[name].text), NaiveDefinition(SMALL[name].text)
    puzzle = file.puzzle(f"{name}-forward")
    assert [move.name for move in puzzle.moves] == plain.moves
    space = puzzle.space(puzzle.goal())
    known = enumerated(space)
    texts = [puzzle.format(board) for board in space.unrank(np.arange(space.size))]
    distances = dict(zip(texts, known.tolist(), strict=True))
    for text, distance in distances.items():
        least = min(distances[after] for after in puzzle.after_moves(text))
        assert distance == (0 if text == puzzle.goal().start else 1 + least)
