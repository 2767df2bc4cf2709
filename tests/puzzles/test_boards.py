"""The law of boards, for every puzzle:
motions take the pieces of a state to those of the next state.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import pytest

from puzzlebase.puzzles import Puzzle, all_families, find
from puzzlebase.service.answers.boards import board
from puzzlebase.service.answers.pictures import state_picture
from puzzlebase.testing.puzzles import walk
from tests.matrix import FIRST, only, present
from tests.naive import pieces as naive
from tests.one_way import SMALL, triangle

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
ENOUGH = 100
"""Moves to check of a puzzle."""
ROUNDING = 0.021
"""Numbers have two decimals each, and a turn adds the errors of two."""


def states(puzzle: Puzzle, count: int = 12) -> Iterator[str]:
    """States on a random walk from a goal's start, moves apart."""
    for goal in puzzle.goals[:2]:
        yield from walk(puzzle, goal, count, 7)


def matched(one: list[naive.Seen], other: list[naive.Seen]) -> bool:
    """True for the same pieces in any order."""
    left = list(other)
    for piece in one:
        found = next(
            (at for at, there in enumerate(left) if naive.same(piece, there, ROUNDING)), None
        )
        if found is None:
            return False
        left.pop(found)
    return not left


def assert_law(puzzle: Puzzle) -> None:
    """Move the pieces of states as motions say:
    they become those of the next states; ids stay, and handles move.
    """
    goal = puzzle.goal()
    laid = cache(partial(board, puzzle, goal))
    checked = 0
    for state in states(puzzle):
        if checked > ENOUGH:
            break
        before: Any = laid(state)
        checked += len(before["moves"])
        legal = puzzle.played(state)
        assert {move["move"]: move["after"] for move in before["moves"]} == legal
        for move in before["moves"]:
            after = laid(move["after"])
            pieces = {piece["id"]: naive.seen(piece) for piece in before["pieces"]}
            moved = [motion["piece"] for motion in move["motions"]]
            assert len({*moved}) == len(moved)
            for motion in move["motions"]:
                assert motion["turn"] is None or motion["slide"] is None
                pieces[motion["piece"]] = naive.moved(pieces[motion["piece"]], motion)
            assert matched([*pieces.values()], [naive.seen(piece) for piece in after["pieces"]]), (
                move["move"]
            )
            assert {*pieces} == {piece["id"] for piece in after["pieces"]}
            assert {*move["handle"]} <= {*pieces}
            assert {*move["handle"]} & {*moved} or move["after"] == state


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


def test_the_law_holds_for_puzzles_that_say_little_of_their_looks() -> None:
    assert_law(triangle("small-triangle", SMALL))


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
