"""Values of arrangements: their distances to a goal, as functions of the order.

A shortest path from a position comes to a 2-useful position first, then to a 3-useful one, and so on to an n-useful
one; pieces lie between them. So values are found from the top down: on level n by pieces that touch no larger tile;
on a level k from those of the arrangements next to its neighbourhood, whose level is higher. A path that turns back to
the goal before it comes to level k + 1 is one of the paths from the goal, found before.
"""

from __future__ import annotations

import numpy as np

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
from puzzlebase.puzzles.families.panex.positions import Neighbourhood, Positions, Region, lower_by_moves

_TOP = 0
"""An arrangement of level n: shape 0 and nothing below."""


class PathsFromGoal:
    """Shortest paths from the goal to the first arrangement of each level that they come to.

    `first[k]` holds, for each such arrangement of level k, their lengths as a function of the order. `sources` are the
    positions in which paths begin, not blocked, with their distances to the goal.
    """

    def __init__(self, lengths: Lengths, positions: Positions, diagrams: Diagrams, sources: dict[int, int]) -> None:
        self._lengths = lengths
        self._positions = positions
        self._diagrams = diagrams
        self.sources = sources
        self.first: list[dict[int, Function]] = [{} for _ in range(positions.n + 1)]
        for position, distance in sources.items():
            [[level, arrangement, order]] = positions.classify(np.array([position])).tolist()
            if level:
                node, offset = diagrams.point(level, order)
                self._arrive(level, arrangement, (node, offset + distance))
            else:
                self._leave_region(position)
        for k in range(2, positions.n):
            self._leave_level(k)

    def labels(self, found: Neighbourhood) -> Functions:
        """The lengths of the paths to the arrangements of a neighbourhood; EMPTY where they come to none first."""
        node, offset = np.zeros((2, len(found.keys)), np.int64)  # EMPTY is 0
        if first := self.first[found.k]:
            for at in np.flatnonzero(found.inside).tolist():
                node[at], offset[at] = first.get(int(found.keys[at]), (EMPTY, 0))
        return node, offset

    def distances_in(self, region: Region, distances: Ints) -> None:
        """Lower distances within a region, in place, to what single moves and the sources in it give."""
        for position, distance in self.sources.items():
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
        waiting = set(self.first[k])
        while waiting:
            found = self._positions.neighbourhood(k, waiting.pop())
            waiting -= set(found.keys[found.inside].tolist())
            node, offset = self.labels(found)
            _follow_pieces(self._lengths, found, ~found.inside, (node, offset), self._diagrams)
            for at in np.flatnonzero(~found.inside).tolist():
                level, arrangement, order = found.found[at].tolist()
                path = self._diagrams.extended((int(node[at]), int(offset[at])), k, level, order)
                self._arrive(level, arrangement, path)

    def _arrive(self, level: int, arrangement: int, function: Function) -> None:
        if function[0] != EMPTY:
            known = self.first[level].get(arrangement, (EMPTY, 0))
            self.first[level][arrangement] = self._diagrams.minimum(known, function)


class Values:
    """Values of arrangements, found when they are needed and remembered in room for so many."""

    def __init__(
        self, lengths: Lengths, positions: Positions, diagrams: Diagrams, from_goal: PathsFromGoal, room: int
    ) -> None:
        self._lengths = lengths
        self._positions = positions
        self._diagrams = diagrams
        self._from_goal = from_goal
        self._values = new_hash_table(room)
        if positions.n > 1:
            self._settle(positions.neighbourhood(positions.n, _TOP))

    @property
    def full(self) -> bool:
        """Whether a value did not fit."""
        return self._values.full

    def distances(self, useful: Ints) -> Ints:
        """Distances of useful positions, by level, arrangement and order; NO_PATH where there is no path."""
        node, offset = self.functions(useful, 0)
        return np.where(node == EMPTY, NO_PATH, offset)

    def functions(self, useful: Ints, k: int) -> Functions:
        """Distances by level, arrangement and order, as functions of the order of the tiles 1 to k alone."""
        self._find(useful)
        return self._functions(useful, k)

    def _functions(self, useful: Ints, k: int) -> Functions:
        """Of arrangements whose values are known."""
        level, arrangement, order = useful.T.copy()
        _, node, offset = self._values.get(arrangement)
        self._diagrams.restrict((node, offset), level, k, order)
        return node, offset

    def _find(self, useful: Ints) -> None:
        """Find values: first, going up, which ones are needed, then, going down, what they are."""
        unknown = self._unknown(useful)
        needed = []
        while unknown:
            k, arrangement = min(unknown)
            found = self._positions.neighbourhood(k, arrangement)
            needed.append(found)
            unknown -= {(k, each) for each in found.keys[found.inside].tolist()}
            unknown |= self._unknown(found.found[~found.inside])
        for found in reversed(needed):
            self._settle(found)

    def _unknown(self, useful: Ints) -> set[tuple[int, int]]:
        """The levels and arrangements whose values are not known."""
        there, _, _ = self._values.get(useful[:, 1].copy())
        return set() if there.all() else {(level, arrangement) for level, arrangement, _ in useful[~there].tolist()}

    def _settle(self, found: Neighbourhood) -> None:
        """Find the values of a neighbourhood's arrangements from the values of those next to it."""
        inside, beside = found.inside, ~found.inside
        node, offset = self._from_goal.labels(found)
        node[beside], offset[beside] = self._functions(found.found[beside], found.k)
        _follow_pieces(self._lengths, found.reversed(), np.zeros(len(node), np.bool_), (node, offset), self._diagrams)
        self._values.put(found.keys[inside], node[inside], offset[inside])


def _follow_pieces(lengths: Lengths, found: Neighbourhood, stop: Flags, labels: Functions, diagrams: Diagrams) -> None:
    """Lower the labels of a neighbourhood's arrangements, in place, by all paths along its edges."""
    begin = np.searchsorted(found.source, np.arange(len(found.keys) + 1)).astype(np.int32)
    shortest_paths(begin, found.target, lengths.of(found.k, found.by), stop, labels, diagrams)
