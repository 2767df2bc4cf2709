"""Distances and moves of panex-10 and hanoi-nnn-64 by their oracles, in one process, on one thread.

Each state's time is a value. States of Panex are a thousand random moves from the start, those of
Hanoi uniform over all. Kernels are compiled, and a first state is not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.figures import Figure, Measured, times_of
from puzzlebase.plugins.methods.record import Oracle, Solver
from puzzlebase.puzzles import Puzzle, find

_STATES = 300
_RUNS = 5


def measure(_data: Path) -> Measured:
    """Measure the oracles; no table is needed."""
    draw = np.random.default_rng(1)
    panex, hanoi = find("panex-10"), find("hanoi-nnn-64")
    near = [_near(panex, draw) for _ in range(1 + _STATES)]
    anywhere = [_drawn(hanoi, draw) for _ in range(1 + _STATES)]
    return {
        **_measured(panex, near, "≤ 20, at most 200", 20_000),
        **_measured(hanoi, anywhere, "≤ 2", 10**29),
    }


def _measured(puzzle: Puzzle, states: list[str], target: str, offset: int) -> Measured:
    """An oracle's times for these states, and for one move of a long solution at this offset."""
    solver, start = _solver(puzzle), puzzle.goal().start
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


def _oracle(puzzle: Puzzle) -> Oracle:
    oracle = puzzle.engine(Oracle)
    assert oracle
    return oracle


def _solver(puzzle: Puzzle) -> Solver:
    return _oracle(puzzle).load(puzzle.goal())


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


def _drawn(puzzle: Puzzle, draw: np.random.Generator) -> str:
    """Draw a state uniformly."""
    drawing = _oracle(puzzle).draw
    assert drawing
    state = drawing(puzzle.goal(), lambda total: int.from_bytes(draw.bytes(32)) % total)
    assert state
    return state


def _near(puzzle: Puzzle, draw: np.random.Generator) -> str:
    """Draw a state that is a thousand random moves from the start."""
    state = puzzle.goal().start
    for _ in range(1000):
        after = [*puzzle.played(state, (move.name for move in puzzle.moves)).values()]
        state = after[draw.integers(len(after))]
    return state
