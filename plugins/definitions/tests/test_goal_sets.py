"""Goals that are sets of states: masks, lists,
all states that moves lead to, and rotations of the whole.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import puzzlebase
from puzzlebase.plugins.definitions.definition_file import DefinitionFile
from puzzlebase.plugins.definitions.goal_sets import SetGoal
from puzzlebase.plugins.definitions.place_blocks import most_states_of_blocks
from puzzlebase.plugins.definitions.symmetry_classes import SymmetryClasses
from puzzlebase.puzzles import IllegalMove, ImpossibleState, InvalidState, Puzzle, UnknownGoal
from tests.commands import command, ran

from .small_definitions import CUBE, EXAMPLES, turning, written

RING = """Set C 4 1
Set D 1 2
Solved
End
Goal near
C
1 2 ? ?
End
Goal near R
Move R
C
2 1 3 4
End
Move T
C
1 3 2 4
End
Move U
C
1 2 4 3
End
"""
TURNED = "Move x\nC\n2 3 4 1\nD\n1\n1\nEnd\n"


def example(name: str) -> Puzzle:
    return DefinitionFile(EXAMPLES / f"{name}.tws").puzzle(name)


def test_equal_sets_have_one_key_and_open_pieces_are_no_part_of_the_space() -> None:
    cube, solved = example("2x2x2"), "A0B0C0D0E0F0G0"
    unturned = cube.goal("?0?0?0?0?0?0?0")
    for text in ("<U,R2,F2>", "<F2 R2 U'>", "?0?0?0?0?0?0?0|A0?0?0?0?0?0?0"):
        assert cube.goal(text).key == unturned.key
    assert cube.table_name(unturned) == f"2x2x2@{unturned.key}"
    assert cube.space(unturned).size == 3**6
    assert cube.space(cube.goal("A0B0C0D0??????")).size == 7 * 6 * 5 * 4 * 3**4
    assert (
        cube.table_name(cube.goal("A0B0C0D0E0F0?0"))
        == cube.table_name(cube.goal(f"{solved}|{solved}"))
        == "2x2x2"
    )
    assert cube.goal("<U>").states[:2] == (solved, "B0C0D0A0E0F0G0")
    phase = example("3x3x3").goal("<U,D,L2,R2,F2,B2>")
    assert isinstance(phase, SetGoal)
    assert (
        most_states_of_blocks(phase.among.coarse.own_blocks, phase.among.coarse.own_charges)
        == 2_217_093_120
    )


def test_rotations_are_those_that_moves_can_make(tmp_path: Path) -> None:
    ring = written(tmp_path, "ring", RING + TURNED).puzzle("ring")
    assert ring.goal("rotations").states == ("ABCD-A0", "CDAB-A0")  # no move turns the piece of D
    with pytest.raises(UnknownGoal, match="no rotations"):
        written(tmp_path, "plain", RING).puzzle("plain").goal("rotations")


def test_a_file_names_goals(tmp_path: Path) -> None:
    ring = written(tmp_path, "ring", RING).puzzle("ring")
    assert [goal.name for goal in ring.goals] == ["solved", "near"]
    assert ring.goal("near").key == ring.goal("AB??-A0|<R>|AB??-A0").key
    assert {*ring.goal("near").states} == {"ABCD-A0", "ABDC-A0", "BACD-A0"}


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ("Goal near\nC\n1 2 ? 5\nEnd", "C has no piece '5'"),
        ("Goal solved R", "'solved' is no name of a goal"),
        ("Goal far\nC\n1 1 ? ?\nEnd", "cannot be reached"),
        ("Goal far Q", "there is no move 'Q'"),
    ],
)
def test_wrong_goals_of_a_file_are_refused(tmp_path: Path, goal: str, message: str) -> None:
    assert message in str(written(tmp_path, "wrong", RING + goal).error)


def test_wrong_texts_of_goals_are_refused() -> None:
    cube = example("3x3x3")
    state = cube.goal().start
    for text, error, message in (
        (state[:-1] + "??", InvalidState, "characters, not"),
        ("?" + state[1:-2] + "X?", InvalidState, r"'\?0B.* has 'X\?' in place 12"),
        ("<U", InvalidState, "names no moves"),
        ("<>", InvalidState, "names no moves"),
        (state[:-1] + "1|" + state[:-1] + "1", ImpossibleState, "cannot be reached"),
        ("<U,R>", InvalidState, "more than 65,536 states"),
        ("|".join(["<U,R2>"] * 500), InvalidState, "more than 65,536 states"),
        ("<>", InvalidState, "names no moves"),
        ("<U99999999999>", IllegalMove, "no move"),
    ):
        with pytest.raises(error, match=message):
            cube.goal(text)
    assert cube.board.states_of
    with pytest.raises(InvalidState, match="more than 65,536 states"):
        cube.board.states_of("<U,R>", cube.goal())


def test_moves_that_do_the_same_keep_symmetries(tmp_path: Path) -> None:
    """Tips that a goal leaves open, as their moves then change nothing."""
    turns = [" ".join("1" if at == tip else "0" for at in range(4)) for tip in range(4)]
    tips = "".join(
        f"Move {name}t\nTIPS\n1 2 3 4\n{by}\nEnd\n" for name, by in zip("ULRB", turns, strict=True)
    )
    text = (
        (EXAMPLES / "pyraminx.tws")
        .read_text("utf-8")
        .replace("\nSolved", "Set TIPS 4 3\n\nSolved", 1)
    )
    puzzle = written(tmp_path, "tips", text + tips).puzzle("tips")
    space, plain = puzzle.space(puzzle.goal("A0B0C0D0-A0B0C0D0E0F0-A?B?C?D?")), example("pyraminx")
    assert isinstance(space.storage, SymmetryClasses)
    assert space.stored_size == plain.space(plain.goal()).stored_size
    assert space.storage.problem(space.goal_states) is None


def test_tables_and_searches_answer_for_sets(tmp_path: Path) -> None:
    (tmp_path / "puzzles.d").mkdir()
    written(tmp_path / "puzzles.d", "mine", CUBE)
    ran(tmp_path, "build", "mine", "--goal", "A?????")
    ran(tmp_path, "verify", "mine", "--goal", "A?????")
    table = puzzlebase.open("mine", goal="A?????", data=tmp_path)
    assert table.histogram()["layers"] == [1, 2]
    assert table.lookup("B0C1A0")["distance"] == 1
    assert table.random(distance=1, seed="x")["scramble"]
    assert table.grade("B0C1A0", moves=["R"])["legal"]


def test_a_set_may_begin_with_a_state_that_no_moves_lead_to(tmp_path: Path) -> None:
    (tmp_path / "puzzles.d").mkdir()
    written(tmp_path / "puzzles.d", "mine", turning(4))
    ran(tmp_path, "build", "mine", "--goal", "ACBD|BCDA")
    ran(tmp_path, "verify", "mine", "--goal", "ACBD|BCDA")
    table = puzzlebase.open("mine", goal="ACBD|BCDA", data=tmp_path)
    assert table.goal.start == "ACBD"
    assert [table.lookup(state)["distance"] for state in ("BCDA", "ABCD")] == [0, 1]
    assert not table.lookup("ACBD")["solvable"]
    refused = command(tmp_path, "build", "mine", "--goal", "ACBD|ADCB")
    assert (refused.status, "cannot be reached from 'ABCD'" in refused.stderr) == (2, True)


def test_an_orientation_of_any_piece_is_seen_though_others_of_its_name_never_move(
    tmp_path: Path,
) -> None:
    twist = "Move X\nA\n1 3 2\n0 1 0\nEnd\nMove Y\nA\n1 2 3\n0 1 0\nEnd\n"
    text = f"Set A 3 2\nSolved\nA\n1 1 2\n0 0 0\nEnd\n{twist}"
    puzzle = written(tmp_path, "mine", text).puzzle("mine")
    goal = puzzle.goal("???1??")
    space = puzzle.space(goal)
    for state in ("A0A1B0", "A0A1B1", "A0B1A0", "A0B1A1"):
        assert puzzle.index(state, goal) in space.goal_states
    assert puzzle.index("A0A0B1", goal) not in space.goal_states
