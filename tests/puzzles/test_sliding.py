"""families/sliding: the rules, the published layers, and refusals."""

from __future__ import annotations

import random
from itertools import permutations
from math import factorial
from typing import Any

import numpy as np
import pytest

from puzzlebase.puzzles import IllegalMove, ImpossibleState, find
from tests import naive
from tests.naive import quantum as naive_quantum
from tests.puzzles.enumerating import all_distances, distances_of
from tests.puzzles.reading import assert_unreadable

pytestmark = pytest.mark.plain

EIGHT = "123456780"


def solved(places: int, home: int) -> str:
    """The tiles in order, with the blank at its home."""
    tiles = "123456789ab"[: places - 1]
    return tiles[:home] + "0" + tiles[home:]


@pytest.mark.parametrize(("height", "width"), [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (5, 2)])
def test_moves_agree_with_the_rules(height: int, width: int) -> None:
    puzzle = find(f"sliding-{height}x{width}")
    assert [move.name for move in puzzle.moves] == list("UDLR")
    state = puzzle.goal().start
    chosen = random.Random(4)
    for _ in range(200):
        assert puzzle.format(puzzle.parse(state)) == state
        ways = dict(naive_quantum.sliding_neighbours(width)(state))
        for move in "UDLR":
            if move in ways:
                assert puzzle.play(state, move) == ways[move]
            else:
                with pytest.raises(IllegalMove):
                    puzzle.play(state, move)
        state = chosen.choice(list(ways.values()))


@pytest.mark.parametrize(("height", "width"), [(2, 2), (2, 3), (3, 2)])
def test_distances_agree_on_all_states_and_goals(height: int, width: int) -> None:
    puzzle = find(f"sliding-{height}x{width}")
    places = height * width
    homes = [places - 1, *range(places - 1)]
    assert [goal.name for goal in puzzle.goals] == [f"blank-{home}" for home in homes]
    for home, goal in zip(homes, puzzle.goals, strict=True):
        known = naive.distances(solved(places, home), naive_quantum.sliding_neighbours(width))
        distances = all_distances(puzzle.space(goal))
        assert len(distances) == len(known) == factorial(places) // 2
        for state in map("".join, permutations(solved(places, home))):
            index = puzzle.index(state, goal)
            assert (int(distances[index]) if index >= 0 else None) == known.get(state), (
                state,
                goal.name,
            )


def test_the_layers_of_the_eight_puzzle_are_the_published_ones(golden: dict[str, Any]) -> None:
    puzzle = find("sliding-3x3")
    goal = puzzle.goal()
    assert goal.start == EIGHT
    layers = golden["eight_puzzle_blank_in_corner"]["layers"]
    assert np.bincount(distances_of("sliding-3x3")).tolist() == layers
    assert goal.published is not None
    assert (list(goal.published.layers), goal.published.gods_number) == (layers, 31)
    for home in (0, 2, 6):
        assert np.bincount(distances_of("sliding-3x3", f"blank-{home}")).tolist() == layers


@pytest.mark.parametrize(
    ("name", "farthest"),
    [("2x2", 6), ("2x3", 21), ("3x2", 21), ("2x4", 36), ("4x2", 36), ("3x3", 31)],
)
def test_gods_numbers_are_the_published_ones(name: str, farthest: int) -> None:
    """OEIS A151944."""
    puzzle = find(f"sliding-{name}")
    assert distances_of(puzzle.name).max() == farthest
    assert puzzle.goal().published is not None
    assert puzzle.goal().published.gods_number == farthest  # type: ignore[union-attr]


@pytest.mark.parametrize("state", ["", "12345678", "12345678-", "12345678٣", "1" * 5000])
def test_text_that_cannot_be_read(state: str) -> None:
    assert_unreadable("sliding-3x3", state, EIGHT)


@pytest.mark.parametrize("state", ["123456788", "123456700"])
def test_tiles_that_cannot_be(state: str) -> None:
    puzzle = find("sliding-3x3")
    with pytest.raises(ImpossibleState, match=f"'{state}' has . twice and lacks ") as caught:
        puzzle.parse(state)
    assert EIGHT in caught.value.hint
    board = np.frombuffer(state.encode(), np.uint8)[None, :] - ord("0")
    assert puzzle.space(puzzle.goal()).rank(board).tolist() == [-1]


@pytest.mark.parametrize(("state", "move"), [(EIGHT, "U"), (EIGHT, ""), (EIGHT, "U" * 4000)])
def test_moves_that_are_not_legal(state: str, move: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        find("sliding-3x3").play(state, move)
    assert len(str(caught.value)) < 200
    assert "U D L R" in caught.value.hint
