"""A certificate that the step from level to level repeats for ever:
X(n) for all n from finitely many steps.

README.md defines its words. The functions are found here,
and the checker shows that they are what they should be.
"""

from __future__ import annotations

import numpy as np

from puzzlebase.puzzles.families.panex.diagrams import Diagrams, Function, Functions, new_diagrams
from research.panex_lengths.levels import paths_from, steps_of_levels
from research.panex_theorem.checker import Certificate, CertifiedStep, Edge, between, sinking
from research.panex_theorem.graph import Graph

_CAPACITY = 1 << 15
_MEMO = 1 << 18


def certificate(graph: Graph, last: int) -> Certificate:
    """The certificate of steps 2 to `last`, at most 40."""
    diagrams = new_diagrams(_CAPACITY, _MEMO)
    edges_of_shapes, (edges_of_sinks, _) = between(graph), sinking(graph)
    of_level_2: list[Function] = []
    steps = []
    for level, step in zip(range(2, last + 1), steps_of_levels(graph, diagrams), strict=False):
        of_level_2 = of_level_2 or _listed(step.pieces)
        shapes = _paths_along(edges_of_shapes, level, step.pieces, diagrams)
        sinks = _paths_along(edges_of_sinks, level, step.pieces, diagrams)
        assert not diagrams.full
        ways = [_listed(each) for each in step.paths]
        steps.append(CertifiedStep(ways, _listed(shapes), _listed(sinks), _listed(step.longer)))
    nodes = diagrams.nodes[: diagrams.counts[0], :4].tolist()
    return Certificate(nodes, of_level_2, steps)


def _paths_along(edges: list[Edge], level: int, pieces: Functions, diagrams: Diagrams) -> Functions:
    """The lengths of the shortest paths from vertex 0 to every vertex of a graph,
    as functions of `level` bits.
    """
    source, by, target = np.array(sorted(edges), np.int32).T.copy()
    begin = np.searchsorted(source, np.arange(target.max() + 2)).astype(np.int32)
    return paths_from(0, level, begin, target, (pieces[0][by], pieces[1][by]), target[:0], diagrams)


def _listed(functions: Functions) -> list[Function]:
    return list(zip(functions[0].tolist(), functions[1].tolist(), strict=True))
