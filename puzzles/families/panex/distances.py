"""Exact distances in Panex of any size: of every position to any position, without a table.

Values of arrangements are their distances to a goal, as functions of the order. A shortest path from a position comes
to a 2-useful position first, then to a 3-useful one, and so on to an n-useful one; pieces lie between them. So values
are found from the top down: on level n by pieces that touch no larger tile; on a level k from those of the arrangements
next to its neighbourhood, whose level is higher. A path that turns back to the goal before it comes to level k + 1 is
one of the paths from the goal, found before.

What is known about a goal grows with every question, in memory of a fixed size. Where it does not fit, everything but
the goal is forgotten, and the question is asked again, with more memory if need be.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import TypeVar

import numpy as np

from puzzlebase.puzzles.contract.puzzle import Board
from puzzlebase.puzzles.contract.space import UNREACHED, Boards
from puzzlebase.puzzles.families.panex.diagrams import (
    EMPTY,
    NO_PATH,
    Diagrams,
    Flags,
    Function,
    Functions,
    Ints,
    shortest_paths,
)
from puzzlebase.puzzles.families.panex.hash_table import new_hash_table
from puzzlebase.puzzles.families.panex.lengths import Lengths
from puzzlebase.puzzles.families.panex.positions import (
    MAX_PILES,
    Neighbourhood,
    OutOfRoom,
    Positions,
    Region,
    lower_by_moves,
)

T = TypeVar("T")

CAPACITY = 1 << 14
_AT_ONCE = 1 << 5  # how many boards are asked about together: for large towers, all that they lead to takes much memory
_TOP = 0  # an arrangement of level n: shape 0 and nothing below


class PanexDistances:
    """Distances to a goal, of boards of towers of n; any thread may ask, they take turns."""

    def __init__(self, lengths: Lengths, n: int, goal: Boards, capacity: int = CAPACITY) -> None:
        """The goal is its boards, uint8[m, 2 n + 2]; `capacity`, a power of two, is for what is remembered at first."""
        self._lengths = lengths
        self._n = n
        self._goal = goal
        self._capacity = capacity
        self._known: Known | None = None
        self._lock = Lock()
        self.ask(lambda known: known)

    def distances(self, boards: Boards) -> Ints:
        """Fewest moves to the goal, uint8[m, 2 n + 2] -> int64[m]; UNREACHED where there is no path."""
        distances = np.empty(len(boards), np.int64)
        for first in range(0, len(boards), _AT_ONCE):
            some = boards[first : first + _AT_ONCE]
            distances[first : first + _AT_ONCE] = self.ask(partial(Known.distances, boards=some))
        return np.where(distances < NO_PATH, distances, UNREACHED)

    def distance(self, board: Board) -> int:
        """Fewest moves from a board to the goal, UNREACHED where there is no path."""
        return int(self.distances(board[None])[0])

    def neighbours(self, board: Board) -> Ints:
        """The distance after each move of a board, int64[6]; UNREACHED also where a move is not legal."""
        distances = self.ask(lambda known: known.neighbours_of(known.positions.read(board[None]))[0])
        return np.where(distances < NO_PATH, distances, UNREACHED)

    def ask(self, question: Callable[[Known], T]) -> T:
        """The answer to a question about what is known, when all of it fitted."""
        with self._lock:
            while True:
                remembered = self._known
                try:
                    known = remembered or Known(self._lengths, self._n, self._goal, self._capacity)
                    answer = question(known)
                    known.check()
                except OutOfRoom:
                    self._known = None
                    self._capacity *= 1 if remembered else 2
                else:
                    self._known = known
                    return answer


class Known:
    """What is known so far about one goal; methods raise OutOfRoom, at the latest `check` does, where it does not fit.

    Positions are numbers of `positions`. Distances are NO_PATH where there is no path.
    """

    def __init__(self, lengths: Lengths, n: int, goal: Boards, capacity: int) -> None:
        self.lengths = lengths
        self.diagrams = lengths.diagrams(capacity, 4 * capacity)
        self.positions = Positions(n, lengths, min(4 * capacity, MAX_PILES))
        self._goal = self.positions.read(goal)
        self.values = Values(lengths, self.positions, self.diagrams, self._sources(), capacity)
        self._in_regions = new_hash_table(8 * capacity)
        self.check()

    def check(self) -> None:
        """Raise OutOfRoom if something did not fit: all answers since then mean nothing."""
        if self.diagrams.full or self.values.found.full or self._in_regions.full:
            raise OutOfRoom

    def _sources(self) -> dict[int, int]:
        """The goal's positions that are not blocked, and those next to its blocked ones, with their distances."""
        blocked = self.positions.classify(self._goal)[:, 0] < 0
        sources = dict.fromkeys(self._goal[~blocked].tolist(), 0)
        for after in self.positions.successors(self._goal[blocked]).ravel().tolist():
            if after >= 0:
                sources.setdefault(after, 1)
        return sources

    def distances(self, boards: Boards) -> Ints:
        """Distances of boards."""
        return self.distances_of(self.positions.read(boards))

    def distances_of(self, positions: Ints) -> Ints:
        """Distances of positions."""
        distances = np.full(len(positions), NO_PATH, np.int64)
        classified = self.positions.classify(positions)
        level = classified[:, 0]
        if (blocked := level < 0).any():
            distances[blocked] = 1 + self.neighbours_of(positions[blocked]).min(axis=1)
        if (useful := level > 0).any():
            distances[useful] = self.values.distances(classified[useful])
        if (others := level == 0).any():
            distances[others] = self._distances_in_regions(positions[others])
        distances[np.isin(positions, self._goal)] = 0
        return distances

    def neighbours_of(self, positions: Ints) -> Ints:
        """The distances after each move, int64[m] -> int64[m, 6]; NO_PATH also where a move is not legal."""
        after = self.positions.successors(positions)
        distances = np.full(after.shape, NO_PATH)
        distances[after >= 0] = self.distances_of(after[after >= 0])
        return distances

    def _distances_in_regions(self, positions: Ints) -> Ints:
        """Distances of positions that are neither 2-useful nor blocked."""
        there, distances, _ = self._in_regions.get(positions)
        for at in np.flatnonzero(~there).tolist():
            # The region of an earlier one may have had it.
            [known], [distance], _ = self._in_regions.get(positions[at : at + 1])
            distances[at] = distance if known else self._explore_region(int(positions[at]))
        return distances

    def _explore_region(self, position: int) -> int:
        """The distance of a position that is not 2-useful; those of all its region are remembered."""
        region = self.positions.region(position)
        border, number = np.unique(region.border, return_inverse=True)
        at_border = self.values.distances(self.positions.classify(border))[number]
        distances = np.full(len(region.inside), NO_PATH, np.int64)
        at, move = np.nonzero(region.moves <= -2)
        np.minimum.at(distances, at, at_border[-2 - region.moves[at, move]] + 1)
        self.values.distances_in(region, distances)
        self._in_regions.put(region.inside, distances, distances)
        return int(distances[0])


class Values:
    """Values of arrangements, found when they are needed and remembered, at most so many.

    `sources` are the positions in which paths from the goal begin, not blocked, with their distances to the goal.
    `_first[k]` holds, for each first arrangement of level k that these paths come to, their lengths as a function.
    """

    def __init__(
        self, lengths: Lengths, positions: Positions, diagrams: Diagrams, sources: dict[int, int], capacity: int
    ) -> None:
        self._lengths = lengths
        self._positions = positions
        self._diagrams = diagrams
        self._sources = sources
        self._first: list[dict[int, Function]] = [{} for _ in range(positions.n + 1)]
        for position, distance in sources.items():
            [[level, arrangement, order]] = positions.classify(np.array([position])).tolist()
            if level:
                node, offset = diagrams.point(level, order)
                self._arrive(level, arrangement, (node, offset + distance))
            else:
                self._leave_region(position)
        for k in range(2, positions.n):
            self._leave_level(k)
        self.found = new_hash_table(capacity)
        if positions.n > 1:
            self._settle(positions.neighbourhood(positions.n, _TOP))

    def distances(self, useful: Ints) -> Ints:
        """Distances of useful positions, by level, arrangement and order; NO_PATH where there is no path."""
        node, offset = self.functions(useful, 0)
        return np.where(node == EMPTY, NO_PATH, offset)

    def functions(self, useful: Ints, k: int) -> Functions:
        """Distances by level, arrangement and order, as functions of the order of the tiles 1 to k alone."""
        # First, going up, which values are needed, then, going down, what they are.
        unknown = self._unknown(useful)
        needed = []
        while unknown:
            level, arrangement = min(unknown)
            found = self._positions.neighbourhood(level, arrangement)
            needed.append(found)
            unknown -= {(level, each) for each in found.keys[found.inside].tolist()}
            unknown |= self._unknown(found.found[~found.inside])
        for found in reversed(needed):
            self._settle(found)
        return self._functions(useful, k)

    def _functions(self, useful: Ints, k: int) -> Functions:
        """Of arrangements whose values are known."""
        level, arrangement, order = useful.T.copy()
        _, node, offset = self.found.get(arrangement)
        self._diagrams.restrict((node, offset), level, k, order)
        return node, offset

    def _unknown(self, useful: Ints) -> set[tuple[int, int]]:
        """The levels and arrangements whose values are not known."""
        there, _, _ = self.found.get(useful[:, 1].copy())
        return set() if there.all() else {(level, arrangement) for level, arrangement, _ in useful[~there].tolist()}

    def _settle(self, found: Neighbourhood) -> None:
        """Find the values of a neighbourhood's arrangements from the values of those next to it."""
        inside, beside = found.inside, ~found.inside
        node, offset = self._labels(found)
        node[beside], offset[beside] = self._functions(found.found[beside], found.k)
        self._follow(found.reversed(), np.zeros(len(node), np.bool_), (node, offset))
        self.found.put(found.keys[inside], node[inside], offset[inside])

    # Paths from the goal.

    def _labels(self, found: Neighbourhood) -> Functions:
        """The lengths of the paths to the arrangements of a neighbourhood; EMPTY where they come to none first."""
        node, offset = np.zeros((2, len(found.keys)), np.int64)  # EMPTY is 0
        if first := self._first[found.k]:
            for at in np.flatnonzero(found.inside).tolist():
                node[at], offset[at] = first.get(int(found.keys[at]), (EMPTY, 0))
        return node, offset

    def distances_in(self, region: Region, distances: Ints) -> None:
        """Lower distances within a region, in place, to what single moves and the sources in it give."""
        for position, distance in self._sources.items():
            distances[region.inside == position] = distance
        known = np.flatnonzero(distances < NO_PATH)
        lower_by_moves(region.moves, known[np.argsort(distances[known], kind="stable")], distances)

    def _leave_region(self, position: int) -> None:
        region = self._positions.region(position)
        distances = np.full(len(region.inside), NO_PATH, np.int64)
        self.distances_in(region, distances)
        nearest = distances[np.nonzero(region.moves <= -2)[0]]
        for (level, arrangement, order), distance in zip(
            self._positions.classify(region.border).tolist(), nearest.tolist(), strict=True
        ):
            node, offset = self._diagrams.point(level, order)
            self._arrive(level, arrangement, (node, offset + distance + 1))

    def _leave_level(self, k: int) -> None:
        """Follow the paths from the arrangements of level k to the first ones of higher levels."""
        waiting = set(self._first[k])
        while waiting:
            found = self._positions.neighbourhood(k, waiting.pop())
            waiting -= set(found.keys[found.inside].tolist())
            node, offset = self._labels(found)
            self._follow(found, ~found.inside, (node, offset))
            for at in np.flatnonzero(~found.inside).tolist():
                level, arrangement, order = found.found[at].tolist()
                path = self._diagrams.extended((int(node[at]), int(offset[at])), k, level, order)
                self._arrive(level, arrangement, path)

    def _arrive(self, level: int, arrangement: int, function: Function) -> None:
        if function[0] != EMPTY:
            known = self._first[level].get(arrangement, (EMPTY, 0))
            self._first[level][arrangement] = self._diagrams.minimum(known, function)

    def _follow(self, found: Neighbourhood, stop: Flags, labels: Functions) -> None:
        """Lower the labels of a neighbourhood's arrangements, in place, by all paths along its edges."""
        begin = np.searchsorted(found.source, np.arange(len(found.keys) + 1)).astype(np.int32)
        shortest_paths(begin, found.target, *self._lengths.of(found.k, found.by), stop, *labels, *self._diagrams)
