"""Random turns of the Avenger: a million walks, made turn by turn, end as far as computed.

The walks turn letters on places, by the places that a wheel carries. Distances are the table's. For
each number of turns the walks are counted by distance. A chi-squared test compares the counts with
the exact distribution.
"""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt

from puzzlebase.machine import processors
from puzzlebase.plugins.mixing.mixing import Measurement, compute_mixing
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from tests.fixtures import quiet

_COUNT = 1_000_000
_TURNS = (*range(1, 21), 25, 30, 40, 50, 60)
_PIECE = 1 << 16
_FEW = 5
_DEVIATIONS = 5.0
_SOLVED = b".AAA.BBB.CCC.DDD.EEE."


@numba.njit
def turned(boards, random, alternate, last, scratch):  # type: ignore[no-untyped-def]
    """Turn one wheel of each board: uint8[n, 21];
    `random` chooses the wheel and one to five sixths, [n].

    The left wheel carries places 0 to 11 clockwise, the right one places 9 to 20 anticlockwise, and
    a sixth is two places. With `alternate` the wheel is the one that was not turned last; `last` is
    -1 before the first turn.
    """
    for i in range(boards.shape[0]):
        wheel, sixths = random[i] // 5, random[i] % 5 + 1
        if alternate and last[i] >= 0:
            wheel = 1 - last[i]
        last[i] = wheel
        first = 9 * wheel
        for place in range(12):
            carried = (place + 2 * sixths) % 12 if wheel == 0 else (place - 2 * sixths) % 12
            scratch[carried] = boards[i, first + place]
        for place in range(12):
            boards[i, first + place] = scratch[place]


def check(tables: Sources) -> list[str]:
    """Raises AssertionError, or says what was seen to be true."""
    table = tables.table("avenger")
    walks = ("any", "alternate")
    of_table = table.puzzle, table.space, table.table
    return [
        _compared(table, walk, compute_mixing(*of_table, walk, _TURNS[-1], processors(), quiet()))
        for walk in walks
    ]


def _compared(table: OpenTable, walk: str, measured: list[Measurement]) -> str:
    """Walk, and compare after each number of turns;
    chi-squared in its standard deviations from what is expected.
    """
    random = np.random.default_rng(28)
    boards = np.tile(np.frombuffer(_SOLVED, np.uint8), (_COUNT, 1))
    last, scratch = np.full(_COUNT, -1, np.int64), np.empty(12, np.uint8)
    apart = {}
    for turn in range(1, _TURNS[-1] + 1):
        turned(boards, random.integers(0, 10, _COUNT), walk == "alternate", last, scratch)
        if turn in _TURNS:
            expected = np.array(measured[turn].by_distance) * _COUNT
            apart[turn] = _deviations(_counted(table, boards, len(expected)), expected)
    worst = max(apart, key=lambda turn: abs(apart[turn]))
    assert abs(apart[worst]) < _DEVIATIONS, (walk, apart)
    return (
        f"a million sampled walks, {walk}: chi-squared after {len(apart)} numbers of turns at most "
        f"{abs(apart[worst]):.1f} standard deviations from what is expected (after {worst}), mean "
        f"{np.mean([*apart.values()]):+.2f}"
    )


def _counted(table: OpenTable, boards: npt.NDArray[np.uint8], layers: int) -> npt.NDArray[np.int64]:
    """The number of boards at each distance."""
    counts = np.zeros(layers, np.int64)
    for first in range(0, len(boards), _PIECE):
        distances = table.distances(table.space.rank(boards[first : first + _PIECE]))
        assert distances.min() >= 0
        counts += np.bincount(distances, minlength=layers)
    return counts


def _deviations(counts: npt.NDArray[np.int64], expected: npt.NDArray[np.float64]) -> float:
    """Chi-squared minus its degrees of freedom,
    in its standard deviations. Distances that are rare count as one.
    """
    assert not counts[expected < 1e-6].any()
    rare = expected < _FEW
    found = np.append(counts[~rare], counts[rare].sum())
    wanted = np.append(expected[~rare], expected[rare].sum())
    found, wanted = (found, wanted) if wanted[-1] >= _FEW else (found[:-1], wanted[:-1])
    freedom = max(len(wanted) - 1, 1)
    return float((((found - wanted) ** 2 / wanted).sum() - freedom) / np.sqrt(2 * freedom))
