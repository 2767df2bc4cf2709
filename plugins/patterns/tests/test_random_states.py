"""Uniformly random states of definitions: the numbers of elements make each state equally often."""

from __future__ import annotations

from collections import Counter

import pytest

from puzzlebase.plugins.definitions.ksolve import read_ksolve
from puzzlebase.plugins.definitions.moves import all_moves
from puzzlebase.plugins.definitions.place_blocks import blocks_of
from puzzlebase.plugins.definitions.puzzle import puzzle_of
from puzzlebase.plugins.definitions.tests.small_definitions import SMALL
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.plugins.patterns.random_states import RandomStates
from tests.naive.definition import NaiveDefinition


@pytest.mark.parametrize("name", ["corners", "equal", "linked", "wild", "lamps", "still", "parity"])
def test_each_state_is_made_as_often_as_any_other(name: str) -> None:
    """Every element once: the probabilities are exact, where pieces are equal, too."""
    text = SMALL[name].text
    definition = read_ksolve(text)
    turns = [move.turn for move in all_moves(definition)]
    states, goal = (
        RandomStates(blocks_of(definition, turns), Texts(definition)),
        puzzle_of(name, definition).goal(),
    )
    totals: list[int] = []
    states.draw(goal, lambda total: totals.append(total) or 0)  # type: ignore[func-returns-value]
    drawn = Counter(
        states.draw(goal, {totals[0]: number}.__getitem__) for number in range(totals[0])
    )
    reached = NaiveDefinition(text).distances(powers=True)
    assert len(drawn) == len(reached)
    assert {*drawn.values()} == {totals[0] // len(reached)}
    space = puzzle_of(name, definition)
    assert all(space.index(state, goal) >= 0 for state in drawn if state)
