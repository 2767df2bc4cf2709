"""Puzzles given by their rules alone: every state that moves lead to, and refusals."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from puzzlebase.puzzles import IllegalMove, ImpossibleState, InvalidState, NoSpace, Puzzle, letter_puzzle
from puzzlebase.puzzles.machinery import letters
from tests import naive
from tests.conftest import enumerated
from tests.puzzles.reading import layout_of

SLIDES = {"R1": "slides", "L1": "slides", "R2": "jumps", "L2": "jumps"}


def slide(text: str, move: str) -> str | None:
    """Frogs F and toads T beside an empty place: a piece moves into it from a place or two away."""
    empty, by = text.index("0"), int(move[1]) * (-1 if move[0] == "R" else 1)
    if not 0 <= empty + by < len(text):
        return None
    board = list(text)
    board[empty], board[empty + by] = board[empty + by], "0"
    return "".join(board)


def slides(text: str) -> Iterable[tuple[str, str]]:
    for move in SLIDES:
        if after := slide(text, move):
            yield move, after


def frogs(solved: str = "TT0FF", start: str = "FF0TT") -> Puzzle:
    return letter_puzzle("frogs", solved=solved, start=start, moves=SLIDES, play=slide)


def test_all_states_and_distances_agree_with_the_twin() -> None:
    puzzle = frogs()
    space = puzzle.space(puzzle.goal())
    texts = [puzzle.format(board) for board in space.unrank(np.arange(space.size))]
    known = naive.distances("TT0FF", slides)
    assert dict(zip(texts, enumerated(space).tolist(), strict=True)) == known
    assert len(known) == 30
    assert space.rank(space.unrank(np.arange(30))).tolist() == list(range(30))


def test_the_two_sides_agree() -> None:
    puzzle = frogs()
    goal = puzzle.goal()
    for index, successors in enumerate(puzzle.space(goal).expand(np.arange(30)).tolist()):
        text = puzzle.text(index, goal)
        after = dict(slides(text))
        for move, successor in zip(puzzle.moves, successors, strict=True):
            assert (successor >= 0) == (move.name in after)
            if successor >= 0:
                assert puzzle.index(puzzle.play(text, move.name), goal) == successor
            else:
                with pytest.raises(IllegalMove, match="is not legal"):
                    puzzle.play(text, move.name)
    assert (puzzle.space(goal).expand(np.array([-1])) == -1).all()


def test_what_follows_from_the_rules() -> None:
    puzzle = frogs()
    assert (puzzle.goal().states, puzzle.goal().start) == (("TT0FF",), "FF0TT")
    assert puzzle.notation.examples[0] == "FF0TT"
    assert len(puzzle.notation.examples) == 3
    assert all(puzzle.format(puzzle.parse(example)) == example for example in puzzle.notation.examples)
    assert [(move.name, move.group) for move in puzzle.moves] == list(SLIDES.items())
    assert len(layout_of(puzzle, "FF0TT").pieces) == 5
    assert puzzle.space(puzzle.goal()) is puzzle.space(puzzle.goal())
    with pytest.raises(IllegalMove, match="no move 'X'"):
        puzzle.play("FF0TT", "X")


def test_states_have_the_letters_of_the_solved_one_or_of_an_alphabet() -> None:
    puzzle = frogs()
    for text in ("", "FF0T", "FF0TX", "FF0TÉ"):
        with pytest.raises(InvalidState):
            puzzle.parse(text)
    with pytest.raises(ImpossibleState, match="'F' 3 times, not 2"):
        puzzle.parse("FF0TF")
    any_letters = letter_puzzle("lamps", solved="000", alphabet="01", moves={"A": "a"}, play=lambda text, _: text[::-1])
    assert any_letters.format(any_letters.parse("011")) == "011"
    with pytest.raises(InvalidState, match="'2' in place 1"):
        any_letters.parse("121")


def test_too_many_states_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "LISTED_BY_RULES", 29)
    puzzle = frogs()
    for _ in range(2):
        with pytest.raises(NoSpace, match="more than 29 states"):
            puzzle.space(puzzle.goal())
    assert puzzle.play("FF0TT", "R1") == "F0FTT"
