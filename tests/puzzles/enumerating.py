"""Distances of a whole space by the plainest search, to compare with reference implementations."""

from __future__ import annotations

from functools import cache

import numpy as np

from puzzlebase.puzzles import Distances, Space, find


def all_distances(space: Space) -> Distances:
    """The distance of every index to the goal states, -1 without a path: int32[size]."""
    distances = np.full(space.size, -1, np.int32)
    layer, distance = space.goal_states, 0
    while len(layer):
        distances[layer] = distance
        distance += 1
        successors = space.expand(layer)
        layer = np.unique(successors[successors >= 0])
        layer = layer[distances[layer] < 0]
    return distances


@cache
def distances_of(name: str, goal: str | None = None) -> Distances:
    """The distances of a puzzle's goal, by default its first."""
    puzzle = find(name)
    return all_distances(puzzle.space(puzzle.goal(goal)))
