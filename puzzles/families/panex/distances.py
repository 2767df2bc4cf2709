"""Exact distances in Panex of any size: from every position to any position, without a table.

README.md has the method under "Any state to any state".
"""

from __future__ import annotations

import numpy as np

from puzzlebase.puzzles import Board, Boards
from puzzlebase.puzzles.families.panex.diagrams import (
    EMPTY,
    NO_PATH,
    ZERO,
    Flags,
    Function,
    Functions,
    Ints,
    function_arrays,
    shortest_diagram_paths,
)
from puzzlebase.puzzles.families.panex.lengths import all_lengths
from puzzlebase.puzzles.families.panex.positions import (
    MAX_PILES,
    CapacityExceeded,
    Neighbourhood,
    Positions,
    Region,
    lower_positions_by_moves,
)

_TOP = 0  # an arrangement of level n: shape 0 and nothing below


class Known:
    """The distances known so far to one goal, boards uint8[m, 2 n + 2]; each question adds some.

    Positions are numbers of `positions`; distances are NO_PATH where there is no path. If something
    does not fit, methods raise CapacityExceeded, or `check` does later. `capacity` is a power of
    two. `_first[k]` has the lengths of the paths from the goal to their first arrangements of level
    k, as functions.
    """

    def __init__(self, n: int, goal: Boards, capacity: int) -> None:
        self.lengths = lengths = all_lengths()
        self.diagrams = lengths.diagrams(capacity, 4 * capacity)
        self.positions = Positions(n, lengths, min(4 * capacity, MAX_PILES))
        self._capacity = capacity
        self._goal = self.positions.read(goal)
        self._in_regions: dict[int, int] = {}  # distances of positions that are not 2-useful
        self._values: dict[int, Function] = {}  # values of arrangements
        self._first: list[dict[int, Function]] = [{} for _ in range(n + 1)]
        self._sources = self._find_sources()
        for position, distance in self._sources.items():
            self._leave_source(position, distance)
        for k in range(2, n):
            self._leave_level(k)
        if n > 1:
            self._settle(self.positions.neighbourhood(n, _TOP))
        self.check()

    def check(self) -> None:
        """Raise CapacityExceeded if something did not fit:
        all answers since then are meaningless.
        """
        if (
            self.diagrams.full
            or len(self._values) > self._capacity
            or len(self._in_regions) > 8 * self._capacity
        ):
            raise CapacityExceeded

    def distances(self, boards: Boards) -> Ints:
        """Distances of boards."""
        return self.distances_of(self.positions.read(boards))

    def distances_of(self, positions: Ints) -> Ints:
        """Distances of positions."""
        distances = np.full(len(positions), NO_PATH, np.int64)
        classified = self.positions.classify(positions)
        level = classified[:, 0]
        if (blocked := level < 0).any():
            _, after = self._after_moves(positions[blocked])
            distances[blocked] = 1 + after.min(axis=1)
        if (useful := level > 0).any():
            distances[useful] = self._useful_distances(classified[useful])
        if (others := level == 0).any():
            distances[others] = [
                self._distance_in_region(each) for each in positions[others].tolist()
            ]
        distances[np.isin(positions, self._goal)] = 0
        return distances

    def first_moves(self, board: Board, count: int) -> list[int]:
        """At most `count` moves of a shortest path from a board,
        each the first that comes nearer, by their numbers.
        """
        position = self.positions.read(board[None])
        [left] = self.distances_of(position).tolist()
        moves: list[int] = []
        while 0 < left < NO_PATH and len(moves) < count:
            [after], [distances] = self._after_moves(position)
            left -= 1
            move = distances.tolist().index(left)
            position = after[move : move + 1]
            moves.append(move)
        return moves

    def _after_moves(self, positions: Ints) -> tuple[Ints, Ints]:
        """The positions after each move, int64[m] -> int64[m, 6],
        -1 for an illegal one; their distances or NO_PATH.
        """
        after = self.positions.successors(positions)
        distances = np.full(after.shape, NO_PATH)
        distances[after >= 0] = self.distances_of(after[after >= 0])
        return after, distances

    def _unknown(self, useful: Ints) -> set[tuple[int, int]]:
        """The levels and arrangements without known values."""
        return {(level, each) for level, each, _ in useful.tolist() if each not in self._values}

    def _known_functions(self, useful: Ints, k: int) -> Functions:
        """Distances by level, arrangement and order,
        as functions of the order of the tiles 1 to k alone.
        """
        level, arrangement, order = useful.T.copy()
        functions = function_arrays(self._values[each] for each in arrangement.tolist())
        self.diagrams.restrict(functions, level, k, order)
        return functions

    def _useful_distances(self, useful: Ints) -> Ints:
        """Distances by level, arrangement and order."""
        # First, going up, find which values are needed; then, going down, find them.
        unknown = self._unknown(useful)
        needed = []
        while unknown:
            level, arrangement = min(unknown)
            neighbourhood = self.positions.neighbourhood(level, arrangement)
            needed.append(neighbourhood)
            unknown -= {(level, each) for each in neighbourhood.keys[neighbourhood.inside].tolist()}
            unknown |= self._unknown(neighbourhood.found[~neighbourhood.inside])
        for neighbourhood in reversed(needed):
            self._settle(neighbourhood)
        node, offset = self._known_functions(useful, 0)
        return np.where(node == EMPTY, NO_PATH, offset)

    def _distance_in_region(self, position: int) -> int:
        """The distance of a position that is not 2-useful; those of all its region are cached."""
        if position not in self._in_regions:
            region = self.positions.region(position)
            border, number = np.unique(region.border, return_inverse=True)
            at_border = self._useful_distances(self.positions.classify(border))[number]
            distances = np.full(len(region.inside), NO_PATH, np.int64)
            at, move = np.nonzero(region.moves <= -2)
            np.minimum.at(distances, at, at_border[-2 - region.moves[at, move]] + 1)
            self._lower_within(region, distances)
            self._in_regions |= zip(region.inside.tolist(), distances.tolist(), strict=True)
        return self._in_regions[position]

    def _lower_within(self, region: Region, distances: Ints) -> None:
        """Lower distances within a region, in place, by single moves and by the sources in it."""
        for position, distance in self._sources.items():
            distances[region.inside == position] = distance
        lower_positions_by_moves(region.moves, distances)

    def _settle(self, found: Neighbourhood) -> None:
        """Find the values of a neighbourhood's arrangements from those
        of the arrangements next to it.
        """
        inside, beside = found.inside, ~found.inside
        node, offset = self._labels(found)
        node[beside], offset[beside] = self._known_functions(found.found[beside], found.k)
        self._follow(found.reversed(), np.zeros(len(node), np.bool_), (node, offset))
        functions = zip(node[inside].tolist(), offset[inside].tolist(), strict=True)
        self._values |= zip(found.keys[inside].tolist(), functions, strict=True)

    # Paths from the goal.

    def _find_sources(self) -> dict[int, int]:
        """The positions where paths from the goal begin,
        none of them blocked, with their distances to the goal.
        """
        blocked = self.positions.classify(self._goal)[:, 0] < 0
        sources = dict.fromkeys(self._goal[~blocked].tolist(), 0)
        for after in self.positions.successors(self._goal[blocked]).ravel().tolist():
            if after >= 0:
                sources.setdefault(after, 1)
        return sources

    def _leave_source(self, position: int, distance: int) -> None:
        """Follow the paths from a source to the first useful positions."""
        [useful] = self.positions.classify(np.array([position])).tolist()
        if useful[0]:
            self._arrive(useful, (ZERO, distance), 0)
            return
        region = self.positions.region(position)
        distances = np.full(len(region.inside), NO_PATH, np.int64)
        self._lower_within(region, distances)
        nearest = distances[np.nonzero(region.moves <= -2)[0]]
        for useful, left in zip(
            self.positions.classify(region.border).tolist(), nearest.tolist(), strict=True
        ):
            self._arrive(useful, (ZERO, left + 1), 0)

    def _leave_level(self, k: int) -> None:
        """Follow the paths from the arrangements of level k to the first ones of higher levels."""
        waiting = set(self._first[k])
        while waiting:
            found = self.positions.neighbourhood(k, waiting.pop())
            waiting -= set(found.keys[found.inside].tolist())
            node, offset = self._labels(found)
            self._follow(found, ~found.inside, (node, offset))
            for at in np.flatnonzero(~found.inside).tolist():
                self._arrive(found.found[at].tolist(), (int(node[at]), int(offset[at])), k)

    def _labels(self, found: Neighbourhood) -> Functions:
        """The lengths of the paths that first reach level k at a neighbourhood's arrangements;
        EMPTY if none does.
        """
        first = self._first[found.k]
        return function_arrays(first.get(key, (EMPTY, 0)) for key in found.keys.tolist())

    def _arrive(self, useful: list[int], function: Function, k: int) -> None:
        """Add paths to a level, arrangement and order; their lengths are a function of k bits."""
        level, arrangement, order = useful
        if function[0] != EMPTY:
            known = self._first[level].get(arrangement, (EMPTY, 0))
            path = self.diagrams.extended(function, k, level, order)
            self._first[level][arrangement] = self.diagrams.minimum(known, path)

    def _follow(self, found: Neighbourhood, stop: Flags, labels: Functions) -> None:
        """Lower the labels of a neighbourhood's arrangements,
        in place, by all paths along its edges.
        """
        begin = np.searchsorted(found.source, np.arange(len(found.keys) + 1)).astype(np.int32)
        shortest_diagram_paths(
            begin, found.target, *self.lengths.of(found.k, found.by), stop, *labels, self.diagrams
        )
