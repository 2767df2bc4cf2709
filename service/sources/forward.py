"""Breadth-first search from a state, for moves that cannot be taken back."""

from __future__ import annotations

import numpy as np

from puzzlebase.puzzles import UNREACHED, Boards, Graph, Indices, Shortest, Spend
from puzzlebase.puzzles.contract.space import among
from puzzlebase.puzzles.machinery.listed import BoardList, TooManyStates

_CHUNK = 1 << 14  # vertices expanded at a time
_BYTES_PER_VERTEX = 40  # in a list, and in a hash table that grows


def forward(graph: Graph, starts: Indices, spend: Spend, memory: int) -> Shortest:
    """Find the distance from the nearest start vertex to the goal, and all vertices of shortest paths.

    UNREACHED only if all that the start leads to was seen. The search gives up when `spend` says so or `memory`, in
    bytes, is too small, with a proven lower bound.
    """
    met = BoardList(_rows(starts)[0])
    met.enter(_rows(starts), np.ones(len(starts), np.bool_))
    ends = [0, met.count]
    try:
        while not graph.solved(layer := _layer(met, ends, len(ends) - 2)).any():
            if not len(layer):
                return Shortest(UNREACHED, 0)
            if not spend(len(layer), len(ends) - 1) or met.count * _BYTES_PER_VERTEX > memory:
                return Shortest(None, len(ends) - 1)
            for first in range(0, len(layer), _CHUNK):
                successors = graph.expand(layer[first : first + _CHUNK]).reshape(-1)
                met.enter(_rows(successors), successors >= 0)
            ends.append(met.count)
    except TooManyStates:
        return Shortest(None, len(ends) - 1)
    levels = [np.sort(layer[graph.solved(layer)])]
    for depth in range(len(ends) - 3, -1, -1):
        layer = _layer(met, ends, depth)
        levels.append(np.sort(layer[among(graph.expand(layer), levels[-1]).any(axis=1)]))
    return Shortest(len(levels) - 1, len(levels) - 1, tuple(levels))


def _rows(vertices: Indices) -> Boards:
    return np.ascontiguousarray(vertices).view(np.uint8).reshape(-1, 8)


def _layer(met: BoardList, ends: list[int], depth: int) -> Indices:
    return met.boards(np.arange(ends[depth], ends[depth + 1])).copy().view(np.int64).reshape(-1)
