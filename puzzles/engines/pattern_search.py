"""A search with patterns: exact distances where no table of the whole puzzle fits.

The search follows every path that the patterns' lower bounds allow (deepening.py). It moves coordinates alone: a state
is a row and a column of each pattern, and moves are tables of rows and columns. Playing the paths tells their states at
the end.

Glossary
    path        the states from the one asked about to the current one; for each the next move, -1 as long as the states
                after it are not known, the move that led to it, and the position.
    states      the state after each move at each depth: row, column and distance of each pattern.
    bounds      the lower bound of the moves that remain after each move at each depth.
    left        the moves that the limit leaves.
    key         a state as one number: the vertices of the patterns that tell all states apart, in mixed radix.
    visited     a transposition table: keys of states, and numbers of moves in which they do not reach the goal.
    met         the states on shortest paths: key, left, and the number of the state before with the move from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.engines import Patterns
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.puzzle import Puzzle
from puzzlebase.puzzles.contract.space import UNREACHED, Indices, ProductForm, Shortest, Space, Spend
from puzzlebase.puzzles.engines.deepening import GOLDEN, Array, PathStates, shortest_paths
from puzzlebase.puzzles.machinery.listed import slot_of

_TRANSPOSITIONS = 1 << 16  # states known not to reach the goal in some number of moves; the processor caches them
_NEVER = 1 << 30  # the bound of a state that no move leads to
BLOCK_BITS = 16  # of an index within its block
KIND_BITS = 8  # of a move's number that are the kind of its column map

# The numbers `of` of a pattern.
(MOVES_AT, MOVES, MAPS_AT) = range(3)  # the begin of its moves, the moves of a row, and the begin of its column maps
(VERTICES_AT, VERTEX_MOVES, VERTEX_MAPS_AT) = range(3, 6)  # the same of the edges to the vertices of its orbits
(WIDTH, BLOCKS_AT, ALONE) = range(6, 9)  # its columns, the begin of its blocks, and 1 if its distances lie alone
# The weight of its vertex in a key, 0 behind the patterns that tell all states apart; and so on.
(WEIGHT, GROUP, GOAL_ROW, GOAL_COLUMN, NUMBERS) = range(9, 14)


@kernel
def _read(vertex, at, alone, large, small, start, base, bits):  # type: ignore[no-untyped-def]
    """Read the distance of a vertex from packed blocks, the first of which is number `at`."""
    block = at + (vertex >> BLOCK_BITS)
    offset = vertex & ((1 << BLOCK_BITS) - 1)
    first = start[block]
    width = np.int64(bits[block])
    if width == 4:
        shift = (offset & 1) * 4
        byte = large[first + (offset >> 1)] if alone else small[first + (offset >> 1)]
        return base[block] + ((np.int64(byte) >> shift) & 15)
    if width == 8:
        return base[block] + np.int64(large[first + offset] if alone else small[first + offset])
    first += 2 * offset
    if alone:
        return base[block] + (np.int64(large[first]) | (np.int64(large[first + 1]) << 8))
    return base[block] + (np.int64(small[first]) | (np.int64(small[first + 1]) << 8))


@kernel
def _key(depth, by, states, of):  # type: ignore[no-untyped-def]
    key = np.int64(0)
    for c in range(of.shape[0]):
        vertex = np.int64(states[depth, by, 3 * c]) * of[c, WIDTH] + np.int64(states[depth, by, 3 * c + 1])
        key += vertex * of[c, WEIGHT]
    return key


@kernel
def _add_path(path, depth, limit, states, of, met, slots, count):  # type: ignore[no-untyped-def]
    """Add the new states of a path; return the number of states."""
    before = -1
    for at in range(depth + 1):
        key, left = _key(at, path[at, 1], states, of), limit - at
        slot = slot_of((key, left), met, slots)
        if slots[slot] < 0:
            slots[slot] = count
            met[count, 0], met[count, 1], met[count, 2], met[count, 3] = key, left, before, path[at, 1]
            count += 1
        before = slots[slot]
    return count


@kernel
def _vertex(row, column, edge, c, of, moved, column_map):  # type: ignore[no-untyped-def]
    """The vertex whose distance bounds a pattern's state: the state, or with orbits its neighbour along an edge."""
    width = of[c, WIDTH]
    if edge < 0:
        return row * width + column
    entry = np.int64(moved[of[c, VERTICES_AT] + row * of[c, VERTEX_MOVES] + edge])
    kind = entry & ((1 << KIND_BITS) - 1)
    return (entry >> KIND_BITS) * width + np.int64(column_map[of[c, VERTEX_MAPS_AT] + kind * width + column])


@kernel
def _follow(path, depth, states, bounds, read, positions, follows, edges, vertices, of, moved, column_map):  # type: ignore[no-untyped-def]
    """Write the states after all moves allowed next, and the vertices of their distances; return the moves."""
    by, position, legal = path[depth, 1], path[depth, 2], 0
    for move in range(positions.shape[1]):
        bounds[depth, move] = _NEVER
        if positions[position, move] < 0 or not follows[by, move]:
            continue
        bounds[depth, move] = 0
        legal += 1
        for c in range(edges.shape[0]):
            row, column = np.int64(states[depth, by, 3 * c]), np.int64(states[depth, by, 3 * c + 1])
            edge = np.int64(edges[c, position, move])
            entry = np.int64(moved[of[c, MOVES_AT] + row * of[c, MOVES] + edge]) if edge >= 0 else np.int64(-1)
            read[move, c] = -1
            if entry >= 0:
                row, kind = entry >> KIND_BITS, entry & ((1 << KIND_BITS) - 1)
                if kind:
                    column = np.int64(column_map[of[c, MAPS_AT] + kind * of[c, WIDTH] + column])
                read[move, c] = _vertex(row, column, vertices[c, move], c, of, moved, column_map)
            states[depth + 1, move, 3 * c], states[depth + 1, move, 3 * c + 1] = row, column
            states[depth + 1, move, 3 * c + 2] = states[depth, by, 3 * c + 2]
    return legal


@kernel
def _bound(depth, left, states, bounds, read, vertices, of, large, small, start, base, bits):  # type: ignore[no-untyped-def]
    """Read the distances of the states after all moves, and write their lower bounds.

    No read waits for another: most miss the cache, and several are under way. A state that one pattern rules out is not
    looked up in the next.
    """
    for move in range(read.shape[0]):
        if bounds[depth, move] == _NEVER:
            continue
        total, group, largest = np.int64(0), np.int64(-1), np.int64(0)
        for c in range(read.shape[1]):
            if read[move, c] >= 0:
                distance = _read(read[move, c], of[c, BLOCKS_AT], of[c, ALONE], large, small, start, base, bits)
                states[depth + 1, move, 3 * c + 2] = distance + (vertices[c, move] >= 0)
            distance = np.int64(states[depth + 1, move, 3 * c + 2])
            total = total + distance if of[c, GROUP] == group else distance
            group = of[c, GROUP]
            largest = max(largest, total)
            if largest > left:
                break
        bounds[depth, move] = largest


@kernel
def _only_goal(depth, states, bounds, of):  # type: ignore[no-untyped-def]
    """After the last move that the limit allows, rule out every state but the goal."""
    for move in range(bounds.shape[1]):
        for c in range(of.shape[0]):
            row, column = states[depth + 1, move, 3 * c], states[depth + 1, move, 3 * c + 1]
            if row != of[c, GOAL_ROW] or column != of[c, GOAL_COLUMN]:
                bounds[depth, move] = _NEVER


@kernel
def _deepen(limit, depth, most, path, states, bounds, read, positions, follows, edges, vertices, of, moved, column_map, large, small, start, base, bits, visited, visited_left, met, slots, count):  # type: ignore[no-untyped-def] # fmt: skip # noqa: E501
    """Go on with the path and with all paths after it, and add every state of those that succeed to `met`.

    A state in `met` is not entered again, since `met` has all shortest paths behind it; nor is one that the table has
    with as many moves left. The table takes a state at entry: a path returns to it with fewer moves left only, and
    `met` is asked first.

    Ends after `most` moves, where `met` may be too short for another path, or at depth -1 when all paths are done.
    Returns the depth and the numbers of states met and of moves examined.
    """
    looked = 0
    while depth >= 0 and looked < most and count + limit < met.shape[0]:
        move, left = path[depth, 0], limit - depth - 1
        if move < 0:
            looked += _follow(
                path, depth, states, bounds, read, positions, follows, edges, vertices, of, moved, column_map
            )
            if left:
                _bound(depth, left, states, bounds, read, vertices, of, large, small, start, base, bits)
            else:
                _only_goal(depth, states, bounds, of)
            move = 0
        while move < read.shape[0] and bounds[depth, move] > left:
            move += 1
        path[depth, 0] = move + 1
        if move == read.shape[0]:
            depth -= 1
            continue
        path[depth + 1, 0], path[depth + 1, 1], path[depth + 1, 2] = -1, move, positions[path[depth, 2], move]
        key = _key(depth + 1, move, states, of)
        spot = (np.uint64(key) * np.uint64(GOLDEN) >> np.uint64(32)) & np.uint64(visited.shape[0] - 1)
        if left == 0 or (count > 0 and slots[slot_of((key, left), met, slots)] >= 0):
            count = _add_path(path, depth + 1, limit, states, of, met, slots, count)
        elif visited[spot] != key or visited_left[spot] < left:
            visited[spot], visited_left[spot] = key, left
            depth += 1
    return depth, count, looked


class PatternTable(NamedTuple):
    """An abstraction with its table in memory."""

    puzzle: Puzzle
    goal: Goal
    space: Space
    distances: Callable[[Indices], npt.NDArray[np.int32]]
    packed: tuple[int, Array, Array, Array, Array]
    """Indices of a block, packed distances, and the begin, base and width in bits of each block (db/blocks.py)."""


_Path = tuple[Array, Array, Array, Array]
"""`path`, `states`, `bounds` and the vertices to read, for kernels."""


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
        sizes = [each.space.size for each in self._pattern_tables[: patterns.apart]]
        assert prod(sizes) < 1 << 63
        of[: patterns.apart, WEIGHT] = [prod(sizes[:number]) for number in range(patterns.apart)]
        of[:, GOAL_ROW], of[:, GOAL_COLUMN] = np.divmod(self._located(goal.states[0])[0], self._widths)
        self._tables = (
            patterns.positions,
            np.concatenate([patterns.follows, np.ones((1, moves), np.bool_)]),
            np.stack([pattern.edges for pattern in patterns.patterns]),
            np.stack([none if pattern.vertices is None else pattern.vertices for pattern in patterns.patterns]),
            of,
            *tables.arrays,
        )

    def lower_bound(self, text: str) -> int:
        """The largest sum of the patterns' distances; UNREACHED where one of them has none."""
        _, distances = self._located(text)
        if (distances < 0).any():
            return UNREACHED
        return max(int(distances[self._groups == group].sum()) for group in self._groups)

    @np.errstate(over="ignore")  # hashes are products modulo 2^64, where kernels run as plain Python too
    def shortest(self, index: int, spend: Spend) -> Shortest:
        """As `Space.shortest`."""
        text = self._puzzle.text(index, self._goal)
        limit = self.lower_bound(text)
        if limit < 0:
            return Shortest(UNREACHED, 0)
        if index in self._space.goal_states:
            return Shortest(0, 0, (np.array([index]),))
        visited, visited_left = np.full(_TRANSPOSITIONS, -1, np.int64), np.zeros(_TRANSPOSITIONS, np.int16)

        def go_on(limit: int, path: _Path, depth: int, most: int, met: PathStates) -> tuple[int, int, int]:
            found: tuple[int, int, int] = _deepen(
                limit, depth, most, *path, *self._tables, visited, visited_left, *met.arrays, met.count
            )
            return found

        step, begin, levels = self._patterns.step, partial(self._path, text), partial(self._levels, index)
        return shortest_paths(max(limit, 1), step, (4, 2), begin, go_on, levels, spend)

    def _path(self, text: str, limit: int) -> _Path:
        """Begin a path at a state, long enough for every move of the limit.

        Its arrays are int32[limit + 1, 3], int32[limit + 1, moves + 1, 3 * patterns], int32[limit + 1, moves] and
        int64[moves, patterns].
        """
        moves, patterns = self._patterns.positions.shape[1], len(self._pattern_tables)
        path = np.zeros((limit + 1, 3), np.int32)
        path[0] = -1, moves, self._patterns.position(text)
        states = np.zeros((limit + 1, moves + 1, 3 * patterns), np.int32)
        indices, states[0, moves, 2::3] = self._located(text)
        states[0, moves, 0::3], states[0, moves, 1::3] = np.divmod(indices, self._widths)
        return path, states, np.zeros((limit + 1, moves), np.int32), np.zeros((moves, patterns), np.int64)

    def _located(self, text: str) -> tuple[Indices, npt.NDArray[np.int32]]:
        """The index and the distance of a state in each abstraction."""
        pairs = [*zip(self._patterns.patterns, self._pattern_tables, strict=True)]
        indices = [np.array([each.puzzle.index(pattern.state(text), each.goal)]) for pattern, each in pairs]
        distances = [each.distances(index) for index, (_, each) in zip(indices, pairs, strict=True)]
        return np.concatenate(indices), np.concatenate(distances)

    def _levels(self, index: int, limit: int, met: Array) -> tuple[Indices, ...]:
        """The indices of the states met, sorted, by distance: moves lead to each from the state before it."""
        indices = np.empty(len(met), np.int64)
        levels = []
        for left in range(limit, -1, -1):
            numbers = np.flatnonzero(met[:, 1] == left)
            if left == limit:
                indices[numbers] = index
            else:
                before, moves = met[numbers, 2], met[numbers, 3]
                indices[numbers] = self._space.expand(indices[before])[np.arange(len(numbers)), moves]
            levels.append(np.sort(indices[numbers]))
        return tuple(levels[::-1])


def _form(pattern: PatternTable) -> ProductForm:
    """The moves of an abstraction as tables."""
    assert pattern.space.product is not None
    return pattern.space.product()


class _Tables:
    """The tables of all abstractions behind one another, and the numbers `of` each.

    The largest table's distances are not copied, since they may be half a gigabyte.
    """

    def __init__(self, pattern_tables: Mapping[str, PatternTable]) -> None:
        self.of: dict[str, list[int]] = {}
        self._moves, self._maps, self._small, *self._blocks = (_JoinedArrays() for _ in range(6))
        largest = max(pattern_tables.values(), key=lambda each: each.packed[1].nbytes)
        for name, each in pattern_tables.items():
            self.of[name] = self._entered(each, each is largest)
        blocks = (some.array for some in self._blocks)
        self.arrays = self._moves.array, self._maps.array, largest.packed[1], self._small.array, *blocks

    def _entered(self, pattern: PatternTable, alone: bool) -> list[int]:
        size, packed, start, base, bits = pattern.packed
        assert size == 1 << BLOCK_BITS
        assert pattern.space.connected  # what is read is a distance
        assert bits.max() <= 16
        of = [0] * NUMBERS
        of[ALONE] = int(alone)
        first = 0 if alone else self._small.add(packed)
        of[BLOCKS_AT], *_ = map(_JoinedArrays.add, self._blocks, (start + first, base, bits))
        form = _form(pattern)
        of[WIDTH] = form.width
        of[MOVES_AT : MAPS_AT + 1] = self._form(form)
        if pattern.space.orbits:
            of[VERTICES_AT : VERTEX_MAPS_AT + 1] = self._form(pattern.space.orbits.vertices)
        return of

    def _form(self, form: ProductForm) -> tuple[int, int, int]:
        """Add a product form: the begin of its moves, the moves of a row, and the begin of its column maps.

        A move is its target row and the kind of its column map in one number, -1 where there is none; the moves of a
        row lie side by side.
        """
        assert len(form.column_map) <= 1 << KIND_BITS
        assert form.rows < 1 << (31 - KIND_BITS)
        moved = np.where(form.row_move < 0, -1, form.row_move << KIND_BITS | form.kind)
        return self._moves.add(np.ascontiguousarray(moved.T, np.int32)), form.edges, self._maps.add(form.column_map)


class _JoinedArrays:
    """Arrays behind one another, each once."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, Array]] = []
        self._size = 0

    def add(self, array: Array) -> int:
        """Add an array, and return its begin."""
        for first, part in self._parts:
            if part is array:
                return first
        self._parts.append((self._size, array))
        self._size += array.size
        return self._size - array.size

    @property
    def array(self) -> Array:
        """All arrays as one; a single one is not copied, since it may be a fifth of a gigabyte."""
        if len(self._parts) == 1:
            return self._parts[0][1].reshape(-1)
        return np.concatenate([part.reshape(-1) for _, part in self._parts]) if self._parts else np.zeros(1, np.uint8)
