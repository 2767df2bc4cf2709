"""Checks a certificate of certificate.py:
U(n) moves are needed to exchange towers of n, for all n >= 5.

Nothing here imports anything of the project but graph.py, which derives the graph of partial states
and the lengths of level 2 from the rules. All integers are exact. The document README.md has the
proof with its numbered lemmas, and the words.

No edge of a step improves anything, so its functions are lower bounds (lemma 7). Let S be the shift
by two steps. From some step on tokens repeat with period 2, while constants and slacks follow the
recurrence (S - 1)^2 (S^2 - 6 S + 1) c = 0. Later steps are *defined* by these, and hold for ever
(lemma 8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from research.panex_theorem.graph import Graph

EMPTY, ZERO = 0, 1
"""The nodes of the function without values, and of the function of no bits with value 0."""

STARTS = 5
REACH = 6
"""The largest number of steps that a reference counts back, where steps repeat."""

TERMS = (1, -8, 14, -8, 1)
"""(S - 1)^2 (S^2 - 6 S + 1)."""

Edge = tuple[int, int, int]
"""Source, type, target."""

Function = tuple[int, int]
"""A node and an offset."""

Name = tuple[int, int] | None
"""The step in which a node or a triple first occurred,
and its number there; None for those of ZERO.
"""

Reference = tuple[int, int] | None
"""A name whose step is counted back from this one."""


class StepsRefused(Exception):
    """The certificate does not prove what it should."""


def require(condition: object, why: str) -> None:
    """Raise StepsRefused unless the condition holds."""
    if not condition:
        raise StepsRefused(why)


class CertifiedStep(NamedTuple):
    """The functions of a step, which are to be checked: README.md has their names."""

    ways: list[list[Function]]
    shapes: list[Function]
    sinks: list[Function]
    lengths: list[Function]


class Certificate(NamedTuple):
    """Rows of low, high, low cost and high cost, one for each node;
    the lengths of level 2; the steps from it on.
    """

    nodes: list[list[int]]
    lengths: list[Function]
    steps: list[CertifiedStep]


@dataclass
class CheckedStep:
    """The tokens and constants of a step, and the slacks of its inequalities.

    `values` are those of each node with all bits 0 and with all bits 1, None if it has none;
    `bounds` are the lower bounds of the quantities of BOUNDS, in their order. References count back
    at most `reach` steps.
    """

    tokens: list[tuple[object, ...]] = field(default_factory=list)
    constants: list[int] = field(default_factory=list)
    slacks: list[int] = field(default_factory=list)
    values: list[int | None] = field(default_factory=list)
    bounds: list[int | None] = field(default_factory=list)
    reach: int = 0


class _Node(NamedTuple):
    name: Name
    level: int
    halves: tuple[int, int]
    costs: tuple[int, int]
    zeros: int | None
    ones: int | None


class _Triple(NamedTuple):
    name: Name
    steepness: int


class Checker:
    """Checks steps one after another."""

    def __init__(self, graph: Graph, nodes: list[list[int]], lengths: list[Function]) -> None:
        """Check the lengths of level 2."""
        self.edges: list[Edge] = [(source, by, target) for source, by, target in graph["edges"]]
        self.ends = graph["ends"]
        self.types = graph["types"]
        self.between = between(graph)
        self.sinking, self.sunk = sinking(graph)
        self._rows = nodes
        self._nodes = {ZERO: _Node(None, 0, (EMPTY, EMPTY), (0, 0), 0, 0)}
        self._triples = {(ZERO, ZERO, ZERO): _Triple(None, 0)}
        self.now = 1
        self.steps = {1: CheckedStep()}
        self.lengths = lengths
        self._functions(lengths, 2)
        known = [[self._at(each, flips) for flips in range(4)] for each in lengths]
        require(known == graph["lengths"], "the lengths of level 2 are not those of the puzzle")

    def read(self, certified: CertifiedStep) -> None:
        """Check the next step; raise StepsRefused if it does not hold."""
        self.now += 1
        step = self.steps[self.now] = CheckedStep()
        ways, shapes, sinks, after = certified
        require(len(ways) == STARTS, "a start is missing")
        for functions in (*ways, shapes, sinks):
            self._functions(functions, self.now)
        self._functions(after, self.now + 1)
        for start, row in enumerate(ways):
            going_on = {at for at in range(STARTS, len(row)) if row[at][0] != EMPTY}
            self._edges(
                row, [edge for edge in self.edges if edge[0] in going_on or edge[0] == start], start
            )
            self._joined(start, row, after)
        self._edges(shapes, self.between)
        self._edges(sinks, self.sinking)
        step.bounds = [self._value(*shapes[0], "ones")] + [
            self._value(*end, "zeros")
            for end in (shapes[1], shapes[2], *(sinks[place] for place in self.sunk))
        ]
        self.lengths = after
        require(
            min(step.slacks) >= 0,
            f"an edge improves something in step {self.now}, or a start has a value above 0",
        )
        for (name, formula, first, more), bound in zip(BOUNDS, step.bounds, strict=True):
            n = self.now + more
            require(
                n < first or bound == formula(n),
                f"step {self.now} shows another {name} than its formula",
            )

    def _functions(self, functions: list[Function], level: int) -> None:
        """Enter the nodes of functions of `level` bits."""
        step = self.steps[self.now]
        for node, offset in functions:
            step.tokens.append(("function", self._node(node, level)))
            step.constants.append(offset)

    def _reference(self, name: Name) -> Reference:
        if name is None:
            return None
        step, number = name
        back = self.now - step
        self.steps[self.now].reach = max(self.steps[self.now].reach, back)
        return back, number

    def _node(self, node: int, level: int) -> Reference | str:
        """The reference of a node of a level,
        which is entered here if it is new, after its halves.
        """
        if node == EMPTY:
            return "empty"
        if node not in self._nodes:
            low, high, low_cost, high_cost = self._rows[node]
            step, halves = (
                self.steps[self.now],
                (self._node(low, level - 1), self._node(high, level - 1)),
            )
            name = self.now, len(step.tokens)
            zeros, ones = self._value(low, low_cost, "zeros"), self._value(high, high_cost, "ones")
            self._nodes[node] = _Node(name, level, (low, high), (low_cost, high_cost), zeros, ones)
            step.tokens.append(("node", self.now - level, *halves))
            step.constants += low_cost, high_cost
            step.values += zeros, ones
        require(self._nodes[node].level == level, "a function has too many or too few bits")
        return self._reference(self._nodes[node].name)

    def _value(self, node: int, offset: int, bits: str) -> int | None:
        value: int | None = None if node == EMPTY else getattr(self._nodes[node], bits)
        return None if value is None else value + offset

    def _at(self, function: Function, flips: int) -> int | None:
        """The value of a function of two bits, None if it has none."""
        node, value = function
        for bit in flips >> 1, flips & 1:
            if node != EMPTY:
                row = self._nodes[node]
                node, value = row.halves[bit], value + row.costs[bit]
        return None if node == EMPTY else value

    def _steepness(self, triple: tuple[int, int, int]) -> _Triple:
        """The steepness of three functions of as many bits.
        A new one is found from those of their halves.
        """
        if triple not in self._triples:
            require(EMPTY not in triple, "an edge leads to a place without a value")
            one, two, three = (self._nodes[node] for node in triple)
            require(
                one.level == two.level == three.level > 0,
                "functions of different numbers of bits are compared",
            )
            references: list[Reference | str] = [
                self._reference(self._nodes[node].name) for node in triple
            ]
            rises = []
            for x, y in (0, 0), (0, 1), (1, 0), (1, 1):
                below = one.halves[x ^ y], two.halves[x], three.halves[y]
                if EMPTY in below[1:]:
                    references.append("empty")
                    continue
                part = self._steepness(below)
                references.append(self._reference(part.name))
                rises.append(part.steepness + one.costs[x ^ y] - two.costs[x] - three.costs[y])
            step, steepness = self.steps[self.now], max(rises)
            self._triples[triple] = _Triple((self.now, len(step.tokens)), steepness)
            step.tokens.append(("triple", *references))
            step.constants.append(steepness)
            step.slacks += (steepness - rise for rise in rises)
        return self._triples[triple]

    def _edges(self, row: list[Function], edges: list[Edge], start: int = 0) -> None:
        """Find the slack of the start,
        whose value without flips is at most 0, and that of each edge.
        """
        step, zeros = self.steps[self.now], self._value(*row[start], "zeros")
        require(zeros is not None, "a start has no value")
        step.slacks.append(-(zeros or 0))
        for source, by, target in edges:
            one, two, three = row[target], self.lengths[by], row[source]
            triple = self._steepness((one[0], two[0], three[0]))
            step.tokens.append(("edge", self._reference(triple.name)))
            step.slacks.append(two[1] + three[1] - one[1] - triple.steepness)

    def _joined(self, start: int, row: list[Function], after: list[Function]) -> None:
        """Require that the halves of each length of the next level are
        the paths to the two ends of its type.
        """
        for (shape, _, _), ends, (node, offset) in zip(self.types, self.ends, after, strict=True):
            if shape == start:
                joined = self._nodes[node]
                for half, cost, end in zip(joined.halves, joined.costs, ends, strict=True):
                    require(half == row[end][0], "a length is not that of its ends")
                    require(
                        half == EMPTY or offset + cost == row[end][1],
                        "a length is not that of its ends",
                    )


def between(graph: Graph) -> list[Edge]:
    """The edges between shapes when no larger tiles are left."""
    shapes = range(STARTS)
    return [
        (start, graph["types"].index([start, end, 0]), end) for start in shapes for end in shapes
    ]


def sinking(graph: Graph) -> tuple[list[Edge], list[int]]:
    """The edges between places where only the two tiles of size N + 1 are larger,
    and the ends of the paths for S.

    Such places are numbered in their order, after the place where the paths begin. Edges lead on
    from the end of a piece: those of the start of its shape, with its two tiles of size N + 1
    exchanged if they lie the other way.
    """
    known = {
        (shape, layer): at for at, (shape, layer, word) in enumerate(graph["places"]) if not word
    }
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


BOUNDS = (
    ("X", exchange, 5, 0),
    ("T", centre, 3, 0),
    ("T-bar", corner, 3, 0),
    ("S", sink, 3, 1),
    ("S-bar", sink, 3, 1),
)
"""Quantities that are bounded: name, formula,
the least n for which it holds, and n minus the level of its step.
"""


class ForEver(NamedTuple):
    """The first of the steps that repeat, the last step,
    and the number of sequences of each kind that were checked.
    """

    first: int
    last: int
    constants: int
    inequalities: int


def checked_steps(graph: Graph, certificate: Certificate) -> dict[int, CheckedStep]:
    """Check the steps one by one, and return them by their levels,
    level 2 itself as 1; raises StepsRefused.
    """
    checker = Checker(graph, certificate.nodes, certificate.lengths)
    for step in certificate.steps:
        checker.read(step)
    return checker.steps


def check(graph: Graph, certificate: Certificate) -> ForEver:
    """Check that X(n) >= U(n) for all n >= 5,
    and the like for the others of BOUNDS; else raise StepsRefused.
    """
    return hold_for_ever(checked_steps(graph, certificate))


def hold_for_ever(steps: dict[int, CheckedStep]) -> ForEver:
    """Check that these steps hold for ever (lemma 8)."""
    last = max(steps)
    require(sorted(steps) == list(range(1, last + 1)), "a step is missing")
    first = last - 1
    while first > 2 and steps[first - 1].tokens == steps[first + 1].tokens:
        first -= 1
    require(
        first + REACH + 8 <= last, f"steps repeat from {first} on, and those to {last} are too few"
    )
    constants = inequalities = 0
    for parity in (first, first + 1):
        same = [steps[at] for at in range(parity, last + 1, 2)]
        # Then, where steps repeat, references lead to steps that repeat.
        require(same[0].reach <= REACH, "a reference counts back too far")
        for sequence in zip(*(step.constants for step in same), strict=True):
            require(_follows(sequence), "a constant does not follow the recurrence")
            constants += 1
        for each in zip(*(step.values + step.bounds for step in same), strict=True):
            values = [value for value in each if value is not None]
            require(
                len(values) in {0, len(each)} and _follows(values),
                "a value does not follow the recurrence",
            )
        for slacks in zip(*(step.slacks for step in same[REACH // 2 :]), strict=True):
            require(_follows(slacks) and _stays(slacks), "an inequality need not hold for ever")
            inequalities += 1
    return ForEver(first, last, constants, inequalities)


def _follows(sequence: Sequence[int]) -> bool:
    """Tell if a sequence, one integer for every other step, follows the recurrence."""
    windows = zip(*(sequence[at:] for at in range(len(TERMS))), strict=False)
    return all(
        sum(term * value for term, value in zip(TERMS, window, strict=True)) == 0
        for window in windows
    )


def _stays(slacks: Sequence[int]) -> bool:
    """Tell if a sequence that follows the recurrence is never negative,
    from one of its windows on.
    """
    return any(_rises(slacks[at : at + 4]) for at in range(len(slacks) - 3))


def _rises(window: Sequence[int]) -> bool:
    return not window or (window[0] >= 0 and _rises([two - one for one, two in pairwise(window)]))
