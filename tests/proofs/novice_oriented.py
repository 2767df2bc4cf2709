"""What must be true of the Novice with oriented corners beside its certificate: a search with patterns agrees."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import partial

import numpy as np
from rich.console import Console

from puzzlebase.builder import PatternsJob, Reporter
from puzzlebase.puzzles import find
from puzzlebase.puzzles.oriented import patterns_of
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.version import VERSION
from tests.proofs.sampled import lines_of, sample

_STATES, _MOVES = 10_000, 100


def check(tables: Tables) -> list[str]:
    """Raises AssertionError, or says what was seen to be true; builds the patterns unless they are there."""
    whole = tables.get("novice-oriented")
    puzzle = replace(whole.puzzle, patterns=partial(patterns_of, find("novice")))
    job = PatternsJob(puzzle, whole.goal, tables.data, VERSION, report=Reporter(Console(file=io.StringIO())))
    job.build()
    patterns = {name: tables.get(name) for name in ("novice", "orientations")}
    known = Searchable.of(puzzle, whole.goal, None, patterns=patterns)
    for index in np.random.default_rng(24).integers(0, whole.space.size, _MOVES).tolist():
        source = OpenSearch(known, Budget())
        assert source.optimal_moves(index, source.distance(index)) == whole.optimal_moves(index, whole.distance(index))
    found = sample(known, tables.data, _STATES)
    indices = np.array([puzzle.index(one.state, whole.goal) for one in found])
    assert np.array_equal(whole.distances(indices), [one.distance for one in found])
    return [
        f"{_STATES:,} random states: a search with patterns finds the table's distances, for {_MOVES} its moves too",
        *lines_of(found),
    ]
