"""Random states of puzzles that are searched with patterns: their distances, and what the searches took."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles import find
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.search import OpenSearch, Searchable


class Sample(NamedTuple):
    """The states, their distances, and the processor's seconds of each search."""

    states: list[str]
    distances: list[int]
    seconds: list[float]

    def lines(self) -> list[str]:
        """What was found, for people."""
        counts = np.bincount(self.distances)
        layers = ", ".join(f"{distance}: {count}" for distance, count in enumerate(counts.tolist()) if count)
        median, high = np.percentile(self.seconds, [50, 99])
        farthest = max(self.distances)
        hardest = [state for state, at in zip(self.states, self.distances, strict=True) if at == farthest]
        return [
            f"{len(self.states):,} random states, all exact: mean distance {np.mean(self.distances):.2f}; {layers}",
            f"processor time: median {median:.3f} s, 99th percentile {high:.3f} s, max {max(self.seconds):.3f} s",
            f"at {farthest}: {', '.join(hardest[:5])}",
        ]


def searchable(name: str, tables: Tables, goal_name: str | None = None) -> Searchable:
    """What searches with patterns need."""
    puzzle = find(name)
    patterns = tables.patterns(name, goal_name)
    assert patterns, f"the patterns of {name} are not built"
    return Searchable.of(puzzle, puzzle.goal(goal_name), None, patterns=patterns)


def sample(known: Searchable, count: int, seed: int = 24) -> Sample:
    """So many states, each equally likely; every one is searched to its end."""
    drawn = np.random.default_rng(seed).integers(0, known.space.size, count).tolist()
    sampled = Sample([], [], [])
    for index in drawn:
        began = time.process_time()
        source = OpenSearch(known, Budget())
        sampled.distances.append(source.distance(index))
        sampled.seconds.append(time.process_time() - began)
        sampled.states.append(known.puzzle.text(index, known.goal))
        assert sampled.distances[-1] >= 0
    return sampled
