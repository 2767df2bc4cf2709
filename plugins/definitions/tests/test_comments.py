"""Remarks in the comments of definition files."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from puzzlebase.puzzles import Puzzle
from puzzlebase.puzzles.files import MOST_BYTES
from tests.matrix import one_in
from tests.slowness import slowness

from .small_definitions import CUBE, SMALL, written

REMARKS = """# about: Three pieces in a ring.
# Inventor: Nobody
# link: https://example.org/ring
# instructions: Turn it
  # instructions:   until it is solved: that is all.
# label R: ring
# An ordinary comment: with a colon.
# Corners: A B C
"""


def puzzle_of(folder: Path, text: str) -> Puzzle:
    return written(folder, "mine", text).puzzle("mine")


def unused(folder: Path, remark: str, text: str = CUBE) -> tuple[str, ...]:
    return written(folder, "noted", f"{remark}\n{text}").definition.unused


def test_remarks_are_what_the_lobby_shows(tmp_path: Path) -> None:
    about = puzzle_of(tmp_path, REMARKS + CUBE).about
    assert about.sentence == "Three pieces in a ring."
    assert (about.inventor, about.link) == ("Nobody", "https://example.org/ring")
    assert about.instructions == "Turn it until it is solved: that is all."
    assert not unused(tmp_path, REMARKS)
    assert (
        puzzle_of(tmp_path, CUBE).about.instructions
        == "Make moves until the board looks like the goal."
    )


def test_labels_and_groups_are_what_hints_name(tmp_path: Path) -> None:
    labelled = puzzle_of(tmp_path, REMARKS + CUBE)
    assert {move.group for move in labelled.moves} == {"ring"}
    assert labelled.notation.moves.startswith("R (ring), R2, ")
    grouped = puzzle_of(
        tmp_path,
        "# group odd turns: R R3\n# group odd turns: R'\n# group even turns: R2 R2'\n" + CUBE,
    )
    assert [move.group for move in grouped.moves] == [
        "odd turns",
        "even turns",
        "odd turns",
        "even turns",
        "odd turns",
    ]


def test_remarks_change_no_table(tmp_path: Path) -> None:
    plain, remarked = (puzzle_of(tmp_path, text) for text in (CUBE, REMARKS + CUBE))
    assert plain.goal() == remarked.goal()
    assert [move.name for move in plain.moves] == [move.name for move in remarked.moves]


@pytest.mark.parametrize(
    ("remark", "note"),
    [
        ("# rows: 5", "rows and a name belong before the colon"),
        ("# rows C: 5 5", "line 1: the remark 'rows C' is left out: C is no set that has so many"),
        ("# rows C: 3 x", "C is no set that has so many places: 3 x"),
        ("# label L: left", "no move 'L'"),
        ("# group turns: R L2'", 'no move "L2\'"'),
        ("# link: javascript:alert(1)", "begins with https://"),
        ("# about: a\u200bb", "cannot be printed"),
        ("# about: " + "long " * 1000, "more than 4,000 characters"),
    ],
)
def test_a_remark_that_is_not_understood_is_noted(tmp_path: Path, remark: str, note: str) -> None:
    [found] = unused(tmp_path, remark)
    assert note in found


@pytest.mark.parametrize(
    "line", ["# The cube: a puzzle", "# Edges: UF UL", "#", "# :", "#:x", "# http://example.org"]
)
def test_other_comments_are_comments(tmp_path: Path, line: str) -> None:
    assert not unused(tmp_path, line)


def test_rows_of_one_length_end_where_places_end(tmp_path: Path) -> None:
    file = written(tmp_path, "lamps", "# rows LAMP: 2\n" + SMALL["lamps"].text)
    assert [*file.definition.remarks.rows["LAMP"]] == [2, 2, 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    one_in(
        3, ["#{}a: b", "# about: {}", "# group {}: R", "# rows {}: 1", "# label R: {}", "#" + " {}"]
    ),
)
def test_hostile_comments_take_no_time(tmp_path: Path, line: str) -> None:
    count = MOST_BYTES // (len(line) + 8)
    text = "\n".join(line.format(at) for at in range(count))[: MOST_BYTES - len(CUBE) - 1]
    file = written(tmp_path, "hostile", f"{text}\n{CUBE}")
    began = time.process_time()
    assert len(file.definition.unused) <= 20
    assert time.process_time() - began < 2 * slowness()
