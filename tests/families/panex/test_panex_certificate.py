"""research/panex_theorem/certificate.py and checker.py: few steps; a whole one is for `make proof`."""

from __future__ import annotations

import json
from functools import cache

import pytest

from research.panex_theorem.certificate import certificate
from research.panex_theorem.checker import Checker, StepsRefused, _follows, _stays, check


@cache
def steps_to_five() -> tuple[str, ...]:
    return tuple(certificate(5))


@pytest.mark.slow
def test_a_certificate_of_few_steps_proves_those_only() -> None:
    given = steps_to_five()
    checker = Checker(json.loads(given[0]))
    for line in given[1:]:
        step = checker.read(json.loads(line))
        assert min(step.slacks, default=0) >= 0
    assert step.bounds == [343, 58, 58, 141, 141]
    with pytest.raises(StepsRefused, match="too few"):
        check(given)


@pytest.mark.parametrize(
    ("sequence", "follows", "stays"),
    [
        ([5, 5, 5, 5, 5, 5], True, True),
        ([1, 2, 3, 4, 5, 6], True, True),
        ([9, 8, 7, 6, 5, 4], True, False),
        ([1, 6, 35, 204, 1189, 6930], True, True),
        ([9, 3, 9, 51, 297], True, True),
        ([1, 2, 4, 8, 16, 32], False, True),
    ],
)
def test_what_holds_for_ever(sequence: list[int], follows: bool, stays: bool) -> None:
    assert _follows(sequence) == follows
    assert _stays(sequence) == stays
