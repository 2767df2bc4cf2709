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
    move_name,
)
from puzzlebase.puzzles.families.quantum.carrying import carry_all_units
from puzzlebase.puzzles.families.quantum.few_units import search
from puzzlebase.puzzles.families.quantum.goals import Aim, goal_measure, read_goal
from puzzlebase.puzzles.families.quantum.graph import Ints, PositionGraph, distance_home
from puzzlebase.puzzles.families.quantum.swaps import swap_all

_SEEDS = 1 << 62  # of boards drawn
_FEW, _FEW_TO_SOLVE = 128, 512
"""The most units in all of boards that are also searched unit by unit;
and of those that nothing else solves.
"""
# moves from home: such boards are searched too, since room for each position costs more than these
# moves
_NEAR = 100
# moves that a construction may make beside twice those that any path needs
_MOST_TO_SPREAD = 1 << 16
_ROUNDS = 200  # of scaling: by then rows and columns agree to far less than a unit


def construction_of(rules: QuantumRules) -> Construction:
    """The construction of a puzzle of the family."""

    def construct(goal: Goal, text: str) -> MethodPath:
        units = matrix_of(rules, text)
        return method_path(rules, units, construction_path(read_goal(rules, goal.name), units))

    def draw(goal: Goal, below: Callable[[int], int]) -> str:
        blocked = read_goal(rules, goal.name).graph.blocked
        free = [position for position in range(rules.positions) if position not in blocked]
        units = np.diag(np.full(rules.positions, rules.k))
        units[np.ix_(free, free)] = random_board(
            len(free), rules.k, np.random.default_rng(below(_SEEDS))
        )
        return format_board(units.reshape(-1))

    return Construction(bound=partial(construction_bound, rules), path=construct, draw=draw)


def construction_bound(rules: QuantumRules, goal: Goal, text: str) -> int:
    """As `Construction.bound`."""
    return lower_bound(read_goal(rules, goal.name), matrix_of(rules, text))


def method_path(
    rules: QuantumRules, begin: Ints, moves: Ints, *, solves: bool = True
) -> MethodPath:
    """The path of moves, int64[n, 4] of tile, from, to and amount, that begin at a board.

    Each gets a listed name: if there is a table, of one unit, except in the bulk metric.
    """
    amounts = moves[:, 3]
    weight = len(moves) if rules.bulk else int(amounts.sum())
    if rules.enumerable and not rules.bulk:
        moves = np.repeat(moves, amounts, axis=0)
        moves[:, 3] = 1

    def state_at(number: int) -> str:
        tile, source, target, amount = moves[:number].T
        units = begin.copy()
        for places, tiles, change in (
            (source, tile, -amount),
            (target, tile, amount),
            (target, rules.space, -amount),
            (source, rules.space, amount),
        ):
            np.add.at(units, (places, tiles), change)
        return format_board(units.reshape(-1))

    return MethodPath(
        length=len(moves),
        weight=weight,
        solves=solves,
        moves=lambda skip: (move_name(*move) for move in moves[skip:].tolist()),
        state_at=state_at,
    )


def random_board(positions: int, k: int, draw: np.random.Generator) -> Ints:
    """Scale exponentially distributed numbers until all rows and columns have one sum,
    round: int64[positions, tiles].

    The paper says only that its boards are filled at random.
    These spread as widely as its figure 3 shows.
    """
    shares = draw.exponential(size=(positions, positions))
    for _ in range(_ROUNDS):
        shares /= shares.sum(axis=1, keepdims=True)
        shares /= shares.sum(axis=0)
    units = np.floor(shares * k).astype(np.int64)
    missing_here, missing_of = k - units.sum(axis=1), k - units.sum(axis=0)
    places = np.repeat(np.arange(positions), missing_here)
    np.add.at(units, (places, draw.permutation(np.repeat(np.arange(positions), missing_of))), 1)
    return units


def move_weight(rules: QuantumRules, move: str) -> int:
    """The number of moves of a name: one for each unit, or in the bulk metric one."""
    meant = rules.move(move)
    assert meant is not None
    return 1 if rules.bulk else meant[3]


def lower_bound(aimed: Aim, units: Ints) -> int:
    """Bound the moves from below. Raises ImpossibleState."""
    aimed.check(units)
    if aimed.reached(units):
        return 0
    units_a_move = aimed.rules.k if aimed.rules.bulk else 1
    if aimed.counted is None:
        return -(-distance_home(aimed.graph, units) // units_a_move)
    gain = max(int((aimed.counted[a] - aimed.counted[b]).max()) for a, b in aimed.graph.edges)
    left = goal_measure(units, aimed.counted) - aimed.most
    return -(-left // (gain * units_a_move))


def construction_path(aimed: Aim, units: Ints) -> Ints:
    """Solve a board: int64[moves, 4] of tile, from, to, amount. Raises ImpossibleState."""
    if not lower_bound(aimed, units):
        return np.empty((0, 4), np.int64)
    whole = _shortest(aimed.graph, units)
    return (
        whole
        if aimed.counted is None
        else until_good_enough(units, whole, aimed.counted, aimed.most)
    )


def _shortest(graph: PositionGraph, units: Ints) -> Ints:
    """The shortest path found; of equally short ones, the one with the fewest names."""
    carrying = carry_home(graph, units)
    paths = [] if carrying is None else [carrying]
    few = int(units.sum()) <= (_FEW_TO_SOLVE if carrying is None else _FEW)
    if few or distance_home(graph, units) <= _NEAR:
        searched = search(graph, units)
        paths += [] if searched is None else [merge_moves(searched)]
    if not paths:
        paths.append(merge_moves(swap_all(graph, units)))
    return min(paths, key=lambda moves: (int(moves[:, 3].sum()), len(moves)))


def carry_home(graph: PositionGraph, units: Ints) -> Ints | None:
    """Carry all units home (carrying.py), None if there is too little room."""
    path, made = (
        np.empty((2 * distance_home(graph, units) + _MOST_TO_SPREAD, 4), np.int64),
        np.zeros(2, np.int64),
    )
    solved = carry_all_units(units.copy(), graph, path, made)
    return path[: made[0]].copy() if solved and not made[1] else None


def merge_moves(moves: Ints) -> Ints:
    """Join successive moves of one tile between the same positions."""
    same = np.zeros(len(moves), bool)
    same[1:] = (moves[1:, :3] == moves[:-1, :3]).all(axis=1)
    starts = np.flatnonzero(~same)
    found = moves[starts].copy()
    if len(starts):
        found[:, 3] = np.add.reduceat(moves[:, 3], starts)
    return found


def until_good_enough(units: Ints, moves: Ints, counted: Ints, most: int) -> Ints:
    """The moves until the measure is good enough;
    the last move has no more units than are needed.
    """
    tile, source, target, amount = moves.T
    gains = counted[source, tile] - counted[target, tile]
    after = goal_measure(units, counted) - np.cumsum(gains * amount)
    last = int(np.flatnonzero(after <= most)[0])
    found = moves[: last + 1].copy()
    before = int(after[last]) + int(gains[last]) * int(amount[last])
    found[last, 3] = -(-(before - most) // int(gains[last]))
    return found
