"""Distances, optimal moves and solutions of panex-10 and hanoi-nnn-64 by their oracles, in one process, on one thread.

States are of three kinds. *Anywhere*: tiles are put down at random, the largest first, in any track and under at most
two larger tiles; states that cannot reach the goal are left out. *Near the start*: a thousand random moves from it.
*Midway*: a hundred random moves from a state of a solution. Each state's time is a value. "New": a solver just loaded,
which knows only the goal, answers for each state. Otherwise one solver answers for all of them, in turn. Kernels are
compiled, and a first state is not counted.

Beside it is the program of 1983. It searches breadth-first with two layers of each side in memory, and rebuilds paths
from their middles. A state is 8 bytes, and a layer is sorted once more while it is made.

Hanoi's oracle has no data. "Cold" is the first solver of Hanoi in a program; the others come after it. States are
uniform over all, drawn by the oracle itself. Bytes are those that Python's allocator counts.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from string import ascii_lowercase

import numpy as np

from benchmarks.figures import Figure, Measured, timed
from puzzlebase.puzzles import UNREACHED, IllegalMove, ImpossibleState, Puzzle, find
from puzzlebase.puzzles.contract.puzzle import played
from puzzlebase.puzzles.families.hanoi.oracle import words
from puzzlebase.puzzles.families.panex.board import MAX_SIZE
from puzzlebase.puzzles.families.panex.lengths import Lengths, find_lengths
from puzzlebase.puzzles.families.panex.levels import derive
from puzzlebase.puzzles.families.panex.midpoints import found
from puzzlebase.tools.methods.record import Oracle, Solver

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
        "Data of all sizes, made from the rules": [_made()],
        "From data to a solver for a goal": [Figure(_NAME, "ms", [1e3 * timed(load)[1] for _ in range(_RUNS)])],
        **_asked(puzzle, load),
        **_solved(puzzle, load),
        **_by_midpoints(),
        **_hanoi(),
    }


def _oracle(puzzle: Puzzle) -> Oracle:
    oracle = puzzle.engine(Oracle)
    assert oracle
    return oracle


def _made() -> Figure:
    def make_anew() -> Lengths:
        derive.cache_clear()
        return find_lengths(MAX_SIZE)

    made = [timed(make_anew) for _ in range(1 + _RUNS)]
    size = sum(array.nbytes for array in made[0][0])
    return Figure(f"{size:,} bytes", "s", [took for _, took in made[1:]], "≤ 2")


def _asked(puzzle: Puzzle, load: Callable[[], Solver]) -> Measured:
    samples = {
        "anywhere": _anywhere(puzzle, load()),
        "near the start": _near(puzzle, [puzzle.goal().start] * _STATES, 1000),
        "midway": _near(puzzle, _passed(puzzle, load()), 100),
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


def _by_midpoints() -> Measured:
    """The exchange by the program of 1983, and the same by the oracle."""
    measured: Measured = {}
    for n, runs, targets in ((5, 3, ("≤ 2", "≤ 26,000")), (6, 1, ("≤ 30", "≤ 250,000"))):
        puzzle = find(f"panex-{n}")
        goal = puzzle.goal()
        by_midpoints, by_oracle = [], []
        for _ in range(1 + runs):
            found.cache_clear()
            (states, _, search), seconds = timed(partial(found, goal.start, goal.states[0]))
            by_midpoints.append(seconds)
            oracle = _oracle(puzzle)
            line, seconds = timed(lambda: [*oracle.load(goal).line(goal.start)])  # noqa: B023 -- called now
            by_oracle.append(seconds)
        assert len(line) == len(states) - 1
        measured[f"The {len(line):,} moves of {puzzle.name}"] = [
            Figure("by midpoints", "s", by_midpoints[1:], targets[0]),
            Figure("states in memory at a time", "states", [search.most], targets[1]),
            Figure("depth of paths in paths", "", [search.depth]),
            Figure("by the oracle", "s", by_oracle[1:]),
        ]
    return measured


def _hanoi() -> Measured:
    puzzle = find(_HANOI)
    draw = np.random.default_rng(3)
    states = [_drawn(puzzle, draw) for _ in range(1 + _STATES)]
    goals = [puzzle.goal(_drawn(puzzle, draw)) for _ in range(1 + _RUNS)]
    start, total = puzzle.goal().start, _cold(puzzle).distance(puzzle.goal().start)
    solver = _cold(puzzle)
    solver.distance(start)
    offsets = [10**29 + draw.integers(10**18).item() for _ in range(1 + _RUNS)]
    first = [partial(lambda: _cold(puzzle).distance(start)) for _ in range(1 + _RUNS)]
    cold = [partial(lambda at: list(islice(_cold(puzzle).line(start, at), 1)), at) for at in offsets]
    warm = [partial(lambda at: list(islice(solver.line(start, at), 1)), at) for at in offsets]
    before = [partial(solver.state_at, start, at) for at in offsets]
    elsewhere = [partial(_oracle(puzzle).load, goal) for goal in goals]
    asked = [partial(lambda load: load().distance(start), load) for load in elsewhere]
    optimal = [partial(_optimal_moves, puzzle, solver, each) for each in states]
    page = [partial(lambda at: list(islice(solver.line(start, at), 10_000)), total // 3) for _ in range(1 + _RUNS)]
    return {
        f"Distance of a state of {_HANOI}": [
            Figure("the start, cold", "ms", _milliseconds(first), "≤ 200"),
            Figure("anywhere", "ms", _milliseconds([partial(solver.distance, each) for each in states]), "≤ 2"),
            Figure("the start, to any state, new", "ms", _milliseconds(asked)),
        ],
        f"All optimal moves of a state of {_HANOI}": [Figure("anywhere", "ms", _milliseconds(optimal), "≤ 2")],
        f"Solution of {_HANOI}, {total:,} moves": [
            Figure("one move near number 10^29, cold", "ms", _milliseconds(cold)),
            Figure("one move near number 10^29", "ms", _milliseconds(warm), "≤ 20"),
            Figure("the state before it", "ms", _milliseconds(before), "≤ 20"),
            Figure("10,000 moves from the first third on", "ms", _milliseconds(page)),
            Figure("memory after all that", "kB", [_memory(puzzle)], "≤ 5,000"),
        ],
    }


def _drawn(puzzle: Puzzle, draw: np.random.Generator) -> str:
    made = _oracle(puzzle).draw
    assert made
    state = made(puzzle.goal(), lambda total: int.from_bytes(draw.bytes(32)) % total)
    assert state
    return state


def _cold(puzzle: Puzzle) -> Solver:
    """A solver of Hanoi as the first one in a program."""
    words.cache_clear()
    return _oracle(puzzle).load(puzzle.goal())


def _memory(puzzle: Puzzle) -> float:
    """Kilobytes that Python has allocated more after a distance, many moves and 30 places in a solution."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    solver, start = _cold(puzzle), puzzle.goal().start
    total = solver.distance(start)
    for part in range(30):
        list(islice(solver.line(start, total * part // 30), 1_000))
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / 1e3


def _milliseconds(actions: Sequence[Callable[[], object]]) -> list[float]:
    """The time of each action but the first."""
    return [1e3 * timed(action)[1] for action in actions][1:]


def _near(puzzle: Puzzle, states: list[str], steps: int) -> list[str]:
    """Draw states, each some random moves away."""
    draw = np.random.default_rng(1)
    moves = [move.name for move in puzzle.moves]
    moved = []
    for given in states:
        state, left = given, steps
        while left:
            try:
                state = puzzle.play(state, moves[draw.integers(len(moves))])
                left -= 1
            except IllegalMove:
                continue
        moved.append(state)
    return moved


def _passed(puzzle: Puzzle, solver: Solver) -> list[str]:
    """States evenly along a solution."""
    state = puzzle.goal().start
    passed = [state]
    for move in solver.line(state):
        state = puzzle.play(state, move)
        passed.append(state)
    return [passed[len(passed) * at // _STATES] for at in range(_STATES)]


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
