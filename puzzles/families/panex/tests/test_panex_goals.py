"""families/panex/goals.py: the named goals, and any state as the goal."""

from __future__ import annotations

import pytest

from puzzlebase.puzzles import ImpossibleState, UnknownGoal, find

from .panex_states import OUT_OF_REACH, graph_of_text


def test_the_goals_are_the_five() -> None:
    shown = {goal.name: (goal.start, goal.states) for goal in find("panex-3").goals}
    assert shown == {
        "exchange": ("abc||ABC", ("ABC||abc",)),
        "centre": ("abc||ABC", ("|abc|ABC",)),
        "centre-corner": ("abc||ABC", ("|bc|aABC",)),
        "sink": ("c|ab|ABC", ("ab|c|ABC",)),
        "sink-corner": ("c|b|aABC", ("ab|c|ABC",)),
    }
    assert [goal.name for goal in find("panex-1").goals] == ["exchange", "centre", "centre-corner"]


def test_the_state_of_a_named_goal_is_that_goal() -> None:
    puzzle = find("panex-3")
    for goal in puzzle.goals:
        assert puzzle.table_name(puzzle.goal(goal.states[0])) == puzzle.table_name(goal)
    start = puzzle.goal("abc||ABC")
    assert start.start == "ABC||abc"
    assert puzzle.goal("Aabc||BC").start == "abc||ABC"


def test_the_state_of_the_first_index_is_a_goal_as_any_other() -> None:
    puzzle = find("panex-2")
    first = puzzle.text(0, puzzle.goal())
    assert puzzle.space(puzzle.goal(first)).goal_states.tolist() == [0]


def test_keys_differ_where_letters_are_alike() -> None:
    """Keys differ also on a disk that takes A for a."""
    puzzle = find("panex-2")
    goals = [puzzle.goal(text) for text in graph_of_text(2)]
    assert len({goal.key.lower() for goal in goals}) == len({goal.states for goal in goals}) == 216


@pytest.mark.parametrize(
    ("goal", "error"),
    [
        ("no such goal", UnknownGoal),
        ("sink-cornr", UnknownGoal),
        ("abc|ABC", UnknownGoal),
        ("abc||ABx", UnknownGoal),
        ("abc||ABB", ImpossibleState),
        ("cba||ABC", ImpossibleState),
        (OUT_OF_REACH, ImpossibleState),
    ],
)
def test_what_is_no_goal(goal: str, error: type[Exception]) -> None:
    puzzle = find("panex-3")
    with pytest.raises(error) as caught:
        puzzle.space(puzzle.goal(goal))
    assert "abc||ABC" in str(caught.value) + caught.value.hint  # type: ignore[attr-defined]
