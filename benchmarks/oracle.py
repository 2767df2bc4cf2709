"""Distances, optimal moves and solutions of panex-10 and hanoi-nnn-64 by their oracles, in one process, on one thread.

States of Panex are of two kinds. *Anywhere*: tiles are put down at random, the largest first, in any track and under
at most two larger tiles; states that cannot reach the goal are left out. *Near the start*: a thousand random moves from
it. Each state's time is a value. "New": a solver just loaded, which knows only the goal, answers for each state.
Otherwise one solver answers for all of them, in turn. Kernels are compiled, and a first state is not counted.

Hanoi's oracle has no data. Its states are uniform over all, drawn by the oracle itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from string import ascii_lowercase

import numpy as np

from benchmarks.figures import Figure, Measured, timed
from puzzlebase.plugins.methods.record import Oracle, Solver
from puzzlebase.puzzles import UNREACHED, ImpossibleState, Puzzle, find
from puzzlebase.puzzles.contract.puzzle import played

_STATES = 300
_RUNS = 5
_NAME = "panex-10"
_HANOI = "hanoi-nnn-64"


def measure(data: Path) -> Measured:
    """Measure the oracles; no table is needed."""
    del data
    puzzle = find(_NAME)
    oracle = _oracle(puzzle)
    load = partial(oracle.load, puzzle.goal())
    return {
        "From data to a solver for a goal": [Figure(_NAME, "ms", [1e3 * timed(load)[1] for _ in range(_RUNS)])],
        **_asked(puzzle, load),
        **_solved(puzzle, load),
        **_hanoi(),
    }


def _oracle(puzzle: Puzzle) -> Oracle:
    oracle = puzzle.engine(Oracle)
    assert oracle
    return oracle


def _asked(puzzle: Puzzle, load: Callable[[], Solver]) -> Measured:
    draw = np.random.default_rng(1)
    samples = {
        "anywhere": _anywhere(puzzle, load()),
        "near the start": [_near(puzzle, draw) for _ in range(_STATES)],
    }
    distances: list[Figure] = []
    moves: list[Figure] = []
    for name, states in samples.items():
        solver = load()
        for figures, ask, target in ((distances, _distance, "≤ 20, at most 200"), (moves, _optimal_moves, "")):
            figures.append(Figure(name, "ms", _milliseconds([partial(ask, puzzle, solver, each) for each in states])))
            new = [partial(ask, puzzle, load(), each) for each in states]
            figures.append(Figure(f"{name}, new", "ms", _milliseconds(new), target))
    return {f"Distance of a state of {puzzle.name}": distances, f"All optimal moves of a state of {puzzle.name}": moves}


def _distance(_puzzle: Puzzle, solver: Solver, text: str) -> int:
    return solver.distance(text)


def _optimal_moves(puzzle: Puzzle, solver: Solver, text: str) -> list[str]:
    """Find optimal moves as a lookup does: by the distances of the state and of the states after its moves."""
    after = played(puzzle.play, text, (move.name for move in puzzle.moves))
    here, *behind = solver.distances([text, *after.values()])
    return [move for move, distance in zip(after, behind, strict=True) if 0 <= distance == here - 1]


def _solved(puzzle: Puzzle, load: Callable[[], Solver]) -> Measured:
    start = puzzle.goal().start
    whole = [1e-3 * each for each in _milliseconds([lambda: list(load().line(start)) for _ in range(1 + _RUNS)])]
    one = [partial(lambda at: list(islice(load().line(start, at), 1)), 19_999 + run) for run in range(1 + _RUNS)]
    return {
        f"Solution of {puzzle.name}, of a new solver": [
            Figure("all 31,537 moves", "s", whole, "≤ 10"),
            Figure("one move near number 20,000", "ms", _milliseconds(one), "< 100"),
        ]
    }


def _hanoi() -> Measured:
    puzzle = find(_HANOI)
    draw = np.random.default_rng(3)
    states = [_drawn(puzzle, draw) for _ in range(1 + _STATES)]
    start, solver = puzzle.goal().start, _oracle(puzzle).load(puzzle.goal())
    total = solver.distance(start)
    offsets = [10**29 + draw.integers(10**18).item() for _ in range(1 + _RUNS)]
    line = [partial(lambda at: list(islice(solver.line(start, at), 1)), at) for at in offsets]
    optimal = [partial(_optimal_moves, puzzle, solver, each) for each in states]
    return {
        f"Distance of a state of {_HANOI}": [
            Figure("anywhere", "ms", _milliseconds([partial(solver.distance, each) for each in states]), "≤ 2"),
        ],
        f"All optimal moves of a state of {_HANOI}": [Figure("anywhere", "ms", _milliseconds(optimal), "≤ 2")],
        f"Solution of {_HANOI}, {total:,} moves": [
            Figure("one move near number 10^29", "ms", _milliseconds(line), "≤ 20"),
        ],
    }


def _drawn(puzzle: Puzzle, draw: np.random.Generator) -> str:
    made = _oracle(puzzle).draw
    assert made
    state = made(puzzle.goal(), lambda total: int.from_bytes(draw.bytes(32)) % total)
    assert state
    return state


def _milliseconds(actions: Sequence[Callable[[], object]]) -> list[float]:
    """The time of each action but the first."""
    return [1e3 * timed(action)[1] for action in actions][1:]


def _near(puzzle: Puzzle, draw: np.random.Generator) -> str:
    """Draw a state that is a thousand random moves from the start."""
    state = puzzle.goal().start
    for _ in range(1000):
        after = [*played(puzzle.play, state, (move.name for move in puzzle.moves)).values()]
        state = after[draw.integers(len(after))]
    return state


def _anywhere(puzzle: Puzzle, solver: Solver) -> list[str]:
    draw = np.random.default_rng(2)
    n = len(puzzle.goal().start) // 2 - 1
    found: list[str] = []
    while len(found) < _STATES:
        tracks: tuple[list[str], ...] = ([], [], [])
        for small in reversed(ascii_lowercase[:n]):
            for letter in draw.permutation([small, small.upper()]):
                track = tracks[draw.integers(3)]
                track.insert(min(max(int(draw.integers(6)) - 3, 0), len(track)), str(letter))
        state = "|".join(map("".join, tracks))
        try:
            if solver.distance(state) != UNREACHED:
                found.append(state)
        except ImpossibleState:
            continue
    return found
