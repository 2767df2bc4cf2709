"""Two kinds of search agree with the table of the Novice with oriented corners."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import partial

import numpy as np
from rich.console import Console

from puzzlebase.builder import Reporter
from puzzlebase.plugins.patterns.job import PatternsJob
from puzzlebase.puzzles import PatternDatabases, find
from puzzlebase.puzzles.families.oriented import patterns_of
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.version import VERSION

_FROM_BOTH_ENDS, _WITH_PATTERNS = 10_000, 300


def check(tables: Sources) -> list[str]:
    """Raises AssertionError, or says what was seen to be true;
    builds the patterns unless they are there.
    """
    whole = tables.table("novice-oriented")
    drawn = np.random.default_rng(24).integers(0, whole.space.size, _FROM_BOTH_ENDS).tolist()
    _compare(whole, Searchable.of(whole.puzzle, whole.goal, None), drawn)
    puzzle = replace(
        whole.puzzle, engines=(PatternDatabases(patterns=partial(patterns_of, find("novice"))),)
    )
    PatternsJob(
        puzzle,
        whole.goal,
        tables.folder.data,
        VERSION,
        report=Reporter(Console(file=io.StringIO())),
    ).build()
    patterns = {name: tables.table(name) for name in ("novice", "orientations")}
    _compare(
        whole, Searchable.of(puzzle, whole.goal, None, patterns=patterns), drawn[:_WITH_PATTERNS]
    )
    return [
        (
            f"{_FROM_BOTH_ENDS:,} random states: a search from both ends finds the table's "
            "distances and optimal moves"
        ),
        f"{_WITH_PATTERNS} of them: so does a search with patterns",
    ]


def _compare(whole: OpenTable, known: Searchable, indices: list[int]) -> None:
    distances = whole.distances(np.array(indices)).tolist()
    for index, distance in zip(indices, distances, strict=True):
        source = OpenSearch(known, Budget())
        assert source.distance(index) == distance, index
        assert source.optimal_moves(index, distance) == whole.optimal_moves(index, distance), index
