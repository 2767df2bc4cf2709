"""Kernels on layers as bit sets: uint64[rows, words], node row * width + column at bit `column` of its row.

The search keeps three of them: the last layer, the one being found, and all that has been reached.
A thread owns the rows it writes, so nothing is locked and no update is lost. Bits behind the last
column are set in `reached` and nowhere else.
"""

from __future__ import annotations

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic


@intrinsic
def _trailing_zeros(_typing, _word):  # type: ignore[no-untyped-def]
    def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return numba.uint64(numba.uint64), generate


@intrinsic
def _ones(_typing, _word):  # type: ignore[no-untyped-def]
    def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctpop(arguments[0])

    return numba.uint64(numba.uint64), generate


@numba.njit(cache=True, nogil=True)
def wake(first, last, row_move, bits, filled, awake):  # type: ignore[no-untyped-def]
    """Say of rows first .. last-1 which have a bit set, and wake the rows they lead to."""
    for row in range(first, last):
        for w in range(bits.shape[1]):
            if bits[row, w]:
                filled[row] = 1
                break
        if filled[row]:
            for m in range(row_move.shape[1]):
                if row_move[row, m] >= 0:
                    awake[row_move[row, m]] = 1


@numba.njit(cache=True, nogil=True)
def fetch(first, last, row_move, kind, inverse, flips, frontier, lit, reached, found, filled, awake, waking):  # type: ignore[no-untyped-def]
    """Find the next layer in rows first .. last-1 from what is set in the rows they lead to; returns its nodes.

    Rows that are not `awake` have nothing to find; `waking` hears of those that will have in the layer
    after. Of the last layer only the rows that are `lit` have a bit set; the rows of this one will be `filled`.
    """
    count = 0
    for row in range(first, last):
        if (awake[row] or filled[row]) and _cleared(row, found, filled, awake):
            _fetch_row(row, row_move, kind, inverse, flips, frontier, lit, found[row])
            count += _settle(row, row_move, reached, found, filled, waking)
    return count


@numba.njit(cache=True, nogil=True)
def scan(first, last, row_move, kind, column_map, _flips, frontier, lit, reached, found, filled, awake, waking):  # type: ignore[no-untyped-def]
    """The same layer, by asking of each node not yet reached whether a link leads into the last one."""
    count = 0
    for row in range(first, last):
        if (awake[row] or filled[row]) and _cleared(row, found, filled, awake):
            _scan_row(row, row_move, kind, column_map, frontier, lit, reached[row], found[row])
            count += _settle(row, row_move, reached, found, filled, waking)
    return count


@numba.njit(cache=True, nogil=True, inline="always")
def _cleared(row, found, filled, awake):  # type: ignore[no-untyped-def]
    """Clear what an earlier layer left in a row, and say whether it is awake, which it then no longer is."""
    woken = awake[row]
    for w in range(found.shape[1]):
        found[row, w] = np.uint64(0)
    filled[row] = 0
    awake[row] = 0
    return woken


@numba.njit(cache=True, nogil=True)
def flips_of(maps):  # type: ignore[no-untyped-def]
    """What each column map does: -1 nothing, b where it flips bit b of the column's number, otherwise -2."""
    flips = np.empty(maps.shape[0], np.int64)
    for kind in range(maps.shape[0]):
        flipped = np.int64(maps[kind, 0])
        flip = -1
        while (1 << (flip + 1)) <= flipped:
            flip += 1
        if flipped != (1 << flip if flip >= 0 else 0):
            flip = -2
        for column in range(maps.shape[1]):
            if maps[kind, column] != column ^ flipped:
                flip = -2
                break
        flips[kind] = flip
    return flips


_LOW = np.array(
    [
        0x5555555555555555,
        0x3333333333333333,
        0x0F0F0F0F0F0F0F0F,
        0x00FF00FF00FF00FF,
        0x0000FFFF0000FFFF,
        0x00000000FFFFFFFF,
    ],
    np.uint64,
)


@numba.njit(cache=True, nogil=True, inline="always")
def _flip_words(bits, flip, new):  # type: ignore[no-untyped-def]
    """Add bits to `new`, each moved by the flip of a bit of its column's number, or not at all for -1."""
    if flip == -1:
        for w in range(bits.shape[0]):
            new[w] |= bits[w]
    elif flip >= 6:
        for w in range(bits.shape[0]):
            new[w] |= bits[w ^ (1 << (flip - 6))]
    else:
        low, by = _LOW[flip], np.uint64(1 << flip)
        for w in range(bits.shape[0]):
            new[w] |= ((bits[w] & low) << by) | ((bits[w] >> by) & low)


@numba.njit(cache=True, nogil=True, inline="always")
def _fetch_row(row, row_move, kind, inverse, flips, frontier, lit, new):  # type: ignore[no-untyped-def]
    """Set what the row's links lead to in the last layer.

    A bit moves by the inverse column map of its link. Where that flips one bit of the column's
    number, or nothing, words move as a whole.
    """
    for m in range(row_move.shape[1]):
        source = row_move[row, m]
        if source < 0 or not lit[source]:
            continue
        bits = frontier[source]
        flip = flips[kind[row, m]]
        if flip > -2:
            _flip_words(bits, flip, new)
            continue
        back = inverse[kind[row, m]]
        for w in range(bits.shape[0]):
            word = bits[w]
            while word:
                column = np.uint64(back[np.uint64(w * 64) + _trailing_zeros(word)])
                new[column >> np.uint64(6)] |= np.uint64(1) << (column & np.uint64(63))
                word &= word - np.uint64(1)


@numba.njit(cache=True, nogil=True, inline="always")
def _scan_row(row, row_move, kind, column_map, frontier, lit, reached, new):  # type: ignore[no-untyped-def]
    for w in range(reached.shape[0]):
        left = ~reached[w]
        while left:
            bit: np.uint64 = _trailing_zeros(left)
            left &= left - np.uint64(1)
            column = np.uint64(w * 64) + bit
            for m in range(row_move.shape[1]):
                source = row_move[row, m]
                if source >= 0 and lit[source]:
                    to = np.uint64(column_map[kind[row, m], column])
                    if (frontier[source, to >> np.uint64(6)] >> (to & np.uint64(63))) & np.uint64(1):
                        new[w] |= np.uint64(1) << bit
                        break


@numba.njit(cache=True, nogil=True, inline="always")
def _settle(row, row_move, reached, found, filled, waking):  # type: ignore[no-untyped-def]
    """Keep what is new in a row, mark it reached, wake the rows it leads to, and return how much it is."""
    count = 0
    for w in range(found.shape[1]):
        word = found[row, w] & ~reached[row, w]
        found[row, w] = word
        reached[row, w] |= word
        count += np.int64(_ones(word))  # type: ignore[assignment]
    if count:
        filled[row] = 1
        for m in range(row_move.shape[1]):
            if row_move[row, m] >= 0:
                waking[row_move[row, m]] = 1
    return count


@numba.njit(cache=True, nogil=True)
def nodes_of(words, width, nodes):  # type: ignore[no-untyped-def]
    """The nodes that are set, in order, into `nodes`, which has room for just these."""
    n = 0
    for row in range(words.shape[0]):
        for w in range(words.shape[1]):
            word = words[row, w]
            while word:
                nodes[n] = row * width + w * 64 + np.int64(_trailing_zeros(word))
                n += 1
                word &= word - np.uint64(1)


@numba.njit(cache=True, nogil=True)
def set_nodes(words, width, nodes):  # type: ignore[no-untyped-def]
    """Set the bits of `nodes`."""
    for node in nodes:
        row = node // width
        column = np.uint64(node - row * width)
        words[row, column >> np.uint64(6)] |= np.uint64(1) << (column & np.uint64(63))


@numba.njit(cache=True, nogil=True)
def set_distance(words, width, distance, distances):  # type: ignore[no-untyped-def]
    """Give `distance` to the nodes that are set."""
    for row in range(words.shape[0]):
        for w in range(words.shape[1]):
            word = words[row, w]
            while word:
                distances[row * width + w * 64 + np.int64(_trailing_zeros(word))] = distance
                word &= word - np.uint64(1)
