"""A certificate that the level step goes on as it began: X(n) for all n from finitely many steps.

Glossary
    step            of level N: the ways E of N bits from each of the five starts to every place, the lengths
                    F of level N + 1 that they give, and the ways Z between shapes when no larger tiles are
                    left, of which Z[0](all ones) is X(N). Pieces of level N have the lengths F of the step before.
    steepness       of three functions: the greatest A(x ^ y) - B(x) - C(y). The steps prove a lower bound when
                    no edge improves anything: where a piece B leads from C to A, the steepness plus A's
                    offset is no more than the offsets of B and C together.
    reference       a node or steepness by the step that named it first, counted back from this step, and its
                    number there: back x 2^20 + number. NOTHING and ZERO are themselves, negative.

A step is written as tokens, which say what is made of what, and constants, which are integers. Where the
tokens of step N + 2 are those of step N and the constants follow a linear recurrence, what a
checker sees in some steps holds in all later ones; docs/panex.md has the argument.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from puzzles.panex.diagrams import NOTHING, ZERO, Diagrams, Ints, diagrams, join, only, settle
from puzzles.panex.levels import Lengths, level_two, step
from puzzles.panex.words import SHAPES

_ROOM = 1 << 15
_MEMO = 1 << 18
_BACK = 1 << 20

Node = int
Triple = tuple[Node, Node, Node]
Function = tuple[Node, int]


class _Names:
    """What was named in which step; the lists of this step's tokens and constants."""

    def __init__(self, nodes: Any) -> None:
        self._nodes = nodes
        self._step = 0
        self._node: dict[Node, tuple[int, int]] = {}
        self._steep: dict[Triple, tuple[int, int, int]] = {}

    def begin(self, step: int) -> None:
        """Begins the lists of a step."""
        self._step = step
        self.nodes: list[tuple[int, int, int]] = []
        self.costs: list[tuple[int, int]] = []
        self.triples: list[tuple[int, ...]] = []
        self.steepness: list[int] = []

    def _reference(self, step: int, number: int) -> int:
        return (self._step - step) * _BACK + number

    def node(self, node: Node, level: int) -> int:
        """The reference of a node of a level, named with all that it is made of."""
        if node in {NOTHING, ZERO}:
            return node - 2
        if node not in self._node:
            low, high, low_cost, high_cost, _ = self._nodes[node].tolist()
            below = self.node(low, level - 1), self.node(high, level - 1)
            self._node[node] = self._step, len(self.nodes)
            self.nodes.append((self._step - level, *below))
            self.costs.append((low_cost, high_cost))
        return self._reference(*self._node[node])

    def function(self, function: Function, level: int) -> tuple[int, int]:
        """The reference of a function's node, and its offset."""
        return self.node(function[0], level), function[1]

    def line(self, **rest: object) -> str:
        """This step as a line of JSON."""
        own = {"nodes": self.nodes, "costs": self.costs, "triples": self.triples, "steepness": self.steepness}
        return json.dumps({"step": self._step, **own, **rest}, separators=(",", ":"))

    def steep(self, triple: Triple, level: int) -> int:
        """The reference of a steepness."""
        return self._steepness(triple, level)[0]

    def _steepness(self, triple: Triple, level: int) -> tuple[int, int]:
        if triple == (ZERO, ZERO, ZERO):
            return ZERO - 2, 0
        if triple not in self._steep:
            parts = [self._part(triple, x, y, level) for x in (0, 1) for y in (0, 1)]
            steepness = max(value for _, value in parts if value is not None)
            own = tuple(self.node(node, level) for node in triple)
            self._steep[triple] = self._step, len(self.triples), steepness
            self.triples.append((*own, *(reference for reference, _ in parts)))
            self.steepness.append(steepness)
        at, number, steepness = self._steep[triple]
        return self._reference(at, number), steepness

    def _part(self, triple: Triple, x: int, y: int, level: int) -> tuple[int, int | None]:
        one, two, three = (self._nodes[node].tolist() for node in triple)
        below = one[x ^ y], two[x], three[y]
        if NOTHING in below[1:]:
            return NOTHING - 2, None
        assert below[0] != NOTHING
        reference, steepness = self._steepness(below, level - 1)
        return reference, steepness + one[2 + (x ^ y)] - two[2 + x] - three[2 + y]


class _Step:
    """All functions of one step, by their graphs; `lengths` become those of the next level."""

    def __init__(self, found: Lengths, level: int, lengths: list[Function], made: Diagrams) -> None:
        self.level = level
        self.lengths = lengths
        self.made = made
        node, offset = np.array(lengths).T
        self.ways = [_functions(step(found, level, start, made, node, offset)) for start in range(SHAPES)]
        self.between = [self._type(found, start, end) for start in range(SHAPES) for end in range(SHAPES)]
        self.shapes = self._shapes()
        self.next = []
        for (start, _, _), (same, other) in zip(found.types.tolist(), found.ends.tolist(), strict=True):
            (low, low_cost), (high, high_cost) = self.ways[start][same], self.ways[start][other]
            root, cost = join(low, low_cost, high, high_cost, *made)
            self.next.append((int(root), int(cost)))
        assert not made.full

    def _type(self, found: Lengths, start: int, end: int) -> int:
        types: list[list[int]] = found.types.tolist()
        return types.index([start, end, 0])

    def _shapes(self) -> list[Function]:
        """The ways from shape 0 to every shape, by pieces that touch no larger tile."""
        label, cost = np.zeros((2, SHAPES), np.int64)
        label[0] = only(self.level, 0, self.made)
        begin = np.arange(0, SHAPES * SHAPES + 1, SHAPES, dtype=np.int32)
        target = np.tile(np.arange(SHAPES, dtype=np.int32), SHAPES)
        node, offset = np.array([self.lengths[by] for by in self.between]).T.copy()
        settle(begin, target, node, offset, np.zeros(SHAPES, np.bool_), label, cost, *self.made)
        return _functions((label, cost))


def _functions(found: tuple[Ints, Ints]) -> list[Function]:
    return list(zip(found[0].tolist(), found[1].tolist(), strict=True))


def certificate(found: Lengths, last: int) -> Iterator[str]:
    """The certificate of steps 2 to `last`, 40 at most, as lines of JSON: the graph, level 2, then each step."""
    source = np.repeat(np.arange(len(found.begin) - 1), np.diff(found.begin))
    edges = np.stack([source, found.by, found.target], axis=1).tolist()
    made = diagrams(_ROOM, _MEMO)
    names = _Names(made.nodes)
    lengths = [level_two(np.diff(piece)[:, 0].tolist(), made) for piece in found.piece]
    yield json.dumps({"edges": edges, "ends": found.ends.tolist(), "types": found.types.tolist()})
    names.begin(1)
    yield names.line(lengths=[names.function(each, 2) for each in lengths])
    for level in range(2, last + 1):
        names.begin(level)
        at = _Step(found, level, lengths, made)
        yield names.line(
            ways=[[names.function(each, level) for each in row] for row in at.ways],
            improves=[
                [
                    names.steep((row[target][0], lengths[by][0], row[place][0]), level)
                    for place, by, target in edges
                    if place == start or (place >= SHAPES and row[place][0] != NOTHING)
                ]
                for start, row in enumerate(at.ways)
            ],
            shapes=[names.function(each, level) for each in at.shapes],
            between=[
                names.steep((at.shapes[number % SHAPES][0], lengths[by][0], at.shapes[number // SHAPES][0]), level)
                for number, by in enumerate(at.between)
            ],
            lengths=[names.function(each, level + 1) for each in at.next],
        )
        lengths = at.next
