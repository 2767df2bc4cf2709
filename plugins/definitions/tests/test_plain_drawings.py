"""Drawings of definitions without a file beside them: rows and lamps."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers.boards import board
from tests import one_way
from tests.puzzles.board_law import assert_law

from .small_definitions import CUBE, EXAMPLES, SMALL, turning, written


def plain(folder: Path, name: str) -> Puzzle:
    """An example without its drawing."""
    text = (EXAMPLES / f"{name}.tws").read_text("utf-8")
    return written(folder, name, text).puzzle(name)


def laid(puzzle: Puzzle, state: str | None = None) -> Any:
    return board(puzzle, puzzle.goal(), state)


def test_rows_are_as_the_file_says(tmp_path: Path) -> None:
    text = "# rows C: 1 2 3\n" + turning(6)
    pieces = laid(written(tmp_path, "rows", text).puzzle("rows"))["pieces"]
    assert [*Counter(piece["y"] for piece in pieces).values()] == [1, 2, 3]
    assert pieces[0]["x"] == pieces[4]["x"] == (pieces[1]["x"] + pieces[2]["x"]) / 2


@pytest.mark.parametrize(
    "drawing", [pytest.param(True, marks=pytest.mark.needs("stickers")), False]
)
def test_a_lamp_is_lit_or_dark_and_pressed_by_itself(tmp_path: Path, drawing: bool) -> None:
    if drawing:
        (tmp_path / "lights-out.svg").write_text(
            (EXAMPLES / "lights-out.svg").read_text("utf-8"), "utf-8"
        )
    puzzle = plain(tmp_path, "lights-out")
    name = "piece-LAMPS-l{}-o0" if drawing else "piece-{}"
    dark = puzzle.goal().start
    before, after = (
        {piece["id"]: piece["colour"] for piece in laid(puzzle, state)["pieces"]}
        for state in (dark, puzzle.play(dark, "c3"))
    )
    assert {each for each, colour in after.items() if colour != before[each]} == {
        name.format(place) for place in (7, 11, 12, 13, 17)
    }
    for place, move in enumerate(laid(puzzle)["moves"]):
        assert move["handle"] == [name.format(place)]


@pytest.mark.parametrize("name", ["wild", "still"])
def test_the_pieces_of_plain_drawings_move_as_moves_say(tmp_path: Path, name: str) -> None:
    assert_law(written(tmp_path, name, SMALL[name].text).puzzle(name))


def test_squares_of_many_orientations_show_a_digit(tmp_path: Path) -> None:
    seven = written(
        tmp_path, "seven", CUBE.replace("Set C 3 2", "Set C 3 7").replace("0 0 0", "0 2 0")
    ).puzzle("seven")
    assert_law(seven)
    assert [piece.label for piece in seven.board.drawing.layout("B2A0C6", seven.goal()).pieces] == [
        "B2",
        "A0",
        "C6",
    ]


def test_one_piece_alone_is_drawn(tmp_path: Path) -> None:
    one = "Set C 1 3\nSolved\nEnd\nMove R\nC\n1\n1\nEnd\n"
    assert_law(written(tmp_path, "one", one).puzzle("one"))


def test_they_move_so_where_a_puzzle_says_little_of_its_looks() -> None:
    assert_law(one_way.triangle("small-triangle", one_way.SMALL))
