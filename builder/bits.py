"""Kernels on layers as bit sets: uint64[rows, words],
vertex row * width + column at bit `column` of its row.

The search by rows keeps three of them: the last layer, the layer being found, and all vertices
reached. A thread owns the rows it writes, so nothing is locked and no update is lost. Only
`reached` has bits set after the last column.

Bits move to the columns of a row by whole words if a column map allows it, else by some bits of a
word, which stay in their order, or one by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel

# processors that move bits faster one by one than gathered and spread
_SLOW = ("znver1", "znver2", "bdver4")


def gather_bits(word: np.uint64, mask: np.uint64) -> np.uint64:
    """The bits of a word where a mask is set, side by side from the lowest bit on."""
    found, to = 0, 0
    for bit in range(64):
        if int(mask) >> bit & 1:
            found |= (int(word) >> bit & 1) << to
            to += 1
    return np.uint64(found)


def spread_bits(word: np.uint64, mask: np.uint64) -> np.uint64:
    """The lowest bits of a word, put where a mask is set."""
    found, at = 0, 0
    for bit in range(64):
        if int(mask) >> bit & 1:
            found |= (int(word) >> at & 1) << bit
            at += 1
    return np.uint64(found)


def gathers_bits_fast() -> bool:
    """True if `gather_bits` and `spread_bits` are fast instructions here:
    on x86 processors, except those in _SLOW.
    """
    from llvmlite import binding  # noqa: PLC0415

    return (
        binding.get_host_cpu_features().get("bmi2", False)
        and binding.get_host_cpu_name() not in _SLOW
    )


def _of_word_and_mask(name: str) -> Any:
    """An instruction of LLVM that makes a word of a word and a mask, as numba calls it."""
    import numba  # noqa: PLC0415 -- this takes a fraction of a second, which only builds have to spend
    from llvmlite import ir  # noqa: PLC0415
    from numba.extending import intrinsic  # noqa: PLC0415

    kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64)] * 2)

    @intrinsic
    def instruction(_typing, _word, _mask):  # type: ignore[no-untyped-def]
        def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
            return builder.call(
                builder.module.globals.get(name) or ir.Function(builder.module, kind, name),
                arguments,
            )

        return numba.uint64(numba.uint64, numba.uint64), generate

    return instruction


def before_compiling() -> None:
    """Tell numba the instructions that these functions are."""
    from numba.extending import overload  # noqa: PLC0415

    pext, pdep = (
        _of_word_and_mask("llvm.x86.bmi.pext.64"),
        _of_word_and_mask("llvm.x86.bmi.pdep.64"),
    )

    @overload(gather_bits)
    def compiled_gathered(word, mask):  # type: ignore[no-untyped-def]  # noqa: ARG001 (numba wants the same names)
        return (lambda word, mask: pext(word, mask)) if gathers_bits_fast() else gather_bits  # noqa: PLW0108

    @overload(spread_bits)
    def compiled_spread(word, mask):  # type: ignore[no-untyped-def]  # noqa: ARG001
        return (lambda word, mask: pdep(word, mask)) if gathers_bits_fast() else spread_bits  # noqa: PLW0108


@kernel
def count_bits(word):  # type: ignore[no-untyped-def]
    """The number of bits that are set; the compiler makes one instruction of it."""
    count = np.uint64(0)
    while word:
        word &= word - np.uint64(1)
        count += np.uint64(1)
    return count


@kernel
def _trailing_zeros(word):  # type: ignore[no-untyped-def]
    """The number of bits below the lowest one that is set; one instruction, too."""
    return count_bits(~word & (word - np.uint64(1)))


class BitLayer(NamedTuple):
    """A layer as bit sets, uint64[rows, words],
    and a flag for each row: `filled` if it has a bit set.
    """

    bits: npt.NDArray[np.uint64]
    filled: npt.NDArray[np.bool_]


@kernel
def fetch_layer_bits(rows, old, moves, frontier, reached, found, marked, later):  # type: ignore[no-untyped-def]
    """Find the next layer in some rows from the bits set in the rows they lead to;
    returns its number of vertices.

    `rows`: the rows that are `marked`. `old`: rows to clear first. `moves`: RowMoves
    (builder/columns.py). `frontier`: the last layer. `found`: the layer. `later`: marks the rows
    that the layer after it may be in.
    """
    _clear(old, found)
    _fetch(rows, moves.row_move, moves.kind, moves.maps, moves.steps, frontier, found.bits)
    return _settle(rows, moves.row_move, reached, found, marked, later)


@kernel
def scan_layer_bits(rows, old, moves, frontier, reached, found, marked, later):  # type: ignore[no-untyped-def]
    """Find the layer that `fetch_layer_bits` finds,
    by testing each vertex not reached for an edge into the last layer.
    """
    _clear(old, found)
    for row in rows:
        _scan(row, moves.row_move, moves.kind, moves.maps[0], frontier, reached, found.bits)
    return _settle(rows, moves.row_move, reached, found, marked, later)


@kernel
def _clear(rows, layer):  # type: ignore[no-untyped-def]
    bits, filled = layer
    for row in rows:
        filled[row] = 0
        for w in range(bits.shape[1]):
            bits[row, w] = np.uint64(0)


@kernel
def _fetch(rows, row_move, kind, maps, steps, last_layer, found):  # type: ignore[no-untyped-def]
    """Set the vertices of each row with an edge into the last layer,
    by whole words where `whole` allows it.
    """
    _, back, whole = maps
    frontier, sources = last_layer
    for row in rows:
        for m in range(row_move.shape[1]):
            source = row_move[row, m]
            if source < 0 or not sources[source]:
                continue
            k = kind[row, m]
            if whole[
                k, 0
                # to pass on or slice an array took twice as long on panex-6, whose rows are a word
                # each
            ]:
                step, keep, low, by = np.int64(whole[k, 1]), whole[k, 2], whole[k, 3], whole[k, 4]
                for w in range(found.shape[1]):
                    word = frontier[source, w ^ step]
                    found[row, w] |= (word & keep) | ((word & low) << by) | ((word >> by) & low)
                continue
            if steps is not None:  # else this is not compiled
                first_step, all_steps = steps
                if _move_some(
                    frontier[source], all_steps[first_step[k] : first_step[k + 1]], found[row]
                ):
                    continue
            _move_each(frontier[source], back[k], found[row])


@kernel
def _move_some(bits, steps, new):  # type: ignore[no-untyped-def]
    """Add bits to `new`, some of a word at a time;
    does nothing and returns False where bits are fewer than steps.
    """
    count = 0
    for w in range(bits.shape[0]):
        count += np.int64(count_bits(bits[w]))  # type: ignore[assignment]
    if not 0 < steps.shape[0] < count:
        return False
    for s in range(np.uint64(steps.shape[0])):
        words = steps[s, 0]
        some = gather_bits(bits[words >> np.uint64(32)], steps[s, 1])
        new[words & np.uint64(0xFFFFFFFF)] |= spread_bits(some, steps[s, 2])
    return True


@kernel
def _move_each(bits, back, new):  # type: ignore[no-untyped-def]
    """Add bits to `new`, each one moved by an inverse column map."""
    for w in range(bits.shape[0]):
        word = bits[w]
        while word:
            column = np.uint64(back[np.uint64(w * 64) + _trailing_zeros(word)])
            new[column >> np.uint64(6)] |= np.uint64(1) << (column & np.uint64(63))
            word &= word - np.uint64(1)


@kernel
def _scan(row, row_move, kind, column_map, last_layer, reached, found):  # type: ignore[no-untyped-def]
    frontier, sources = last_layer
    for w in range(reached.shape[1]):
        left = ~reached[row, w]
        while left:
            bit: np.uint64 = _trailing_zeros(left)
            left &= left - np.uint64(1)
            column = np.uint64(w * 64) + bit
            for m in range(row_move.shape[1]):
                source = row_move[row, m]
                if source >= 0 and sources[source]:
                    to = np.uint64(column_map[kind[row, m], column])
                    if (frontier[source, to >> np.uint64(6)] >> (to & np.uint64(63))) & np.uint64(
                        1
                    ):
                        found[row, w] |= np.uint64(1) << bit
                        break


@kernel
def _settle(rows, row_move, reached, layer, marked, later):  # type: ignore[no-untyped-def]
    """Keep the new vertices of each row, mark them reached,
    mark the rows they lead to, and return their number.
    """
    found, filled = layer
    total = 0
    for row in rows:
        marked[row] = 0
        some = np.uint64(0)
        for w in range(found.shape[1]):
            word = found[row, w] & ~reached[row, w]
            found[row, w] = word
            reached[row, w] |= word
            total += np.int64(count_bits(word))  # type: ignore[assignment]
            some |= word
        if some:
            filled[row] = 1
            for m in range(row_move.shape[1]):
                if row_move[row, m] >= 0:
                    later[row_move[row, m]] = 1
    return total


@kernel
def vertices_of_bits(words, rows, width, vertices):  # type: ignore[no-untyped-def]
    """Write the vertices that are set in some rows,
    in order, into `vertices`, which has their length.
    """
    n = 0
    for row in rows:
        for w in range(words.shape[1]):
            word = words[row, w]
            while word:
                vertices[n] = row * width + w * 64 + np.int64(_trailing_zeros(word))
                n += 1
                word &= word - np.uint64(1)


@kernel
def set_vertices(words, width, vertices):  # type: ignore[no-untyped-def]
    """Set the bits of `vertices`."""
    for vertex in vertices:
        row = vertex // width
        column = np.uint64(vertex - row * width)
        words[row, column >> np.uint64(6)] |= np.uint64(1) << (column & np.uint64(63))


@kernel
def set_distances_of_bits(layers, given, width, row_values, distances):  # type: ignore[no-untyped-def]
    """Give each vertex whose bit is set the distance of its layer; leave the others as they are.

    `layers` are bit sets, uint64[layers, rows, words], and `given` their distances. `row_values`
    has space for a distance of each bit of a row. Indices without a sign are vectorized.
    """
    # to go through all rows once for each layer took eight times as long
    for row in range(layers.shape[1]):
        here = distances[row * width : row * width + width]
        for i in range(np.uint64(here.shape[0])):
            row_values[i] = here[i]
        for layer in range(layers.shape[0]):
            for w in range(np.uint64(layers.shape[2])):
                word = layers[layer, row, w]
                for bit in range(np.uint64(64)):
                    at = np.uint64(64) * w + bit
                    row_values[at] = given[layer] if word >> bit & np.uint64(1) else row_values[at]
        for i in range(np.uint64(here.shape[0])):
            here[i] = row_values[i]
