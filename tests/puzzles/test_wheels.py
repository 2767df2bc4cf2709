"""families/wheels: the rules, the notation, the structure."""

from __future__ import annotations

import random
from functools import reduce

import numpy as np
import pytest

from puzzlebase.puzzles import IllegalMove, ImpossibleState, find
from tests import naive
from tests.puzzles.reading import assert_unreadable, layout_of

NOVICE = "BBBBBBBBBBBBRRRRRRRRR"
AVENGER = ".AAA.BBB.CCC.DDD.EEE."


@pytest.mark.parametrize(
    "name", ["novice", "challenger", "avenger", "avenger-sixths", "turnstile-edges"]
)
def test_moves_agree_with_the_rules(name: str) -> None:
    puzzle = find(name)
    expected = naive.SIXTH_TURNS if name.endswith("-sixths") else naive.FULL_TURNS
    assert [move.name for move in puzzle.moves] == expected
    assert {move.group for move in puzzle.moves} == {"left wheel", "right wheel"}
    state = puzzle.goal().start
    for move in random.Random(3).choices(expected, k=300):
        assert puzzle.play(state, move) == naive.turn(state, move)
        state = naive.turn(state, move)


def test_the_published_sequences_swap_two_pieces() -> None:
    avenger = find("avenger")
    for words, parity in (
        ("L3 R L3 R2 L3 R3 L' R L' R2 L' R3", 0),
        ("R3 L' R' L2 R' L' R L' R L R3", 1),
    ):
        state = reduce(avenger.play, words.split(), AVENGER)
        moved = [place for place in range(21) if state[place] != AVENGER[place]]
        assert [place % 2 for place in moved] == [parity, parity]


def test_two_sequences_of_four_turns_do_the_same() -> None:
    turnstile = find("turnstile")
    one, other = (
        reduce(turnstile.play, words.split(), turnstile.goal().start)
        for words in ("L2' R2 L2 R2", "R2' L2' R2' L2")
    )
    assert one == other


def test_avenger_takes_any_five_letters() -> None:
    avenger = find("avenger")
    goal = avenger.goal()
    shuffled = random.Random(5)
    for _ in range(50):
        state = naive.play(AVENGER, shuffled.choices(naive.FULL_TURNS, k=20))
        letters = shuffled.sample("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 5)
        other = state.translate(str.maketrans("ABCDE", "".join(letters)))
        assert avenger.index(other, goal) == avenger.index(state, goal)
        assert avenger.play(other, "R2'") == naive.turn(other, "R2'")
        assert naive.renamed(avenger.text(avenger.index(state, goal), goal)) == naive.renamed(state)


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("novice", ""),
        ("novice", "X" + NOVICE[1:]),
        ("avenger", AVENGER[:-1]),
        ("avenger", AVENGER[:-1] + "é"),
        ("avenger", "A" * 100_000),
    ],
)
def test_text_that_cannot_be_read(name: str, state: str) -> None:
    assert_unreadable(name, state, find(name).goal().start)


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("novice", "R" * 21),
        ("challenger", "YYYYKGGGGGKYYYYYYGGGG"),
        ("avenger", ".AAA.BBB.CCC.DDD.DDD."),
        ("avenger", ".AAA.BBB.CCC.DDD.EEF."),
        ("avenger", ".ABA.BAB.CCC.DDD.EEEA"),
    ],
)
def test_pieces_that_cannot_be(name: str, state: str) -> None:
    puzzle = find(name)
    with pytest.raises(ImpossibleState) as caught:
        puzzle.parse(state)
    assert repr(state) in str(caught.value)
    assert puzzle.goal().start in caught.value.hint
    board = np.frombuffer(state.encode(), np.uint8)[None, :]
    assert puzzle.space(puzzle.goal()).rank(board).tolist() == [-1]


@pytest.mark.parametrize("move", ["", "L4", "l", "L2''", "U", "R" * 1000])
def test_moves_that_do_not_exist(move: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        find("novice").play(NOVICE, move)
    assert "L2'" in caught.value.hint


@pytest.mark.parametrize("name", ["novice", "challenger", "avenger"])
def test_the_picture_shows_each_piece_in_its_place(name: str) -> None:
    puzzle = find(name)
    state = naive.play(puzzle.goal().start, "L R2 L3")
    pieces = layout_of(puzzle, state).pieces
    assert [piece.place for piece in pieces] == [str(place) for place in range(21)]
    assert "".join(piece.label or "." for piece in pieces) == state
    assert len({(piece.label, piece.colour) for piece in pieces}) == len({*state})
