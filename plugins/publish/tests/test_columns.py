"""The moves of Panex as data: texts laid out by places of the board,
and cases by the letters at these.
"""

from __future__ import annotations

import numpy as np
import pytest

from puzzlebase.plugins.publish.columns import Columns
from puzzlebase.plugins.publish.rewriting import RewritingMove
from puzzlebase.puzzles import Boards, find

pytestmark = pytest.mark.needs("panex")

PANEX = find("panex-3")


@pytest.fixture(scope="module")
def texts() -> Boards:
    space = PANEX.space(PANEX.goal())
    return space.unrank(np.arange(space.size))


@pytest.fixture(scope="module")
def layout() -> Columns:
    found = Columns.of(PANEX)
    assert found is not None
    return found


def test_places_are_those_in_which_tiles_are_drawn(texts: Boards, layout: Columns) -> None:
    drawing, laid_out = PANEX.board.drawing, layout.laid_out(texts)
    for text, places in list(zip(texts, laid_out, strict=True))[::97]:
        pieces = drawing.layout(text.tobytes().decode(), PANEX.goal()).pieces
        drawn = {piece.place: piece.label for piece in pieces}
        names = [f"{track}{layer}" for layer in range(4) for track in "LCR"]
        assert [drawn.get(name, "|") for name in names] == [chr(letter) for letter in places]


def test_a_layout_is_read_back(texts: Boards, layout: Columns) -> None:
    assert (layout.texts(layout.laid_out(texts)) == texts).all()
    assert layout.data() == {"columns": {"separator": "|", "limits": ["", "Aa", "Bb", "Cc"]}}


def test_a_letter_too_deep_is_no_layout(layout: Columns) -> None:
    with pytest.raises(ValueError, match="deeper"):
        layout.laid_out(np.frombuffer(b"Ccba||AB", np.uint8)[None])


def test_a_move_that_depends_on_other_letters_than_it_changes_has_no_form() -> None:
    before = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]], np.uint8)
    legal = before[:, 0] == 0
    after = before.copy()
    after[legal, 2] = 1
    assert RewritingMove.of(before, after, legal, 2) is None
    after = before.copy()
    after[legal, 0] = 1
    found = RewritingMove.of(before, after, legal, 2)
    assert found is not None
    assert found.data("01") == [[[("0", [0])], [0], [0], [[[0, 1]]]]]
    assert found.is_right(before, after, legal)
