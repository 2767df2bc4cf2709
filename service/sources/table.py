"""A table as a source of distances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf

import numpy as np

from db import (
    Table,
)
from puzzles import Distances, Goal, Indices, Puzzle, Space
from service.sources.source import Source

_MARKED = 10_000  # moves


_MARKS = 1_000


_READ_TOGETHER = 1 << 8  # states of a table that is read block by block, a millisecond each


@dataclass(frozen=True)
class OpenTable(Source):
    """A puzzle, a goal and their table: everything an answer needs, from one build and no other."""

    name = "table"
    puzzle: Puzzle
    goal: Goal
    space: Space
    table: Table
    until: float = inf
    passed: dict[tuple[int, int], int] = field(default_factory=dict, repr=False, compare=False)
    """Where long solutions followed lately had come to, by state and moves made: the next part begins there."""

    @property
    def tag(self) -> str:
        """The digest."""
        return self.table.file.digest

    def distance(self, index: int) -> int:
        """Distance of a state; UNREACHED for -1 and where there is no way."""
        return int(self.distances(np.array([index]))[0])

    def distances(self, indices: Indices) -> Distances:
        """Distances of states, int64[n] -> int32[n]; UNREACHED for -1 and where there is no way."""
        if len(indices) <= _READ_TOGETHER or self.table.resident:
            return self.space.distances(indices, self.table.probe)
        distances = np.empty(len(indices), np.int32)
        order = np.argsort(indices)  # so that few blocks are read twice
        for first in range(0, len(indices), _READ_TOGETHER):
            self.go_on()
            some = order[first : first + _READ_TOGETHER]
            distances[some] = self.space.distances(indices[some], self.table.probe)
        return distances

    def line(self, index: int, distance: int, offset: int = 0) -> Iterator[int]:
        """The moves of one shortest solution from the given one on, lazily: the first optimal one at each state."""
        done = min(offset, max(distance, 0)) // _MARKED * _MARKED
        while done and (index, done) not in self.passed:
            done -= _MARKED
        here = self.passed[index, done] if done else index
        for made, (move, to) in enumerate(self.walk(here, distance - done), done + 1):
            if made % _MARKED == 0:
                self._mark(index, made, to)
            if made > offset:
                yield move

    def _mark(self, index: int, made: int, to: int) -> None:
        if len(self.passed) >= _MARKS and (index, made) not in self.passed:
            self.passed.clear()
        self.passed[index, made] = to

    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """Where each move of a state leads, -1 for an illegal one, and last the state itself; and their distances."""
        indices, distances = self.space.neighbours(index, self.table.probe)
        return indices.tolist(), distances.tolist()
