"""Permutation puzzles given by generators, against a reference implementation and published layers; and refusals."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from puzzlebase.plugins.definitions import permutation
from puzzlebase.puzzles import (
    IllegalMove,
    InvalidState,
    NoSpace,
    Puzzle,
    Space,
    permutation_puzzle,
)
from puzzlebase.testing.puzzles import OF_SPACES
from tests import naive
from tests.fixtures import enumerated
from tests.naive.permutation import Cycles, permutation_neighbours
from tests.puzzles.reading import layout_of

CUBE = {
    "R": [(8, 9, 17, 16), (7, 1, 18, 21), (15, 3, 10, 23)],
    "U": [(0, 1, 3, 2), (6, 4, 10, 8), (7, 5, 11, 9)],
    "F": [(6, 7, 15, 14), (2, 8, 21, 13), (3, 16, 20, 5)],
}
"""The 2x2x2 cube with one corner held, its stickers numbered in the order of a net."""


class Case(NamedTuple):
    """A small permutation puzzle and the number of its states."""

    solved: str
    generators: dict[str, Cycles]
    powers: bool
    states: int

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle, made anew."""
        return permutation_puzzle("case", solved=self.solved, moves=self.generators, powers=self.powers)

    @property
    def space(self) -> Space:
        """Its states."""
        return self.puzzle.space(self.puzzle.goal())

    @property
    def known(self) -> dict[str, int]:
        """The reference implementation's distances of all states."""
        return naive.distances(self.solved, permutation_neighbours(self.generators, powers=self.powers))


RINGS: dict[str, Cycles] = {"A": [range(6)], "B": [(0, 2, 6, 7, 8, 9)]}
SMALL = {
    "different letters": Case("123456", {"R": [range(6)], "T": [(0, 3), (1, 2)]}, powers=True, states=720),
    "even permutations": Case("abcdef", {"A": [(0, 1, 2, 3, 4)], "B": [(3, 4, 5)]}, powers=False, states=360),
    "two pairs of a letter": Case("AABBCD", {"R": [range(6)], "T": [(0, 1)]}, powers=True, states=180),
    "rings of two colours": Case("XXXXXOOOOO", RINGS, powers=False, states=252),
    "places that do not move": Case("zabcz", {"R": [(1, 2, 3)]}, powers=False, states=3),
    "letters that tell pieces": Case("ABBCCA", {"R": [(0, 2, 4), (1, 3, 5)], "F": [(0, 1)]}, powers=True, states=24),
    "an involution": Case("ab", {"S": [(0, 1)]}, powers=True, states=2),
    "equal letters alone": Case("aaa", {"R": [(0, 1, 2)]}, powers=True, states=1),
    "orbits that move together": Case("abcdABCD", {"R": [range(4), range(4, 8)]}, powers=False, states=4),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_distances_agree_with_the_twin_on_all_states(name: str) -> None:
    case = SMALL[name]
    puzzle, space = case.puzzle, case.space
    distances = enumerated(space)
    texts = [puzzle.format(board) for board in space.unrank(np.arange(space.size))]
    assert dict(zip(texts, distances.tolist(), strict=True)) == case.known
    assert space.size == len(case.known) == case.states
    for law in OF_SPACES:
        law(puzzle, puzzle.goal())


@pytest.mark.parametrize(("powers", "layers"), [(True, "half_turn_layers"), (False, "quarter_turn_layers")])
def test_the_cube_has_the_published_layers(golden: dict[str, Any], powers: bool, layers: str) -> None:
    puzzle = permutation_puzzle("cube", solved="UUUULLFFRRBBLLFFRRBBDDDD", moves=CUBE, powers=powers)
    space = puzzle.space(puzzle.goal())
    assert space.size == golden["cube-2x2x2"]["states"]
    assert np.bincount(enumerated(space)).tolist() == golden["cube-2x2x2"][layers]


def test_moves_are_named_by_generator_and_power() -> None:
    moves: dict[str, Cycles] = {"A": [range(5)], "B": [range(4)], "C": [(0, 1)]}
    with_powers = permutation_puzzle("names", solved="abcde", moves=moves, powers=True)
    assert [move.name for move in with_powers.moves] == ["A", "A2", "A2'", "A'", "B", "B2", "B'", "C"]
    assert [move.group for move in with_powers.moves] == ["pieces of A"] * 4 + ["pieces of B or C"] * 4
    plain = permutation_puzzle("names", solved="abcde", moves=moves)
    assert [move.name for move in plain.moves] == ["A", "A'", "B", "B'", "C"]
    assert plain.play("abcde", "A") == "eabcd"
    assert plain.play("abcde", "A'") == "bcdea"
    assert with_powers.play("abcde", "A2") == "deabc"
    with pytest.raises(IllegalMove, match="no move 'D'"):
        plain.play("abcde", "D")


def test_the_picture_lies_as_the_solved_state_is_drawn() -> None:
    puzzle = permutation_puzzle("drawn", solved=" a\nbc", moves={"R": [(0, 1, 2)]})
    assert puzzle.goal().start == "abc"
    top, left, right = layout_of(puzzle, "cab").pieces
    assert (top.label, left.label, right.label) == ("c", "a", "b")
    assert top.x == right.x > left.x
    assert top.y < left.y == right.y
    assert len({top.colour, left.colour, right.colour}) == 3
    with pytest.raises(InvalidState):
        layout_of(puzzle, "ab")


@pytest.mark.parametrize(
    ("solved", "moves", "problem"),
    [
        ("abc", {"R": [(0, 1, 3)]}, "not in 0 .. 2"),
        ("abc", {"R": [(0, 1), (1, 2)]}, "twice"),
        ("abc", {"R": [(0,)]}, "moves nothing"),
        ("abc", {}, "no moves"),
        ("abcde", {"R": [range(5)], "R2": [(0, 1)]}, "'R2'"),
        ("", {}, "no moves"),
        ("äbc", {"R": [(0, 1, 2)]}, "not ASCII"),
    ],
)
def test_what_is_no_permutation_puzzle(solved: str, moves: dict[str, Cycles], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        permutation_puzzle("wrong", solved=solved, moves=moves, powers=True)


def test_too_many_states_are_refused_and_the_board_side_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Different letters are refused at once, by the size of the group; equal ones when the list is full."""
    ring: dict[str, Cycles] = {"R": [range(36)], "S": [(0, 1)]}
    different = permutation_puzzle("many", solved="abcdefghijklmnopqrstuvwxyz0123456789", moves=ring)
    monkeypatch.setattr(permutation, "LISTED_BYTES", 1 << 20)
    equal = permutation_puzzle("many", solved="a" * 18 + "b" * 18, moves=ring)
    for puzzle, most in ((different, permutation.MOST_STATES), (equal, (1 << 20) // (36 + 4 * 3 + 24))):
        for _ in range(2):
            with pytest.raises(NoSpace, match=f"more than {most:,} states"):
                puzzle.space(puzzle.goal())
        text = puzzle.goal().start
        assert puzzle.play(puzzle.play(text, "R"), "R'") == text
        assert len(layout_of(puzzle, text).pieces) == 36
