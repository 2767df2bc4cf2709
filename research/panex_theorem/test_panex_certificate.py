"""research/panex_theorem/checker.py can fail: each changed certificate is refused."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from research.panex_theorem import checker
from research.panex_theorem.certificate import certificate
from research.panex_theorem.graph import derive


@cache
def few_steps() -> checker.Certificate:
    """Steps 2 to 4."""
    return certificate(derive(), 4)


def _longer(functions: list[checker.Function], at: int, more: int = 1) -> None:
    node, offset = functions[at]
    functions[at] = node, offset + more


def _dearer(row: Any) -> None:
    row[2] += 1


def _turn(row: Any) -> None:
    row[0], row[1] = row[1], row[0]


def _last(given: checker.Certificate) -> checker.CertifiedStep:
    return given.steps[-1]


def _reached(given: checker.Certificate) -> int:
    """The first place on a path from shape 0."""
    return next(
        at for at, (node, _) in enumerate(_last(given).ways[0]) if at >= checker.STARTS and node
    )


def _row(given: checker.Certificate) -> Any:
    """The row of that place's node."""
    return given.nodes[_last(given).ways[0][_reached(given)][0]]


CHANGES: dict[str, Callable[[checker.Certificate], object]] = {
    "a length of level 2 is one less": lambda given: _longer(given.lengths, 40, -1),
    "a cost is off by one": lambda given: _dearer(_row(given)),
    "the exchange is one longer": lambda given: _longer(_last(given).shapes, 0),
    "a sinking is one longer": lambda given: _longer(_last(given).sinks, 3),
    "a start begins above 0": lambda given: _longer(_last(given).ways[0], 0),
    "a path is one longer": lambda given: _longer(_last(given).ways[0], _reached(given)),
    "a length is one longer": lambda given: _longer(_last(given).lengths, 9),
    "a node has other halves": lambda given: _turn(_row(given)),
    "a start is missing": lambda given: _last(given).ways.pop(),
    "a place cannot be reached": lambda given: (
        _last(given).ways[0].__setitem__(_reached(given), (checker.EMPTY, 0))
    ),
    "a step is missing": lambda given: given.steps.pop(1),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_certificate_is_refused(name: str) -> None:
    """A change is refused before the checker asks for more steps."""
    changed = deepcopy(few_steps())
    CHANGES[name](changed)
    with pytest.raises(checker.StepsRefused) as refused:
        checker.check(derive(), changed)
    assert "those to" not in str(refused.value)


def test_too_few_steps_are_refused() -> None:
    with pytest.raises(checker.StepsRefused, match=r"steps repeat from .* too few"):
        checker.check(derive(), few_steps())


@cache
def steps() -> dict[int, checker.CheckedStep]:
    """The steps of a certificate, as the checker stores them."""
    return checker.checked_steps(derive(), certificate(derive(), 30))


FOR_EVER: dict[str, Callable[[dict[int, checker.CheckedStep]], object]] = {
    "a constant is off by one": lambda steps: steps[20].constants.__setitem__(
        500, steps[20].constants[500] - 1
    ),
    "a value is off by one": lambda steps: steps[22].values.__setitem__(
        0, (steps[22].values[0] or 0) + 1
    ),
    "a slack falls": lambda steps: [
        steps[at].slacks.__setitem__(9, 1000 - at) for at in range(14, 31)
    ],
    "a slack is missing": lambda steps: steps[30].slacks.pop(),
    "a bound is off by one": lambda steps: steps[30].bounds.__setitem__(
        3, (steps[30].bounds[3] or 0) + 1
    ),
    "a reference counts back too far": lambda steps: setattr(steps[14], "reach", 7),
    "steps are missing": lambda steps: [steps.pop(at) for at in range(28, 31)],
}


@pytest.mark.slow(8)
@pytest.mark.matrix
def test_the_steps_hold_for_ever() -> None:
    proved = checker.hold_for_ever(steps())
    assert (proved.first, proved.last) == (14, 30)


@pytest.mark.slow
@pytest.mark.matrix
@pytest.mark.parametrize("name", FOR_EVER)
def test_what_need_not_hold_for_ever_is_refused(name: str) -> None:
    changed = {
        at: checker.CheckedStep(
            step.tokens,
            [*step.constants],
            [*step.slacks],
            [*step.values],
            [*step.bounds],
            step.reach,
        )
        for at, step in steps().items()
    }
    FOR_EVER[name](changed)
    with pytest.raises((checker.StepsRefused, ValueError)):
        checker.hold_for_ever(changed)
