"""A search as a source of distances, which finds them on request if there is no table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from puzzlebase import hooks
from puzzlebase.db.layers import LayersFile
from puzzlebase.db.table import Table
from puzzlebase.puzzles import Goal, Graph, GraphSearch, NoSpace, PatternDatabases, Puzzle, find
from puzzlebase.puzzles.contract.errors import no_way_back
from puzzlebase.puzzles.contract.space import (
    STATES,
    Distances,
    Indices,
    SearchGraph,
    Shortest,
    Space,
    Spend,
)
from puzzlebase.puzzles.machinery.spaces import arrays_of_spaces
from puzzlebase.sentinels import NOT_FOLLOWED, UNKNOWN, UNREACHED
from puzzlebase.service.sources.bidirectional import OneWayMoves, bidirectional_search
from puzzlebase.service.sources.budget import NO_DEADLINE, Budget
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.forward import forward_search
from puzzlebase.service.sources.source import Origin, ShortestPaths
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable, table_source_index
from puzzlebase.sorted_arrays import is_among

# bytes of a search with patterns: one path, and half a million states on shortest ones
_WITH_PATTERNS = 1 << 26


@dataclass(frozen=True)
class Searchable:
    """The data that all searches to one goal share: their graph, and the goal's first layers in it.

    `shortest` searches with the tables of patterns,
    or is the puzzle's own. If the space grows, each answer makes one.
    """

    puzzle: Puzzle
    goal: Goal
    space: Space
    search_graph: SearchGraph
    goal_layers: Sequence[Indices]
    patterns: Mapping[str, OpenTable] = field(default_factory=dict)
    shortest: Callable[..., Shortest] | None = None  # as that of GraphSearch

    @classmethod
    def of(
        cls,
        puzzle: Puzzle,
        goal: Goal,
        stored: LayersFile | None,
        former: Searchable | None = None,
        patterns: Mapping[str, OpenTable] | None = None,
    ) -> Searchable:
        """Prepare searches; `former` lends its space if its tables are the same.
        Raises DamagedTable and NoSpace.
        """
        patterns = patterns or {}
        if former and (former.goal.key, *map(id, former.patterns.values())) != (
            goal.key,
            *map(id, patterns.values()),
        ):
            former = None  # a table was built or replaced, or a definition changed
        space = former.space if former else _space(puzzle, goal)
        search = former.shortest if former else _special(puzzle, goal, patterns)
        space = replace(space, storage=STATES if search else space.storage.of_searches)
        search_graph = former.search_graph if former else space.searched()
        graph = search_graph.graph
        layers = stored.layers if stored else [graph.goal_states]
        if stored and (
            stored.info.stored_size != graph.size
            or layers[0].tolist() != graph.goal_states.tolist()
        ):
            raise stored.damaged("is from another version")
        return cls(puzzle, goal, space, search_graph, layers, patterns, search)

    @classmethod
    def in_folder(
        cls, sources: Sources, puzzle: Puzzle, goal: Goal, former: Searchable | None = None
    ) -> Searchable:
        """Prepare searches with the layers and the patterns' tables in the folder.
        Raises as `of` does.
        """
        folder = sources.folder
        layers, stored = folder.layers.find(puzzle, goal), tables_of_search(folder, puzzle, goal)
        patterns = {table.info.puzzle: sources.table(table.info.puzzle) for table in stored}
        # a line of the log says why
        if not all(pattern.table.load().in_memory for pattern in patterns.values()):
            patterns = {}
        with folder.numbering():
            return cls.of(puzzle, goal, layers, former, patterns)

    def memory(self, most: int) -> int:
        """The bytes to reserve for a search that may hold `most`;
        with patterns it needs few beside their tables.
        """
        return min(most, _WITH_PATTERNS) if self.patterns else most

    @cached_property
    def nbytes(self) -> int:
        """Bytes of the arrays that searches need beside the space, layers and tables."""
        shared = {*map(id, arrays_of_spaces(self.space, self.patterns))}
        own = arrays_of_spaces(self.search_graph, self.shortest, self.goal)
        return sum(array.nbytes for array in own if id(array) not in shared)


def tables_of_search(folder: Folder, puzzle: Puzzle, goal: Goal) -> list[Table]:
    """The tables of patterns of a puzzle's search, if all exist. Raises DamagedTable."""
    patterns = map(find, puzzle.pattern_names(goal))
    found = [folder.tables.find(pattern, pattern.goal()) for pattern in patterns]
    return [table for table in found if table] if all(found) else []


def _growing(puzzle: Puzzle, goal: Goal, memory: int | None) -> Space:
    """Make a space that grows up to a number of bytes;
    raises NoSpace, and ImpossibleState for a goal out of reach.
    """
    grown = puzzle.index_side and puzzle.index_side.on_the_fly
    return grown(goal, memory) if grown else puzzle.space(goal)  # which raises


def _space(puzzle: Puzzle, goal: Goal) -> Space:
    try:
        return puzzle.space(goal)
    except NoSpace:
        return _growing(puzzle, goal, None)


def _special(
    puzzle: Puzzle, goal: Goal, tables: Mapping[str, OpenTable]
) -> Callable[..., Shortest] | None:
    """The search with the tables of a goal's patterns,
    or else the puzzle's own, if there is one.
    """
    engine = puzzle.engine(PatternDatabases)
    patterns = engine.patterns(goal) if engine and tables else None
    search = hooks.find("searches", engine.kind) if engine and patterns else None
    found: Callable[..., Shortest] | None = (
        search and search(puzzle, goal, patterns, tables).shortest
    )
    own = puzzle.engine(GraphSearch)
    return found or (own.shortest if own else None)


_AT_ONCE = 1 << 18  # states: a large search that no one waits for, and a second at most
# of the memory of a search in a space that grows, for the space; the rest is for layers
_GROWN_SHARE = 3 / 4


def _paths(
    graph: Graph, starts: Indices, goal_layers: Sequence[Indices], spend: Spend, memory: int
) -> Shortest:
    """Search from some vertices: from both ends,
    if edges are closed under inversion. Raises OneWayMoves.
    """
    if graph.directed:
        return forward_search(graph, starts, spend, memory)
    return bidirectional_search(graph, starts, goal_layers, spend, memory)


class _Known:
    """All that the searches of one answer have found.

    - `distances` has, of each state that was searched for and of many beside these, the distance,
      UNREACHED, or UNKNOWN if the search was given up. A state at a distance is there only with all
      its shortest paths, or with patterns only with the beginnings of these paths, the state and
      its optimal successors.
    - `lower_bounds` has what is proven of a state that is UNKNOWN; without an entry it is only
      known to be no goal.
    - `_vertices` are those of the known paths in the search graph, sorted and each once, and
      `_levels` their distances there. A vertex that is not among them may be at any distance.
    """

    def __init__(self, goal_states: Indices, representatives: Callable[[Indices], Indices]) -> None:
        self.distances: dict[int, int] = dict.fromkeys(goal_states.tolist(), 0)
        self.lower_bounds: dict[int, int] = {}
        self._representatives = representatives
        self._vertices = np.empty(0, np.int64)
        self._levels = np.empty(0, np.int32)

    def add_paths(self, found: Shortest) -> None:
        """Add the vertices of a state's shortest paths."""
        vertices = np.concatenate([self._vertices, *found.levels])
        levels = np.repeat(
            np.arange(len(found.levels), dtype=np.int32), [len(level) for level in found.levels]
        )
        self._vertices, at = np.unique(vertices, return_index=True)
        self._levels = np.concatenate([self._levels, levels])[at]

    def probe(self, vertices: Indices) -> Distances:
        """Distances of the vertices on these paths, UNREACHED for all others."""
        distances = np.full(len(vertices), UNREACHED, np.int32)
        representatives = self._representatives(vertices)
        known = is_among(representatives, self._vertices)
        distances[known] = self._levels[np.searchsorted(self._vertices, representatives[known])]
        return distances


class OpenSearch(ShortestPaths):
    """The searches of one answer, on one budget. Each uses the results of those before it."""

    origin = Origin("search", "search")
    deadline = NO_DEADLINE  # the budget ends a search
    space: Space

    def __init__(self, searchable: Searchable, budget: Budget) -> None:
        self._searchable, self._shortest = searchable, searchable.shortest
        if searchable.space.grows:
            searchable = Searchable.of(searchable.puzzle, searchable.goal, None)
        self.puzzle, self.goal, self.space = searchable.puzzle, searchable.goal, searchable.space
        self.budget = budget
        self._search_graph, self._goal_layers = searchable.search_graph, searchable.goal_layers
        self._known = _Known(self.space.goal_states, self._search_graph.representatives)

    def index(self, text: str) -> int:
        """The index of a state, as by `Source.index`."""
        return table_source_index(self.puzzle, self.space, text)

    def lower_bound(self, index: int) -> int:
        """The proven lower bound of a state whose distance is UNKNOWN."""
        return self._known.lower_bounds.get(index, 1)  # a goal state needs no search

    def fast_distance(self, index: int) -> int:
        """The distance, if it takes patterns or few states;
        all such searches of an answer share these states.
        """
        if not self._searchable.patterns:
            self.budget.end_after(_AT_ONCE)
        return self.distance(index)

    def distance(self, index: int) -> int:
        """The distance of a state; UNKNOWN if the budget ended,
        UNREACHED for -1 and if it cannot reach the goal.
        """
        if index < 0:
            return UNKNOWN if index == NOT_FOLLOWED else UNREACHED
        known = self._known
        if index not in known.distances:
            known.distances[index] = self._search(index)
        return known.distances[index]

    def distances_of(self, indices: Sequence[int], *, along: bool = False) -> list[int]:  # noqa: ARG002
        """Distances of states. Those after an optimal move,
        or after any move of a lost state, need no search.
        """
        found: list[int] = []
        for number, index in enumerate(indices):
            if number and (found[-1] > 0 or (found[-1] == UNREACHED and self.one_way)):
                self.neighbours(indices[number - 1])
            found.append(self.distance(index))
        return found

    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """The neighbours of a state, as by `Source.neighbours`;
        except after optimal moves most are UNKNOWN.
        """
        distance = self.distance(index)
        rows, optimal = self.optimal_successors(np.array([max(index, -1)]), distance)
        successors: list[int] = rows[0].tolist()
        known = {}
        if distance > 0:
            nearer = zip(successors, optimal[0].tolist(), strict=True)
            known = {to: distance - 1 for to, is_optimal in nearer if is_optimal}
        elif distance == UNREACHED:
            known = {to: UNREACHED for to in successors if to >= 0}
        if not self._searchable.patterns:
            self._known.distances |= known
        # A neighbour of a state that cannot reach the goal cannot either. If moves can be taken
        # back, a neighbour of a goal state is a goal state or one move away.
        otherwise = {0: UNKNOWN if self.of_game else 1, UNREACHED: UNREACHED}.get(distance, UNKNOWN)
        known = self._known.distances | known
        distances = [UNREACHED if to < 0 else known.get(to, otherwise) for to in successors]
        return [*successors, index], [*distances, distance]

    def optimal_successors(
        self, states: Indices, distance: int
    ) -> tuple[Indices, npt.NDArray[np.bool_]]:
        """The successors, as by `ShortestPaths.optimal_successors`, of states on shortest paths."""
        given_up = False
        if self._searchable.patterns:  # a search finds only the first moves of each state
            given_up = UNKNOWN in map(self.distance, states.tolist())
        successors = self.space.expand(states)
        distances = self.space.distances(successors.reshape(-1), self._known.probe).reshape(
            successors.shape
        )
        optimal = (distances == distance - 1) & (successors >= 0)
        if distance > 0 and not (led := optimal.any(axis=1)).all() and not given_up:
            raise self._no_way_back(
                states[np.argmin(led)], "none leads on from {!r}, on a path that a search found"
            )
        return successors, optimal

    def optimal_count(self, index: int, distance: int) -> int | None:
        """The number of shortest solutions,
        as by `ShortestPaths.optimal_count`; None if the budget ends before.
        """
        count = super().optimal_count(index, distance)
        return None if UNKNOWN in self._known.distances.values() else count

    def _no_way_back(self, index: int, what: str) -> NoSpace:
        return no_way_back(
            self.puzzle.name,
            what.format(self.puzzle.format(self.space.unrank(np.array([index]))[0])),
        )

    def _search(self, index: int) -> int:
        """Search for a state's distance;
        note the vertices of its shortest paths, or its bound if it is UNKNOWN.
        """
        if self.budget.over:
            return UNKNOWN
        edges_from_state = self.space.storage.offset
        spend = self.budget.spend
        if self._shortest:
            least = int(self._known.probe(np.array([index]))[0])
            found = self._shortest(self.space, index, spend, least=least)
        elif self.space.grows:
            found = self._grown(index, spend)
        else:
            graph, vertices = (
                self._search_graph.graph,
                self._search_graph.vertices(np.array([index])),
            )
            try:
                found = _paths(graph, vertices, self._goal_layers, spend, self.budget.memory)
            except OneWayMoves as shown:
                raise self._no_way_back(index, str(shown)) from None
        if found.distance is None:
            self._known.lower_bounds[index] = found.lower_bound + edges_from_state
            return UNKNOWN
        if found.distance == UNREACHED:
            return UNREACHED
        self._known.add_paths(found)
        return found.distance + edges_from_state

    def _grown(self, index: int, spend: Spend) -> Shortest:
        """Search in a new space, which is dropped;
        translate the shortest paths into the space of this answer.
        """
        board, memory = self.space.unrank(np.array([index])), self.budget.memory
        space = _growing(self.puzzle, self.goal, int(memory * _GROWN_SHARE))
        graph = space.searched().graph
        found = _paths(
            graph, space.rank(board), [graph.goal_states], spend, int(memory * (1 - _GROWN_SHARE))
        )
        levels = [np.sort(self.space.rank(space.unrank(level))) for level in found.levels]
        return found._replace(levels=tuple(levels))
