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

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from benchmarks.figures import Figure, Measured, timed, times_of
from benchmarks.process import run
from puzzlebase.paths import layers_path
from puzzlebase.puzzles import Goal, GraphSearch, Puzzle, Shortest, Space, find
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.sources import Sources

_STATES = 1_000
_FAR_PANGURU = ("BOGPYCB-YROCPRG", "-YRPPCBORCBYGOG", "BOGPYCBCYRO-PRG", "OYGP-YBCORBCPRG")
"""States 24 moves from solved, one less than God's number, on the first plates."""


class _Answer(NamedTuple):
    """The cost of a distance with all optimal moves; seconds of all processors, too."""

    seconds: float
    of_processors: float
    moves_examined: int


def measure(_data: Path) -> Measured:
    """All searches, one puzzle after the other."""
    with TemporaryDirectory() as layers:
        return {
            title: figures
            for search in _SEARCHES
            for title, figures in search(Path(layers)).items()
        }


def _panguru(_layers: Path) -> Measured:
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
    return {
        "Panguru without a table": [
            Figure(
                "random pebbles on random plates",
                "ms",
                [1e3 * each for each in seconds],
                "≤ 10, at most 1,000",
            ),
            Figure(
                "states at distance 24",
                "s",
                [timed(partial(searched, index))[1] for index in far],
                "≤ 10",
            ),
        ]
    }


def _from_nothing(puzzle: Puzzle, goal: Goal, share: float) -> Shortest:
    """A search to a new goal, from the state at this share of the indices."""
    space = puzzle.space(goal)
    return _shortest(puzzle, space, int(share * space.size))


def _shortest(puzzle: Puzzle, space: Space, index: int) -> Shortest:
    engine = puzzle.engine(GraphSearch)
    assert engine
    assert engine.shortest, "the puzzle has a search of its own"
    return engine.shortest(space, index, lambda _visited, _bound: True)


def _turnstile(layers: Path) -> Measured:
    seconds = _process(layers, "build", "turnstile", "--depth", "9")
    nothing, stored = (_of("turnstile", Sources(folder)) for folder in (layers / "none", layers))
    return {
        "Turnstile without a table": [
            Figure("building the layers 0 to 9", "s", [seconds]),
            Figure("their file", "bytes", [layers_path(layers, "turnstile").stat().st_size]),
            Figure(
                "random states, from the layers",
                "ms",
                _random(stored),
                "median < 100, at most 3,000",
            ),
            Figure("random states, from nothing", "ms", _random(nothing)),
        ]
    }


def _by_patterns(title: str, name: str, at_most: str, folder: Path) -> Measured:
    seconds = _process(folder, "build", name)
    known = _of(name, Sources(folder))
    answers = _answers(known, _drawn(known))
    return {
        f"{title} by patterns": [
            Figure("building the patterns", "s", [seconds], "≤ 300"),
            Figure("their files", "bytes", [_size(known)], "≤ 600,000,000"),
            Figure("random states", "ms", [1e3 * answer.seconds for answer in answers], at_most),
            _rate(answers),
        ]
    }


def _size(known: Searchable) -> int:
    return sum(table.table.header.size for table in known.patterns.values())


def _rate(answers: Sequence[_Answer]) -> Figure:
    examined = sum(each.moves_examined for each in answers)
    seconds = sum(each.of_processors for each in answers)
    return Figure(
        "moves examined in a second of a processor", "million", [examined / seconds / 1e6], "≥ 10"
    )


def _process(data: Path, *words: str) -> float:
    """Seconds of `puzzlebase` with these words.
    Its memory cannot be told from that of what was measured before.
    """
    _, seconds = timed(lambda: run(["--data", data, *words]))
    return seconds


def _of(name: str, tables: Sources) -> Searchable:
    puzzle = find(name)
    return Searchable.in_folder(tables, puzzle, puzzle.goal())


def _drawn(searchable: Searchable) -> list[int]:
    """The indices of random states."""
    return [*map(int, np.random.default_rng(12).integers(0, searchable.space.size, 1 + _STATES))]


def _random(searchable: Searchable) -> list[float]:
    """Milliseconds for the distance and the optimal moves of random states."""
    return [1e3 * answer.seconds for answer in _answers(searchable, _drawn(searchable))]


def _answers(searchable: Searchable, indices: Sequence[int]) -> list[_Answer]:
    """Ask for states. One before the others is not counted."""

    def ask(index: int) -> _Answer:
        budget, used = Budget(states=1 << 62, seconds=1800), time.process_time()
        source = OpenSearch(searchable, budget)

        def found() -> None:
            assert source.distance(index) >= 0
            source.neighbours(index)

        _, seconds = timed(found)
        return _Answer(seconds, time.process_time() - used, budget.states)

    return [ask(index) for index in indices][1:]


_SEARCHES: list[Callable[[Path], Measured]] = [
    _turnstile,
    _panguru,
    partial(_by_patterns, "The 15-puzzle", "sliding-4x4", "median ≤ 5, 99 % ≤ 500"),
    partial(_by_patterns, "The Puzzler", "puzzler", "median ≤ 50, 99 % ≤ 5,000"),
]
