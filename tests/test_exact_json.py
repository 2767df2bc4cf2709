"""service/exact_json.py: no integer is rounded by a reader that keeps numbers as doubles."""

from __future__ import annotations

import json

import pytest

from puzzlebase.service.exact_json import to_json


@pytest.mark.parametrize("value", [0, -1, 2**53 - 1, 2**53, -(2**53)])
def test_integers_that_a_double_holds_are_numbers(value: int) -> None:
    assert json.loads(to_json({"x": [value]})) == {"x": [value]}


@pytest.mark.parametrize("value", [2**53 + 1, 2**63, 2**64, 10**30, -(2**53) - 1])
def test_larger_ones_are_decimal_strings(value: int) -> None:
    answer = {"x": [value, 2**53, True, None, 0.5, "text"], "y": {"z": (value,)}}
    read = json.loads(to_json(answer))
    assert read == {"x": [str(value), 2**53, True, None, 0.5, "text"], "y": {"z": [str(value)]}}
    assert read["x"][2] is True


def test_what_is_no_json_is_refused_as_ever() -> None:
    with pytest.raises(TypeError):
        to_json({"x": object(), "y": 10**30})
