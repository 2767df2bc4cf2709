"""Puzzles of letters in places, with a space of their own."""

from __future__ import annotations

import pytest

from puzzlebase.puzzles import IllegalMove, InvalidState, find
from tests.graphs import PATH, on
from tests.puzzles.reading import layout_of


def test_what_follows_from_letters_and_moves() -> None:
    puzzle = on(PATH)
    assert puzzle.notation.examples == ("0", "1")
    for text, message in (("", "0 letters, not 1"), ("6", "'6' in place 0")):
        with pytest.raises(InvalidState, match=message):
            puzzle.parse(text)
    with pytest.raises(IllegalMove, match="no move 'X'"):
        puzzle.play("0", "X")
    with pytest.raises(IllegalMove, match="1 is not legal in '0'") as refused:
        puzzle.play("0", "1")
    assert refused.value.hint == "legal moves are: 0"


@pytest.mark.needs("tiles")
def test_the_solved_state_lays_out_the_picture() -> None:
    pieces = layout_of(find("tiles-2x3-125"), "120x50").pieces
    assert [len({piece.x for piece in pieces}), len({piece.y for piece in pieces})] == [3, 2]
