"""Iterative deepening over the states of patterns: the compiled part of `PatternSearch`.

Glossary
    line        the moves from the state asked about to where the search is; of each state which move is next, -1 as
                long as the states after it are not known, which move led here, and the position.
    states      of each depth and each move, the state after it: of each pattern row, column and distance.
    bounds      of each state of the line and each move, how many moves there must be after it.
    left        the moves that the limit leaves.
    key         a state as one number: the nodes of the patterns that tell all states apart, in mixed radix.
    visited     a transposition table: keys of states, and moves in which they do not reach the goal.
    way         the states on shortest paths: key, left, and the number of the state before with the move from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.machinery.listed import fill, slot_of

Array = npt.NDArray[Any]

_GOLDEN = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio: multiplied by it, keys that differ little are spread over a hash table."""

_NEVER = 1 << 30
"""The bound of a state that no move leads to."""

BLOCK_BITS = 16  # of an index within its block
KIND_BITS = 8  # of a move's number that are the kind of its column map


# What a row of the numbers `of` of a pattern says.
(
    MOVES_AT,  # where its moves begin, and how many a row has
    LINKS,
    MAPS_AT,  # where its column maps begin
    WIDTH,  # how many columns
    NODES_AT,  # the same of the links to the nodes of its orbits
    NODE_LINKS,
    NODE_MAPS_AT,
    BLOCKS_AT,  # where its blocks begin
    ALONE,  # whether its distances lie alone
    GROUP,
    WEIGHT,  # what its node counts in a key
    GOAL_ROW,
    GOAL_COLUMN,
    NUMBERS,
) = range(14)


@kernel
def _read(node, at, alone, large, small, start, base, bits):  # type: ignore[no-untyped-def]
    """The distance of a node, from packed blocks of which the first is number `at`."""
    block = at + (node >> BLOCK_BITS)
    offset = node & ((1 << BLOCK_BITS) - 1)
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
        node = np.int64(states[depth, by, 3 * c]) * of[c, WIDTH] + np.int64(states[depth, by, 3 * c + 1])
        key += node * of[c, WEIGHT]
    return key


@kernel
def _add_line(line, depth, limit, states, of, way, slots, count):  # type: ignore[no-untyped-def]
    """Add the states of a line as far as they are new; how many there are now."""
    before = -1
    for at in range(depth + 1):
        key, left = _key(at, line[at, 1], states, of), limit - at
        slot = slot_of((key, left), way, slots)
        if slots[slot] < 0:
            slots[slot] = count
            way[count, 0], way[count, 1], way[count, 2], way[count, 3] = key, left, before, line[at, 1]
            count += 1
        before = slots[slot]
    return count


@kernel
def _node(row, column, link, c, of, moved, column_map):  # type: ignore[no-untyped-def]
    """Which node's distance bounds a state of a pattern: the state, or with orbits the one that a link leads to."""
    width = of[c, WIDTH]
    if link < 0:
        return row * width + column
    entry = np.int64(moved[of[c, NODES_AT] + row * of[c, NODE_LINKS] + link])
    kind = entry & ((1 << KIND_BITS) - 1)
    return (entry >> KIND_BITS) * width + np.int64(column_map[of[c, NODE_MAPS_AT] + kind * width + column])


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
            entry = np.int64(moved[of[c, MOVES_AT] + row * of[c, LINKS] + link]) if link >= 0 else np.int64(-1)
            read[move, c] = -1
            if entry >= 0:
                row, kind = entry >> KIND_BITS, entry & ((1 << KIND_BITS) - 1)
                if kind:
                    column = np.int64(column_map[of[c, MAPS_AT] + kind * of[c, WIDTH] + column])
                read[move, c] = _node(row, column, nodes[c, move], c, of, moved, column_map)
            states[depth + 1, move, 3 * c], states[depth + 1, move, 3 * c + 1] = row, column
            states[depth + 1, move, 3 * c + 2] = states[depth, by, 3 * c + 2]
    return legal


@kernel
def _bound(depth, left, states, bounds, read, nodes, of, large, small, start, base, bits):  # type: ignore[no-untyped-def]
    """Read the distances of the states after all moves, and give each its lower bound.

    None of these reads waits for another one: most are in no cache, and the processor has several under way. A state
    that is ruled out by one pattern is not looked up in the next.
    """
    for move in range(read.shape[0]):
        if bounds[depth, move] == _NEVER:
            continue
        total, group, largest = np.int64(0), np.int64(-1), np.int64(0)
        for c in range(read.shape[1]):
            if read[move, c] >= 0:
                distance = _read(read[move, c], of[c, BLOCKS_AT], of[c, ALONE], large, small, start, base, bits)
                states[depth + 1, move, 3 * c + 2] = distance + (nodes[c, move] >= 0)
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
def deepen(limit, depth, most, line, states, bounds, read, positions, follows, links, nodes, of, moved, column_map, large, small, start, base, bits, visited, visited_left, way, slots, count):  # type: ignore[no-untyped-def] # fmt: skip # noqa: E501
    """Go on with the line and with all lines after it, and add to the way every state of those that succeed.

    A state on the way is not entered again, since all that is on a shortest path behind it is on the way too; nor is
    one that the table has with as many moves. A state is entered as soon as the search goes there: as long as it is in
    the line, the line can come to it again with fewer moves left only, and should it prove to be on the way, that is
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
                _bound(depth, left, states, bounds, read, nodes, of, large, small, start, base, bits)
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
        spot = (np.uint64(key) * np.uint64(_GOLDEN) >> np.uint64(32)) & np.uint64(visited.shape[0] - 1)
        if left == 0 or (count > 0 and slots[slot_of((key, left), way, slots)] >= 0):
            count = _add_line(line, depth + 1, limit, states, of, way, slots, count)
        elif visited[spot] != key or visited_left[spot] < left:
            visited[spot], visited_left[spot] = key, left
            depth += 1
    return depth, count, looked


class Way:
    """The states on shortest paths that were met: `arrays` are what `deepen` writes, the states and their slots."""

    def __init__(self, room: int) -> None:
        self.count = 0
        self.arrays = np.empty((room, 4), np.int64), np.full(1 << (2 * room).bit_length(), -1, np.int32)

    @property
    def states(self) -> Array:
        """Key, what is left of the limit, the number of the state before, and the move from there: int64[states, 4]."""
        return self.arrays[0][: self.count]

    def wider(self) -> Way:
        """The same with twice the room."""
        wider = Way(2 * len(self.arrays[0]))
        wider.count = self.count
        wider.states[:] = self.states
        fill(wider.states[:, :2], wider.arrays[1])
        return wider
