"""Puzzles given by their rules alone: every state that moves lead to, and refusals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from puzzlebase.puzzles import IllegalMove, ImpossibleState, InvalidState, Puzzle, Space, letter_puzzle
from tests import naive
from tests.fixtures import enumerated
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


def found(puzzle: Puzzle) -> Space:
    """The states that a build finds."""
    assert puzzle.found
    return puzzle.found.find(1000, 1, lambda *_: None)[0]


def test_all_states_and_distances_agree_with_the_twin() -> None:
    puzzle = frogs()
    space = found(puzzle)
    texts = [puzzle.format(board) for board in space.unrank(np.arange(space.size))]
    known = naive.distances("TT0FF", slides)
    assert dict(zip(texts, enumerated(space).tolist(), strict=True)) == known
    assert len(known) == 30
    assert space.rank(space.unrank(np.arange(30))).tolist() == list(range(30))


def test_what_follows_from_the_rules() -> None:
    puzzle = frogs()
    assert (puzzle.goal().states, puzzle.goal().start) == (("TT0FF",), "FF0TT")
    assert puzzle.notation.examples[0] == "FF0TT"
    assert len(puzzle.notation.examples) == 3
    assert all(puzzle.format(puzzle.parse(example)) == example for example in puzzle.notation.examples)
    assert [move.name for move in puzzle.moves_of("F0FTT")] == ["R1", "L1", "L2"]
    assert len(layout_of(puzzle, "FF0TT").pieces) == 5
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


def coins(**how: Any) -> Puzzle:
    """Six coins in two rows; a move turns two neighbours of a row over."""

    def turn(text: str, move: str) -> str:
        at = int(move)
        return text[:at] + "".join({"●": "○", "○": "●"}[coin] for coin in text[at : at + 2]) + text[at + 2 :]

    return letter_puzzle("coins", moves=dict.fromkeys("0134", "coins"), play=turn, alphabet="●○", **how)


def coins_from(text: str) -> Iterable[tuple[str, str]]:
    for at in (0, 1, 3, 4):
        turned = "".join("●○"[coin == "●"] if place in (at, at + 1) else coin for place, coin in enumerate(text))
        yield str(at), turned


HEADS = ("●●●●●●", "○○●○○●")
IN_ROWS = ("●●●\n●●●", "○○●\n○○●")


@pytest.mark.parametrize("solved", [IN_ROWS, {*IN_ROWS}, HEADS.__contains__], ids=["sequence", "set", "function"])
def test_several_states_may_be_solved(solved: Any) -> None:
    """Distances are the least of those to one of them, and characters are any that print."""
    puzzle = coins(solved=solved, start=IN_ROWS[0])
    known = [naive.distances(text, coins_from) for text in HEADS]
    least = {text: min(each.get(text, 99) for each in known) for text in {**known[0], **known[1]}}
    space = found(puzzle)
    texts = [puzzle.format(board) for board in space.unrank(np.arange(space.size))]
    assert dict(zip(texts, enumerated(space).tolist(), strict=True)) == least
    assert {texts[index] for index in space.goal_states} == {*HEADS}
    assert {*puzzle.goal().states} in ({*HEADS}, set())
    assert [move.group for move in puzzle.moves_of(HEADS[0])] == ["coins"] * 4
    with pytest.raises(InvalidState, match="'x' in place 1"):
        puzzle.parse("●x●●●●")
    pieces = layout_of(puzzle, HEADS[1]).pieces
    assert "".join(piece.label for piece in pieces) == HEADS[1]
    assert len({piece.x for piece in pieces}) == 3
    assert len({piece.y for piece in pieces}) == 2


@pytest.mark.parametrize("solved", ["", "a\u200b", "".join(map(chr, range(0x4E00, 0x4E00 + 129)))])
def test_characters_that_no_state_can_have(solved: str) -> None:
    with pytest.raises(ValueError, match="at most 128 printable characters"):
        letter_puzzle("wrong", solved=solved, moves={"a": "a"}, play=lambda text, _: text)
