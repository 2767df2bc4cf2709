"""research/panex_theorem/certificate.py and checker.py: few steps; a whole one is for `make proof`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda step: step["steepness"].__setitem__(7, step["steepness"][7] - 1), "improves something"),
        (lambda step: step["ways"][1][700].__setitem__(1, step["ways"][1][700][1] + 1), "improves something|ends"),
        (lambda step: step["lengths"][200].__setitem__(1, step["lengths"][200][1] + 1), "ends"),
        (lambda step: step["improves"][0].pop(), "is shorter"),
        (lambda step: step["improves"][0].append(0), "is longer"),
        (lambda step: step["improves"][3].reverse(), "other functions"),
        (lambda step: step["triples"][90].__setitem__(3, 5), "that of other functions"),
    ],
)
def test_a_changed_certificate_is_refused(change: Callable[[Any], None], why: str) -> None:
    given = steps_to_five()[:4]
    step = json.loads(given[-1])
    change(step)
    with pytest.raises(StepsRefused, match=why):
        check([*given[:-1], json.dumps(step)])


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
