"""Distances by search, where there is no table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from db import StoredLayers
from puzzles import UNREACHED, Distances, Goal, Indices, Puzzle, SearchGraph, Space, among
from service.sources.bidirectional import shortest
from service.sources.budget import Budget
from service.sources.source import UNKNOWN, Source


@dataclass(frozen=True)
class Searchable:
    """A puzzle and a goal that states can be searched to, from the goal's first layers on."""

    puzzle: Puzzle
    goal: Goal
    space: Space
    whole: SearchGraph
    near: Sequence[Indices]

    @classmethod
    def of(
        cls, puzzle: Puzzle, goal: Goal, stored: StoredLayers | None, former: Searchable | None = None
    ) -> Searchable:
        """With the layers stored for this goal, if there are any; from a former one what does not change.

        Raises DamagedTable, NoSpace.
        """
        space = former.space if former else puzzle.space(goal)
        whole = former.whole if former else space.searched()
        if stored is None:
            return cls(puzzle, goal, space, whole, [whole.graph.goal_states])
        if stored.info.stored_size != whole.graph.size or stored.layers[0].tolist() != whole.graph.goal_states.tolist():
            raise stored.file.damaged("is from another version")
        return cls(puzzle, goal, space, whole, stored.layers)


class OpenSearch(Source):
    """Distances found by search within a budget, and all that the searches so far have come upon."""

    name = "search"

    def __init__(self, searchable: Searchable, budget: Budget) -> None:
        self.puzzle, self.goal, self.space = searchable.puzzle, searchable.goal, searchable.space
        self._whole, self._near = searchable.whole, searchable.near
        self.budget = budget
        self._known: dict[int, int] = dict.fromkeys(self.space.goal_states.tolist(), 0)
        self._bounds: dict[int, int] = {}
        self._nodes = np.empty(0, np.int64)
        self._distances = np.empty(0, np.int32)

    def lower_bound(self, index: int) -> int:
        """What is proven of a state whose distance is UNKNOWN."""
        return self._bounds.get(index, 1)  # a zero needs no search

    def distance(self, index: int) -> int:
        """Distance of a state; UNREACHED for -1 and where there is no way, UNKNOWN where the budget did not do."""
        if index < 0:
            return UNREACHED
        if index not in self._known:
            self._known[index] = self._search(index)
        return self._known[index]

    def distances(self, indices: Indices) -> Distances:
        """Distances of states that may follow one another: behind an optimal move nothing is searched."""
        found = []
        for index in indices.tolist():
            found.append(self.distance(index))
            if found[-1] > 0:
                self.neighbours(index)
        return np.array(found, np.int32)

    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """Where each move of a state leads, -1 for an illegal one, and last the state itself; and their distances.

        Of a move that is not optimal it is UNKNOWN, unless something else has told.
        """
        distance = self.distance(index)
        successors, near = self.nearer(np.array([index]), distance)
        around: list[int] = successors[0].tolist()
        if distance > 0:
            self._known |= {to: distance - 1 for to, closer in zip(around, near[0].tolist(), strict=True) if closer}
        # Moves can be taken back: beside a solved state all are solved or a move away, beside a hopeless one none.
        other = {0: 1, UNREACHED: UNREACHED}.get(distance, UNKNOWN)
        distances = [UNREACHED if to < 0 else self._known.get(to, other) for to in around]
        return [*around, index], [*distances, distance]

    def nearer(self, states: Indices, distance: int) -> tuple[Indices, npt.NDArray[np.bool_]]:
        """Where the moves of states at this distance lead, and which are optimal: int64 and bool [states, moves].

        The states must be on shortest ways that a search has found.
        """
        successors = self.space.expand(states)
        distances = self.space.distances(successors.reshape(-1), self._probe).reshape(successors.shape)
        return successors, (distances == distance - 1) & (successors >= 0)

    def _search(self, index: int) -> int:
        """The distance of a state, UNKNOWN when the budget ends; keeps the nodes of all shortest ways, or the bound."""
        if self.budget.over:
            return UNKNOWN
        further = 0 if self.space.orbits is None else 1
        if self.space.shortest:
            found = self.space.shortest(index, self.budget.spend)
        else:
            nodes = self._whole.nodes(np.array([index]))
            found = shortest(self._whole.graph, nodes, self._near, self.budget.spend, self.budget.memory)
        if found.distance is None:
            self._bounds[index] = found.lower_bound + further
            return UNKNOWN
        if found.distance == UNREACHED:
            return UNREACHED
        nodes = np.concatenate([self._nodes, *found.levels])
        distances = np.repeat(np.arange(len(found.levels), dtype=np.int32), [len(level) for level in found.levels])
        self._nodes, first = np.unique(nodes, return_index=True)
        self._distances = np.concatenate([self._distances, distances])[first]
        return found.distance + further

    def _probe(self, nodes: Indices) -> Distances:
        """Distances of the nodes that lie on ways found, UNREACHED for all others."""
        distances = np.full(len(nodes), UNREACHED, np.int32)
        least = self._whole.representatives(nodes)
        known = among(least, self._nodes)
        distances[known] = self._distances[np.searchsorted(self._nodes, least[known])]
        return distances
