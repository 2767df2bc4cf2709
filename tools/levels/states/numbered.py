"""States by number: the graph of a game whose states were found and ranked, and a walk through all of it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.threads import ranges
from puzzlebase.db.machine import spare_memory
from puzzlebase.kernels import kernel
from puzzlebase.tools.levels.states.dense import Codes, DenseRanking, densely_reachable
from puzzlebase.tools.levels.states.packed import Indices, Keys, LevelTooLarge, PackedRules, Report
from puzzlebase.tools.levels.states.ranking import Ranking
from puzzlebase.tools.levels.states.reachable import reachable

Depths = npt.NDArray[np.uint16]

NONE = np.uint16(0xFFFF)
"""The depth or distance of a state that has none."""
_FEW = 1 << 20
"""States that are soon found and numbered by their keys alone."""
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


class Visited(NamedTuple):
    """A walk from the start through all states that it leads to."""

    depths: Depths  # of all states, NONE where the start does not lead
    layers: list[int]  # how many states are at each depth
    layered: bool  # True if each move leads to the next depth


@dataclass(frozen=True, slots=True)
class LevelStates:
    """The states of a game by number."""

    rules: PackedRules
    ranking: Ranking | DenseRanking

    @classmethod
    def reachable(
        cls, rules: PackedRules, threads: int, most: int, report: Report = lambda _states, _found: None
    ) -> Self:
        """Find all states that the start leads to, and number them; raises LevelTooLarge above `most`.

        A set of more than a few is stored as bits for codes where moves flip bits and a byte for each code fits.
        """
        codes = Codes.of(int(rules.start[0]), rules.masks)
        dense = rules.masks and 1 << codes.bits <= spare_memory() // 2
        try:
            keys = reachable(rules, threads, min(most, _FEW) if dense else most, report)
        except LevelTooLarge:
            if not dense or most <= _FEW:
                raise
            return cls(rules, densely_reachable(rules, codes, threads, most, report))
        return cls(rules, Ranking.of(keys, rules.used))

    def expand(self, keys: Keys) -> Indices:
        """Where the moves of states lead, int64[n, slots]; -1 where there is no move, OUTSIDE where out of the set."""
        after = self.rules.successors(keys)
        numbers = self.ranking.rank_slots(after.reshape(-1, self.rules.words), after.shape[1], OUTSIDE)
        return numbers.reshape(after.shape[:2])

    def walk(self, visit: Visit, threads: int) -> Visited:
        """Visit each state that the start leads to once, in the order of a breadth-first search.

        The start must be in the set. Raises TooDeep.
        """
        size = self.ranking.size
        depths = np.full(size, NONE)
        depths[self.ranking.rank(self.rules.start[None, :])] = 0
        pieces = ranges(size, -(-size // _PIECE))
        layers: list[int] = []
        other_moves = 0
        with ThreadPoolExecutor(threads) as pool:
            while True:
                visited = [*pool.map(lambda piece: self._visit(depths, piece, len(layers), visit), pieces)]
                count, others = map(sum, zip(*visited, strict=True))
                if not count:
                    return Visited(depths, layers, layered=not other_moves)
                layers.append(count)
                other_moves += others
                if len(layers) >= NONE:
                    raise TooDeep

    def _visit(self, depths: Depths, piece: tuple[int, int], depth: int, visit: Visit) -> tuple[int, int]:
        """Visit the states of a piece that have a depth, and give the next one to their successors that have none.

        Returns how many were visited, and how many moves lead elsewhere than to the next depth.
        """
        others = 0
        numbers = np.flatnonzero(depths[slice(*piece)] == depth) + piece[0]
        for first in range(0, len(numbers), _CHUNK):
            some = numbers[first : first + _CHUNK]
            keys = self.ranking.keys(some)
            after = self.expand(keys)
            visit(some, keys, after)
            others += _deepen(after, depths, NONE, np.uint16(depth + 1))
        return len(numbers), others


@kernel
def _deepen(after, depths, none, depth):  # type: ignore[no-untyped-def]
    """Give a depth to the states that have none; several threads may, since they write the same.

    Returns how many have another depth.
    """
    others = 0
    for i in range(after.shape[0]):
        for k in range(after.shape[1]):
            if after[i, k] == -1:
                break
            if after[i, k] >= 0:
                if depths[after[i, k]] == none:
                    depths[after[i, k]] = depth
                others += depths[after[i, k]] != depth
    return others
