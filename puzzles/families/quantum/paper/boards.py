"""The paper's three kinds of boards: Random, Symmetric and Normal. All are int64[positions, tiles]."""

from __future__ import annotations

import numpy as np

from puzzlebase.puzzles.families.quantum.graph import Ints

RANDOM, SYMMETRIC, NORMAL = KINDS = ("Random", "Symmetric", "Normal")

_ROUNDS = 200  # of scaling: by then rows and columns agree to far less than a unit


def board(kind: str, positions: int, k: int, draw: np.random.Generator) -> Ints:
    """A board of a kind; of Symmetric there is one alone."""
    if kind == SYMMETRIC:
        return symmetric(positions, k)
    return random_board(positions, k, draw) if kind == RANDOM else normal(positions, k, draw)


def symmetric(positions: int, k: int) -> Ints:
    """As much of everything everywhere, and the odd units at home."""
    units = np.full((positions, positions), k // positions, np.int64)
    units[np.diag_indices(positions)] += k % positions
    return units


def normal(positions: int, k: int, draw: np.random.Generator) -> Ints:
    """Each tile whole in one position, any arrangement."""
    return np.diag(np.full(positions, k, np.int64))[draw.permutation(positions)]


def random_board(positions: int, k: int, draw: np.random.Generator) -> Ints:
    """Exponentially distributed random numbers, scaled until all rows and columns have the same sum, and rounded.

    The paper only says that its boards are scattered by random numbers. These spread as widely as its figure 3 does.
    """
    shares = draw.exponential(size=(positions, positions))
    for _ in range(_ROUNDS):
        shares /= shares.sum(axis=1, keepdims=True)
        shares /= shares.sum(axis=0)
    units = np.floor(shares * k).astype(np.int64)
    missing_here, missing_of = k - units.sum(axis=1), k - units.sum(axis=0)
    places = np.repeat(np.arange(positions), missing_here)
    np.add.at(units, (places, draw.permutation(np.repeat(np.arange(positions), missing_of))), 1)
    return units
