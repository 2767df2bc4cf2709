"""The cycles and the parities of permutations."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from puzzlebase.plugins.definitions.definition import AnyNumbers, Numbers, SmallNumbers

_FEW_SYMBOLS = 50  # in sequences whose pairs are compared; following the cycles is faster for more


def parities(sequences: AnyNumbers) -> SmallNumbers:
    """1 for odd permutations among sequences of different symbols, int[n, length] -> int32[n]."""
    length = sequences.shape[1]
    odd = np.zeros(len(sequences), np.int32)
    if length <= _FEW_SYMBOLS:
        for one, other in combinations(range(length), 2):
            odd ^= sequences[:, one] > sequences[:, other]
        return odd
    cycles = (cycles_of(sequences) == np.arange(length)).sum(axis=1)
    odd[:] = (length - cycles) % 2
    return odd


def cycles_of(permutations: AnyNumbers) -> Numbers:
    """The cycles of permutations: the least symbol of the cycle of each symbol,
    int[n, length] -> int64[n, length].
    """
    to = permutations.astype(np.int64)
    # symbol met in 1, 2, 4, ... steps of a cycle
    least = np.broadcast_to(np.arange(to.shape[1]), to.shape)
    for _ in range(to.shape[1].bit_length()):
        least = np.minimum(least, np.take_along_axis(least, to, 1))
        to = np.take_along_axis(to, to, 1)
    return least
