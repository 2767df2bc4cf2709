"""The law of boards, for every puzzle:
motions take the pieces of a state to those of the next state.
"""

from __future__ import annotations

from typing import Any

import pytest

from puzzlebase.puzzles import all_families, find
from puzzlebase.service.answers.boards import board
from puzzlebase.service.answers.pictures import state_picture
from tests.matrix import FIRST, only, present
from tests.naive import pieces as naive
from tests.puzzles.board_law import assert_law, states

LARGE = present(
    "panex-26",
    "hanoi-nnn-13",
    "hanoi-bbb-13",
    "panguru-4",
    "quantum-2x2-8-bulk",
    "quantum-2x3-3-bulk",
    "quantum-3x3-4",
    "sliding-3x4",
    "sliding-6x2",
    "puzzler",
)
MEMBERS = [name for family in all_families() for name in family.members]
NAMES = only({*FIRST, *LARGE}.__contains__, sorted({*MEMBERS, *LARGE}))


@pytest.mark.parametrize("name", NAMES)
def test_motions_take_the_pieces_of_a_state_to_those_after(name: str) -> None:
    assert_law(find(name))


@pytest.mark.parametrize("name", MEMBERS)
def test_a_puzzle_that_one_plays_shows_a_move(name: str) -> None:
    """A move and its arrow stand beside the instructions;
    a pattern, which nobody plays, has neither.
    """
    puzzle = find(name)
    if puzzle.about.instructions is None:
        assert puzzle.about.example is None
        return
    assert "It is solved when" in puzzle.about.instructions
    example = puzzle.about.example
    assert example
    picture = state_picture(puzzle, puzzle.goal(), example.state, highlight=example.move)
    assert 'class="arrow"' in picture


@pytest.mark.parametrize("name", NAMES)
def test_shapes_lie_on_the_canvas_and_pieces_keep_their_looks(name: str) -> None:
    puzzle = find(name)
    looks: dict[str, tuple[str, str]] = {}
    for state in states(puzzle, 3):
        laid_out: Any = board(puzzle, puzzle.goal(), state)
        places = {place["name"]: (place["x"], place["y"]) for place in laid_out["places"]}
        assert len(places) == len(laid_out["places"])
        shapes = laid_out["marks"] + laid_out["pieces"]
        assert len({shape["id"] for shape in shapes}) == len(shapes)
        for shape in shapes:
            assert shape["label"] or shape["outline"]
            for point in [
                (shape["x"], shape["y"]),
                *(edge.end for edge in naive.edges(shape["outline"])),
            ]:
                assert 0 <= point[0] <= laid_out["width"]
                assert 0 <= point[1] <= laid_out["height"]
        becomes = any(motion["becomes"] for move in laid_out["moves"] for motion in move["motions"])
        for piece in laid_out["pieces"]:
            assert piece["place"] in places
            look = piece["colour"], piece["label"]
            assert becomes or looks.setdefault(piece["id"], look) == look


@pytest.mark.parametrize(
    "name", [name for name in MEMBERS if find(name).board.drawing.permutations]
)
def test_permutations_say_where_each_piece_comes_from(name: str) -> None:
    """Compare the letters of states, where there is one for each place."""
    puzzle = find(name)
    for state in states(puzzle, 4):
        laid_out: Any = board(puzzle, puzzle.goal(), state)
        assert set(laid_out["permutations"]) == {move.name for move in puzzle.moves}
        for move, sources in laid_out["permutations"].items():
            assert sorted(sources) == [*range(len(laid_out["places"]))]
            assert "".join(state[source] for source in sources) == puzzle.play(state, move)
