"""Puzzles with some of the moves of a definition, by their names and by --moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzlebase.plugins.definitions.definition_file import DefinitionFile
from puzzlebase.puzzles import UnknownPuzzle
from tests.commands import command

from .small_definitions import EXAMPLES, written

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
