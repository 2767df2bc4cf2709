"""families/panex/board.py and layout.py: states as text, moves, pictures, and refusals."""

from __future__ import annotations

import random

import pytest

from puzzlebase.puzzles import IllegalMove, ImpossibleState, find
from tests.naive import panex as naive_panex
from tests.puzzles.reading import assert_unreadable, layout_of

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("n", [2, 5, 26])
def test_play_agrees_with_the_reference_implementation_on_any_board(n: int) -> None:
    puzzle = find(f"panex-{n}")
    walk = random.Random(n)
    state = puzzle.goal().start
    for _ in range(200):
        assert puzzle.format(puzzle.parse(state)) == state
        legal = dict(naive_panex.neighbours(state))
        for move in puzzle.moves:
            if move.name in legal:
                assert puzzle.play(state, move.name) == legal[move.name]
            else:
                with pytest.raises(IllegalMove, match=move.name):
                    puzzle.play(state, move.name)
        state = legal[walk.choice(sorted(legal))]


@pytest.mark.parametrize(
    ("state", "move", "why"),
    [
        ("abc||ABC", "CL", "centre track is empty"),
        ("bc|Aa|BC", "RC", "centre track is full"),
        ("bc|Aa|BC", "LR", "layer 0 of the centre track is in the way"),
        ("abc||ABC", "X" * 1000, "no move"),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason(state: str, move: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why) as caught:
        find("panex-3").play(state, move)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("state", ["", "abc|ABC", "abc|||ABC", "abd||ABC", "abc||ABÇ", "|" * 9000])
def test_text_that_cannot_be_read(state: str) -> None:
    assert_unreadable("panex-3", state, "abc||ABC")


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ("abc||ABB", "'C' 0 times|'B' 2 times"),
        ("abcc||ABC", "'c' 2 times"),
        (
            "bca||ABC",
            (
                "'a' too deep: 2 tiles lie above it in the left track, and it goes no "
                "deeper than layer 1"
            ),
        ),
        ("||cCBAba", "'A' too deep: 3 tiles lie above it in the right track"),
    ],
)
def test_a_state_that_cannot_be_is_refused_with_the_reason(state: str, why: str) -> None:
    with pytest.raises(ImpossibleState, match=why) as caught:
        find("panex-3").parse(state)
    assert repr(state) in str(caught.value)
    assert "abc||ABC" in caught.value.hint


def test_too_deep_means_off_the_board() -> None:
    """Random stacks are refused exactly where a tile does not fit on the
    board of the reference implementation.
    """
    puzzle, shuffled = find("panex-4"), random.Random(1)
    outcomes = set()
    for _ in range(1000):
        text = list("abcdABCD||")
        shuffled.shuffle(text)
        state = "".join(text)
        outcomes.add(fits := naive_panex.legal(state))
        if fits:
            assert puzzle.format(puzzle.parse(state)) == state
        else:
            with pytest.raises(ImpossibleState, match="too deep"):
                puzzle.parse(state)
    assert outcomes == {True, False}


def test_two_pictures_of_a_state() -> None:
    puzzle, state = find("panex-3"), "bc|Aa|BC"
    drawing = puzzle.board.drawing
    silver, gold = (drawing.styles[name](state, puzzle.goal()) for name in ("silver", "gold"))
    assert layout_of(puzzle, state) == silver
    lying = {
        f"{'LCR'[track]}{layer}": tile for (track, layer), tile in naive_panex.places(state).items()
    }
    for layout, lettered in ((silver, True), (gold, False)):
        assert [sign.label for sign in layout.marks[1:]] == ["L", "C", "R"]
        assert {tile.place: tile.label for tile in layout.pieces} == (
            lying if lettered else dict.fromkeys(lying, "")
        )
        assert len({(lying[tile.place].isupper(), tile.colour) for tile in layout.pieces}) == 2
    assert {tile.colour for tile in silver.pieces}.isdisjoint(tile.colour for tile in gold.pieces)
