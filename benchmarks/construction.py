"""Lines of quantum boards by construction, in one process, on one thread.

The waste of a line is its length minus the distance in the table; without a table, minus the lower bound. The
states of small boards are random; boards of 1,000 units are the paper's Random and Normal boards. A line is made
from the units of a board; its names are written after that. Kernels are compiled.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.figures import Figure, Measured, timed
from puzzlebase.builder import TableJob
from puzzlebase.puzzles import find
from puzzlebase.puzzles.families.quantum.board import QuantumRules, matrix_of
from puzzlebase.puzzles.families.quantum.construction import path, random_board
from puzzlebase.puzzles.families.quantum.goals import SOLVED, aim
from puzzlebase.puzzles.families.quantum.graph import distance_home
from puzzlebase.puzzles.families.quantum.paper import normal
from puzzlebase.service.sources.sources import Sources

_STATES = 500
_BOARDS = 300
_WHOLE = (*(f"quantum-2x2-{k}" for k in range(1, 9)), *(f"quantum-2x3-{k}" for k in range(1, 4)))
_LARGE = ("quantum-3x3-1000", "quantum-3x3-1000-bulk", "quantum-4x4-1000")


def measure(data: Path) -> Measured:
    """Measure constructions, and build the small tables."""
    wasted = [_wasted(name, data) for name in _WHOLE]
    large: Measured = {}
    for name in _LARGE:
        for figure, values in _lines(name).items():
            large.setdefault(figure, []).extend(values)
    return {f"Moves above the distance, of {_STATES} states of a table": wasted, **large}


def _wasted(name: str, data: Path) -> Figure:
    puzzle, rules = find(name), QuantumRules.of(name)
    goal = puzzle.goal()
    job = TableJob(puzzle, goal, data, "benchmark")
    if not job.path.exists():
        job.build()
    table = Sources(data).table(name)
    indices = np.random.default_rng(1).integers(0, table.space.size, _STATES)
    values = []
    for index, distance in zip(indices.tolist(), table.distances(indices).tolist(), strict=True):
        found = path(aim(rules, SOLVED), matrix_of(rules, puzzle.text(index, goal)))
        values.append(int(found[:, 3].sum()) - distance)
        assert values[-1] >= 0, (name, index)
    spread = np.bincount(np.array(values) // 2)
    told = ", ".join(f"{count} by {2 * half}" for half, count in enumerate(spread.tolist()) if count)
    return Figure(f"{name}: {told}", "moves", values)


def _lines(name: str) -> Measured:
    rules = QuantumRules.of(name)
    aimed = aim(rules, SOLVED)
    draw = np.random.default_rng(2)
    measured: Measured = {}
    for kind, make in (("Random", random_board), ("Normal", normal)):
        boards = [make(rules.positions, rules.k, draw) for _ in range(_BOARDS)]
        path(aimed, boards[0])
        found = [timed(partial(path, aimed, units)) for units in boards]
        above = [
            int(moves[:, 3].sum()) - distance_home(rules.graph, units)
            for units, (moves, _) in zip(boards, found, strict=True)
        ]
        figures = {
            "Time of a line": Figure(f"{name}, {kind}", "ms", [1e3 * took for _, took in found], "≤ 20"),
            "Units moved above the Manhattan bound": Figure(f"{name}, {kind}", "units", above),
            "Names of moves in a line": Figure(f"{name}, {kind}", "names", [len(moves) for moves, _ in found]),
        }
        for title, figure in figures.items():
            measured.setdefault(title, []).append(figure)
    return measured
