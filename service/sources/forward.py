"""Breadth-first search from a state, for moves that cannot be taken back."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import UNREACHED, Graph, Indices, Shortest, Spend, TooManyStates
from puzzlebase.puzzles.machinery.frontier import NO_VERTICES
from puzzlebase.sorted_arrays import is_among

_CHUNK = 1 << 14  # vertices expanded at a time
_BYTES_PER_VERTEX = 16  # in a layer, and while it is sorted


def forward_search(graph: Graph, starts: Indices, spend: Spend, memory: int) -> Shortest:
    """Find the distance from the nearest start vertex to the goal,
    and all vertices of shortest paths.

    UNREACHED only if all that the start leads to was seen. The search gives up when `spend` says so
    or `memory`, in bytes, is too small, with a proven lower bound.
    """
    met = np.zeros(graph.size, np.bool_)
    met[starts] = True
    layers = [np.sort(starts)]
    vertices = len(starts)
    try:
        while not graph.solved(layers[-1]).any():
            if not len(layers[-1]):
                return Shortest(UNREACHED, 0)
            full = len(met) + vertices * _BYTES_PER_VERTEX > memory
            if not spend(len(layers[-1]), len(layers)) or full:
                return Shortest(None, len(layers))
            layers.append(_after(graph, layers[-1], met))
            vertices += len(layers[-1])
    except TooManyStates:
        return Shortest(None, len(layers))
    levels = [layers[-1][graph.solved(layers[-1])]]
    for layer in layers[-2::-1]:
        levels.append(layer[is_among(graph.expand(layer), levels[-1]).any(axis=1)])
    return Shortest(len(levels) - 1, len(levels) - 1, tuple(levels))


def _after(graph: Graph, layer: Indices, met: npt.NDArray[np.bool_]) -> Indices:
    """The vertices that a layer leads to and that were not met before,
    sorted; marks them as met.
    """
    parts = [NO_VERTICES]
    for first in range(0, len(layer), _CHUNK):
        to = graph.successors(layer[first : first + _CHUNK]).to
        new = np.unique(to[~met[to]])
        met[new] = True
        parts.append(new)
    return np.sort(np.concatenate(parts))
