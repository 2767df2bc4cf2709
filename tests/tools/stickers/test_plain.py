"""Drawings of definitions without a file beside them: nets, rings, rows and lamps."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers.boards import board
from tests.puzzles.small_definitions import CUBE, EXAMPLES, SMALL, turning, whole_cube, written
from tests.puzzles.test_boards import assert_law


def plain(folder: Path, name: str) -> Puzzle:
    """An example without its drawing, or the 3x3x3."""
    text = whole_cube() if name == "cube" else (EXAMPLES / f"{name}.tws").read_text("utf-8")
    return written(folder, name, text).puzzle(name)


def laid(puzzle: Puzzle, state: str | None = None) -> Any:
    return board(puzzle, puzzle.goal(), state)


SOLIDS = {  # stickers and faces; stickers that a quarter or a third of a turn leaves in its face or takes to another
    "2x2x2": (21, 6, 4, 8),
    "cube-corners": (24, 6, 4, 8),
    "cube": (48, 6, 8, 12),
    "skewb": (30, 6, 0, 15),
    "pyraminx": (24, 4, 0, 9),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_drawn_as_nets(tmp_path: Path, name: str) -> None:
    """In the solved state each face has one colour, and a turn takes whole rows or corners from face to face."""
    stickers, faces, stay, leave = SOLIDS[name]
    puzzle = plain(tmp_path, name)
    solved = laid(puzzle)
    assert len(solved["pieces"]) == stickers
    assert len({piece["colour"] for piece in solved["pieces"]}) == faces
    for move in solved["moves"]:
        changed = [motion["piece"] for motion in move["motions"]]
        became = [motion for motion in move["motions"] if motion["becomes"]]
        assert (len(changed) - len(became), len(became)) == (stay, leave)
        assert len(move["handle"]) == (stay or leave)
        if stay:  # one face turns, and touching it is how
            assert not {motion["piece"] for motion in became} & {*move["handle"]}
        taken = Counter(motion["becomes"]["colour"] for motion in became)
        assert len({*taken.values()}) <= 2
    assert_law(puzzle)


def test_stickers_of_a_face_lie_together(tmp_path: Path) -> None:
    pieces = laid(plain(tmp_path, "cube"))["pieces"]
    for colour in {piece["colour"] for piece in pieces}:
        mine = [piece for piece in pieces if piece["colour"] == colour]
        for along in ("x", "y"):
            assert max(piece[along] for piece in mine) - min(piece[along] for piece in mine) < 61


def test_a_cube_whose_edges_go_the_other_way_is_no_cube(tmp_path: Path) -> None:
    odd = whole_cube().replace("2 6 3 4 1 5 7 8\n2 1 0 0 1 2 0 0", "5 1 3 4 6 2 7 8\n1 2 0 0 2 1 0 0")
    assert odd != whole_cube()
    pieces = laid(written(tmp_path, "odd", odd).puzzle("odd"))["pieces"]
    assert [piece["label"] for piece in pieces[:3]] == ["A0", "B0", "C0"]


def test_a_move_that_cycles_places_draws_them_on_a_ring(tmp_path: Path) -> None:
    topspin = laid(plain(tmp_path, "topspin-10"))
    [ring] = topspin["marks"]
    far = {round(((piece["x"] - ring["x"]) ** 2 + (piece["y"] - ring["y"]) ** 2) ** 0.5) for piece in topspin["pieces"]}
    assert len(far) == 1
    [turned] = [move for move in topspin["moves"] if move["move"] == "R"]
    slides = {round(sum(leg**2 for leg in motion["slide"]) ** 0.5) for motion in turned["motions"]}
    assert slides == {44}  # each to the next place
    assert_law(plain(tmp_path, "topspin-10"))
    assert len(laid(plain(tmp_path, "turnstile-pieces"))["marks"]) == 4
    assert not laid(written(tmp_path, "four", turning(4)).puzzle("four"))["marks"]


def test_rows_are_as_the_file_says(tmp_path: Path) -> None:
    text = "# rows C: 1 2 3\n" + turning(6)
    pieces = laid(written(tmp_path, "rows", text).puzzle("rows"))["pieces"]
    assert [*Counter(piece["y"] for piece in pieces).values()] == [1, 2, 3]
    assert pieces[0]["x"] == pieces[4]["x"] == (pieces[1]["x"] + pieces[2]["x"]) / 2


@pytest.mark.parametrize("drawing", [True, False])
def test_a_lamp_is_lit_or_dark_and_pressed_by_itself(tmp_path: Path, drawing: bool) -> None:
    if drawing:
        (tmp_path / "lights-out.svg").write_text((EXAMPLES / "lights-out.svg").read_text("utf-8"), "utf-8")
    puzzle = plain(tmp_path, "lights-out")
    top = {piece["id"]: piece for piece in laid(puzzle, puzzle.play(puzzle.goal().start, "c3"))["pieces"]}
    lit = {name for name, piece in top.items() if name.endswith("o0") and piece["colour"] == "#f2c230"}
    assert lit == {f"piece-LAMPS-l{place}-o0" for place in (7, 11, 12, 13, 17)}
    for place, move in enumerate(laid(puzzle)["moves"]):
        assert move["handle"] == [f"piece-LAMPS-l{place}-o0"]
    assert {top[name]["label"] for name in lit} == {"on"}
    assert {piece["label"] for name, piece in top.items() if name not in lit} == {""}
    assert_law(puzzle)


@pytest.mark.parametrize("name", ["wild", "still"])
def test_the_pieces_of_plain_drawings_move_as_moves_say(tmp_path: Path, name: str) -> None:
    assert_law(written(tmp_path, name, SMALL[name].text).puzzle(name))


def test_squares_of_many_orientations_show_a_digit(tmp_path: Path) -> None:
    seven = written(tmp_path, "seven", CUBE.replace("Set C 3 2", "Set C 3 7").replace("0 0 0", "0 2 0")).puzzle("seven")
    assert_law(seven)
    assert [piece.label for piece in seven.board.drawing.layout("B2A0C6", seven.goal()).pieces] == ["B2", "A0", "C6"]


def test_one_piece_alone_is_drawn(tmp_path: Path) -> None:
    one = "Set C 1 3\nSolved\nEnd\nMove R\nC\n1\n1\nEnd\n"
    assert_law(written(tmp_path, "one", one).puzzle("one"))
