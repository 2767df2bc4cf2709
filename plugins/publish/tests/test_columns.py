"""The moves of Panex as data: texts laid out by places of the board, and cases by the letters at these."""

from __future__ import annotations

import numpy as np
import pytest

from puzzlebase.plugins.publish.columns import Columns
from puzzlebase.plugins.publish.moves import RewritingMove
from puzzlebase.puzzles import Boards, find

pytestmark = pytest.mark.needs("panex", "quantum")

PANEX = find("panex-3")


@pytest.fixture(scope="module")
def texts() -> Boards:
    space = PANEX.space(PANEX.goal())
    return space.unrank(np.arange(space.size))


@pytest.fixture(scope="module")
def layout(texts: Boards) -> Columns:
    found = Columns.of(texts)
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


def test_texts_whose_letters_have_places_need_no_layout() -> None:
    for name in ("sliding-2x3", "quantum-2x2-2"):
        puzzle = find(name)
        space = puzzle.space(puzzle.goal())
        texts = [puzzle.format(board) for board in space.unrank(np.arange(min(space.size, 300)))]
        assert Columns.of(np.frombuffer("".join(texts).encode(), np.uint8).reshape(len(texts), -1)) is None


def test_a_move_that_depends_on_a_sum_has_no_form() -> None:
    """A case is a product of letters by place: moves of two bits that are legal where both are alike have two."""
    before = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]], np.uint8)
    legal = np.array([True, False, False, True])
    after = before.copy()
    after[legal, 2] = 1
    assert RewritingMove.of(before, after, legal, np.arange(2)) is None
    legal = np.array([True, True, False, False])
    after = before.copy()
    after[legal, 2] = 1
    found = RewritingMove.of(before, after, legal, np.arange(2))
    assert found is not None
    assert found.data("01") == [[[("0", [0, 2])], [2], [2], [[[0, 1]]]]]
    assert found.is_right(before, after, legal)
