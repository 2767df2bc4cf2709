"""Searches without a table: their times from nothing, and from the first layers stored.

Each search finds a state's distance and all states on its shortest paths, and so every optimal first move; its
time is a value. All searches run in one process, on one thread; a search with patterns takes all processors after a
tenth of a second. Kernels are compiled, and nothing is known of the state before. Random pebbles on random plates
are each a new goal, and their time includes preparing it. The far states were reached from random ones, step by
step to a neighbour no nearer to the goal. A separate process builds the layers, and its whole time counts. Another
one finds the solution of Panex. Its memory holds all layers, or only the last two of each side. In the second case
further searches between the vertices where the sides met put the solution together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.figures import Figure, Measured, timed
from benchmarks.process import run
from puzzlebase.db.paths import layers_path
from puzzlebase.puzzles import Goal, Puzzle, Shortest, Space, find
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.search import OpenSearch, Searchable

_STATES = 1_000
_FAR_PANGURU = ("BOGPYCB-YROCPRG", "-YRPPCBORCBYGOG", "BOGPYCBCYRO-PRG", "OYGP-YBCORBCPRG")
"""States 24 moves from solved, one less than God's number, on the first plates."""

_SCRAMBLES = (".D.E.BAC.CBAEA.EDBCD.", ".D.C.B.D.ABC.EDACEABE", "AD.E.B.CECDB.ECABA.D.")
"""States of the Turnstile that need 17 moves."""


def measure(_data: Path) -> Measured:
    """All searches, one puzzle after the other."""
    with TemporaryDirectory() as layers:
        return {title: figures for search in _SEARCHES for title, figures in search(Path(layers)).items()}


def _panguru(_layers: Path) -> Measured:
    puzzle = find("panguru")
    plates = list(puzzle.goal().name)
    draw = np.random.default_rng(11)
    drawn = [(puzzle.goal("".join(draw.permutation(plates))), draw.random()) for _ in range(1 + _STATES)]
    _, *seconds = [timed(partial(_from_nothing, puzzle, goal, share))[1] for goal, share in drawn]
    space = puzzle.space(puzzle.goal())
    far = [puzzle.index(state, puzzle.goal()) for state in _FAR_PANGURU]
    return {
        "Panguru without a table": [
            Figure("random pebbles on random plates", "ms", [1e3 * each for each in seconds], "≤ 10, at most 1,000"),
            Figure("states at distance 24", "s", [timed(partial(_shortest, space, index))[1] for index in far], "≤ 10"),
        ]
    }


def _from_nothing(puzzle: Puzzle, goal: Goal, share: float) -> Shortest:
    """A search to a new goal, from the state at this share of the indices."""
    space = puzzle.space(goal)
    return _shortest(space, int(share * space.size))


def _shortest(space: Space, index: int) -> Shortest:
    assert space.shortest is not None, "the puzzle has a search of its own"
    return space.shortest(index, lambda _visited, _bound: True)


def _turnstile(layers: Path) -> Measured:
    seconds = _process(layers, "build", "turnstile", "--depth", "9")
    nothing, stored = (_of("turnstile", Tables(folder)) for folder in (layers / "none", layers))
    return {
        "Turnstile without a table": [
            Figure("building the layers 0 to 9", "s", [seconds]),
            Figure("their file", "bytes", [layers_path(layers, "turnstile").stat().st_size]),
            Figure("the scrambles of 17 moves, from the layers", "ms", _scrambles(stored)),
            Figure("random states, from the layers", "ms", _random(stored), "median < 100, at most 3,000"),
            Figure("random states, from nothing", "ms", _random(nothing)),
        ]
    }


def _avenger(layers: Path) -> Measured:
    seconds = _process(layers, "build", "avenger", "--depth", "8")
    stored = _of("avenger", Tables(layers))
    return {
        "Avenger without a table": [
            Figure("building the layers 0 to 8", "s", [seconds], "", "3"),
            Figure("their file", "bytes", [layers_path(layers, "avenger").stat().st_size], "", "7,800,000"),
            Figure("random states, from the layers", "ms", _random(stored), "", "under 1,000"),
        ]
    }


def _panex(layers: Path) -> Measured:
    start = find("panex-6").goal().start
    figures: list[Figure] = []
    for name, memory in (("all layers kept", 1 << 30), ("the last two of each side kept", 24 << 20)):
        runs = [_process(layers, "solve", "panex-6", start, "--memory", str(memory)) for _ in range(3)]
        figures.append(Figure(f"its 881 moves, {name}", "s", runs, "", "39.8"))
    return {"The sixth Panex without a table": figures}


def _by_patterns(title: str, name: str, at_most: str, folder: Path) -> Measured:
    seconds = _process(folder, "build", name)
    known = _of(name, Tables(folder))
    size = sum(table.table.file.size for table in known.patterns.values())
    budgets = [Budget() for _ in range(1 + _STATES)]
    times = _random(known, budgets)
    examined = sum(budget.states for budget in budgets[1:])
    return {
        f"{title} by patterns": [
            Figure("building the patterns", "s", [seconds], "≤ 300"),
            Figure("their files", "bytes", [size], "≤ 600,000,000"),
            Figure("random states", "ms", times, at_most),
            Figure("moves examined in a second", "million", [examined / sum(times) / 1e3], "≥ 10"),
        ]
    }


def _process(data: Path, *words: str) -> float:
    """Seconds of `puzzlebase` with these words. Its memory cannot be told from that of what was measured before."""
    _, seconds = timed(lambda: run(["--data", data, *words]))
    return seconds


def _of(name: str, tables: Tables) -> Searchable:
    puzzle = find(name)
    return Searchable.of(puzzle, puzzle.goal(), tables.layers(name), patterns=tables.patterns(name))


def _random(searchable: Searchable, budgets: Sequence[Budget] | None = None) -> list[float]:
    """Milliseconds for the distance and the optimal moves of random states."""
    drawn = np.random.default_rng(12).integers(0, searchable.space.size, 1 + _STATES).tolist()
    return _milliseconds(searchable, drawn, budgets)


def _scrambles(searchable: Searchable) -> list[float]:
    """The same of three states that solvers have published with solutions of 17 moves."""
    puzzle, goal = searchable.puzzle, searchable.goal
    indices = [puzzle.index(state, goal) for state in _SCRAMBLES]
    return _milliseconds(searchable, [indices[0], *indices])


def _milliseconds(searchable: Searchable, indices: list[int], budgets: Sequence[Budget] | None = None) -> list[float]:
    """One state before the others is not counted."""

    def ask(index: int, budget: Budget) -> None:
        source = OpenSearch(searchable, budget)
        assert source.distance(index) >= 0
        source.neighbours(index)

    budgets = budgets or [Budget() for _ in indices]
    _, *seconds = [timed(partial(ask, *each))[1] for each in zip(indices, budgets, strict=True)]
    return [1e3 * each for each in seconds]


_fifteen = partial(_by_patterns, "The 15-puzzle", "sliding-4x4", "median ≤ 5, 99 % ≤ 500")
_puzzler = partial(_by_patterns, "The Puzzler", "puzzler", "median ≤ 50, 99 % ≤ 5,000")
_SEARCHES: list[Callable[[Path], Measured]] = [_panex, _turnstile, _avenger, _panguru, _fifteen, _puzzler]
