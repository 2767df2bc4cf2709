"""puzzles/machinery/reversible.py: the move that undoes each move."""

from __future__ import annotations

import pytest

from puzzlebase.puzzles import find
from puzzlebase.puzzles.machinery.reversible import inverse_moves
from tests import naive


def undone_by(name: str) -> list[str] | None:
    puzzle = find(name)
    undo = inverse_moves(puzzle.space(puzzle.goal()))
    return None if undo is None else [puzzle.moves[move].name for move in undo.tolist()]


@pytest.mark.parametrize("name", ["novice", "novice-sixths"])
def test_turns_are_undone_by_turns_back(name: str) -> None:
    """Include a puzzle on whose solved state some turns change nothing."""
    assert undone_by(name) == [naive.undo(move.name)[0] for move in find(name).moves]


@pytest.mark.parametrize("name", ["hanoi-nnn-4", "panex-3"])
def test_a_move_between_two_places_is_undone_by_the_move_back(name: str) -> None:
    assert undone_by(name) == [move.name[::-1] for move in find(name).moves]


def test_a_tile_slides_back() -> None:
    back = dict(zip("UDLR", "DURL", strict=True))
    assert undone_by("sliding-2x3") == [back[move.name] for move in find("sliding-2x3").moves]


def test_a_pebble_is_named_by_its_place_so_no_move_always_undoes_it() -> None:
    assert undone_by("panguru-4") is None
