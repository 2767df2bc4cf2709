"""A certificate that the step from level to level repeats for ever: X(n) for all n from finitely many steps.

README.md defines its words, and its format under "The certificate's file".
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from puzzlebase.puzzles.families.panex.diagrams import EMPTY, ZERO, Diagrams, Function, Functions, Ints, new_diagrams
from research.panex_lengths.levels import paths_from, steps_of_levels
from research.panex_theorem.checker import BACK, STARTS, Checker, Edge
from research.panex_theorem.graph import derive

_CAPACITY = 1 << 15
_MEMO = 1 << 18

_Triple = tuple[int, int, int]


def certificate(last: int) -> Iterator[str]:
    """Write the certificate of steps 2 to `last`, at most 40, as lines of JSON: the graph, level 2, then each step."""
    graph = derive()
    known = Checker(graph)
    diagrams = new_diagrams(_CAPACITY, _MEMO)
    names = _Names(diagrams.nodes)
    yield json.dumps(graph)
    for level, step in zip(range(2, last + 1), steps_of_levels(graph, diagrams), strict=False):
        if level == 2:
            names.begin(1)
            yield names.line(lengths=names.functions(step.pieces, 2))
        names.begin(level)
        pieces = _listed(step.pieces)
        paths = [_listed(each) for each in step.paths]
        to_shapes = _paths_along(known.between, level, step.pieces, diagrams)
        sinks = _paths_along(known.sinking, level, step.pieces, diagrams)
        assert not diagrams.full
        yield names.line(
            ways=[names.functions(each, level) for each in step.paths],
            improves=[
                names.steep(
                    row,
                    [edge for edge in known.edges if edge[0] == at or (edge[0] >= STARTS and row[edge[0]][0] != EMPTY)],
                    pieces,
                    level,
                )
                for at, row in enumerate(paths)
            ],
            shapes=names.functions(to_shapes, level),
            between=names.steep(_listed(to_shapes), known.between, pieces, level),
            sinks=names.functions(sinks, level),
            sinking=names.steep(_listed(sinks), known.sinking, pieces, level),
            lengths=names.functions(step.longer, level + 1),
        )


def _paths_along(edges: list[Edge], level: int, pieces: Functions, diagrams: Diagrams) -> Functions:
    """The lengths of the shortest paths from vertex 0 to every vertex of a graph, as functions of `level` bits."""
    source, by, target = np.array(sorted(edges), np.int32).T.copy()
    begin = np.searchsorted(source, np.arange(target.max() + 2)).astype(np.int32)
    return paths_from(0, level, begin, target, (pieces[0][by], pieces[1][by]), target[:0], diagrams)


def _listed(functions: Functions) -> list[Function]:
    return list(zip(functions[0].tolist(), functions[1].tolist(), strict=True))


class _Names:
    """The steps in which nodes and triples first occurred, and this step's tokens and constants."""

    def __init__(self, nodes: Ints) -> None:
        self._nodes = nodes
        self._step = 0
        self._node_names: dict[int, tuple[int, int]] = {}
        self._triple_names: dict[_Triple, tuple[int, int, int]] = {}

    def begin(self, step: int) -> None:
        """Begin the lists of a step."""
        self._step = step
        self.nodes: list[tuple[int, int, int]] = []
        self.costs: list[tuple[int, int]] = []
        self.triples: list[tuple[int, ...]] = []
        self.steepness: list[int] = []

    def line(self, **rest: object) -> str:
        """This step as a line of JSON."""
        own = {"nodes": self.nodes, "costs": self.costs, "triples": self.triples, "steepness": self.steepness}
        return json.dumps({"step": self._step, **own, **rest}, separators=(",", ":"))

    def functions(self, functions: Functions, level: int) -> list[tuple[int, int]]:
        """The reference of each function's node, and its offset."""
        return [(self._node(node, level), offset) for node, offset in _listed(functions)]

    def steep(self, labels: list[Function], edges: list[Edge], pieces: list[Function], level: int) -> list[int]:
        """The reference of the triple of each edge: the labels of its target, its piece and its source."""
        triples = ((labels[target][0], pieces[by][0], labels[source][0]) for source, by, target in edges)
        return [self._steepness(triple, level)[0] for triple in triples]

    def _reference(self, step: int, number: int) -> int:
        return (self._step - step) * BACK + number

    def _node(self, node: int, level: int) -> int:
        """The reference of a node of a level; a new one is named here, after its halves."""
        if node in {EMPTY, ZERO}:
            return node - 2
        if node not in self._node_names:
            low, high, low_cost, high_cost, _ = self._nodes[node].tolist()
            halves = self._node(low, level - 1), self._node(high, level - 1)
            self._node_names[node] = self._step, len(self.nodes)
            self.nodes.append((self._step - level, *halves))
            self.costs.append((low_cost, high_cost))
        return self._reference(*self._node_names[node])

    def _steepness(self, triple: _Triple, level: int) -> tuple[int, int]:
        """The reference of a triple, and its steepness."""
        if triple == (ZERO, ZERO, ZERO):
            return ZERO - 2, 0
        if triple not in self._triple_names:
            parts = [self._part(triple, x, y, level) for x in (0, 1) for y in (0, 1)]
            steepness = max(value for _, value in parts if value is not None)
            own = tuple(self._node(node, level) for node in triple)
            self._triple_names[triple] = self._step, len(self.triples), steepness
            self.triples.append((*own, *(reference for reference, _ in parts)))
            self.steepness.append(steepness)
        step, number, steepness = self._triple_names[triple]
        return self._reference(step, number), steepness

    def _part(self, triple: _Triple, x: int, y: int, level: int) -> tuple[int, int | None]:
        """The reference of the halves for top bits x and y, and their part of the steepness; None if there is none."""
        one, two, three = (self._nodes[node].tolist() for node in triple)
        halves = one[x ^ y], two[x], three[y]
        if EMPTY in halves[1:]:
            return EMPTY - 2, None
        assert halves[0] != EMPTY
        reference, steepness = self._steepness(halves, level - 1)
        return reference, steepness + one[2 + (x ^ y)] - two[2 + x] - three[2 + y]
