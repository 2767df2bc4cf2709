"""Groups of moves, which hints name: they hold several moves, and none is named as a move."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from puzzlebase.plugins.definitions.definition_file import DefinitionFile
from puzzlebase.plugins.definitions.hint_groups import hint_groups
from puzzlebase.puzzles import Puzzle, all_families, find

from .small_definitions import EXAMPLES, SMALL, written

LISTED = [name for family in all_families() for name in family.listed]
FILES = [DefinitionFile(path) for path in sorted(EXAMPLES.glob("*.tws"))]
DEFINED = [(file, name) for file in FILES for name in file.family.members]


def assert_no_group_gives_a_move_away(puzzle: Puzzle) -> None:
    moves = puzzle.moves_of(puzzle.goal().start)
    groups = Counter(move.group for move in moves)
    assert not {*groups} & {move.name for move in moves}
    assert len(moves) < 4 or min(groups.values()) > 1


@pytest.mark.parametrize("name", LISTED)
def test_groups_of_our_puzzles(name: str) -> None:
    assert_no_group_gives_a_move_away(find(name))


def test_groups_of_definitions(tmp_path: Path) -> None:
    small = [(written(tmp_path, name, case.text), name) for name, case in SMALL.items()]
    for file, name in [*DEFINED, *small]:
        assert_no_group_gives_a_move_away(file.puzzle(name))


def test_a_lone_move_is_put_with_those_beside_it() -> None:
    assert hint_groups(
        {"T": "turnstile", "R": "ring", "R2": "ring", "R'": "ring"}
    ) == dict.fromkeys(("T", "R", "R2", "R'"), "turnstile or ring")
    lone = hint_groups({"a": "x", "b": "x", "c": "y", "d": "z"})
    assert [*lone.values()] == ["x", "x", "y or z", "y or z"]


def test_lamps_of_rows_are_named_by_their_rows() -> None:
    [file] = [file for file in FILES if file.name == "lights-out"]
    groups = {move.name: move.group for move in file.puzzle("lights-out").moves}
    assert [groups[name] for name in ("a1", "e1", "c3", "e5")] == [
        "row 1",
        "row 1",
        "row 3",
        "row 5",
    ]
