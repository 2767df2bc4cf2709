"""The methods of Adams' paper on any board: `solve --method`.
README.md lists what the paper leaves open.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from puzzlebase.plugins.methods.record import Construction, MethodPath
from puzzlebase.puzzles import Goal, Puzzle
from puzzlebase.puzzles.families.quantum.board import QuantumRules, matrix_of
from puzzlebase.puzzles.families.quantum.construction import (
    construction_bound,
    method_path,
    until_good_enough,
)
from puzzlebase.puzzles.families.quantum.goals import (
    MANHATTAN,
    MEASURES,
    QUADRANTS,
    goal_measure,
    read_goal,
    unit_counts,
)
from puzzlebase.puzzles.families.quantum.graph import Ints, PositionGraph
from puzzlebase.puzzles.families.quantum.paper_methods import (
    MovedUnits,
    distribute_space,
    gather_tiles,
    improve_measure,
)

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

    def spread(self) -> None:
        """Spread the space evenly."""
        distribute_space(self._board)

    def gather(
        self, tiles: tuple[int, ...], visit: Ints, seed: int, attempts: int = _ATTEMPTS
    ) -> int:
        """Gather tiles at home in turn; returns how many of them are."""
        return int(gather_tiles(self._board, np.array(tiles), visit, attempts, seed))

    def improve(self, measure: str, order: Ints | None = None, *, whole: bool = True) -> None:
        """Search by a measure; `order` breaks ties,
        by default that of positions, neighbours and tiles.
        """
        counted = unit_counts(measure, self.graph) * (-1 if measure == QUADRANTS else 1)
        shape = len(counted), self.graph.neighbours.shape[1], len(counted)
        ties = np.arange(np.prod(shape)).reshape(shape) if order is None else order
        improve_measure(self._board, counted, ties, whole)

    def alternate(self) -> None:
        """Search by the five measures in turn, as long as a round brings the units nearer home."""
        counted = unit_counts(MANHATTAN, self.graph)
        before = goal_measure(self.units, counted) + 1
        while (now := goal_measure(self.units, counted)) < before:
            before = now
            for measure in (*MEASURES[1:], MANHATTAN):
                self.improve(measure)


def corner_positions(graph: PositionGraph) -> tuple[int, ...]:
    """The corners, clockwise, without the space's home and blocked ones."""
    last, width = graph.size - 1, graph.width
    return _tiles(graph, (0, width - 1, last, last - width + 1))


def other_positions(graph: PositionGraph) -> tuple[int, ...]:
    """The other positions with a tile of their own, in order."""
    return _tiles(graph, tuple(sorted({*range(graph.size)} - {*corner_positions(graph)})))


def _tiles(graph: PositionGraph, positions: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(place for place in positions if place != graph.home and place not in graph.blocked)


def _positions(board: PaperBoard) -> None:
    board.gather(
        corner_positions(board.graph) + other_positions(board.graph),
        np.arange(board.graph.size),
        _SEED,
    )


def _corners(board: PaperBoard) -> None:
    board.gather(corner_positions(board.graph), np.arange(board.graph.size), _SEED)
    board.improve(MANHATTAN)


def _in_order(board: PaperBoard) -> None:
    """Gather tiles row by row, without random moves."""
    tiles = _tiles(board.graph, tuple(range(board.graph.size)))
    board.gather(tiles, np.arange(board.graph.size), _SEED, attempts=0)


def _spread_first(run: Callable[[PaperBoard], None]) -> Callable[[PaperBoard], None]:
    def spread_and_run(board: PaperBoard) -> None:
        board.spread()
        run(board)

    return spread_and_run


def _searching(measure: str) -> Callable[[PaperBoard], None]:
    return lambda board: board.improve(measure)


_RUNS: dict[str, Callable[[PaperBoard], None]] = {
    "greedy": _searching(MANHATTAN),
    **{f"greedy-{measure}": _searching(measure) for measure in MEASURES[1:]},
    "greedy-alternate": PaperBoard.alternate,
    "positions": _positions,
    "positions-in-order": _in_order,
    "spread-positions": _spread_first(_positions),
    "corners-greedy": _corners,
    "spread-corners-greedy": _spread_first(_corners),
}


def _worked(
    run: Callable[[PaperBoard], None], graph: PositionGraph, begin: Ints
) -> tuple[Ints, Ints]:
    """The board at the end of a run, and its moves, which are counted by a first run."""
    counted = PaperBoard(graph, begin)
    run(counted)
    board = PaperBoard(graph, begin, counted.count)
    run(board)
    return board.units, board.moves


def _method(run: Callable[[PaperBoard], None]) -> Callable[[Puzzle], Construction]:
    def of(puzzle: Puzzle) -> Construction:
        rules = QuantumRules.of(puzzle.name)

        def path(goal: Goal, text: str) -> MethodPath:
            aimed, begin = read_goal(rules, goal.name), matrix_of(rules, text)
            end, moves = _worked(run, aimed.graph, begin)
            solves = aimed.reached(end)
            if solves and aimed.counted is not None:
                moves = until_good_enough(begin, moves, aimed.counted, aimed.most)
            return method_path(rules, begin, moves, solves=solves)

        return Construction(bound=partial(construction_bound, rules), path=path)

    return of


METHODS = {name: _method(run) for name, run in _RUNS.items()}


def measures(puzzle: Puzzle, text: str) -> dict[str, int]:
    """The paper's five measures of a board."""
    rules = QuantumRules.of(puzzle.name)
    units = matrix_of(rules, text)
    return {measure: goal_measure(units, unit_counts(measure, rules.graph)) for measure in MEASURES}
