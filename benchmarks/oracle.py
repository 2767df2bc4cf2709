"""Distances and moves of panex-10 and hanoi-nnn-64 by their oracles, in one process, on one thread.

Each state's time is a value. States of Hanoi are uniform over all; those of Panex are two hundred
random moves from a random place on the exchange. Kernels are compiled, and a first state is not
counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from benchmarks.far_states import drawn
from benchmarks.figures import Figure, Measured, times_of
from puzzlebase.plugins.methods.record import Oracle, Solver
from puzzlebase.puzzles import Puzzle, find

_STATES = 300
_RUNS = 5


def measure(_data: Path) -> Measured:
    """Measure the oracles; no table is needed."""
    return {
        **_measured(find("panex-10"), "≤ 20, at most 200", 20_000),
        **_measured(find("hanoi-nnn-64"), "≤ 2", 10**29),
    }


def _measured(puzzle: Puzzle, target: str, offset: int) -> Measured:
    """An oracle's times for random states, and for one move of a long solution at this offset."""
    oracle, goal = puzzle.engine(Oracle), puzzle.goal()
    assert oracle
    solver, start = oracle.load(goal), goal.start
    states = [drawn(puzzle, number) for number in range(1 + _STATES)]
    distances = [partial(solver.distances, [state]) for state in states]
    moves = [partial(_optimal_moves, puzzle, solver, state) for state in states]
    line = [
        partial(lambda at: list(islice(solver.line(start, at), 1)), offset + run)
        for run in range(1 + _RUNS)
    ]
    return {
        puzzle.name: [
            Figure("distance of a state", "ms", _milliseconds(distances), target),
            Figure("all optimal moves of a state", "ms", _milliseconds(moves)),
            Figure(
                f"one move near number {offset:,} of a solution", "ms", _milliseconds(line), "≤ 20"
            ),
        ]
    }


def _optimal_moves(puzzle: Puzzle, solver: Solver, text: str) -> list[str]:
    """Find optimal moves as a lookup does:
    by the distances of the state and of the states after its moves.
    """
    after = puzzle.played(text, (move.name for move in puzzle.moves))
    here, *behind = solver.distances([text, *after.values()])
    return [move for move, distance in zip(after, behind, strict=True) if 0 <= distance == here - 1]


def _milliseconds(actions: Sequence[Callable[[], object]]) -> list[float]:
    """The time of each action but the first."""
    return [1e3 * each for each in times_of(actions)]
