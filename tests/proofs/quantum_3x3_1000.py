"""Every Normal board of quantum-3x3-1000 is solved, and 10,000 Random ones at exactly the bound.

In each of the 362,880 Normal boards, every tile lies whole in one position. Every line is replayed
by the reference, compiled here so that it takes minutes. All of this takes about a quarter of an
hour, and may take an hour.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from time import monotonic
from typing import Any

import numba
import numpy as np

from puzzlebase.puzzles.families.quantum.board import QuantumRules, random_board, symmetric_board
from puzzlebase.puzzles.families.quantum.carrying import carry_home
from puzzlebase.puzzles.families.quantum.graph import Ints
from puzzlebase.service.sources.sources import Sources
from tests.naive.quantum import replay, units_from_home

_RANDOM = 10_000
_MOST, _MEAN = 60, 25
_MINUTES = 60

_RULES = QuantumRules.of("quantum-3x3-1000")


def check(_tables: Sources) -> Iterator[str]:
    """Raises AssertionError, or says what was seen to be true."""
    played: Any = numba.njit(replay)
    bound: Any = numba.njit(units_from_home)
    solved = np.diag(np.full(_RULES.positions, _RULES.k))

    def wasted(units: Ints) -> int:
        found = carry_home(_RULES.graph, units)
        assert found is not None, units
        after = units.copy()
        moved = played(after, found, _RULES.space, _RULES.width)
        assert np.array_equal(after, solved), units
        return int(moved - bound(units, _RULES.space, _RULES.width))

    began = monotonic()
    draw = np.random.default_rng(27)
    assert wasted(symmetric_board(_RULES.positions, _RULES.k)) == 0
    for _ in range(_RANDOM):
        units = random_board(_RULES.positions, _RULES.k, draw)
        assert wasted(units) == 0, units
    yield (
        f"the Symmetric board and {_RANDOM:,} Random ones are solved at exactly the Manhattan bound"
    )
    counted = np.zeros(_MOST + 1, np.int64)
    for tiles in permutations(range(_RULES.positions)):
        counted[wasted(solved[list(tiles)])] += 1
    mean = float((counted * np.arange(len(counted))).sum() / counted.sum())
    assert mean <= _MEAN
    most = int(np.flatnonzero(counted)[-1])
    yield (
        f"all {counted.sum():,} Normal boards are solved, {mean:.2f} moves above it in the "
        f"mean, {most} at most"
    )
    yield "  " + ", ".join(
        f"{number:,} by {waste}" for waste, number in enumerate(counted.tolist()) if number
    )
    took = (monotonic() - began) / 60
    assert took < _MINUTES, f"{took:.0f} minutes"
    yield f"every line was replayed by the reference implementation, in {took:.1f} minutes in all"
