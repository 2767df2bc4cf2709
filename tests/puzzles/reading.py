"""Refusals of unreadable text, which the tests of every family check."""

from __future__ import annotations

from functools import partial

import pytest

from puzzlebase.puzzles import InvalidState, Layout, Puzzle, find


def layout_of(puzzle: Puzzle, text: str) -> Layout:
    """A state's picture, with the puzzle's default goal."""
    return puzzle.board.drawing.layout(text, puzzle.goal())


def assert_unreadable(name: str, text: str, example: str) -> None:
    """Check that a puzzle refuses a text as a state and for a picture,
    shortly and with the example in its hint.
    """
    puzzle = find(name)
    for ask in (puzzle.parse, partial(layout_of, puzzle)):
        with pytest.raises(InvalidState) as caught:
            ask(text)
        assert example in caught.value.hint
        assert len(str(caught.value)) < 200
