"""research/panex_theorem/checker.py can fail: each changed certificate is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest

from research.panex_theorem import checker
from research.panex_theorem.certificate import certificate
from research.panex_theorem.graph import derive

_Change = Callable[[Any], object]


@cache
def few_steps() -> tuple[str, ...]:
    """The graph, level 2 and steps 2 to 4."""
    return tuple(certificate(4))


def _put(*at: str | int, to: Any) -> _Change:
    """Change an entry."""

    def change(line: Any) -> None:
        for each in at[:-1]:
            line = line[each]
        line[at[-1]] = to(line[at[-1]]) if callable(to) else to

    return change


CHANGES: dict[str, tuple[int, _Change]] = {
    "a word is added": (0, lambda line: line["words"].append("1^1 1v0 1^0 1v1")),
    "a length of level 2 is one less": (1, _put("lengths", 40, 1, to=lambda offset: offset - 1)),
    "a cost is off by one": (4, _put("costs", 40, 0, to=lambda cost: cost - 1)),
    "a steepness is one less": (4, _put("steepness", 7, to=lambda value: value - 1)),
    "the exchange is one longer": (4, _put("shapes", 0, 1, to=lambda offset: offset + 1)),
    "a sinking is one longer": (4, _put("sinks", 3, 1, to=lambda offset: offset + 1)),
    "a start begins above 0": (4, _put("ways", 0, 0, 1, to=1)),
    "an edge is not shown": (4, lambda line: line["improves"][0].pop()),
    "an edge is shown by others' steepness": (4, lambda line: line["improves"][3].reverse()),
    "a node has other halves": (4, lambda line: line["nodes"][20].reverse()),
    "a constant is a fraction": (4, _put("costs", 40, 0, to=lambda cost: cost - 0.5)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_certificate_is_refused(name: str) -> None:
    """A change is refused before the checker asks for more steps."""
    at, change = CHANGES[name]
    lines = list(few_steps())
    line = json.loads(lines[at])
    change(line)
    lines[at] = json.dumps(line)
    with pytest.raises(checker.StepsRefused) as refused:
        checker.check(lines)
    assert "too few" not in str(refused.value)


@pytest.mark.slow
def test_a_step_left_out_or_given_twice_is_refused() -> None:
    first, level_2, two, three, four = few_steps()
    for lines in ([], [first, two, three], [first, level_2, two, four], [first, level_2, two, two, three, four]):
        with pytest.raises(checker.StepsRefused, match=r"a step is missing|not a certificate"):
            checker.check(lines)


@cache
def steps() -> dict[int, checker.CheckedStep]:
    """The steps of a certificate, as the checker stores them."""
    _, *rest = certificate(30)
    reader = checker.Checker(derive())
    return {reader.now: step for step in map(reader.read, map(json.loads, rest))}  # noqa: B035


def _retoken(some: Iterable[checker.CheckedStep], change: _Change) -> None:
    for step in some:
        step.tokens = change(step.tokens)


FOR_EVER: dict[str, _Change] = {
    "a constant is off by one": lambda steps: steps[20].constants.__setitem__(500, steps[20].constants[500] - 1),
    "a value is off by one": lambda steps: steps[22].values.__setitem__(0, (steps[22].values[0] or 0) + 1),
    "a slack falls": lambda steps: [steps[at].slacks.__setitem__(9, 1000 - at) for at in range(14, 31)],
    "a slack is missing": lambda steps: steps[30].slacks.pop(),
    "a bound is off by one": lambda steps: steps[30].bounds.__setitem__(3, steps[30].bounds[3] + 1),
    "a reference counts back too far": lambda steps: _retoken(
        steps.values(), lambda tokens: (tokens, 8 * checker.BACK)
    ),
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
        at: checker.CheckedStep(step.tokens, [*step.constants], [*step.slacks], [*step.values], [*step.bounds])
        for at, step in steps().items()
    }
    FOR_EVER[name](changed)
    with pytest.raises((checker.StepsRefused, ValueError)):
        checker.hold_for_ever(changed)
