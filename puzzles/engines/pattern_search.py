"""A search with patterns: exact distances where no table of the whole puzzle fits.

The search goes down every line of moves that the patterns' lower bounds do not rule out within a limit, and raises the
limit until a line reaches the goal (IDA*: R. E. Korf, Artificial Intelligence 27, 1985). The limit that succeeds is
gone through to its end, and so every state on a shortest path is met.

Only the patterns' coordinates are moved: a state is a row and a column of each pattern, and moves are tables of rows
and columns. What they make of the state is found out at the end, by playing the paths.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.patterns import Patterns
from puzzlebase.puzzles.contract.puzzle import Puzzle
from puzzlebase.puzzles.contract.space import UNREACHED, Indices, ProductForm, Shortest, Space, Spend
from puzzlebase.puzzles.engines.deepening import (
    ALONE,
    BLOCK_BITS,
    BLOCKS_AT,
    GOAL_COLUMN,
    GOAL_ROW,
    GROUP,
    KIND_BITS,
    LINKS,
    MAPS_AT,
    MOVES_AT,
    NODE_LINKS,
    NODE_MAPS_AT,
    NODES_AT,
    NUMBERS,
    WEIGHT,
    WIDTH,
    Array,
    Way,
    deepen,
)

_SLICE = 1 << 20
"""Moves looked at, in about a tenth of a second, before the search says how far it is."""

_ROOM = 1 << 14
"""States on shortest paths that there is room for to begin with."""

_TRANSPOSITIONS = 1 << 16
"""States known not to reach the goal in some number of moves: they stay in the processor's cache."""


class PatternTable(NamedTuple):
    """An abstraction with its table in memory.

    `packed` is what a table has in memory: the indices of a block, the packed distances, and of each block where it
    begins, its base and its width in bits (puzzlebase/db/blocks.py).
    """

    puzzle: Puzzle
    goal: Goal
    space: Space
    distances: Callable[[Indices], npt.NDArray[np.int32]]
    packed: tuple[int, Array, Array, Array, Array]


class PatternSearch:
    """Searches to one goal with the tables of its patterns."""

    def __init__(
        self, puzzle: Puzzle, goal: Goal, space: Space, patterns: Patterns, pattern_tables: Mapping[str, PatternTable]
    ) -> None:
        self._puzzle, self._goal, self._space, self._patterns = puzzle, goal, space, patterns
        self._pattern_tables = [pattern_tables[pattern.puzzle] for pattern in patterns.patterns]
        self._groups = np.array([pattern.group for pattern in patterns.patterns])
        self._widths = np.array([_form(each).width for each in self._pattern_tables])
        moves = patterns.positions.shape[1]
        none = np.full(moves, -1, np.int16)
        tables = _Tables(pattern_tables)
        of = np.array([tables.of[pattern.puzzle] for pattern in patterns.patterns])
        of[:, GROUP] = self._groups
        of[:, WEIGHT] = self._weights([each.space.size for each in self._pattern_tables])
        of[:, GOAL_ROW], of[:, GOAL_COLUMN] = np.divmod(self._coordinates(goal.states[0]), self._widths)
        self._tables = (
            patterns.positions,
            np.concatenate([patterns.follows, np.ones((1, moves), np.bool_)]),
            np.stack([pattern.links for pattern in patterns.patterns]),
            np.stack([none if pattern.nodes is None else pattern.nodes for pattern in patterns.patterns]),
            of,
            *tables.arrays,
        )

    def _weights(self, sizes: Sequence[int]) -> list[int]:
        """What the nodes of patterns count in a key: those of the first ones, which tell all states apart."""
        apart = self._patterns.apart
        weights = [prod(sizes[:number]) if number < apart else 0 for number in range(len(sizes))]
        assert prod(sizes[:apart]) < 1 << 63
        return weights

    def _coordinates(self, text: str) -> Indices:
        """The index of a state in each of the abstractions."""
        pairs = zip(self._patterns.patterns, self._pattern_tables, strict=True)
        return np.array([each.puzzle.index(pattern.state(text), each.goal) for pattern, each in pairs])

    def lower_bound(self, text: str) -> int:
        """The largest sum of the patterns' distances of a state; UNREACHED where one of them has none."""
        distances = np.array(self._distances(self._coordinates(text)))
        if (distances < 0).any():
            return UNREACHED
        return max(int(distances[self._groups == group].sum()) for group in self._groups)

    @np.errstate(over="ignore")  # hashes are products modulo 2^64, where kernels run as plain Python too
    def shortest(self, index: int, spend: Spend) -> Shortest:
        """What `Space.shortest` says."""
        text = self._puzzle.text(index, self._goal)
        limit = self.lower_bound(text)
        if limit < 0:
            return Shortest(UNREACHED, 0)
        if index in self._space.goal_states:
            return Shortest(0, 0, (np.array([index]),))
        limit = max(limit, 1)
        visited, visited_left = np.full(_TRANSPOSITIONS, -1, np.int64), np.zeros(_TRANSPOSITIONS, np.int16)
        way = Way(_ROOM)
        line, depth, looked = self._line(text, 0), -1, 0
        while spend(looked, limit):
            if depth < 0:
                line, depth = self._line(text, limit), 0
            depth, way.count, looked = deepen(
                limit, depth, _SLICE, *line, *self._tables, visited, visited_left, *way.arrays, way.count
            )
            if depth < 0 and way.count:
                spend(looked, limit)
                return Shortest(limit, limit, self._levels(index, limit, way.states))
            if depth < 0:
                limit += self._patterns.step
            elif looked < _SLICE:
                way = way.wider()
        return Shortest(None, limit)

    def _line(self, text: str, limit: int) -> tuple[Array, Array, Array, Array]:
        """A line that begins at a state, with room for every move of the limit.

        They are `line`, int32[limit + 1, 3], `states`, int32[limit + 1, moves + 1, 3 * patterns], `bounds`, int32[limit
        + 1, moves], and `read`, int64[moves, patterns].
        """
        moves, patterns = self._patterns.positions.shape[1], len(self._pattern_tables)
        line = np.zeros((limit + 1, 3), np.int32)
        line[0] = -1, moves, self._patterns.position(text)
        states = np.zeros((limit + 1, moves + 1, 3 * patterns), np.int32)
        indices = self._coordinates(text)
        states[0, moves, 0::3], states[0, moves, 1::3] = np.divmod(indices, self._widths)
        states[0, moves, 2::3] = self._distances(indices)
        return line, states, np.zeros((limit + 1, moves), np.int32), np.zeros((moves, patterns), np.int64)

    def _distances(self, indices: Indices) -> list[int]:
        """The distance of a state in each of the abstractions."""
        pairs = zip(indices.tolist(), self._pattern_tables, strict=True)
        return [int(each.distances(np.array([index]))[0]) for index, each in pairs]

    def _levels(self, index: int, limit: int, way: Array) -> tuple[Indices, ...]:
        """The indices of the way by distance, sorted: each state is where a move leads from the state before it."""
        indices = np.empty(len(way), np.int64)
        levels = []
        for left in range(limit, -1, -1):
            numbers = np.flatnonzero(way[:, 1] == left)
            if left == limit:
                indices[numbers] = index
            else:
                before, moves = way[numbers, 2], way[numbers, 3]
                indices[numbers] = self._space.expand(indices[before])[np.arange(len(numbers)), moves]
            levels.append(np.sort(indices[numbers]))
        return tuple(levels[::-1])


def _form(pattern: PatternTable) -> ProductForm:
    """The moves of an abstraction as tables."""
    assert pattern.space.product is not None
    return pattern.space.product()


class _Tables:
    """The tables of all abstractions behind one another, and where those of each begin.

    The distances of the one that takes most stay where they are, since they may be half a gigabyte.
    """

    def __init__(self, pattern_tables: Mapping[str, PatternTable]) -> None:
        self.of: dict[str, list[int]] = {}
        self._moves, self._maps, self._small = _Joined(), _Joined(), _Joined()
        self._blocks = _Joined(), _Joined(), _Joined()
        largest = max(pattern_tables.values(), key=lambda each: each.packed[1].nbytes)
        for name, each in pattern_tables.items():
            self.of[name] = self._entered(each, each is largest)
        self.arrays = (
            self._moves.array,
            self._maps.array,
            largest.packed[1],
            self._small.array,
            *(some.array for some in self._blocks),
        )

    def _entered(self, pattern: PatternTable, alone: bool) -> list[int]:
        size, packed, start, base, bits = pattern.packed
        assert size == 1 << BLOCK_BITS
        assert pattern.space.connected  # what is read is a distance
        assert bits.max() <= 16
        of = [0] * NUMBERS
        of[ALONE] = int(alone)
        first = 0 if alone else self._small.add(packed)
        of[BLOCKS_AT], _, _ = (
            some.add(part) for some, part in zip(self._blocks, (start + first, base, bits), strict=True)
        )
        form = _form(pattern)
        of[WIDTH] = form.width
        of[MOVES_AT], of[LINKS], of[MAPS_AT] = self._form(form)
        if pattern.space.orbits:
            of[NODES_AT], of[NODE_LINKS], of[NODE_MAPS_AT] = self._form(pattern.space.orbits.nodes)
        return of

    def _form(self, form: ProductForm) -> tuple[int, int, int]:
        """Where the moves of a product form begin, how many a row has, and where its column maps begin.

        A move is the row it leads to and the kind of its column map in one number, -1 where there is none; those of one
        row lie side by side.
        """
        assert len(form.column_map) <= 1 << KIND_BITS
        assert form.rows < 1 << (31 - KIND_BITS)
        moved = np.where(form.row_move < 0, -1, form.row_move << KIND_BITS | form.kind)
        return self._moves.add(np.ascontiguousarray(moved.T, np.int32)), form.links, self._maps.add(form.column_map)


class _Joined:
    """Arrays behind one another, each once."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, Array]] = []
        self._size = 0

    def add(self, array: Array) -> int:
        """Where an array begins."""
        for first, part in self._parts:
            if part is array:
                return first
        self._parts.append((self._size, array))
        self._size += array.size
        return self._size - array.size

    @property
    def array(self) -> Array:
        """All of them; one alone is not copied, since it may be a fifth of a gigabyte."""
        if len(self._parts) == 1:
            return self._parts[0][1].reshape(-1)
        return np.concatenate([part.reshape(-1) for _, part in self._parts]) if self._parts else np.zeros(1, np.uint8)
