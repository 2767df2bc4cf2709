"""Searches without a table: their times from nothing, and from the first layers stored.

Each search finds a state's distance and every optimal first move; its time is a value. All searches
run in one process, on one thread; a search with patterns takes all processors after a tenth of a
second. Kernels are compiled, and nothing is known of the state before. Random pebbles on random
plates are each a new goal, and their time includes preparing it. The far states were reached from
random ones, step by step to a neighbour no nearer to the goal. A separate process builds the
layers, and its whole time counts.

A move examined is a child whose bound was looked up. Its rate is for one processor: the seconds of
all threads count. `python -m benchmarks.far_states` measures searches of definitions with patterns.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.far_states import Searched, search
from benchmarks.figures import Figure, Measured, seconds_of, times_of
from benchmarks.process import run
from puzzlebase.paths import layers_path
from puzzlebase.puzzles import Goal, GraphSearch, Puzzle, Shortest, Space, find
from puzzlebase.service.sources.search import Searchable
from puzzlebase.service.sources.sources import Sources

_STATES = 1_000
_FAR_PANGURU = ("BOGPYCB-YROCPRG", "-YRPPCBORCBYGOG", "BOGPYCBCYRO-PRG", "OYGP-YBCORBCPRG")
"""States 24 moves from solved, one less than God's number, on the first plates."""


def measure(_data: Path) -> Measured:
    """All searches, one puzzle after the other."""
    with TemporaryDirectory() as folder:
        return {
            "Turnstile without a table": _turnstile(Path(folder)),
            "Panguru without a table": _panguru(),
            "The 15-puzzle by patterns": _by_patterns(
                "sliding-4x4", "median ≤ 5, 99 % ≤ 500", Path(folder)
            ),
            "The Puzzler by patterns": _by_patterns(
                "puzzler", "median ≤ 50, 99 % ≤ 5,000", Path(folder)
            ),
        }


def _panguru() -> list[Figure]:
    puzzle = find("panguru")
    plates = list(puzzle.goal().name)
    draw = np.random.default_rng(11)
    drawn = [
        (puzzle.goal("".join(draw.permutation(plates))), draw.random()) for _ in range(1 + _STATES)
    ]
    seconds = times_of(partial(_from_nothing, puzzle, *each) for each in drawn)
    space = puzzle.space(puzzle.goal())
    searched = partial(_shortest, puzzle, space)
    far = [puzzle.index(state, puzzle.goal()) for state in _FAR_PANGURU]
    return [
        Figure(
            "random pebbles on random plates",
            "ms",
            [1e3 * each for each in seconds],
            "≤ 10, at most 1,000",
        ),
        Figure(
            "states at distance 24",
            "s",
            [seconds_of(partial(searched, index)) for index in far],
            "≤ 10",
        ),
    ]


def _from_nothing(puzzle: Puzzle, goal: Goal, share: float) -> Shortest:
    """A search to a new goal, from the state at this share of the indices."""
    space = puzzle.space(goal)
    return _shortest(puzzle, space, int(share * space.size))


def _shortest(puzzle: Puzzle, space: Space, index: int) -> Shortest:
    engine = puzzle.engine(GraphSearch)
    assert engine
    assert engine.shortest, "the puzzle has a search of its own"
    return engine.shortest(space, index, lambda _visited, _bound: True)


def _turnstile(folder: Path) -> list[Figure]:
    built = run(["--data", folder, "build", "turnstile", "--depth", "9"])
    nothing, stored = (_searches(_of("turnstile", each)) for each in (folder / "none", folder))
    return [
        Figure("building the layers 0 to 9", "s", [built.seconds]),
        Figure("their file", "bytes", [layers_path(folder, "turnstile").stat().st_size]),
        _milliseconds("random states, from the layers", stored, "median < 100, at most 3,000"),
        _milliseconds("random states, from nothing", nothing),
    ]


def _by_patterns(name: str, at_most: str, folder: Path) -> list[Figure]:
    built = run(["--data", folder, "build", name])
    searchable = _of(name, folder)
    searches = _searches(searchable)
    size = sum(table.table.header.size for table in searchable.patterns.values())
    examined = sum(each.moves_examined for each in searches)
    rate = examined / sum(each.of_processors for each in searches)
    return [
        Figure("building the patterns", "s", [built.seconds], "≤ 300"),
        Figure("their files", "bytes", [size], "≤ 600,000,000"),
        _milliseconds("random states", searches, at_most),
        Figure("moves examined in a second of a processor", "million", [rate / 1e6], "≥ 10"),
    ]


def _of(name: str, data: Path) -> Searchable:
    puzzle = find(name)
    return Searchable.in_folder(Sources(data), puzzle, puzzle.goal())


def _searches(searchable: Searchable) -> list[Searched]:
    """Search for random states. One before the others is not counted."""
    puzzle, goal = searchable.puzzle, searchable.goal
    indices = np.random.default_rng(12).integers(0, searchable.space.size, 1 + _STATES)
    states = [puzzle.text(index, goal) for index in indices.tolist()]
    return [search(searchable, state) for state in states][1:]


def _milliseconds(name: str, searches: list[Searched], target: str = "") -> Figure:
    return Figure(name, "ms", [1e3 * each.seconds for each in searches], target)
