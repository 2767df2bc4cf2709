"""research/panex_theorem/graph_checker.py and checker.py can fail: each changed rule or certificate is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from research.panex_theorem import checker, graph_checker
from research.panex_theorem.certificate import certificate
from research.panex_theorem.graph_checker import GraphRefused, RuleGraph, Words

_Change = Callable[[Any], object]


@cache
def graph() -> RuleGraph:
    return graph_checker.derive()


@cache
def few_steps() -> tuple[str, ...]:
    """The graph, level 2 and steps 2 to 4."""
    return tuple(certificate(4))


def test_the_certificate_of_the_graph_is_accepted() -> None:
    found = graph_checker.check(few_steps(), graph())
    assert (found.words, found.types, found.partial_states, found.edges) == (48, 330, 1172, 11_185)


def _put(*at: str | int, to: Any) -> _Change:
    """Change an entry."""

    def change(line: Any) -> None:
        for each in at[:-1]:
            line = line[each]
        line[at[-1]] = to(line[at[-1]]) if callable(to) else to

    return change


GRAPH: dict[str, _Change] = {
    "a word is added": lambda line: line["words"].append("1^1 1v0 1^0 1v1"),
    "a type is removed": lambda line: line["types"].pop(),
    "a type ends elsewhere": _put("types", 60, 1, to=lambda shape: (shape + 1) % 5),
    "a place is removed": lambda line: line["places"].pop(),
    "a tile of a place lies in another layer": _put("places", 300, 1, to=lambda layer: layer[1:] + layer[0]),
    "the starts are in another order": lambda line: line["places"].insert(0, line["places"].pop(4)),
    "the ends of a type are exchanged": lambda line: line["ends"][70].reverse(),
    "an edge is removed": lambda line: line["edges"].pop(5000),
    "an edge is added": lambda line: line["edges"].append([9, 0, 9]),
    "an edge leads elsewhere": _put("edges", 6000, 2, to=lambda place: place - 1),
}

LEVEL_2: dict[str, _Change] = {
    "a length of level 2 is one less": _put("lengths", 40, 1, to=lambda offset: offset - 1),
    "a node of level 2 has other halves": lambda line: line["nodes"][-1].__setitem__(1, -2),
    "a length of level 2 is missing": lambda line: line["lengths"].pop(),
}


@pytest.mark.parametrize("name", GRAPH)
def test_a_changed_graph_is_refused(name: str) -> None:
    line, *rest = few_steps()
    changed = json.loads(line)
    GRAPH[name](changed)
    with pytest.raises(GraphRefused):
        graph_checker.check([json.dumps(changed), *rest], graph())


@pytest.mark.parametrize("name", LEVEL_2)
def test_a_changed_level_2_is_refused(name: str) -> None:
    first, line, *rest = few_steps()
    changed = json.loads(line)
    LEVEL_2[name](changed)
    with pytest.raises(GraphRefused):
        graph_checker.check([first, json.dumps(changed), *rest], graph())


def _always(value: object) -> Callable[..., object]:
    return lambda *_: value


def _without(letters: int) -> Callable[[Any], object]:
    """Make an `asks_nothing` that leaves blocks of so many letters alone."""
    original = graph_checker.asks_nothing
    return lambda block: original(block) if len(block) != letters else False


def _only(number: int, of: Callable[..., Iterator[object]]) -> Callable[..., object]:
    """One of the two choices, to rest or to fall."""
    return lambda *given: list(of(*given))[number : number + 1]


def _put_down_is_erased(block: Any) -> bool:
    """Erase x dropped and lifted again, too, although that asks for a free place below."""
    if len(block) == 2:
        (one, x, c), (two, y, d) = block
        return bool(x == y and c == d and one != two)
    return _ERASES(block)


_ERASES = graph_checker.asks_nothing

RULES: dict[str, tuple[str, object]] = {
    "tiles stop in the centre's layer 0": ("HIGHEST", (0, 0, 0)),
    "tile a goes to layer 2": ("DEEPEST", {"a": 2, "A": 1, "b": 2, "B": 2}),
    "shape 2 has tile a in the centre": (
        "SHAPES",
        (*graph_checker.SHAPES[:2], ("", "ab", "AB"), *graph_checker.SHAPES[3:]),
    ),
    "shape 3 has its towers elsewhere": ("TOWERS", (*graph_checker.TOWERS[:3], (0, 2), (0, 1))),
    "the four letters are not erased": ("asks_nothing", _without(4)),
    "what is put down for a while is erased": ("asks_nothing", _put_down_is_erased),
    "every piece ends at once": ("is_useful", _always(value=True)),
    "no tile falls below the layer": ("dropped", _only(0, graph_checker.dropped)),
    "the order of a pair does not count": ("order_of", _always(0)),
    "words have eleven letters at most": ("LONGEST", 12),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_a_changed_rule_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_checker, *RULES[name])
    with pytest.raises(GraphRefused):
        graph_checker.check(few_steps())


@pytest.mark.slow
def test_words_that_come_back_to_an_arrangement_are_left_out_or_there_is_no_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Lemma 3 is needed: without it tiles go round and round."""
    changed = Words._changed

    def forgetful(self: Words, word: Any, letter: Any) -> Any:
        after = changed(self, word, letter)
        return graph_checker.After(after.piles, after.hand, frozenset())

    monkeypatch.setattr(Words, "_changed", forgetful)
    with pytest.raises(GraphRefused, match="no end of words"):
        graph_checker.derive()


STEPS: dict[str, _Change] = {
    "a cost is off by one": _put("costs", 40, 0, to=lambda cost: cost - 1),
    "a steepness is one less": _put("steepness", 7, to=lambda value: value - 1),
    "the exchange is one longer": _put("shapes", 0, 1, to=lambda offset: offset + 1),
    "a sinking is one longer": _put("sinks", 3, 1, to=lambda offset: offset + 1),
    "a start begins above 0": _put("ways", 0, 0, 1, to=1),
    "a path is missing": lambda line: line["ways"][3].pop(),
    "an edge is not shown": lambda line: line["improves"][0].pop(),
    "an edge is shown by others' steepness": lambda line: line["improves"][3].reverse(),
    "a node has other halves": lambda line: line["nodes"][20].reverse(),
    "a constant is a fraction": _put("costs", 40, 0, to=lambda cost: cost - 0.5),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
def test_a_changed_step_is_refused(name: str) -> None:
    """A change is refused before the checker asks for more steps."""
    *before, line = few_steps()
    changed = json.loads(line)
    STEPS[name](changed)
    with pytest.raises(checker.StepsRefused) as refused:
        checker.check([*before, json.dumps(changed)])
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
    first, *rest = certificate(30)
    reader = checker.Checker(json.loads(first))
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
    proved = checker._for_ever(steps())
    assert (proved.first, proved.last) == (14, 30)


@pytest.mark.slow
@pytest.mark.matrix
@pytest.mark.parametrize("name", FOR_EVER)
def test_what_need_not_hold_for_ever_is_refused(name: str) -> None:
    changed = {at: deepcopy_of(step) for at, step in steps().items()}
    FOR_EVER[name](changed)
    with pytest.raises((checker.StepsRefused, ValueError)):
        checker._for_ever(changed)


def deepcopy_of(step: checker.CheckedStep) -> checker.CheckedStep:
    """A step whose lists can be changed; its tokens are shared."""
    lists = deepcopy({name: getattr(step, name) for name in ("constants", "slacks", "values", "bounds")})
    return checker.CheckedStep(step.tokens, **lists)


@pytest.mark.slow
@pytest.mark.matrix
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TERMS", (1, -8, 14, -8, 2)),
        ("TERMS", (1, -7, 12, -7, 1)),
        ("REACH", 4),
        ("BACK", 1 << 19),
    ],
)
def test_another_recurrence_or_reach_is_refused(name: str, value: object, monkeypatch: pytest.MonkeyPatch) -> None:
    known = steps()
    monkeypatch.setattr(checker, name, value)
    with pytest.raises(checker.StepsRefused):
        checker._for_ever(known)


@pytest.mark.slow
@pytest.mark.matrix
@pytest.mark.parametrize("at", range(len(checker.BOUNDS)))
def test_a_formula_that_is_off_by_one_is_refused(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    name, formula, first, more = checker.BOUNDS[at]
    changed = [*checker.BOUNDS]
    changed[at] = (name, lambda n: formula(n) + (n == first + 1), first, more)
    monkeypatch.setattr(checker, "BOUNDS", tuple(changed))
    with pytest.raises(checker.StepsRefused, match="another"):
        checker._holds(first + 1 - more, steps()[first + 1 - more])
