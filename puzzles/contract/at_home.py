"""How many pieces of a state are at home, the simplest measure of how far it has come; it is no bound of any kind."""

from __future__ import annotations

import numpy as np

from puzzlebase.puzzles.contract.space import Boards, Signed

_NO_PIECES = ".-:|"
"""Letters that stand for no piece, or for one that looks like many others: uncoloured, a hole, or a separator."""


def places_as_solved(solved: Boards, boards: Boards) -> Signed:
    """How many places hold what they hold when solved, uint8[places], uint8[n, places] -> int64[n].

    Places without a piece do not count.
    """
    return tiles_as_solved(solved, boards, _NO_PIECES)


def tiles_as_solved(solved: Boards, boards: Boards, blanks: str) -> Signed:
    """The same where other letters, or the numbers behind them, stand for no tile that counts."""
    tiles = ~np.isin(solved, np.frombuffer(blanks.encode("ascii"), np.uint8))
    at_home: Signed = np.count_nonzero(boards[:, tiles] == solved[tiles], axis=1)
    return at_home
