"""families/panex/formulas.py: the published values,
and recurrences and closed forms side by side.
"""

from __future__ import annotations

from typing import Any

import pytest

from puzzlebase.plugins.formulas.record import Quantity
from puzzlebase.puzzles import find
from puzzlebase.puzzles.families.panex.formulas import FORMULAS

pytestmark = pytest.mark.needs("formulas")


def quantities(last: int) -> dict[str, Quantity]:
    return {quantity.name: quantity for quantity in FORMULAS.quantities("", 1, last)}


def test_they_give_the_published_values(golden: dict[str, Any]) -> None:
    published = golden["panex"]
    expected = {
        "T": (1, published["T"]),
        "T-bar": (1, published["T_bar"]),
        "S": (2, published["S_n2_to_10"]),
        "S-bar": (2, published["S_bar_n2_to_10"]),
        "X": (1, published["X"]),
        "U": (5, published["U_n5_to_10"]),
        "L": (5, published["L_n5_to_10"]),
    }
    found = quantities(15)
    assert found.keys() == expected.keys()
    for name, (first, values) in expected.items():
        by_n = {value.n: value.recurrence for value in found[name].values}
        assert [by_n[n] for n in range(first, first + len(values))] == values
        assert all(by_n[n] is None for n in range(1, first))


def test_recurrences_and_closed_forms_agree_to_64() -> None:
    for quantity in quantities(FORMULAS.largest).values():
        both = [value for value in quantity.values if value.closed_form is not None]
        assert len(both) >= 60
        assert all(value.recurrence == value.closed_form for value in both)


def test_goals_are_asked_for_where_there_are_any() -> None:
    found = quantities(30)
    for quantity in found.values():
        for value in quantity.values:
            if value.goal:
                puzzle = find(value.goal[0])
                assert puzzle.goal(value.goal[1]).start
    assert [value.goal is not None for value in found["S"].values] == [False] + [True] * 25 + [
        False
    ] * 4
    assert not any(value.goal for value in found["U"].values)
