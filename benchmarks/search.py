"""Searches of a puzzle's own, where no table is needed, in one process on one thread.

Each state is asked for its distance and for all states on its shortest ways, so for every optimal first
move; its time is a value. Kernels are compiled, and nothing is known of the state before. Random pebbles on
random plates are a goal of their own each, and their time includes making it ready. The far states were reached from
random ones, from neighbour to neighbour that is no nearer to the goal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.figures import Figure, Measured, timed
from puzzles import Goal, Puzzle, Shortest, Space, find

_STATES = 1_000
_FAR_PANGURU = ("BOGPYCB-YROCPRG", "-YRPPCBORCBYGOG", "BOGPYCBCYRO-PRG", "OYGP-YBCORBCPRG")
"""States 24 moves from solved, one less than God's number, on the first plates."""


def measure(_data: Path) -> Measured:
    """All searches, one puzzle after the other."""
    return {title: figures for search in _SEARCHES for title, figures in search().items()}


def _panguru() -> Measured:
    puzzle = find("panguru")
    plates = list(puzzle.goal().name)
    draw = np.random.default_rng(11)
    drawn = [(puzzle.goal("".join(draw.permutation(plates))), draw.random()) for _ in range(1 + _STATES)]
    _, *seconds = [timed(partial(_from_nothing, puzzle, goal, share))[1] for goal, share in drawn]
    space = puzzle.space(puzzle.goal())
    far = [puzzle.index(state, puzzle.goal()) for state in _FAR_PANGURU]
    return {
        "Panguru without a table": [
            Figure("random pebbles on random plates", "ms", [1e3 * each for each in seconds], "≤ 10, at most 1,000"),
            Figure("states at distance 24", "s", [timed(partial(_shortest, space, index))[1] for index in far], "≤ 10"),
        ]
    }


def _from_nothing(puzzle: Puzzle, goal: Goal, share: float) -> Shortest:
    """A search to a goal that was not asked for before, from the state behind this share of the indices."""
    space = puzzle.space(goal)
    return _shortest(space, int(share * space.size))


def _shortest(space: Space, index: int) -> Shortest:
    assert space.shortest is not None, "the puzzle has a search of its own"
    return space.shortest(index, lambda _visited, _bound: True)


_SEARCHES: list[Callable[[], Measured]] = [_panguru]
