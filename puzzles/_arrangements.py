"""All sequences of a multiset of symbols, ranked in lexicographic order.

A sequence is a path through a small automaton whose nodes are the counts still to be placed; its
rank is the sum of the offsets of the links it takes. Two table reads a symbol, no division, and a
sequence with wrong counts falls off the automaton, so ranking is checking too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod

import numpy as np
import numpy.typing as npt

from kernels import kernel


@dataclass(frozen=True)
class Arrangements:
    """The sequences with `counts[s]` copies of each symbol s, symbols being 0 .. len(counts)-1."""

    counts: tuple[int, ...]

    @property
    def length(self) -> int:
        """Symbols in a sequence."""
        return sum(self.counts)

    @cached_property
    def size(self) -> int:
        """How many sequences there are: the multinomial coefficient."""
        return factorial(self.length) // prod(factorial(count) for count in self.counts)

    @cached_property
    def automaton(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """`follow[node, symbol]` (-1: none left to place) and `offset[node, symbol]`; node 0 starts."""
        nodes = {self.counts: 0}
        queue = [self.counts]
        follow: list[list[int]] = []
        for counts in queue:
            row = []
            for symbol, count in enumerate(counts):
                if not count:
                    row.append(-1)
                    continue
                rest = (*counts[:symbol], count - 1, *counts[symbol + 1 :])
                if rest not in nodes:
                    nodes[rest] = len(queue)
                    queue.append(rest)
                row.append(nodes[rest])
            follow.append(row)
        completions = [Arrangements(counts).size for counts in queue]
        offset = [
            [sum(completions[to] for to in row[:symbol] if to >= 0) for symbol in range(len(row))] for row in follow
        ]
        return np.array(follow, np.int32), np.array(offset, np.int64)

    @cached_property
    def sequences(self) -> npt.NDArray[np.uint8]:
        """Every sequence in the order of its rank: uint8[size, length]."""
        follow, _ = self.automaton
        nodes = np.zeros(1, np.int32)
        sequences = np.empty((1, 0), np.uint8)
        for _ in range(self.length):
            before, symbol = np.nonzero(follow[nodes] >= 0)
            sequences = np.hstack([sequences[before], symbol[:, None].astype(np.uint8)])
            nodes = follow[nodes[before], symbol]
        return sequences

    def rank(self, sequences: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
        """Ranks of uint8[n, length]; -1 where the counts are not these."""
        ranks = np.empty(len(sequences), np.int64)
        _rank(np.ascontiguousarray(sequences), *self.automaton, ranks)
        return ranks


@kernel
def _rank(sequences, follow, offset, ranks):  # type: ignore[no-untyped-def]
    symbols = follow.shape[1]
    for i in range(sequences.shape[0]):
        node = 0
        rank = 0
        for j in range(sequences.shape[1]):
            symbol = sequences[i, j]
            if symbol >= symbols or follow[node, symbol] < 0:
                rank = -1
                break
            rank += offset[node, symbol]
            node = follow[node, symbol]
        ranks[i] = rank
