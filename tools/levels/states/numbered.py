"""States by number: the graph of a game whose states were found and ranked, and a walk through all of it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.threads import ranges
from puzzlebase.kernels import kernel
from puzzlebase.tools.levels.states.packed import Keys, PackedRules
from puzzlebase.tools.levels.states.ranking import Indices, Ranking

Depths = npt.NDArray[np.uint16]

NONE = np.uint16(0xFFFF)
"""The depth or distance of a state that has none."""
OUTSIDE = -2
"""The number of a state that is not in the set."""
_CHUNK = 1 << 12
"""States expanded at a time, whose successors stay in a core's cache."""
_PIECE = 1 << 18
"""Numbers that a thread looks through at a time."""

Visit = Callable[[Indices, Keys, Indices], None]
"""Called with the numbers of some states, their keys, and the numbers of their successors; from several threads."""


class TooDeep(Exception):
    """A state is farther away than 65,534 moves."""


@dataclass(frozen=True, slots=True)
class NumberedStates:
    """The states of a game by number."""

    rules: PackedRules
    ranking: Ranking

    def expand(self, keys: Keys) -> Indices:
        """Where the moves of states lead, int64[n, slots]; -1 where there is no move, OUTSIDE where out of the set."""
        after = self.rules.successors(keys)
        numbers = self.ranking.rank_slots(after.reshape(-1, self.rules.words), after.shape[1], OUTSIDE)
        return numbers.reshape(after.shape[:2])

    def walk(self, visit: Visit, threads: int) -> tuple[Depths, list[int]]:
        """Visit each state that the start leads to once, in the order of a breadth-first search.

        Returns the depths of all states, NONE where the start does not lead, and how many there are of each. The start
        must be in the set. Raises TooDeep.
        """
        size = self.ranking.size
        depths = np.full(size, NONE)
        depths[self.ranking.rank(self.rules.start[None, :])] = 0
        pieces = ranges(size, -(-size // _PIECE))
        layers: list[int] = []
        with ThreadPoolExecutor(threads) as pool:
            while count := sum(pool.map(lambda piece: self._visit(depths, piece, len(layers), visit), pieces)):
                layers.append(count)
                if len(layers) >= NONE:
                    raise TooDeep
        return depths, layers

    def _visit(self, depths: Depths, piece: tuple[int, int], depth: int, visit: Visit) -> int:
        """Visit the states of a piece that have a depth, and give the next one to their successors that have none."""
        numbers = np.flatnonzero(depths[slice(*piece)] == depth) + piece[0]
        for first in range(0, len(numbers), _CHUNK):
            some = numbers[first : first + _CHUNK]
            keys = self.ranking.keys(some)
            after = self.expand(keys)
            visit(some, keys, after)
            _deepen(after, depths, NONE, np.uint16(depth + 1))
        return len(numbers)


@kernel
def _deepen(after, depths, none, depth):  # type: ignore[no-untyped-def]
    """Give a depth to the states that have none; several threads may, since they write the same."""
    for i in range(after.shape[0]):
        for k in range(after.shape[1]):
            if after[i, k] == -1:
                break
            if after[i, k] >= 0 and depths[after[i, k]] == none:
                depths[after[i, k]] = depth
