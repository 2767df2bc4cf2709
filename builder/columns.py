"""The moves of bits between the columns of a row,
for the search by rows, made from a product form's column maps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.bits import gathers_bits_fast
from puzzlebase.puzzles import ProductForm

# bits of rows in a core's nearest cache; wider rows gain less than a third, by long lists
_FEW_COLUMNS = 1 << 14
_NO_STEPS: npt.NDArray[np.uint64] = np.empty((0, 3), np.uint64)


class RowMoves(NamedTuple):
    """The moves of bits between rows and to the columns of a row,
    for the kernels of builder/bits.py.

    `row_move` and `kind` are those of a product form,
    with the edges of a row side by side: int32[rows, edges].

    `maps` are the column maps, uint32[kinds, width], their inverse maps, and uint64[kinds, 5]: 1 if
    words move as a whole under the inverse map, then step, keep, low, by. The target word w is made
    of the source word w ^ step: its bits `keep`, its bits `low` moved up `by` places, and the bits
    above those moved down.

    `steps` are None if no map has any. Otherwise they are the first step of each kind, int64[kinds
    + 1], and the steps, uint64[n, 3]. A step has the source word with the target word in its lower
    half, bits of the source, and their places in the target, in the same order.
    """

    row_move: npt.NDArray[np.int32]
    kind: npt.NDArray[np.int32]
    maps: tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint64]]
    steps: tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]] | None

    @staticmethod
    def of(form: ProductForm) -> RowMoves:
        """Make those of a product form."""
        maps = form.column_map
        back = np.empty_like(maps)
        every = np.arange(maps.shape[1], dtype=np.uint32)
        for kind in range(len(maps)):
            back[kind, maps[kind]] = every
        whole = _whole_words(back)
        steps = None
        if maps.shape[1] <= _FEW_COLUMNS and gathers_bits_fast() and not whole[:, 0].all():
            of_kinds = [
                _NO_STEPS if how[0] else _steps_of(each)
                for each, how in zip(back, whole, strict=True)
            ]
            if any(map(len, of_kinds)):
                steps = np.cumsum([0, *map(len, of_kinds)]), np.concatenate(of_kinds)
        row_move, kinds = (np.ascontiguousarray(table.T) for table in (form.row_move, form.kind))
        return RowMoves(row_move, kinds, (maps, back, whole), steps)


def _whole_words(back: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """The moves of whole words,
    for each inverse map that flips at most one bit of the column's number.
    """
    full = np.uint64(0xFFFFFFFFFFFFFFFF)
    how = np.zeros((len(back), 5), np.uint64)
    columns = np.arange(back.shape[1], dtype=np.uint32)
    for k, flipped in enumerate(back[:, 0].tolist()):
        if flipped & (flipped - 1) or not np.array_equal(back[k], columns ^ flipped):
            continue
        if 0 < flipped < 64:
            low = sum(1 << bit for bit in range(64) if not bit & flipped)
            how[k] = 1, 0, 0, low, flipped
        else:
            how[k] = 1, flipped >> 6, full, 0, 0
    return how


def _steps_of(back: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """The steps of one inverse map, none if they are more than a quarter of its columns."""
    columns = np.arange(len(back), dtype=np.int64)
    words = columns >> 6 << 32 | back >> 6
    order = np.argsort(words, kind="stable")
    words, to = words[order], back[order].astype(np.int64)
    firsts = np.flatnonzero(np.append(True, (np.diff(words) != 0) | (np.diff(to) < 0)))
    if len(firsts) * 4 > len(back):
        return _NO_STEPS
    bits = [
        np.bitwise_or.reduceat(np.uint64(1) << (at & 63).astype(np.uint64), firsts)
        for at in (order, to)
    ]
    steps = np.stack([words[firsts].astype(np.uint64), *bits], axis=1)
    by_target = np.argsort(to[firsts] >> 6, kind="stable")
    _, first, counts = np.unique(
        (to[firsts] >> 6)[by_target], return_index=True, return_counts=True
    )
    # Steps into one word are far apart: a step that waits for the one before it takes a third more
    # time.
    turn = np.arange(len(steps)) - np.repeat(first, counts)
    found: npt.NDArray[np.uint64] = steps[by_target][np.argsort(turn, kind="stable")]
    return found
