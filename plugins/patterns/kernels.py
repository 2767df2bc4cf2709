"""The kernels of the search with patterns (search.py):
many states at a time, so that no read waits for another.

Some dozens of states are expanded together. For each group of patterns the processor is asked to
load the cells of all distances, and then the cells are read. The states that no group rules out are
the next level. So paths are followed in blocks, depth first.

In a pattern with rows up to symmetry, moves lead from vertex to vertex. A state's word also has the
symmetry that took the state to its vertex, and moves are renamed by it. If all pieces differ, a
state's pieces are stored as well. They give the numbers of its inverse, which is as far from
solved: another bound from the same table, before expansion.

If a pattern's distance is `left`, exactly the moves left, moves that do not change the solved
pattern cannot be last. The inverse's last move is the first move of the state, taken back. So the
inverse rules out moves from here.

Glossary
    level       the moves made since the state asked about; of each level a block of states is in
                memory.
    link        of a state in a block: the columns PARENT .. FIRST.
    state       the word, the column and the distance of each pattern, then the sum of each group's
                distances.
    word        a row and, where rows are up to symmetry, the number of a symmetry: that of the
                state to its vertex.
    child       a state of a block, by its number, and a move.
    made        the pattern of a group that a child's move changes, with its word, column and
                distance after the move.
    ends        sets of bits, one for all moves that leave the same solved patterns as they are:
                moves still possible.
    alive       the numbers of the children that no group has ruled out yet.
    solved      the first moves that begin a solution of as many moves as the limit; their paths are
                not followed on.
    code        a piece and its orientation as one number (plugins/definitions/rows.py).
    share       of a code in a place: its part of the inverse's key, in which each factor of a
                pattern has some bits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel

Array = npt.NDArray[Any]

# to count the references in named tuples took a quarter of the time of a search for a cube
MAKES_ARRAYS = False
BLOCK_BITS = 16  # of an index within its block of a table
# of what is known of a cell: the place in its byte, and the bits; the rest is the base
SHIFT_BITS, WIDTH_BITS = 3, 5

# The numbers `of` of a pattern.
# the begin of its moves, the moves of a row, and the begin of its column maps
(MOVES_AT, MOVES, MAPS_AT) = range(3)
# the same of the edges to the vertices of its orbits
(VERTICES_AT, VERTEX_MOVES, VERTEX_MAPS_AT) = range(3, 6)
(WIDTH, BLOCKS_AT) = range(6, 8)  # its columns, and the begin of its blocks
(KIND_BITS, SYMMETRY_BITS, THEN_AT) = range(8, 11)
"""A kind's bits in a move's number; a symmetry's in a word and in a kind;
the begin of the products of two symmetries.

All patterns of a group have as many bits.
"""
(ENDS, NUMBERS) = range(11, 13)  # the ends of a state `left` moves away
(SHIFT, MASK, PARTS_AT) = range(3)  # of a factor: its bits in a key, and the begin of its parts

(PARENT, BY, POSITION, FIRST, LINKS) = range(5)
"""A state's parent in the level before, the move from there,
the position, and the first move of its path.
"""

(NEXT, COUNT, LEVEL_NUMBERS) = range(3)  # of a level: the next state to expand, and the states


class PieceTables(NamedTuple):
    """The moves of pieces, and the numbers of inverses; empty if pieces are not kept."""

    source: Array
    turning: Array
    turnings: Array
    solved: Array
    share: Array  # of each pattern, which is a view
    factors: Array
    parts: Array


class PatternMoves(NamedTuple):
    """The moves of all patterns, and the blocks of their distances."""

    of: Array
    edges: Array  # [patterns, positions or symmetries, moves]
    vertices: Array  # [patterns, moves]; -1 without vertices
    groups: Array  # the first pattern of each group, and the number of patterns
    moved: Array
    column_map: Array
    block_at: Array
    block_of: Array


class SearchTables(NamedTuple):
    """All that searches to one goal read."""

    # [2 * moves + 1, positions, most]: the moves after each move, after none, after each first one
    choices: Array
    bit_of: Array  # of each move
    positions: Array
    goal: Array  # its word and its column in each pattern
    pieces: PieceTables
    patterns: PatternMoves


class PathBlocks(NamedTuple):
    """The blocks of all levels, and memory for the children of some states, as in the glossary."""

    levels: Array
    links: Array
    states: Array
    codes: Array
    child: Array
    alive: Array
    made: Array
    cells: Array  # addresses of distances
    known: Array  # of these cells
    ends: Array  # of children
    may: Array  # the ends of states expanded together


def _byte_at(address: int) -> int:
    """The byte at an address."""
    from ctypes import c_uint8

    return c_uint8.from_address(int(address)).value


def _ask_for(address: int) -> None:
    """Have the processor load an address into its cache."""


def before_compiling() -> None:
    """Tell numba the instructions that these functions are."""
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic, overload

    byte = ir.IntType(8)
    number = ir.IntType(32)
    asking = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), number, number, number])

    @intrinsic
    def load(_typing, _address):  # type: ignore[no-untyped-def]
        def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
            return builder.load(builder.inttoptr(arguments[0], byte.as_pointer()))

        return numba.uint8(numba.int64), generate

    @intrinsic
    def prefetch(_typing, _address):  # type: ignore[no-untyped-def]
        def generate(context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
            name = "llvm.prefetch.p0"
            told = builder.module.globals.get(name) or ir.Function(builder.module, asking, name)
            read, keep, data = (ir.Constant(number, value) for value in (0, 3, 1))
            builder.call(
                told, [builder.inttoptr(arguments[0], byte.as_pointer()), read, keep, data]
            )
            return context.get_dummy_value()

        return numba.void(numba.int64), generate

    @overload(_byte_at)
    def compiled_byte_at(address):  # type: ignore[no-untyped-def]  # noqa: ARG001
        return lambda address: load(address)  # type: ignore[call-arg]  # noqa: PLW0108

    @overload(_ask_for)
    def compiled_ask_for(address):  # type: ignore[no-untyped-def]  # noqa: ARG001
        return lambda address: prefetch(address)  # type: ignore[call-arg]  # noqa: PLW0108


@kernel
def _play(at, first, last, blocks, pieces):  # type: ignore[no-untyped-def]
    """Write the codes of some states of a level, from those of the states of the level before."""
    links, codes, before = blocks.links[at], blocks.codes[at], blocks.codes[at - 1]
    for node in range(first, last):
        parent, move = links[node, PARENT], links[node, BY]
        for place in range(codes.shape[1]):
            code = before[parent, pieces.source[move, place]]
            codes[node, place] = pieces.turnings[pieces.turning[move, place], code]


@kernel
def _solves(codes, move, pieces):  # type: ignore[no-untyped-def]
    for place in range(len(codes)):
        code = pieces.turnings[pieces.turning[move, place], codes[pieces.source[move, place]]]
        if code != pieces.solved[place]:
            return False
    return True


@kernel
def _inverse(view, node, codes, pieces):  # type: ignore[no-untyped-def]
    """The number of the inverse of a state in a view."""
    factors, key, index = pieces.factors, np.int64(0), np.int64(0)
    for place in range(codes.shape[1]):
        key += pieces.share[view, place, codes[node, place]]
    for k in range(len(factors)):
        index += pieces.parts[factors[k, PARTS_AT] + (key >> factors[k, SHIFT] & factors[k, MASK])]
    return index


@kernel
def _invert(at, first, last, left, margin, blocks, pieces, patterns):  # type: ignore[no-untyped-def]
    """Write the moves that may begin a solution of `left` moves of some states,
    by the distances of their inverses.
    """
    nodes, rows, columns, may = blocks.alive, blocks.cells, blocks.known, blocks.may
    codes, of, moved = blocks.codes[at], patterns.of, patterns.moved
    begin, may[: last - first] = moved.ctypes.data, -1
    for c in range(len(pieces.share)):
        count = 0
        for node in range(first, last):
            nodes[count] = node
            count += may[node - first] != 0
        for k in range(count):
            index = _inverse(c, nodes[k], codes, pieces)
            rows[k] = np.int64(np.uint64(index) // np.uint64(of[c, WIDTH]))
            columns[k] = index - rows[k] * of[c, WIDTH]
            if of[c, SYMMETRY_BITS]:
                rows[k] += of[c, VERTICES_AT]
                _ask_for(begin + 4 * rows[k])
        for k in range(count):
            row, column = rows[k], columns[k]
            if of[c, SYMMETRY_BITS]:
                entry = np.int64(moved[row])
                row, kind = entry >> of[c, KIND_BITS], entry & ((1 << of[c, KIND_BITS]) - 1)
                column = np.int64(
                    patterns.column_map[of[c, VERTEX_MAPS_AT] + kind * of[c, WIDTH] + column]
                )
            rows[k], columns[k] = _cell(
                c, row * of[c, WIDTH] + column, of, patterns.block_at, patterns.block_of
            )
            _ask_for(rows[k])
        for k in range(count):
            distance, node = _distance(rows[k], columns[k]), nodes[k] - first
            if distance >= left:
                may[node] &= of[c, ENDS] if distance == left and not margin else 0


@kernel
def _cell(c, vertex, of, block_at, block_of):  # type: ignore[no-untyped-def]
    """The address of a distance, and what is known of its cell."""
    block = of[c, BLOCKS_AT] + (vertex >> BLOCK_BITS)
    known = block_of[block]
    bit = (vertex & ((1 << BLOCK_BITS) - 1)) * (known & ((1 << WIDTH_BITS) - 1))
    return block_at[block] + (bit >> 3), known << SHIFT_BITS | (bit & 7)


@kernel
def _distance(cell, known):  # type: ignore[no-untyped-def]
    width = known >> SHIFT_BITS & ((1 << WIDTH_BITS) - 1)
    code = np.int64(_byte_at(cell))
    if width == 16:
        code |= np.int64(_byte_at(cell + 1)) << 8
    return (known >> (SHIFT_BITS + WIDTH_BITS)) + (
        code >> (known & ((1 << SHIFT_BITS) - 1)) & ((1 << width) - 1)
    )


@kernel
def _expand(at, first, last, blocks, search, solved):  # type: ignore[no-untyped-def]
    """Write the children of some states of a level,
    and ask for their moves; return the number of children.

    Behind a solved first move there are none.
    """
    links, child, choices, patterns = (
        blocks.links[at],
        blocks.child,
        search.choices,
        search.patterns,
    )
    states, edges, of = blocks.states[at], patterns.edges, patterns.of
    count, begin = 0, patterns.moved.ctypes.data
    after_first = len(search.bit_of) + 1 if at == 1 else 0
    for node in range(first, last):
        by, position = links[node, BY] + after_first, links[node, POSITION]
        before = count
        if at and solved[links[node, FIRST]]:
            continue
        for k in range(choices.shape[2]):
            move = choices[by, position, k]
            if move < 0:
                break
            child[count, 0], child[count, 1], blocks.alive[count], blocks.ends[count] = (
                node,
                move,
                count,
                -1,
            )
            count += blocks.may[node - first] >> search.bit_of[move] & 1
        if count > before:
            for c in range(len(of)):
                word, bits = np.int64(states[node, 3 * c]), of[c, SYMMETRY_BITS]
                row, of_edges = (
                    of[c, MOVES_AT] + (word >> bits) * of[c, MOVES],
                    position + (word & ((1 << bits) - 1)),
                )
                _ask_for(begin + 4 * (row + edges[c, of_edges, child[before, 1]]))
                _ask_for(begin + 4 * (row + edges[c, of_edges, child[count - 1, 1]]))
    return count


@kernel
def _move(at, group, count, blocks, patterns):  # type: ignore[no-untyped-def]
    """Make the rows of a group after the moves, and ask for the columns."""
    states, child, made, cells = blocks.states[at], blocks.child, blocks.made[group], blocks.cells
    links, of, moved = blocks.links[at], patterns.of, patterns.moved
    first, last = patterns.groups[group], patterns.groups[group + 1]
    begin, kind_bits, bits = (
        patterns.column_map.ctypes.data,
        of[first, KIND_BITS],
        of[first, SYMMETRY_BITS],
    )
    for k in range(count):
        i = blocks.alive[k]
        node, move = child[i, 0], child[i, 1]
        position = links[node, POSITION]
        c, entry = first, np.int64(-1)
        for each in range(first, last):
            word = np.int64(states[node, 3 * each])
            edge = of[each, MOVES_AT] + (word >> bits) * of[each, MOVES]
            found = np.int64(
                moved[edge + patterns.edges[each, position + (word & ((1 << bits) - 1)), move]]
            )
            c = each if found >= 0 else c
            entry = max(entry, found)
        word, kind = np.int64(states[node, 3 * c]), np.int64(0)
        if entry >= 0:
            kind = entry & ((1 << kind_bits) - 1)
            symmetry = (word << bits | kind & ((1 << bits) - 1)) & ((1 << 2 * bits) - 1)
            word = entry >> kind_bits << bits
            if bits:
                word |= moved[of[c, THEN_AT] + symmetry]
        made[i, 0], made[i, 1] = c, word
        cells[k] = of[c, MAPS_AT] + kind * of[c, WIDTH] + states[node, 3 * c + 1]
        _ask_for(begin + 4 * cells[k])


@kernel
def _turn(group, count, blocks, patterns):  # type: ignore[no-untyped-def]
    """Go on from the states of a group to the vertices of their orbits, and ask for the columns."""
    alive, made, at, row_at = blocks.alive, blocks.made[group], blocks.cells, blocks.known
    of, moved, column_map = patterns.of, patterns.moved, patterns.column_map
    begin, rows_begin = column_map.ctypes.data, moved.ctypes.data
    for k in range(count):
        i = alive[k]
        c = made[i, 0]
        made[i, 2] = column_map[at[k]]
        row = np.int64(made[i, 1]) * of[c, VERTEX_MOVES]
        row_at[k] = of[c, VERTICES_AT] + row + patterns.vertices[c, blocks.child[i, 1]]
        _ask_for(rows_begin + 4 * row_at[k])
    for k in range(count):
        i = alive[k]
        c, entry = made[i, 0], np.int64(moved[row_at[k]])
        kind = entry & ((1 << of[c, KIND_BITS]) - 1)
        row_at[k] = entry >> of[c, KIND_BITS]
        at[k] = of[c, VERTEX_MAPS_AT] + kind * of[c, WIDTH] + np.int64(made[i, 2])
        _ask_for(begin + 4 * at[k])


@kernel
def _ask(turned, group, count, blocks, patterns):  # type: ignore[no-untyped-def]
    """Ask for the cells of the distances; `known` are the rows of vertices,
    and what is known of cells afterwards.
    """
    made, cells, known, of = blocks.made[group], blocks.cells, blocks.known, patterns.of
    for k in range(count):
        i = blocks.alive[k]
        c, column = made[i, 0], np.int64(patterns.column_map[cells[k]])
        row = known[k] if turned else np.int64(made[i, 1]) >> of[c, SYMMETRY_BITS]
        if not turned:
            made[i, 2] = column
        cells[k], known[k] = _cell(
            c, row * of[c, WIDTH] + column, of, patterns.block_at, patterns.block_of
        )
        _ask_for(cells[k])


@kernel
def _weigh(turned, at, group, left, margin, count, blocks, patterns):  # type: ignore[no-untyped-def]
    """Read the distances, and keep the children that the sum of the group does not rule out;
    return their number.

    The first pattern's ends are those of children whose sum is `left`;
    children without any end are ruled out.
    """
    states, alive, made, ends, of = (
        blocks.states[at],
        blocks.alive,
        blocks.made[group],
        blocks.ends,
        patterns.of,
    )
    sums, most, remaining = 3 * len(of) + group, left - margin, 0
    last = of[patterns.groups[group], ENDS] if left and not margin else -1
    for k in range(count):
        i = alive[k]
        node, c = blocks.child[i, 0], np.int64(made[i, 0])
        distance = _distance(blocks.cells[k], blocks.known[k]) + turned
        made[i, 3] = distance
        total = np.int64(states[node, sums]) - states[node, 3 * c + 2] + distance
        alive[remaining], stays = i, total <= most
        if last != -1:
            ends[i] &= last if total == most else -1
            stays = stays and ends[i] != 0
        remaining += stays
    return remaining


@kernel
def _at_goal(at, node, i, blocks, search):  # type: ignore[no-untyped-def]
    """True if a child is at the goal in every pattern."""
    states, made, patterns = blocks.states[at], blocks.made, search.patterns
    for g in range(len(made)):
        for c in range(patterns.groups[g], patterns.groups[g + 1]):
            word, column = np.int64(states[node, 3 * c]), np.int64(states[node, 3 * c + 1])
            if made[g, i, 0] == c:
                word, column = np.int64(made[g, i, 1]), np.int64(made[g, i, 2])
            bits = patterns.of[c, SYMMETRY_BITS]
            if word >> bits != search.goal[c, 0] >> bits or column != search.goal[c, 1]:
                return False
    return True


@kernel
def _enter(to, left, count, blocks, search, solved):  # type: ignore[no-untyped-def]
    """Add the children alive to the block of the next level,
    `to`; or note the first moves of those at the goal.
    """
    levels, links, child = blocks.levels, blocks.links, blocks.child
    at, new = to - 1, levels[to, COUNT]
    for k in range(count):
        i = blocks.alive[k]
        node, move = child[i, 0], child[i, 1]
        first = np.int64(links[at, node, FIRST] if at else move)
        if left:
            _add(i, at, new, first, child, blocks.made, links, blocks.states, search.positions)
            new += 1
        elif _at_goal(at, node, i, blocks, search) and _solves(
            blocks.codes[at, node], move, search.pieces
        ):
            solved[first] = True
    levels[to, COUNT] = new


@kernel
def _add(i, at, new, first, child, made, links, states, positions):  # type: ignore[no-untyped-def]
    node, move, to, groups = child[i, 0], child[i, 1], at + 1, len(made)
    links[to, new, PARENT], links[to, new, BY], links[to, new, FIRST] = node, move, first
    links[to, new, POSITION] = positions[links[at, node, POSITION], move]
    for each in range(states.shape[2]):
        states[to, new, each] = states[at, node, each]
    for g in range(groups):
        c, sums = np.int64(made[g, i, 0]), states.shape[2] - groups + g
        states[to, new, sums] += np.int64(made[g, i, 3]) - states[to, new, 3 * c + 2]
        for each in range(3):
            states[to, new, 3 * c + each] = made[g, i, 1 + each]


@kernel
def deepen_kernel(limit, at, most, margin_from, blocks, search, solved):  # type: ignore[no-untyped-def]
    """The kernel of the search with patterns: follow the paths from level `at` on within a limit of
    moves, and note in `solved` the first moves of solutions.

    A level's block is filled until it has as many states as are expanded together, or the level
    before has no more. Then it is expanded to its end. Ends after `most` moves, or at level -1 when
    all paths are done. From so many moves left on as `margin_from` a bound has to be lower by one.
    A search with such a margin may miss solutions, but it follows far fewer paths for each it
    finds. Returns the level and the number of moves examined.
    """
    levels, block, pieces, patterns = blocks.levels, len(blocks.may), search.pieces, search.patterns
    looked = 0
    while at >= 0 and looked < most:
        if levels[at, NEXT] == levels[at, COUNT]:
            at -= 1
            continue
        to, left = at + 1, limit - at - 1
        margin, margin_before = np.int64(left >= margin_from), left + 1 >= margin_from
        levels[to, NEXT], levels[to, COUNT] = 0, 0
        while levels[at, NEXT] < levels[at, COUNT] and levels[to, COUNT] < block:
            first = levels[at, NEXT]
            last = min(first + block, levels[at, COUNT])
            levels[at, NEXT] = last
            _play(at, first, last if at else first, blocks, pieces)
            _invert(at, first, last, left + 1, margin_before, blocks, pieces, patterns)
            count = _expand(at, first, last, blocks, search, solved)
            looked += count
            for group in range(len(blocks.made)):
                turned = patterns.vertices[patterns.groups[group], 0] >= 0
                _move(at, group, count, blocks, patterns)
                if turned:
                    _turn(group, count, blocks, patterns)
                _ask(turned, group, count, blocks, patterns)
                if left or not turned:
                    count = _weigh(turned, at, group, left, margin, count, blocks, patterns)
            _enter(to, left, count, blocks, search, solved)
        if left and levels[to, COUNT]:
            at = to
    return at, looked
