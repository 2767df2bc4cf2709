"""The experiments of Ian Adams, The Quantum 8-Puzzle (2009), run again beside the new construction.

The paper averages over a number of boards that it does not state.
README.md lists what else it leaves open.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from puzzlebase.puzzles.families.quantum.board import (
    QuantumRules,
    normal_board,
    random_board,
    symmetric_board,
)
from puzzlebase.puzzles.families.quantum.carrying import carry_home
from puzzlebase.puzzles.families.quantum.graph import Ints
from puzzlebase.puzzles.families.quantum.measures import (
    ENTROPY,
    MANHATTAN,
    measure_counts,
    measure_of_units,
)
from puzzlebase.puzzles.families.quantum.methods import PaperBoard

SOURCE = "Ian Adams, The Quantum 8-Puzzle: A Variation of the Classic 8-Tile Puzzle, 2009"

RANDOM, SYMMETRIC, NORMAL = KINDS = ("Random", "Symmetric", "Normal")

_FIGURES = Path(__file__).with_name("figures.json")
"""The paper's numbers: the figure, the kind of its boards,
the steps of the method, and each quantity.

Figure 6 has the caption of figure 5,
and figure 14 that of figure 13; the paper's text tells what they are.
"""

_RULES = QuantumRules.of("quantum-3x3-1000")
_SOLVED = np.diag(np.full(_RULES.positions, _RULES.k))
_TOGETHER = 20  # boards of which an average or a percentage is taken: the paper's are of a few

Ties = tuple[Ints, bool]
"""The order of equally good moves,
and True if a move that leaves the measure equal brings all units that it can.
"""


class Runs(NamedTuple):
    """Boards of a kind, each as a method leaves it,
    the units that it moved, and the moves of our construction.
    """

    drawn: Sequence[Ints]
    ends: Sequence[Ints]
    moves: Sequence[int]
    new: Sequence[int]


def experiment_board(kind: str, draw: np.random.Generator) -> Ints:
    """A board of a kind for the experiments, int64[positions, tiles]; there is only one Symmetric
    board.
    """
    size = _RULES.positions, _RULES.k
    if kind == SYMMETRIC:
        return symmetric_board(*size)
    return (random_board if kind == RANDOM else normal_board)(*size, draw)


def run_experiments(boards: int, seed: int) -> tuple[list[dict[str, Any]], dict[str, list[int]]]:
    """Run all figures over so many boards of each kind.

    Returns the paper's numbers, each as published, by the same method here, `within` if that
    reaches it, and as the construction has it; and by method the moves of all boards.
    """
    draw = np.random.default_rng(seed)
    drawn = {kind: [experiment_board(kind, draw) for _ in range(boards)] for kind in KINDS}
    loops = product(permutations(range(3)), product((1, -1), repeat=3), (False, True))
    ties = [(_order(nesting, directions), whole) for nesting, directions, whole in loops]
    ties += [(draw.permutation(order.size).reshape(order.shape), whole) for order, whole in ties]
    chosen = [ties[number] for number in draw.permutation(np.arange(boards) % len(ties))]
    seeds = draw.integers(1, 1 << 40, boards).tolist()
    new = {kind: [_length(units) for units in some] for kind, some in drawn.items()}

    @cache
    def runs(kind: str, method: str) -> Runs:
        played = [_played(method, *each) for each in zip(drawn[kind], seeds, chosen, strict=True)]
        ends, moves = zip(*played, strict=True)
        return Runs(drawn[kind], ends, moves, new[kind])

    numbers = []
    for figure, kind, method, quantities in json.loads(_FIGURES.read_text("utf-8")):
        for name, published in quantities.items():
            values, ideal = _quantity(name, runs(kind, method))
            alone = name.endswith((", high", ", low")) or (
                kind == SYMMETRIC and not name.startswith("percent")
            )
            if not alone:
                values = _averages(values)
            if values:
                reached = None if published is None else min(values) <= published <= max(values)
                numbers.append(
                    {
                        "figure": figure,
                        "board": kind,
                        "quantity": name,
                        "published": published,
                        "low": min(values),
                        "mean": sum(values) / len(values),
                        "high": max(values),
                        "within": reached,
                        "new": sum(ideal) / len(ideal) if ideal else None,
                    }
                )
    lines = {
        "bound, Random": _measured(drawn[RANDOM], MANHATTAN),
        "new, Random": new[RANDOM],
        "corners first, Random": runs(RANDOM, "positions").moves,
        "corners, then Manhattan, Random": runs(RANDOM, "corners, manhattan").moves,
        "bound, Normal": _measured(drawn[NORMAL], MANHATTAN),
        "new, Normal": new[NORMAL],
        "space spread, corners first, Normal": runs(NORMAL, "spread, positions").moves,
    }
    return numbers, {name: sorted(moves) for name, moves in lines.items()}


def _order(nesting: tuple[int, ...], directions: tuple[int, ...]) -> Ints:
    """The order of equally good moves, int64[places, neighbours, tiles]:
    three loops nested in some order.
    """
    graph = _RULES.graph
    places, targets, tiles = np.meshgrid(
        *map(np.arange, (graph.size, 5, graph.size)), indexing="ij"
    )
    loops = [places, graph.neighbours[places, targets], tiles]
    rank = np.zeros_like(places)
    for loop in nesting:
        rank = rank * 2 * graph.size + directions[loop] * loops[loop]
    return np.argsort(np.argsort(rank, axis=None)).reshape(rank.shape)


def _length(units: Ints) -> int:
    """The moves of the new construction."""
    found = carry_home(_RULES.graph, units)
    assert found is not None
    return int(found[:, 3].sum())


def _played(steps: str, units: Ints, seed: int, ties: Ties) -> tuple[Ints, int]:
    """A board after the steps of a method, and the units moved."""
    worked = PaperBoard(_RULES.graph, units)
    order, whole = ties
    visit = np.random.default_rng(seed).permutation(_RULES.graph.size)
    worked.work(steps, seed, visit, order, whole=whole)
    return worked.units, worked.moved


def _quantity(name: str, runs: Runs) -> tuple[Sequence[float], Sequence[float]]:
    """A quantity of each board, and what our construction reaches."""
    measure, solved = (
        re.split(",| at ", name)[0],
        [bool((end == _SOLVED).all()) for end in runs.ends],
    )
    if name == "moves":
        return runs.moves, runs.new
    if name == "moves where solved":
        return [moved for moved, done in zip(runs.moves, solved, strict=True) if done], runs.new
    if name.startswith("percent"):
        wanted = name == "percent solved"  # else stuck
        return [100.0 * (done == wanted) for done in solved], [100.0 * wanted]
    if name == "fall of entropy":
        high, low = _measured(runs.drawn, ENTROPY), _measured(runs.ends, ENTROPY)
        return [before - after for before, after in zip(high, low, strict=True)], high
    if name.endswith("at the end"):
        return _measured(runs.ends, measure), _measured([_SOLVED], measure)
    return _measured(runs.drawn, measure), []


def _measured(boards: Sequence[Ints], measure: str) -> list[int]:
    return [measure_of_units(units, measure_counts(measure, _RULES.graph)) for units in boards]


def _averages(values: Sequence[float]) -> Sequence[float]:
    """Averages of as many boards as the paper's."""
    return [float(np.mean(values[at : at + _TOGETHER])) for at in range(0, len(values), _TOGETHER)]
