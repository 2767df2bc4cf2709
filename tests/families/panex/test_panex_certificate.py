"""research/panex_theorem/certificate.py and checker.py: few steps; a whole one is for `make proof`."""

from __future__ import annotations

import json
from functools import cache

import pytest

from research.panex_theorem.certificate import certificate
from research.panex_theorem.checker import Checker, StepsRefused, check


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
