"""Kernels on layers as bit sets: uint64[rows, words], node row * width + column at bit `column` of its row.

The search by rows keeps three of them: the last layer, the layer being found, and all nodes reached.
A thread owns the rows it writes, so nothing is locked and no update is lost. Bits after the last
column are set in `reached` and nowhere else.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel


def _trailing_zeros(word: np.uint64) -> np.uint64:
    """How many bits lie below the lowest one that is set."""
    return np.uint64((int(word) & -int(word)).bit_length() - 1)


def _ones(word: np.uint64) -> np.uint64:
    """How many bits are set."""
    return np.uint64(int(word).bit_count())


def before_compiling() -> None:
    """Tell numba which instructions these two functions are."""
    import numba  # noqa: PLC0415 -- this takes a fraction of a second, which only builds have to spend
    from llvmlite import ir  # noqa: PLC0415
    from numba.extending import intrinsic, overload  # noqa: PLC0415

    @intrinsic
    def cttz(_typing, _word):  # type: ignore[no-untyped-def]
        def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return numba.uint64(numba.uint64), generate

    @intrinsic
    def ctpop(_typing, _word):  # type: ignore[no-untyped-def]
        def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
            return builder.ctpop(arguments[0])

        return numba.uint64(numba.uint64), generate

    @overload(_trailing_zeros)
    def compiled_trailing_zeros(word):  # type: ignore[no-untyped-def]  # noqa: ARG001 (numba wants the same names)
        return lambda word: cttz(word)  # noqa: PLW0108 (numba wants a function of Python)

    @overload(_ones)
    def compiled_ones(word):  # type: ignore[no-untyped-def]  # noqa: ARG001
        return lambda word: ctpop(word)  # noqa: PLW0108


@kernel
def wake(first, last, row_move, bits, filled, awake):  # type: ignore[no-untyped-def]
    """Mark in `filled` which of the rows first .. last-1 have a bit set, and in `awake` the rows they lead to."""
    for row in range(first, last):
        for w in range(bits.shape[1]):
            if bits[row, w]:
                filled[row] = 1
                break
        if filled[row]:
            for m in range(row_move.shape[1]):
                if row_move[row, m] >= 0:
                    awake[row_move[row, m]] = 1


@kernel
def fetch(first, last, row_move, kind, inverse, whole, frontier, lit, reached, found, filled, awake, waking):  # type: ignore[no-untyped-def]
    """Find the next layer in rows first .. last-1 from the bits set in the rows they lead to; returns its nodes.

    Only rows that are `awake` are looked at; rows that need a look in the layer after it are marked in `waking`. `lit`
    are the rows of the last layer that have a bit set; rows of this layer that have one are marked in `filled`.
    """
    _clear(first, last, found, filled)
    _fetch(first, last, row_move, kind, inverse, whole, frontier, lit, found, awake)
    return _settle(first, last, row_move, reached, found, filled, awake, waking)


@kernel
def scan(first, last, row_move, kind, column_map, _whole, frontier, lit, reached, found, filled, awake, waking):  # type: ignore[no-untyped-def]
    """Find the layer that `fetch` finds, by testing whether a link of each node not yet reached leads into the last."""
    _clear(first, last, found, filled)
    for row in range(first, last):
        if awake[row]:
            _scan(row, row_move, kind, column_map, frontier, lit, reached, found)
    return _settle(first, last, row_move, reached, found, filled, awake, waking)


@kernel
def _clear(first, last, found, filled):  # type: ignore[no-untyped-def]
    """Clear the rows in which an earlier layer left bits."""
    for row in range(first, last):
        if filled[row]:
            filled[row] = 0
            for w in range(found.shape[1]):
                found[row, w] = np.uint64(0)


@kernel
def _fetch(first, last, row_move, kind, inverse, whole, frontier, lit, found, awake):  # type: ignore[no-untyped-def]
    """Set the nodes of each row from which a link leads into the last layer; by whole words where `whole` says how.

    No array is passed on or sliced in the branch of whole words: on panex-6, whose rows are a word each, that took
    twice as long.
    """
    for row in range(first, last):
        if not awake[row]:
            continue
        for m in range(row_move.shape[1]):
            source = row_move[row, m]
            if source < 0 or not lit[source]:
                continue
            k = kind[row, m]
            if whole[k, 0]:
                step, keep, low, by = np.int64(whole[k, 1]), whole[k, 2], whole[k, 3], whole[k, 4]
                for w in range(found.shape[1]):
                    word = frontier[source, w ^ step]
                    found[row, w] |= (word & keep) | ((word & low) << by) | ((word >> by) & low)
            else:
                _move_bits(frontier[source], inverse[k], found[row])


@kernel
def _move_bits(bits, back, new):  # type: ignore[no-untyped-def]
    """Add bits to `new`, each one moved by an inverse column map."""
    for w in range(bits.shape[0]):
        word = bits[w]
        while word:
            column = np.uint64(back[np.uint64(w * 64) + _trailing_zeros(word)])
            new[column >> np.uint64(6)] |= np.uint64(1) << (column & np.uint64(63))
            word &= word - np.uint64(1)


@kernel
def _scan(row, row_move, kind, column_map, frontier, lit, reached, found):  # type: ignore[no-untyped-def]
    for w in range(reached.shape[1]):
        left = ~reached[row, w]
        while left:
            bit: np.uint64 = _trailing_zeros(left)
            left &= left - np.uint64(1)
            column = np.uint64(w * 64) + bit
            for m in range(row_move.shape[1]):
                source = row_move[row, m]
                if source >= 0 and lit[source]:
                    to = np.uint64(column_map[kind[row, m], column])
                    if (frontier[source, to >> np.uint64(6)] >> (to & np.uint64(63))) & np.uint64(1):
                        found[row, w] |= np.uint64(1) << bit
                        break


@kernel
def _settle(first, last, row_move, reached, found, filled, awake, waking):  # type: ignore[no-untyped-def]
    """Keep the new nodes of each row, mark them reached, wake the rows they lead to, and return how many they are."""
    total = 0
    for row in range(first, last):
        if not awake[row]:
            continue
        awake[row] = 0
        some = np.uint64(0)
        for w in range(found.shape[1]):
            word = found[row, w] & ~reached[row, w]
            found[row, w] = word
            reached[row, w] |= word
            total += np.int64(_ones(word))  # type: ignore[assignment]
            some |= word
        if some:
            filled[row] = 1
            for m in range(row_move.shape[1]):
                if row_move[row, m] >= 0:
                    waking[row_move[row, m]] = 1
    return total


def whole_words(maps: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """How words move as a whole under each column map that flips at most one bit of the column's number.

    uint64[kinds, 5]: whether the map is such a one, then step, keep, low, by. The target word w is made of the source
    word w ^ step: its bits `keep`, its bits `low` moved up `by` places, and the bits above those moved down.
    """
    full = np.uint64(0xFFFFFFFFFFFFFFFF)
    how = np.zeros((len(maps), 5), np.uint64)
    columns = np.arange(maps.shape[1], dtype=np.uint32)
    for k, flipped in enumerate(maps[:, 0].tolist()):
        if flipped & (flipped - 1) or not np.array_equal(maps[k], columns ^ flipped):
            continue
        if 0 < flipped < 64:
            low = sum(1 << bit for bit in range(64) if not bit & flipped)
            how[k] = 1, 0, 0, low, flipped
        else:
            how[k] = 1, flipped >> 6, full, 0, 0
    return how


@kernel
def nodes_of(words, width, nodes):  # type: ignore[no-untyped-def]
    """Write the nodes that are set, in order, into `nodes`, which has room for just these."""
    n = 0
    for row in range(words.shape[0]):
        for w in range(words.shape[1]):
            word = words[row, w]
            while word:
                nodes[n] = row * width + w * 64 + np.int64(_trailing_zeros(word))
                n += 1
                word &= word - np.uint64(1)


@kernel
def set_nodes(words, width, nodes):  # type: ignore[no-untyped-def]
    """Set the bits of `nodes`."""
    for node in nodes:
        row = node // width
        column = np.uint64(node - row * width)
        words[row, column >> np.uint64(6)] |= np.uint64(1) << (column & np.uint64(63))


@kernel
def set_distance(words, width, distance, distances):  # type: ignore[no-untyped-def]
    """Give `distance` to the nodes that are set."""
    for row in range(words.shape[0]):
        for w in range(words.shape[1]):
            word = words[row, w]
            while word:
                distances[row * width + w * 64 + np.int64(_trailing_zeros(word))] = distance
                word &= word - np.uint64(1)
