"""Paths of moves: int64[moves, 4] of tile, from, to and amount."""

from __future__ import annotations

import numpy as np

from puzzlebase.plugins.methods.record import MethodPath
from puzzlebase.puzzles.families.quantum.board import QuantumRules, format_board, move_name
from puzzlebase.puzzles.families.quantum.graph import Ints
from puzzlebase.puzzles.families.quantum.measures import measure_of_units


def path_of_method(
    rules: QuantumRules, begin: Ints, moves: Ints, *, solves: bool = True
) -> MethodPath:
    """The path of a method: moves, int64[n, 4] of tile, from, to and amount, from a board on.

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


def merge_path_moves(moves: Ints) -> Ints:
    """Join successive moves of one tile between the same positions."""
    same = np.zeros(len(moves), bool)
    same[1:] = (moves[1:, :3] == moves[:-1, :3]).all(axis=1)
    starts = np.flatnonzero(~same)
    found = moves[starts].copy()
    if len(starts):
        found[:, 3] = np.add.reduceat(moves[:, 3], starts)
    return found


def path_until_good_enough(units: Ints, moves: Ints, counted: Ints, most: int) -> Ints:
    """The moves until the measure is good enough;
    the last move has no more units than are needed.
    """
    tile, source, target, amount = moves.T
    gains = counted[source, tile] - counted[target, tile]
    after = measure_of_units(units, counted) - np.cumsum(gains * amount)
    last = int(np.flatnonzero(after <= most)[0])
    found = moves[: last + 1].copy()
    before = int(after[last]) + int(gains[last]) * int(amount[last])
    found[last, 3] = -(-(before - most) // int(gains[last]))
    return found
