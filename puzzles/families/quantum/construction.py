"""A path home for every board, and a lower bound on the moves of every path.

`carrying.py` finds paths where every position can have room, and `few_units.py` searches boards of
few units. `swaps.py` solves all other boards. A position has two units or more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from puzzlebase.plugins.methods.record import Construction, MethodPath
from puzzlebase.puzzles import Goal
from puzzlebase.puzzles.families.quantum.board import (
    QuantumRules,
    format_board,
    matrix_of,
    random_board,
)
from puzzlebase.puzzles.families.quantum.carrying import carry_home
from puzzlebase.puzzles.families.quantum.few_units import search_few_units
from puzzlebase.puzzles.families.quantum.goals import Aim, read_quantum_goal
from puzzlebase.puzzles.families.quantum.graph import Ints, PositionGraph
from puzzlebase.puzzles.families.quantum.measures import measure_of_units
from puzzlebase.puzzles.families.quantum.paths import (
    merge_path_moves,
    path_of_method,
    path_until_good_enough,
)
from puzzlebase.puzzles.families.quantum.swaps import swap_all

_SEEDS = 1 << 62  # of boards drawn
_FEW, _FEW_TO_SOLVE = 128, 512
"""The most units in all of boards that are also searched unit by unit;
and of those that nothing else solves.
"""
# moves from home: such boards are searched too, since room for each position costs more than these
# moves
_NEAR = 100


def quantum_construction(rules: QuantumRules) -> Construction:
    """The construction of a quantum puzzle."""

    def construct(goal: Goal, text: str) -> MethodPath:
        units = matrix_of(rules, text)
        return path_of_method(rules, units, _path(read_quantum_goal(rules, goal.name), units))

    def draw(goal: Goal, below: Callable[[int], int]) -> str:
        blocked = read_quantum_goal(rules, goal.name).graph.blocked
        free = [position for position in range(rules.positions) if position not in blocked]
        units = np.diag(np.full(rules.positions, rules.k))
        units[np.ix_(free, free)] = random_board(
            len(free), rules.k, np.random.default_rng(below(_SEEDS))
        )
        return format_board(units.reshape(-1))

    return Construction(bound=partial(construction_bound, rules), path=construct, draw=draw)


def construction_bound(rules: QuantumRules, goal: Goal, text: str) -> int:
    """The bound of the construction, as `Construction.bound`."""
    return _lower_bound(read_quantum_goal(rules, goal.name), matrix_of(rules, text))


def _lower_bound(aimed: Aim, units: Ints) -> int:
    """Bound the moves from below. Raises ImpossibleState."""
    aimed.check(units)
    if aimed.reached(units):
        return 0
    units_a_move = aimed.rules.k if aimed.rules.bulk else 1
    if aimed.counted is None:
        return -(-aimed.graph.distance_home(units) // units_a_move)
    gain = max(int((aimed.counted[a] - aimed.counted[b]).max()) for a, b in aimed.graph.edges)
    left = measure_of_units(units, aimed.counted) - aimed.most
    return -(-left // (gain * units_a_move))


def _path(aimed: Aim, units: Ints) -> Ints:
    """Solve a board: int64[moves, 4] of tile, from, to, amount. Raises ImpossibleState."""
    if not _lower_bound(aimed, units):
        return np.empty((0, 4), np.int64)
    whole = _shortest(aimed.graph, units)
    return (
        whole
        if aimed.counted is None
        else path_until_good_enough(units, whole, aimed.counted, aimed.most)
    )


def _shortest(graph: PositionGraph, units: Ints) -> Ints:
    """The shortest path found; of equally short ones, the one with the fewest names."""
    carrying, searched = carry_home(graph, units), None
    few = int(units.sum()) <= (_FEW_TO_SOLVE if carrying is None else _FEW)
    if few or graph.distance_home(units) <= _NEAR:
        searched = search_few_units(graph, units)
    paths = [path for path in (carrying, searched) if path is not None] or [swap_all(graph, units)]
    merged = map(merge_path_moves, paths)
    return min(merged, key=lambda moves: (int(moves[:, 3].sum()), len(moves)))
