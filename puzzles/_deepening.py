"""Iterative deepening with patterns: exact distances where no table of the whole puzzle fits.

The search goes down every line of moves that the patterns' lower bounds do not rule out within a limit, and raises the
limit until a line reaches the goal (IDA*: R. E. Korf, Artificial Intelligence 27, 1985). The limit that succeeds is
gone through to its end, and so every state on a shortest path is met.

Only the patterns' coordinates are moved: a state is a row and a column of each pattern, and moves are tables of rows
and columns. What they make of the state is found out at the end, by playing the paths.

Glossary
    line        the moves from the state asked about to where the search is; of each state which move is next, -1 as
                long as the states after it are not known, which move led here, and the position.
    states      of each depth and each move, the state after it: of each pattern row, column and distance.
    bounds      of each state of the line and each move, how many moves there must be after it.
    left        the moves that the limit leaves.
    key         a state as one number: the nodes of the patterns that tell all states apart, in mixed radix.
    refuted     keys of states, and a number of moves in which they do not reach the goal.
    way         the states on shortest paths: key, left, and the number of the state before with the move from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles._patterns import Patterns
from puzzlebase.puzzles._puzzle import Goal, Puzzle
from puzzlebase.puzzles._space import UNREACHED, Indices, ProductForm, Shortest, Space, Spend

Array = npt.NDArray[Any]

_SLICE = 1 << 20
"""Moves looked at, in about a tenth of a second, before the search says how far it is."""

_ROOM = 1 << 14
"""States on shortest paths that there is room for to begin with."""

_REFUTED = 1 << 16
_GOLDEN = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio: multiplied by it, keys that differ little are spread over a hash table."""

_NEVER = 1 << 30
"""The bound of a state that no move leads to."""

_BLOCK_BITS = 16
_KIND_BITS = 8


class Coarser(NamedTuple):
    """A coarser puzzle with its table in memory.

    `packed` is what a table has in memory: the indices of a block, the packed distances, and of each block where it
    begins, its base and its width in bits (puzzlebase/db/blocks.py).
    """

    puzzle: Puzzle
    goal: Goal
    space: Space
    distances: Callable[[Indices], npt.NDArray[np.int32]]
    packed: tuple[int, Array, Array, Array, Array]


# What a row of the numbers `of` of a pattern says.
(
    _MOVES_AT,  # where its moves begin, and how many a row has
    _LINKS,
    _MAPS_AT,  # where its column maps begin
    _WIDTH,  # how many columns
    _NODES_AT,  # the same of the links to the nodes of its orbits
    _NODE_LINKS,
    _NODE_MAPS_AT,
    _BLOCKS_AT,  # where its blocks begin
    _ALONE,  # whether its distances lie alone
    _GROUP,
    _WEIGHT,  # what its node counts in a key
    _GOAL_ROW,
    _GOAL_COLUMN,
) = range(13)
_NUMBERS = 13


@kernel
def _read(node, at, alone, large, small, start, base, bits):  # type: ignore[no-untyped-def]
    """The distance of a node, from packed blocks of which the first is number `at`."""
    block = at + (node >> _BLOCK_BITS)
    offset = node & ((1 << _BLOCK_BITS) - 1)
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
def _slot(key, left, keys, lefts):  # type: ignore[no-untyped-def]
    """Where a state with so many moves left is in a hash table, or the empty slot where it would be."""
    last = np.uint64(keys.shape[0] - 1)
    slot = ((np.uint64(key) * np.uint64(_GOLDEN) + np.uint64(left)) * np.uint64(_GOLDEN) >> np.uint64(32)) & last
    while lefts[slot] >= 0 and (keys[slot] != key or lefts[slot] != left):
        slot = (slot + np.uint64(1)) & last
    return slot


@kernel
def _key(depth, by, states, of):  # type: ignore[no-untyped-def]
    key = np.int64(0)
    for c in range(of.shape[0]):
        node = np.int64(states[depth, by, 3 * c]) * of[c, _WIDTH] + np.int64(states[depth, by, 3 * c + 1])
        key += node * of[c, _WEIGHT]
    return key


@kernel
def _add_line(line, depth, limit, states, of, way, slots, slot_keys, slot_lefts, count):  # type: ignore[no-untyped-def]
    """Add the states of a line as far as they are new; how many there are now."""
    before = -1
    for at in range(depth + 1):
        key = _key(at, line[at, 1], states, of)
        slot = _slot(key, limit - at, slot_keys, slot_lefts)
        if slot_lefts[slot] < 0:
            slot_keys[slot], slot_lefts[slot], slots[slot] = key, limit - at, count
            way[count, 0], way[count, 1], way[count, 2] = limit - at, before, line[at, 1]
            count += 1
        before = slots[slot]
    return count


@kernel
def _node(row, column, link, c, of, moved, column_map):  # type: ignore[no-untyped-def]
    """Which node's distance bounds a state of a pattern: the state, or with orbits the one that a link leads to."""
    width = of[c, _WIDTH]
    if link < 0:
        return row * width + column
    entry = np.int64(moved[of[c, _NODES_AT] + row * of[c, _NODE_LINKS] + link])
    kind = entry & ((1 << _KIND_BITS) - 1)
    return (entry >> _KIND_BITS) * width + np.int64(column_map[of[c, _NODE_MAPS_AT] + kind * width + column])


@kernel
def _follow(line, depth, states, bounds, read, positions, follows, links, nodes, of, moved, column_map):  # type: ignore[no-untyped-def]
    """Write the states after all moves that may follow, and the nodes to read the distances of; how many moves."""
    by, position, legal = line[depth, 1], line[depth, 2], 0
    for move in range(positions.shape[1]):
        bounds[depth, move] = _NEVER
        if positions[position, move] < 0 or not follows[by, move]:
            continue
        bounds[depth, move] = 0
        legal += 1
        for c in range(links.shape[0]):
            row, column = np.int64(states[depth, by, 3 * c]), np.int64(states[depth, by, 3 * c + 1])
            link = np.int64(links[c, position, move])
            entry = np.int64(moved[of[c, _MOVES_AT] + row * of[c, _LINKS] + link]) if link >= 0 else np.int64(-1)
            read[move, c] = -1
            if entry >= 0:
                row, kind = entry >> _KIND_BITS, entry & ((1 << _KIND_BITS) - 1)
                if kind:
                    column = np.int64(column_map[of[c, _MAPS_AT] + kind * of[c, _WIDTH] + column])
                read[move, c] = _node(row, column, nodes[c, move], c, of, moved, column_map)
            states[depth + 1, move, 3 * c], states[depth + 1, move, 3 * c + 1] = row, column
            states[depth + 1, move, 3 * c + 2] = states[depth, by, 3 * c + 2]
    return legal


@kernel
def _bound(depth, states, bounds, read, nodes, of, large, small, start, base, bits):  # type: ignore[no-untyped-def]
    """Read the distances of the states after all moves, and give each its lower bound.

    None of these reads waits for another one: most are in no cache, and the processor has several under way.
    """
    for move in range(read.shape[0]):
        if bounds[depth, move] == _NEVER:
            continue
        total, group, largest = np.int64(0), np.int64(-1), np.int64(0)
        for c in range(read.shape[1]):
            if read[move, c] >= 0:
                distance = _read(read[move, c], of[c, _BLOCKS_AT], of[c, _ALONE], large, small, start, base, bits)
                states[depth + 1, move, 3 * c + 2] = distance + (nodes[c, move] >= 0)
            distance = np.int64(states[depth + 1, move, 3 * c + 2])
            total = total + distance if of[c, _GROUP] == group else distance
            group = of[c, _GROUP]
            largest = max(largest, total)
        bounds[depth, move] = largest


@kernel
def _only_goal(depth, states, bounds, of):  # type: ignore[no-untyped-def]
    """After the last move that the limit allows, rule out every state but the goal."""
    for move in range(bounds.shape[1]):
        for c in range(of.shape[0]):
            row, column = states[depth + 1, move, 3 * c], states[depth + 1, move, 3 * c + 1]
            if row != of[c, _GOAL_ROW] or column != of[c, _GOAL_COLUMN]:
                bounds[depth, move] = _NEVER


@kernel
def _deepen(limit, depth, most, line, states, bounds, read, positions, follows, links, nodes, of, moved, column_map, large, small, start, base, bits, refuted, refuted_left, way, slots, slot_keys, slot_lefts, count):  # type: ignore[no-untyped-def] # fmt: skip # noqa: E501
    """Go on with the line and with all lines after it, and add to the way every state of those that succeed.

    A state on the way is not entered again, since all that is on a shortest path behind it is on the way too; nor is
    one that is refuted. A state is entered among the refuted as soon as the search goes there: as long as it is in the
    line, the line can come to it again with fewer moves left only, and should it prove to be on the way, that is
    asked first.

    Ends after `most` moves looked at, or where the way may have no room for another line, or at depth -1 when all
    lines are done; gives the depth, the number of states on the way, and that of the moves looked at.
    """
    looked = 0
    while depth >= 0 and looked < most and count + limit < way.shape[0]:
        move, left = line[depth, 0], limit - depth - 1
        if move < 0:
            looked += _follow(
                line, depth, states, bounds, read, positions, follows, links, nodes, of, moved, column_map
            )
            if left:
                _bound(depth, states, bounds, read, nodes, of, large, small, start, base, bits)
            else:
                _only_goal(depth, states, bounds, of)
            move = 0
        while move < read.shape[0] and bounds[depth, move] > left:
            move += 1
        line[depth, 0] = move + 1
        if move == read.shape[0]:
            depth -= 1
            continue
        line[depth + 1, 0], line[depth + 1, 1], line[depth + 1, 2] = -1, move, positions[line[depth, 2], move]
        key = _key(depth + 1, move, states, of)
        spot = (np.uint64(key) * np.uint64(_GOLDEN) >> np.uint64(32)) & np.uint64(refuted.shape[0] - 1)
        if left == 0 or (count > 0 and slot_lefts[_slot(key, left, slot_keys, slot_lefts)] >= 0):
            count = _add_line(line, depth + 1, limit, states, of, way, slots, slot_keys, slot_lefts, count)
        elif refuted[spot] != key or refuted_left[spot] < left:
            refuted[spot], refuted_left[spot] = key, left
            depth += 1
    return depth, count, looked


class PatternSearch:
    """Searches to one goal with the tables of its patterns."""

    def __init__(
        self, puzzle: Puzzle, goal: Goal, space: Space, patterns: Patterns, coarser: Mapping[str, Coarser]
    ) -> None:
        self._puzzle, self._goal, self._space, self._patterns = puzzle, goal, space, patterns
        self._coarser = [coarser[pattern.puzzle] for pattern in patterns.patterns]
        self._groups = np.array([pattern.group for pattern in patterns.patterns])
        self._widths = np.array([_form(each).width for each in self._coarser])
        moves = patterns.positions.shape[1]
        none = np.full(moves, -1, np.int16)
        tables = _Tables(coarser)
        of = np.array([tables.of[pattern.puzzle] for pattern in patterns.patterns])
        of[:, _GROUP] = self._groups
        of[:, _WEIGHT] = self._weights([each.space.size for each in self._coarser])
        of[:, _GOAL_ROW], of[:, _GOAL_COLUMN] = np.divmod(self._coordinates(goal.states[0]), self._widths)
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
        """The index of a state in each of the coarser puzzles."""
        pairs = zip(self._patterns.patterns, self._coarser, strict=True)
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
        refuted, refuted_left = np.full(_REFUTED, -1, np.int64), np.zeros(_REFUTED, np.int16)
        way = _Way(_ROOM)
        line, depth, looked = self._line(text, 0), -1, 0
        while spend(looked, limit):
            if depth < 0:
                line, depth = self._line(text, limit), 0
            depth, way.count, looked = _deepen(
                limit, depth, _SLICE, *line, *self._tables, refuted, refuted_left, *way.arrays, way.count
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
        moves, patterns = self._patterns.positions.shape[1], len(self._coarser)
        line = np.zeros((limit + 1, 3), np.int32)
        line[0] = -1, moves, self._patterns.position(text)
        states = np.zeros((limit + 1, moves + 1, 3 * patterns), np.int32)
        indices = self._coordinates(text)
        states[0, moves, 0::3], states[0, moves, 1::3] = np.divmod(indices, self._widths)
        states[0, moves, 2::3] = self._distances(indices)
        return line, states, np.zeros((limit + 1, moves), np.int32), np.zeros((moves, patterns), np.int64)

    def _distances(self, indices: Indices) -> list[int]:
        """The distance of a state in each of the coarser puzzles."""
        pairs = zip(indices.tolist(), self._coarser, strict=True)
        return [int(each.distances(np.array([index]))[0]) for index, each in pairs]

    def _levels(self, index: int, limit: int, way: Array) -> tuple[Indices, ...]:
        """The indices of the way by distance, sorted: each state is where a move leads from the state before it."""
        indices = np.empty(len(way), np.int64)
        levels = []
        for left in range(limit, -1, -1):
            numbers = np.flatnonzero(way[:, 0] == left)
            if left == limit:
                indices[numbers] = index
            else:
                before, moves = way[numbers, 1], way[numbers, 2]
                indices[numbers] = self._space.expand(indices[before])[np.arange(len(numbers)), moves]
            levels.append(np.sort(indices[numbers]))
        return tuple(levels[::-1])


def _form(coarser: Coarser) -> ProductForm:
    """The moves of a coarser puzzle as tables."""
    assert coarser.space.product is not None
    return coarser.space.product()


class _Tables:
    """The tables of all coarser puzzles behind one another, and where those of each begin.

    The distances of the one that takes most stay where they are, since they may be half a gigabyte.
    """

    def __init__(self, coarser: Mapping[str, Coarser]) -> None:
        self.of: dict[str, list[int]] = {}
        self._moves, self._maps, self._small = _Joined(), _Joined(), _Joined()
        self._blocks = _Joined(), _Joined(), _Joined()
        largest = max(coarser.values(), key=lambda each: each.packed[1].nbytes)
        for name, each in coarser.items():
            self.of[name] = self._entered(each, each is largest)
        self.arrays = (
            self._moves.array,
            self._maps.array,
            largest.packed[1],
            self._small.array,
            *(some.array for some in self._blocks),
        )

    def _entered(self, coarser: Coarser, alone: bool) -> list[int]:
        size, packed, start, base, bits = coarser.packed
        assert size == 1 << _BLOCK_BITS
        assert coarser.space.connected  # what is read is a distance
        assert bits.max() <= 16
        of = [0] * _NUMBERS
        of[_ALONE] = int(alone)
        first = 0 if alone else self._small.add(packed)
        of[_BLOCKS_AT], _, _ = (
            some.add(part) for some, part in zip(self._blocks, (start + first, base, bits), strict=True)
        )
        form = _form(coarser)
        of[_WIDTH] = form.width
        of[_MOVES_AT], of[_LINKS], of[_MAPS_AT] = self._form(form)
        if coarser.space.orbits:
            of[_NODES_AT], of[_NODE_LINKS], of[_NODE_MAPS_AT] = self._form(coarser.space.orbits.nodes)
        return of

    def _form(self, form: ProductForm) -> tuple[int, int, int]:
        """Where the moves of a product form begin, how many a row has, and where its column maps begin.

        A move is the row it leads to and the kind of its column map in one number, -1 where there is none; those of one
        row lie side by side.
        """
        assert len(form.column_map) <= 1 << _KIND_BITS
        assert form.rows < 1 << (31 - _KIND_BITS)
        moved = np.where(form.row_move < 0, -1, form.row_move << _KIND_BITS | form.kind)
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
        """All of them."""
        return np.concatenate([part.reshape(-1) for _, part in self._parts]) if self._parts else np.zeros(1, np.uint8)


class _Way:
    """The states on shortest paths that were met: their numbers, and a hash table of them."""

    def __init__(self, room: int) -> None:
        self.count = 0
        slots = 1 << (2 * room).bit_length()
        self.arrays = (
            np.empty((room, 3), np.int64),
            np.empty(slots, np.int64),
            np.empty(slots, np.int64),
            np.full(slots, -1, np.int16),
        )

    @property
    def states(self) -> Array:
        """What is left of the limit at each, the number of the state before, and the move from there."""
        return self.arrays[0][: self.count]

    def wider(self) -> _Way:
        """The same with twice the room."""
        wider = _Way(2 * len(self.arrays[0]))
        wider.count = self.count
        wider.arrays[0][: self.count] = self.states
        _, slots, keys, lefts = self.arrays
        _move(slots, keys, lefts, *wider.arrays[1:])
        return wider


@kernel
def _move(slots, keys, lefts, new_slots, new_keys, new_lefts):  # type: ignore[no-untyped-def]
    """Enter what one hash table has into a larger one."""
    for old in range(keys.shape[0]):
        if lefts[old] >= 0:
            slot = _slot(keys[old], lefts[old], new_keys, new_lefts)
            new_slots[slot], new_keys[slot], new_lefts[slot] = slots[old], keys[old], lefts[old]
