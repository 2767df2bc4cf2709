"""The methods of Adams' paper on any board, `solve --method`: its search by one measure,
and its position solver. README.md lists what the paper leaves open.

Kernels write their moves, tile, from, to and amount, to `path` int64[n, 4] until it is full. `made`
int64[2] counts the units moved and the moves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.plugins.methods.record import Construction, MethodPath
from puzzlebase.puzzles import Goal, Puzzle
from puzzlebase.puzzles.families.quantum.board import QuantumRules, matrix_of
from puzzlebase.puzzles.families.quantum.construction import construction_bound
from puzzlebase.puzzles.families.quantum.goals import read_quantum_goal
from puzzlebase.puzzles.families.quantum.graph import Ints, PositionGraph
from puzzlebase.puzzles.families.quantum.measures import (
    MANHATTAN,
    MEASURES,
    QUADRANTS,
    measure_counts,
    measure_of_units,
)
from puzzlebase.puzzles.families.quantum.paths import path_of_method, path_until_good_enough
from puzzlebase.puzzles.families.quantum.swaps import swap_units

_SINGLES = 25
_IDLE = 1000
_RANDOM_MOVES = 30
_ATTEMPTS = 20  # attempts of 30 random moves for each tile
_SEED = 1


class PaperBoard:
    """A board and the effect of the methods on it,
    one after another: `units` int64[positions, tiles].

    `moves` are the first ones, at most `length`: int64[n, 4] of tile, from, to, amount.
    """

    def __init__(self, graph: PositionGraph, units: Ints, length: int = 0) -> None:
        self.graph, self.units = graph, units.copy()
        self.moves, self._made = np.empty((length, 4), np.int64), np.zeros(2, np.int64)
        self._board = MovedUnits(self.units, *graph.tables, self.moves, self._made)

    @property
    def moved(self) -> int:
        """The number of units moved."""
        return int(self._made[0])

    @property
    def count(self) -> int:
        """The number of moves."""
        return int(self._made[1])

    def work(
        self,
        steps: str,
        seed: int = _SEED,
        visit: Ints | None = None,
        order: Ints | None = None,
        *,
        whole: bool = True,
    ) -> None:
        """Do steps, with commas between.

        A measure searches by it, `alternate` by all. `spread` spreads the space evenly. `corners`
        gathers the corners' tiles, `positions` all, corners first. `in order` gathers tiles row by
        row, without random moves.
        """
        graph = self.graph
        for step in filter(None, steps.split(", ")):
            if step in MEASURES:
                self.improve(step, order, whole=whole)
            elif step == "alternate":
                self.alternate()
            elif step == "spread":
                _distribute_space(self._board)
            else:
                tiles = {
                    "corners": graph.corners,
                    "positions": graph.corners + graph.others,
                    "in order": graph.homes(*range(graph.size)),
                }[step]
                places = np.arange(graph.size) if visit is None else visit
                self.gather(tiles, places, seed, 0 if step == "in order" else _ATTEMPTS)

    def gather(
        self, tiles: tuple[int, ...], visit: Ints, seed: int, attempts: int = _ATTEMPTS
    ) -> int:
        """Gather tiles at home in turn; returns how many of them are."""
        return int(_gather_tiles(self._board, np.array(tiles), visit, attempts, seed))

    def improve(self, measure: str, order: Ints | None = None, *, whole: bool = True) -> None:
        """Search by a measure; `order` breaks ties,
        by default that of positions, neighbours and tiles.
        """
        counted = measure_counts(measure, self.graph) * (-1 if measure == QUADRANTS else 1)
        shape = len(counted), self.graph.neighbours.shape[1], len(counted)
        ties = np.arange(np.prod(shape)).reshape(shape) if order is None else order
        _improve_measure(self._board, counted, ties, whole)

    def alternate(self) -> None:
        """Search by the five measures in turn, as long as a round brings the units nearer home."""
        counted = measure_counts(MANHATTAN, self.graph)
        before = measure_of_units(self.units, counted) + 1
        while (now := measure_of_units(self.units, counted)) < before:
            before = now
            for measure in (*MEASURES[1:], MANHATTAN):
                self.improve(measure)


_STEPS = {
    "greedy": MANHATTAN,
    **{f"greedy-{measure}": measure for measure in MEASURES[1:]},
    "greedy-alternate": "alternate",
    "positions": "positions",
    "positions-in-order": "in order",
    "spread-positions": "spread, positions",
    "corners-greedy": f"corners, {MANHATTAN}",
    "spread-corners-greedy": f"spread, corners, {MANHATTAN}",
}
"""The steps of each method."""


def _worked(steps: str, graph: PositionGraph, begin: Ints) -> tuple[Ints, Ints]:
    """The board after some steps, and the moves, which are counted by a first run."""
    counted = PaperBoard(graph, begin)
    counted.work(steps)
    board = PaperBoard(graph, begin, counted.count)
    board.work(steps)
    return board.units, board.moves


def _method(steps: str) -> Callable[[Puzzle], Construction]:
    def of(puzzle: Puzzle) -> Construction:
        rules = QuantumRules.of(puzzle.name)

        def path(goal: Goal, text: str) -> MethodPath:
            aimed, begin = read_quantum_goal(rules, goal.name), matrix_of(rules, text)
            end, moves = _worked(steps, aimed.graph, begin)
            solves = aimed.reached(end)
            if solves and aimed.counted is not None:
                moves = path_until_good_enough(begin, moves, aimed.counted, aimed.most)
            return path_of_method(rules, begin, moves, solves=solves)

        return Construction(bound=partial(construction_bound, rules), path=path)

    return of


METHODS = {name: _method(steps) for name, steps in _STEPS.items()}


class MovedUnits(NamedTuple):
    """A board's units, its positions, and the moves made."""

    units: Ints
    home: int
    neighbours: Ints
    distances: Ints
    path: Ints
    made: Ints


@kernel
def _improve_measure(board, counted, order, whole):  # type: ignore[no-untyped-def]
    """Make the move that lowers the measure most until the search stops; changes the units.

    A unit counts `counted` int64[places, tiles], and less is better. A move brings all units that
    it can if that lowers the measure, or, with `whole`, leaves it equal; else it brings one. Ties
    go to the least `order`, int64[places, neighbours, tiles].

    The paper's search stops after a move that undoes the last one and after 25 moves of one unit in
    a row. It also stops before a second move in a row of as many units of a tile from the same
    place. With `whole` it could go round without end, so it also stops after a thousand moves that
    do not lower the measure.
    """
    singles, idle = 0, 0
    last_tile, last_source, last_target, last_amount = -1, -1, -1, -1
    while True:
        best, tile, source, target, amount = _best_move(board, counted, order, whole)
        if amount == 0:
            return
        undone = (tile, source, target, amount) == (
            last_tile,
            last_target,
            last_source,
            last_amount,
        )
        if (tile, source, amount) == (last_tile, last_source, last_amount):
            return
        _move(board, tile, source, target, amount)
        singles = singles + 1 if amount == 1 else 0
        idle = idle + 1 if best <= 0 else 0
        if undone or singles == _SINGLES or idle == _IDLE:
            return
        last_tile, last_source, last_target, last_amount = tile, source, target, amount


@kernel
def _best_move(board, counted, order, whole):  # type: ignore[no-untyped-def]
    """Return by how much the best move lowers the measure,
    and its tile, from, to and amount: 0 if there is none.
    """
    units, home, neighbours = board.units, board.home, board.neighbours
    places = len(units)
    best, rank, tile, source, target, amount = 0, -1, -1, -1, -1, 0
    for p in range(places):
        for number in range(neighbours.shape[1]):
            q = neighbours[p, number]
            for t in range(places):
                most = min(units[p, t], units[q, home]) if q >= 0 and t != home else 0
                if most == 0:
                    continue
                gain = counted[p, t] - counted[q, t]
                most = most if gain > 0 or (gain == 0 and whole) else 1
                better = gain * most - best if rank >= 0 else 1
                if better > 0 or (better == 0 and order[p, number, t] < rank):
                    best, rank, tile, source, target, amount = (
                        gain * most,
                        order[p, number, t],
                        t,
                        p,
                        q,
                        most,
                    )
    return best, tile, source, target, amount


@kernel
def _gather_tiles(board, tiles, visit, attempts, seed):  # type: ignore[no-untyped-def]
    """Gather these tiles at home in turn, locking each;
    changes the units, returns the number of tiles gathered.

    Positions and tiles are visited in the order of `visit`. If there is too little space for a
    move, space is brought first. Space does not pass locked positions, nor move the tile that is
    gathered. If nothing can be moved, 30 random moves are made. After that has happened `attempts`
    times for one tile, the solver gives up.
    """
    units = board.units
    locked = np.zeros(len(units), np.bool_)
    state = np.array([seed], np.uint64)
    for number in range(len(tiles)):
        tile = tiles[number]
        whole, failed = units[:, tile].sum(), 0
        while units[tile, tile] < whole:
            progress = False
            for place in visit:
                if place != tile and not locked[place] and units[place, tile] > 0:
                    progress |= _step(board, locked, visit, tile, place)
            if progress:
                continue
            if failed == attempts:
                return number
            failed += 1
            for _ in range(_RANDOM_MOVES):
                _random_move(board, locked, state)
        locked[tile] = True
    return len(tiles)


@kernel
def _move(board, tile, source, target, amount):  # type: ignore[no-untyped-def]
    path, made = board.path, board.made
    swap_units(board.units, board.home, tile, source, target, amount)
    made[0] += amount
    if made[1] < len(path):
        path[made[1]] = tile, source, target, amount
    made[1] += 1


@kernel
def _step(board, locked, visit, tile, place):  # type: ignore[no-untyped-def]
    """Move all units of a tile one step from a place towards home;
    true if there was space enough in the end.
    """
    units, home, distances = board.units, board.home, board.distances
    amount, best = units[place, tile], -1
    for other in board.neighbours[place]:
        if other < 0 or locked[other] or distances[other, tile] > distances[place, tile]:
            continue
        if best < 0 or units[other, home] > units[best, home]:
            best = other
    if best < 0 or not _bring_space(board, locked, visit, tile, best, amount):
        return False
    _move(board, tile, place, best, amount)
    return True


@kernel
def _bring_space(board, locked, visit, tile, target, amount):  # type: ignore[no-untyped-def]
    """Bring space to a place until it holds the amount; true if it does."""
    units, home, distances = board.units, board.home, board.distances
    while units[target, home] < amount:
        before = board.made[0]
        for place in visit:
            if place == target or locked[place]:
                continue
            for step in board.neighbours[place]:
                if step < 0 or locked[step] or distances[step, target] >= distances[place, target]:
                    continue
                for other in visit:
                    most = min(units[place, home], units[step, other], amount - units[target, home])
                    if other not in (home, tile) and most > 0:
                        _move(board, other, step, place, most)
        if board.made[0] == before:
            return False
    return True


@kernel
def _random_move(board, locked, state):  # type: ignore[no-untyped-def]
    """Move all units that can go of a random tile between random adjacent places,
    neither of them locked.
    """
    units, home, neighbours = board.units, board.home, board.neighbours
    places = np.uint64(len(units))
    chosen = np.zeros(3, np.int64)
    for _ in range(1000):
        for number, most in enumerate((places, np.uint64(neighbours.shape[1]), places)):
            state[0] = state[0] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            chosen[number] = np.int64((state[0] >> np.uint64(33)) % most)
        source, target, tile = chosen[0], neighbours[chosen[0], chosen[1]], chosen[2]
        if target < 0 or locked[source] or locked[target] or tile == home:
            continue
        amount = min(units[source, tile], units[target, home])
        if amount > 0:
            _move(board, tile, source, target, amount)
            return


@kernel
def _distribute_space(board):  # type: ignore[no-untyped-def]
    """Spread the space evenly, each time from the nearest place with more than its part."""
    units, home, distances = board.units, board.home, board.distances
    places = len(units)
    part = units[:, home].sum() // places
    for target in range(places):
        while units[target, home] < part:
            source = -1
            for place in range(places):
                nearer = source < 0 or distances[place, target] < distances[source, target]
                if units[place, home] > part and nearer:
                    source = place
            amount = min(units[source, home] - part, part - units[target, home])
            while source != target and amount > 0:
                step = -1
                for other in board.neighbours[source]:
                    if (
                        other >= 0
                        and distances[other, target] < distances[source, target]
                        and step < 0
                    ):
                        step = other
                amount = _pass_on(board, source, step, amount)
                source = step


@kernel
def _pass_on(board, source, target, amount):  # type: ignore[no-untyped-def]
    """Move space to an adjacent place as far as tiles there can make way;
    returns the amount moved.
    """
    left = amount
    for tile in range(len(board.units)):
        most = min(left, board.units[target, tile])
        if tile != board.home and most > 0:
            _move(board, tile, target, source, most)
            left -= most
    return amount - left
