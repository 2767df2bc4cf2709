"""Checks a certificate of certificate.py: U(n) moves are needed to exchange towers of n, for all n >= 5.

Nothing here imports anything of the project but graph.py, which derives the graph of partial states and the lengths of
level 2 from the rules. All integers are exact. The document README.md has the proof with its numbered lemmas,
and the words and the format of a certificate.

No edge of a step improves anything, so its functions are lower bounds (lemma 7). Let S be the shift by two steps. From
some step on tokens repeat with period 2, while constants and slacks follow the recurrence (S - 1)^2 (S^2 - 6 S + 1) c =
0. Later steps are *defined* by these, and hold for ever (lemma 8).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from research.panex_theorem.graph import Graph, derive

EMPTY, ZERO = -2, -1
BACK = 1 << 20
STARTS = 5
REACH = 6
"""The largest number of steps that a reference counts back, where steps repeat."""

TERMS = (1, -8, 14, -8, 1)
"""(S - 1)^2 (S^2 - 6 S + 1)."""

Edge = tuple[int, int, int]
"""Source, type, target."""

Id = tuple[int, int]
Function = tuple[Id, int]


class StepsRefused(Exception):
    """The certificate does not prove what it should."""


def require(condition: object, why: str) -> None:
    """Raise StepsRefused unless the condition holds."""
    if not condition:
        raise StepsRefused(why)


@dataclass
class CheckedStep:
    """The tokens and constants of a step, and the slacks of its inequalities.

    `values` are those of each node with all bits 0 and with all bits 1, None if it has none; `bounds` are the lower
    bounds of the quantities of BOUNDS, in their order.
    """

    tokens: object
    constants: list[int]
    slacks: list[int] = field(default_factory=list)
    values: list[int | None] = field(default_factory=list)
    bounds: list[int | None] = field(default_factory=list)


class _Node(NamedTuple):
    level: int
    low: Id
    high: Id
    costs: tuple[int, int]
    zeros: int | None
    ones: int | None


_EMPTY_ID, _ZERO_ID = (0, EMPTY), (0, ZERO)


class Checker:
    """Checks steps one after another, each on its own."""

    def __init__(self, graph: Graph) -> None:
        self.edges: list[Edge] = [(source, by, target) for source, by, target in graph["edges"]]
        self.ends = graph["ends"]
        self.types = graph["types"]
        self.shortest = graph["lengths"]
        self.between = [
            (start, self.types.index([start, end, 0]), end) for start in range(STARTS) for end in range(STARTS)
        ]
        self.nodes = {_ZERO_ID: _Node(0, _EMPTY_ID, _EMPTY_ID, (0, 0), 0, 0)}
        self.triples: dict[Id, tuple[tuple[Id, Id, Id], int]] = {_ZERO_ID: ((_ZERO_ID,) * 3, 0)}
        self.places = STARTS + len(graph["places"])
        self.sinking, self.sunk = _sinking(graph)
        self.lengths: list[Function] = []
        self.now = 0

    def read(self, line: Any) -> CheckedStep:
        """Check a step; raise StepsRefused if it does not hold."""
        self.now += 1
        require(line["step"] == self.now, "a step is missing, or is there twice")
        functions = [*line.get("ways", []), line.get("shapes", []), line.get("sinks", []), line["lengths"]]
        shown = [line.get(each) for each in ("improves", "between", "sinking")]
        references = [[reference for reference, _ in row] for row in functions]
        costs = [cost for pair in line["costs"] for cost in pair]
        constants = [*costs, *line["steepness"], *(offset for row in functions for _, offset in row)]
        done = CheckedStep((line["nodes"], line["triples"], shown, references), constants)
        for number, (made_of, costs) in enumerate(zip(line["nodes"], line["costs"], strict=True)):
            done.values += self._node(number, made_of, costs)
        for number, (made_of, steepness) in enumerate(zip(line["triples"], line["steepness"], strict=True)):
            done.slacks += self._triple(number, made_of, steepness)
        after = [self._function(each, self.now + 1) for each in line["lengths"]]
        if self.now == 1:
            known = [[self._at(each, flips) for flips in range(4)] for each in after]
            require(known == self.shortest, "the lengths of level 2 are not those of the puzzle")
        if self.now > 1:
            paths = [[self._function(each, self.now) for each in row] for row in line["ways"]]
            require([len(row) for row in paths] == [self.places] * STARTS, "there are not as many paths as places")
            for start, (row, shown) in enumerate(zip(paths, line["improves"], strict=True)):
                going_on = {at for at in range(STARTS, self.places) if row[at][0] != _EMPTY_ID}
                taken = [edge for edge in self.edges if edge[0] in going_on or edge[0] == start]
                done.slacks += self._slacks(row, taken, shown, start)
                self._joined(start, row, after)
            shapes = [self._function(each, self.now) for each in line["shapes"]]
            done.slacks += self._slacks(shapes, self.between, line["between"])
            sinks = [self._function(each, self.now) for each in line["sinks"]]
            done.slacks += self._slacks(sinks, self.sinking, line["sinking"])
            done.bounds = [self._value(*shapes[0], "ones")] + [
                self._value(*end, "zeros") for end in (shapes[1], shapes[2], *(sinks[place] for place in self.sunk))
            ]
        self.lengths = after
        return done

    def _id(self, reference: int) -> Id:
        return (0, reference) if reference < 0 else (self.now - reference // BACK, reference % BACK)

    def _function(self, given: tuple[int, int], level: int) -> Function:
        node = self._id(given[0])
        require(node == _EMPTY_ID or self.nodes[node].level == level, "a function has too many or too few bits")
        return node, given[1]

    def _node(self, number: int, made_of: list[int], costs: list[int]) -> tuple[int | None, int | None]:
        """Enter a node; return its values with all bits 0 and with all bits 1."""
        depth, *halves = made_of
        level, (low, high) = self.now - depth, map(self._id, halves)
        for half in (low, high):
            require(half == _EMPTY_ID or self.nodes[half].level == level - 1, "a node's half is of another level")
        zeros, ones = self._value(low, costs[0], "zeros"), self._value(high, costs[1], "ones")
        self.nodes[self.now, number] = _Node(level, low, high, (costs[0], costs[1]), zeros, ones)
        return zeros, ones

    def _value(self, half: Id, cost: int, bits: str) -> int | None:
        value: int | None = None if half == _EMPTY_ID else getattr(self.nodes[half], bits)
        return None if value is None else value + cost

    def _at(self, function: Function, flips: int) -> int | None:
        """The value of a function of two bits, None if it has none."""
        node, value = function
        for bit in flips >> 1, flips & 1:
            if node != _EMPTY_ID:
                made_of = self.nodes[node]
                node, value = (made_of.high if bit else made_of.low), value + made_of.costs[bit]
        return None if node == _EMPTY_ID else value

    def _triple(self, number: int, made_of: Sequence[int], steepness: int) -> Iterator[int]:
        own = (self._id(made_of[0]), self._id(made_of[1]), self._id(made_of[2]))
        one, two, three = (self.nodes[node] for node in own)
        require(one.level == two.level == three.level > 0, "functions of different numbers of bits are compared")
        for part, (x, y) in zip(made_of[3:], ((0, 0), (0, 1), (1, 0), (1, 1)), strict=True):
            below = (one.high if x ^ y else one.low, two.high if x else two.low, three.high if y else three.low)
            if _EMPTY_ID in below[1:]:
                continue
            known, value = self.triples[self._id(part)]
            require(known == below, "a steepness is that of other functions")
            yield steepness - (value + one.costs[x ^ y] - two.costs[x] - three.costs[y])
        self.triples[self.now, number] = own, steepness

    def _slacks(self, row: list[Function], edges: list[Edge], references: list[int], start: int = 0) -> Iterator[int]:
        """The slack of the start, whose value without flips is at most 0, and of each edge, which its triple shows."""
        zeros = self.nodes[row[start][0]].zeros
        require(zeros is not None, "a start has no value")
        yield -(zeros or 0) - row[start][1]
        for (source, by, target), reference in zip(edges, references, strict=True):
            one, two, three = row[target], self.lengths[by], row[source]
            own, steepness = self.triples[self._id(reference)]
            require(own == (one[0], two[0], three[0]), "an edge is shown by the steepness of other functions")
            yield two[1] + three[1] - one[1] - steepness

    def _joined(self, start: int, row: list[Function], after: list[Function]) -> None:
        """Require that the halves of each length of the next level are the paths to the two ends of its type."""
        for (shape, _, _), ends, (node, offset) in zip(self.types, self.ends, after, strict=True):
            if shape == start:
                halves = self.nodes[node]
                for half, cost, end in zip((halves.low, halves.high), halves.costs, ends, strict=True):
                    require(half == row[end][0], "a length is not that of its ends")
                    require(half == _EMPTY_ID or offset + cost == row[end][1], "a length is not that of its ends")


def _sinking(graph: Graph) -> tuple[list[Edge], list[int]]:
    """The edges between places where only the two tiles of size N + 1 are larger, and the ends of the paths for S.

    Such places are numbered in their order, after the place where the paths begin. Edges lead on from the end of a
    piece: those of the start of its shape, with its two tiles of size N + 1 exchanged if they lie the other way.
    """
    known = {(shape, layer): at for at, (shape, layer, word) in enumerate(graph["places"]) if not word}
    here = [(shape, layer) for shape, layer in known if sorted(layer) == ["-", "4", "5"]]
    here.sort(key=lambda place: place != (0, "-45"))
    number = {place: at for at, place in enumerate(here)}
    following: dict[int, list[tuple[int, str, int]]] = {}
    for source, by, target in graph["edges"]:
        shape, layer, word = graph["places"][target - STARTS]
        if not word and (shape, layer) in number:
            following.setdefault(source, []).append((shape, layer, by))
    edges = []
    for shape, layer in here:
        goes_on = STARTS + known[shape, layer] in following
        exchanged = not goes_on and graph["places"][shape][1] != layer
        for after, there, by in following[STARTS + known[shape, layer] if goes_on else shape]:
            turned = there.translate({ord("4"): "5", ord("5"): "4"}) if exchanged else there
            edges.append((number[shape, layer], by, number[after, turned]))
    return edges, [number[1, "4-5"], number[2, "4-5"]]


def powers(n: int) -> tuple[int, int]:
    """(a, b) with (1 + s)^n = a + b s, where s is the root of 2."""
    whole, root = 1, 0
    for _ in range(n):
        whole, root = whole + 2 * root, whole + root
    return whole, root


def exchange(n: int) -> int:
    """U(n) = (7/2)(7-4s)(1+s)^n + (7/2)(7+4s)(1-s)^n - 8n - 2."""
    whole, root = powers(n)
    return 7 * (7 * whole - 8 * root) - 8 * n - 2


def centre(n: int) -> int:
    """T(n) = (7/4)((1+s)^(n-1) + (1-s)^(n-1)) + (-1)^n / 2 - 1."""
    return (7 * powers(n - 1)[0] + (1 if n % 2 == 0 else -1)) // 2 - 1


def corner(n: int) -> int:
    """T-bar(n): T(n), and one less for even n."""
    return centre(n) - (n % 2 == 0)


def sink(n: int) -> int:
    """S(n) = S-bar(n) = T-bar(n) - 1."""
    return corner(n) - 1


BOUNDS = (("X", exchange, 5, 0), ("T", centre, 3, 0), ("T-bar", corner, 3, 0), ("S", sink, 3, 1), ("S-bar", sink, 3, 1))
"""Quantities that are bounded: name, formula, the least n for which it holds, and n minus the level of its step."""


class ForEver(NamedTuple):
    """The first of the steps that repeat, the last step, and the number of sequences of each kind that were checked."""

    first: int
    last: int
    constants: int
    inequalities: int


def check(lines: Iterable[str]) -> ForEver:
    """Check that X(n) >= U(n) for all n >= 5, and the like for the others of BOUNDS; else raise StepsRefused."""
    try:
        given = map(_read, lines)
        graph = derive()
        require(next(given) == graph, "the graph is not that of the puzzle")
        checker = Checker(graph)
        steps = {}
        for line in given:
            step = checker.read(line)
            _holds(checker.now, step)
            steps[checker.now] = step
        return hold_for_ever(steps)
    except (LookupError, TypeError, ValueError, AttributeError, RuntimeError, StopIteration) as error:
        raise StepsRefused(f"it is not a certificate: {type(error).__name__} {error}") from error


def _read(line: str) -> Any:
    def refuse(number: str) -> NoReturn:
        raise StepsRefused(f"{number} is not an integer")

    return json.loads(line, parse_float=refuse, parse_constant=refuse)


def _holds(now: int, step: CheckedStep) -> None:
    """Require that no edge of a step improves anything, and that its bounds are those of the formulas."""
    require(
        min(step.slacks, default=0) >= 0, f"an edge improves something in step {now}, or a start has a value above 0"
    )
    for (name, formula, first, more), bound in zip(BOUNDS, step.bounds, strict=now > 1):
        require(now + more < first or bound == formula(now + more), f"step {now} shows another {name} than its formula")


def hold_for_ever(steps: dict[int, CheckedStep]) -> ForEver:
    """Check that these steps hold for ever (lemma 8)."""
    last = max(steps)
    require(sorted(steps) == list(range(1, last + 1)), "a step is missing")
    first = last - 1
    while first > 2 and steps[first - 1].tokens == steps[first + 1].tokens:
        first -= 1
    require(first + REACH + 8 <= last, f"steps repeat from {first} on, and those to {last} are too few")
    constants = inequalities = 0
    for parity in (first, first + 1):
        same = [steps[at] for at in range(parity, last + 1, 2)]
        # Then, where steps repeat, references lead to steps that repeat.
        require(max(_references(same[0].tokens)) < (REACH + 1) * BACK, "a reference counts back too far")
        for sequence in zip(*(step.constants for step in same), strict=True):
            require(_follows(sequence), "a constant does not follow the recurrence")
            constants += 1
        for each in zip(*(step.values + step.bounds for step in same), strict=True):
            values = [value for value in each if value is not None]
            require(len(values) in {0, len(each)} and _follows(values), "a value does not follow the recurrence")
        for slacks in zip(*(step.slacks for step in same[REACH // 2 :]), strict=True):
            require(_follows(slacks) and _stays(slacks), "an inequality need not hold for ever")
            inequalities += 1
    return ForEver(first, last, constants, inequalities)


def _references(tokens: object) -> Iterator[int]:
    if isinstance(tokens, int):
        yield tokens
    elif tokens is not None:
        for each in tokens:  # type: ignore[attr-defined]
            yield from _references(each)


def _follows(sequence: Sequence[int]) -> bool:
    """Tell if a sequence, one integer for every other step, follows the recurrence."""
    windows = zip(*(sequence[at:] for at in range(len(TERMS))), strict=False)
    return all(sum(term * value for term, value in zip(TERMS, window, strict=True)) == 0 for window in windows)


def _stays(slacks: Sequence[int]) -> bool:
    """Tell if a sequence that follows the recurrence is never negative, from one of its windows on."""
    return any(_rises(slacks[at : at + 4]) for at in range(len(slacks) - 3))


def _rises(window: Sequence[int]) -> bool:
    return not window or (window[0] >= 0 and _rises([two - one for one, two in pairwise(window)]))


if __name__ == "__main__":
    with Path(sys.argv[1]).open(encoding="ascii") as file:
        sys.stdout.write(f"{check(file)}\n")
