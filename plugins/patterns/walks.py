"""The paths of a search with patterns that one thread follows (search.py)."""

from __future__ import annotations

from typing import NamedTuple

from puzzlebase.plugins.patterns import kernels
from puzzlebase.plugins.patterns.kernels import PathBlocks, SearchTables
from puzzlebase.puzzles import Distances, Indices
from puzzlebase.puzzles.machinery.path_states import PathStates

ANY = -1  # in place of a first move
SLICE = 1 << 20  # moves examined, in a tenth of a second, before a search reports its progress and shares what is left
_FIRST_ROWS = 1 << 10  # the first capacity for states on shortest paths


class LocatedState(NamedTuple):
    """A state as text, with its index and its distance in each abstraction."""

    text: str
    indices: Indices
    distances: Distances


class PathWalk:
    """The paths that one thread follows within a limit: blocks of states, and those met on shortest paths."""

    def __init__(self, limit: int, blocks: PathBlocks, level: int = 0, move: int = ANY) -> None:
        self._limit, self._blocks = limit, blocks
        self.level = level  # -1 when all paths are done
        self.move = move  # the first move of all its paths
        self.met = PathStates(4, 2, _FIRST_ROWS)

    def go_on(self, tables: SearchTables) -> int:
        """Examine about `SLICE` moves, and return their number."""
        looked = 0
        while self.level >= 0 and looked < SLICE:
            most, met = SLICE - looked, self.met
            self.level, met.count, more = kernels.deepen(
                self._limit, self.level, most, self._blocks, tables, met.arrays, met.count
            )
            looked += more
            if self.level >= 0 and more < most:
                self.met = met.wider()
        return looked

    def share(self) -> PathWalk:
        """Give half of the states left to expand to another walk, which is returned.

        Neither may rely on the states visited, whose paths the other one may follow now.
        """
        blocks, levels = self._blocks, self._blocks.levels
        middle = (levels[:-1, kernels.NEXT] + levels[:-1, kernels.COUNT] + 1) // 2
        blocks.visited[:] = -1
        others = PathBlocks(*(each.copy() for each in blocks))
        levels[:-1, kernels.COUNT] = others.levels[:-1, kernels.NEXT] = middle
        others.levels[-1, kernels.WAITING] = 0
        others.links[:, :, kernels.NUMBER] = -1
        return PathWalk(self._limit, others, self.level, self.move)
