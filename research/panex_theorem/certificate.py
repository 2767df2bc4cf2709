"""A certificate that the step from level to level repeats for ever: X(n) for all n from finitely many steps.

README.md defines its words, and its format under "The certificate's file".
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from puzzlebase.puzzles.families.panex.diagrams import (
    EMPTY,
    ZERO,
    Diagrams,
    Function,
    Functions,
    Ints,
    new_diagrams,
)
from puzzlebase.puzzles.families.panex.lengths import DROP, SHAPES, paths_from
from research.panex_lengths.__main__ import base_length, find_lengths
from research.panex_lengths.levels import Levels, derive

_CAPACITY = 1 << 15
_MEMO = 1 << 18
_BACK = 1 << 20
_EXCHANGED = str.maketrans("45", "54")  # the two tiles of size N + 1

_Triple = tuple[int, int, int]

_Edge = tuple[int, int, int]
"""Source, type, target."""


def certificate(last: int) -> Iterator[str]:
    """Write the certificate of steps 2 to `last`, at most 40, as lines of JSON: the graph, level 2, then each step."""
    levels, lengths = derive(), find_lengths(2)
    sources = np.repeat(np.arange(len(lengths.begin) - 1), np.diff(lengths.begin))
    edges: list[_Edge] = np.stack([sources, lengths.by, lengths.target], axis=1).tolist()
    shapes = range(SHAPES)
    between = [(start, levels.types.index((start, end, 0)), end) for start in shapes for end in shapes]
    sinking = _sinking_edges(levels)
    diagrams = new_diagrams(_CAPACITY, _MEMO)
    names = _Names(diagrams.nodes)
    pieces = [base_length(piece, diagrams) for piece in lengths.piece]
    yield json.dumps(
        {
            "words": [_written(word) for word in levels.words],
            "types": levels.types,
            "places": [[shape, layer, _written(word)] for shape, layer, word in levels.partials],
            "ends": lengths.ends.tolist(),
            "edges": edges,
        }
    )
    names.begin(1)
    yield names.line(lengths=[names.function(each, 2) for each in pieces])
    for level in range(2, last + 1):
        names.begin(level)
        node, offset = np.array(pieces).T
        steps = node[lengths.by], offset[lengths.by]
        graph = lengths.begin, lengths.target, steps, lengths.ends
        paths = [_listed(paths_from(start, level, *graph, diagrams)) for start in shapes]
        to_shapes = _paths_along(between, level, (node, offset), diagrams)
        sinks = _paths_along(sinking, level, (node, offset), diagrams)
        longer = [
            diagrams.join(paths[start][same], paths[start][exchanged])
            for (start, _, _), (same, exchanged) in zip(levels.types, lengths.ends.tolist(), strict=True)
        ]
        assert not diagrams.full
        yield names.line(
            ways=[[names.function(each, level) for each in row] for row in paths],
            improves=[
                names.steep(
                    row,
                    [edge for edge in edges if edge[0] == at or (edge[0] >= SHAPES and row[edge[0]][0] != EMPTY)],
                    pieces,
                    level,
                )
                for at, row in enumerate(paths)
            ],
            shapes=[names.function(each, level) for each in to_shapes],
            between=names.steep(to_shapes, between, pieces, level),
            sinks=[names.function(each, level) for each in sinks],
            sinking=names.steep(sinks, sinking, pieces, level),
            lengths=[names.function(each, level + 1) for each in longer],
        )
        pieces = longer


def _written(word: bytes) -> str:
    """A word as people write it: 1^1 lifts tile 1 from the centre, 1v0 drops it on the left."""
    return " ".join(f"{letter % DROP // 3}{'^v'[letter // DROP]}{letter % 3}" for letter in word)


def _sinking_edges(levels: Levels) -> list[_Edge]:
    """The edges between the places where only the two tiles of size N + 1 are larger, with these places numbered.

    Paths begin at number 0: shape 0, with a tile of size N + 1 in the centre and one on the right. A path also goes on
    from the ends of pieces of level N + 1.
    """
    numbered = enumerate(levels.partials)
    bare = {
        (shape, layer): at for at, (shape, layer, word) in numbered if not word and sorted(layer) == ["-", "4", "5"]
    }
    here = sorted(bare, key=lambda place: (place != (0, "-45"), bare[place]))
    number = {place: at for at, place in enumerate(here)}
    steps: dict[int, list[tuple[int, int]]] = {}
    for source, by, target in levels.steps:
        steps.setdefault(source, []).append((by, target))
    edges = []
    for shape, layer in here:
        exchanged = bare[shape, layer] not in steps
        for by, target in steps[shape if exchanged else bare[shape, layer]]:
            after, there, _ = levels.partials[target]
            if bare.get((after, there)) == target:
                turned = there.translate(_EXCHANGED) if exchanged else there
                edges.append((number[shape, layer], by, number[after, turned]))
    return edges


def _paths_along(edges: list[_Edge], level: int, pieces: Functions, diagrams: Diagrams) -> list[Function]:
    """The lengths of the shortest paths from vertex 0 to every vertex of a graph, as functions of `level` bits."""
    source, by, target = np.array(sorted(edges), np.int32).T.copy()
    begin = np.searchsorted(source, np.arange(target.max() + 2)).astype(np.int32)
    return _listed(paths_from(0, level, begin, target, (pieces[0][by], pieces[1][by]), target[:0], diagrams))


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

    def function(self, function: Function, level: int) -> tuple[int, int]:
        """The reference of a function's node, and its offset."""
        return self._node(function[0], level), function[1]

    def steep(self, labels: list[Function], edges: list[_Edge], pieces: list[Function], level: int) -> list[int]:
        """The reference of the triple of each edge: the labels of its target, its piece and its source."""
        triples = ((labels[target][0], pieces[by][0], labels[source][0]) for source, by, target in edges)
        return [self._steepness(triple, level)[0] for triple in triples]

    def _reference(self, step: int, number: int) -> int:
        return (self._step - step) * _BACK + number

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
