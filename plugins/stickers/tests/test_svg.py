"""Drawings beside definitions, in SVG with the names that cubing.js gives to stickers."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from puzzlebase.plugins.definitions.definition_file import DefinitionFile
from puzzlebase.plugins.definitions.tests.small_definitions import CUBE, EXAMPLES, written
from puzzlebase.plugins.definitions.tests.test_definition_files import AT_ONCE, ONES
from puzzlebase.puzzles.files import MOST_BYTES, InvalidDefinition
from tests.puzzles.board_law import assert_law
from tests.slowness import slowness


def test_every_example_is_drawn() -> None:
    assert all(
        DefinitionFile(path.with_suffix(".tws")).definition for path in EXAMPLES.glob("*.svg")
    )


HOSTILE_DRAWINGS = {
    "digits": f'<circle r="{ONES}"/>',
    "an id": f'<circle r="1" id="{"-o1-1" * 160_000}x"/>',
    "points": f'<polygon points="{"1." * 500_000}"/>',
    "groups": "<g>" * 140_000 + "</g>" * 140_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE_DRAWINGS)
def test_hostile_drawings_are_refused_at_once(tmp_path: Path, name: str) -> None:
    drawing = f'<svg viewBox="0 0 9 9">{HOSTILE_DRAWINGS[name]}</svg>'
    assert len(drawing) < MOST_BYTES
    (tmp_path / "cube.svg").write_text(drawing, "utf-8")
    file = written(tmp_path, "cube", CUBE)
    began = time.process_time()
    with pytest.raises(InvalidDefinition):
        file.definition  # noqa: B018
    assert time.process_time() - began < AT_ONCE * slowness()


def test_a_drawing_of_too_many_stickers_is_refused_unread(tmp_path: Path) -> None:
    (tmp_path / "large.svg").write_text('<svg viewBox="0 0 9 9"/>', "utf-8")
    file = written(tmp_path, "large", CUBE.replace("Set C 3 2", "Set C 3 2\nSet D 3000 127"))
    with pytest.raises(InvalidDefinition, match="381,006 stickers"):
        file.definition  # noqa: B018


SQUARE = '<polygon id="C-l{}-o{}" points="0,0 5,0 5,5 0,5" fill="#112233"/>'
SHAPES = "".join(SQUARE.format(place, turned) for place in range(3) for turned in range(2))
DRAWINGS = {
    "no size": ("<svg>" + SHAPES + "</svg>", "how large"),
    "no XML": ("<svg", "no XML"),
    "an entity": ('<!DOCTYPE svg [<!ENTITY a "aaa">]><svg/>', "DOCTYPE"),
    "one lacks": (
        '<svg viewBox="0 0 9 9">' + SHAPES.replace("l2-o1", "l9-o1") + "</svg>",
        "'C-l2-o1'",
    ),
    "one twice": ('<svg viewBox="0 0 9 9">' + SHAPES + SQUARE.format(0, 0) + "</svg>", "one id"),
    "a path": (
        '<svg viewBox="0 0 9 9"><path d="M0 0L3 0L3 3Z"/></svg>',
        "a path that we cannot use",
    ),
    "a transform": ('<svg viewBox="0 0 9 9"><g transform="scale(2)"/></svg>', "transform"),
    "a colour": ('<svg viewBox="0 0 9 9"><circle r="1" fill="url(#x)"/></svg>', "'url(#x)'"),
    "a unit": ('<svg viewBox="0 0 9 9"><circle r="1px"/></svg>', "'1px'"),
}


def test_the_pieces_of_drawings_move_as_moves_say(tmp_path: Path) -> None:
    (tmp_path / "cube.svg").write_text(f'<svg viewBox="0 0 9 9">{SHAPES}</svg>', "utf-8")
    assert_law(written(tmp_path, "cube", CUBE).puzzle("cube"))


@pytest.mark.parametrize("name", DRAWINGS)
def test_what_is_wrong_with_a_drawing_is_said(tmp_path: Path, name: str) -> None:
    text, printed = DRAWINGS[name]
    (tmp_path / "cube.svg").write_text(text, "utf-8")
    with pytest.raises(InvalidDefinition) as caught:
        written(tmp_path, "cube", CUBE).definition  # noqa: B018
    assert printed in str(caught.value)
    assert "cube.svg" in str(caught.value)


def test_shapes_of_a_drawing_show_their_colours_at_home(tmp_path: Path) -> None:
    shapes = SHAPES.replace(SQUARE.format(2, 0), SQUARE.format(2, 0).replace("#112233", "#ff0000"))
    shapes += '<polygon id="frame" points="0,0 9,0 9,9" fill="#ffffff"/>'
    (tmp_path / "cube.svg").write_text(f'<svg viewBox="0 0 9 9">{shapes}</svg>', "utf-8")
    puzzle = written(tmp_path, "cube", CUBE).puzzle("cube")
    # piece C comes to place 2, and turns on the way
    for moves, at in (("", "C-l2-o0"), ("R", "C-l1-o1")):
        text = puzzle.goals[0].start
        for move in moves:
            text = puzzle.play(text, move)
        layout = puzzle.board.drawing.layout(text, puzzle.goal())
        assert [piece.place for piece in layout.pieces if piece.colour == "#ff0000"] == [at]
        assert [mark.colour for mark in layout.marks] == ["#ffffff"]
