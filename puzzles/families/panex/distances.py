"""Exact distances in Panex of any size: of every position to any position, without a table.

What is known about a goal grows with every question, in memory of a fixed size. Where it does not fit, everything but
the goal is forgotten, and the question is asked again, with more room if need be.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import TypeVar

import numpy as np

from puzzlebase.puzzles.contract.puzzle import Board
from puzzlebase.puzzles.contract.space import UNREACHED, Boards
from puzzlebase.puzzles.families.panex.diagrams import NO_PATH, Ints
from puzzlebase.puzzles.families.panex.hash_table import new_hash_table
from puzzlebase.puzzles.families.panex.lengths import Lengths
from puzzlebase.puzzles.families.panex.positions import MAX_PILES, OutOfRoom, Positions
from puzzlebase.puzzles.families.panex.values import PathsFromGoal, Values

T = TypeVar("T")

ROOM = 1 << 14
_AT_ONCE = 1 << 5
"""How many boards are asked about together: for large towers, all that they lead to takes much room."""


class PanexDistances:
    """Distances to a goal, of boards of towers of n; any thread may ask, they take turns."""

    def __init__(self, lengths: Lengths, n: int, goal: Boards, room: int = ROOM) -> None:
        """The goal is its boards, uint8[m, 2 n + 2]; `room`, a power of two, is for what is remembered at first."""
        self._lengths = lengths
        self._n = n
        self._goal = goal
        self._room = room
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
        """The answer to a question about what is known, when there was room for all of it."""
        with self._lock:
            while True:
                remembered = self._known
                try:
                    known = remembered or Known(self._lengths, self._n, self._goal, self._room)
                    answer = question(known)
                    known.check()
                except OutOfRoom:
                    self._known = None
                    self._room *= 1 if remembered else 2
                else:
                    self._known = known
                    return answer


class Known:
    """What is known so far about one goal; methods raise OutOfRoom, at the latest `check` does, where it does not fit.

    Positions are numbers of `positions`. Distances are NO_PATH where there is no path.
    """

    def __init__(self, lengths: Lengths, n: int, goal: Boards, room: int) -> None:
        self.lengths = lengths
        self.diagrams = lengths.diagrams(room, 4 * room)
        self.positions = Positions(n, lengths, min(4 * room, MAX_PILES))
        self._goal = self.positions.read(goal)
        self._from_goal = PathsFromGoal(lengths, self.positions, self.diagrams, self._sources())
        self.values = Values(lengths, self.positions, self.diagrams, self._from_goal, room)
        self._in_regions = new_hash_table(8 * room)
        self.check()

    def check(self) -> None:
        """Raise OutOfRoom if something did not fit: all answers since then mean nothing."""
        if self.diagrams.full or self.values.full or self._in_regions.full:
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
        self._from_goal.distances_in(region, distances)
        self._in_regions.put(region.inside, distances, distances)
        return int(distances[0])
