"""What a puzzle says of text that cannot be read: what the tests of every family check."""

from __future__ import annotations

import pytest

from puzzlebase.puzzles import InvalidState, find


def assert_unreadable(name: str, text: str, example: str) -> None:
    """The puzzle refuses the text as a state and for a picture, in a short message whose hint shows the example."""
    puzzle = find(name)
    for ask in (puzzle.parse, puzzle.picture):
        with pytest.raises(InvalidState) as caught:
            ask(text)
        assert example in caught.value.hint
        assert len(str(caught.value)) < 200
