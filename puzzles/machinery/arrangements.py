"""All sequences of a multiset of symbols, ranked in lexicographic order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.space import Indices
from puzzlebase.puzzles.machinery.automaton import Automaton, Flags, States, make_automaton


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
    def automaton(self) -> Automaton:
        """What ranks the sequences."""
        return make_automaton(self.counts, self.length, _place)

    @cached_property
    def sequences(self) -> npt.NDArray[np.uint8]:
        """Every sequence in the order of its rank: uint8[size, length]."""
        return self.automaton.unrank(np.arange(self.size))

    def rank(self, sequences: npt.NDArray[np.uint8]) -> Indices:
        """The rank of each sequence, uint8[n, length] -> int64[n]; -1 where the counts are not these."""
        return self.automaton.rank(sequences)


def _place(left: States) -> tuple[States, Flags]:
    """How many copies of each symbol are left after each next symbol, and whether there was one."""
    return left[:, None] - np.eye(left.shape[1], dtype=np.int64), left > 0
