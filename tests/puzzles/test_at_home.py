"""The number of pieces at home, against reference implementations that read the texts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from puzzlebase.puzzles import find
from tests.naive import at_home as naive

REFERENCES: dict[str, Callable[[str, str], int]] = {
    "novice": naive.letters,
    "turnstile": naive.letters,
    "novice-oriented": naive.letters,
    "avenger": naive.recoloured,
    "panguru-4": naive.letters,
    "sliding-2x3": naive.tiles,
    "tiles-2x3-125": lambda solved, state: naive.tiles(solved.replace("x", "0"), state),
    "panex-3": naive.panex,
    "hanoi-nnn-3": naive.hanoi,
    "quantum-2x2-2": naive.quantum,
    "quantum-2x2-1": naive.quantum,
}


@pytest.mark.parametrize("name", REFERENCES)
def test_pieces_at_home_are_those_that_one_sees(name: str) -> None:
    puzzle = find(name)
    goal = puzzle.goal()
    space = puzzle.space(goal)
    indices = np.append(np.random.default_rng(28).integers(0, space.size, 200), space.goal_states)
    boards = space.unrank(indices)
    assert puzzle.board.at_home is not None
    found = puzzle.board.at_home(space.unrank(space.goal_states)[0], boards).tolist()
    states = [puzzle.format(board) for board in boards]
    assert found == [REFERENCES[name](goal.states[0], state) for state in states]
    assert found[-1] == max(found)
    assert len(set(found)) > 2


def test_where_pieces_have_no_homes_of_their_own_none_are_counted() -> None:
    assert find("avenger-oriented").board.at_home is None


def test_a_goal_of_ones_own() -> None:
    puzzle = find("panex-2")
    goal = puzzle.goal("a|b|BA")
    space = puzzle.space(goal)
    boards = space.unrank(np.arange(space.size))
    assert puzzle.board.at_home is not None
    found = puzzle.board.at_home(space.unrank(space.goal_states)[0], boards).tolist()
    assert found == [naive.panex(goal.states[0], puzzle.format(board)) for board in boards]
