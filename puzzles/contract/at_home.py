"""The number of pieces that are where they are when solved: no bound, but the simplest measure of progress."""

from __future__ import annotations

import numpy as np

from puzzlebase.puzzles.contract.space import Boards, Signed


def places_as_solved(solved: Boards, boards: Boards, blanks: str = ".-:|") -> Signed:
    """The number of places that hold what they hold when solved, uint8[places], uint8[n, places] -> int64[n].

    Places that hold one of `blanks`, letters that stand for no piece or for many that look alike, do not count.
    """
    pieces = ~np.isin(solved, np.frombuffer(blanks.encode("ascii"), np.uint8))
    at_home: Signed = np.count_nonzero(boards[:, pieces] == solved[pieces], axis=1)
    return at_home
