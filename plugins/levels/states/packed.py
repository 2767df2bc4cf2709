"""Rules on packed states: a state is a key of a few small numbers,
and kernels give its successors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Boards

Keys = npt.NDArray[np.unsignedinteger[Any]]
"""Packed states, unsigned[n, numbers]."""
Key = npt.NDArray[np.unsignedinteger[Any]]
"""One packed state, unsigned[numbers]."""

MOST_NUMBERS = 1 << 21
"""The most numbers of the successors of one state,
all slots together: 4 MB if a number has two bytes.
"""


@dataclass(frozen=True, slots=True)
class PackedRules:
    """The rules of a game whose states are keys.

    Attributes:
        start: the key of the first state, of the type of all keys; the greatest number of this type
            begins none.
        successors: keys [n, numbers] -> the states after their legal moves, [n, slots, numbers].
            Those of a state fill its first slots, in an order of its own, and
            `end_packed_successors` ends them. Several threads may call it.
        solved: keys [n, numbers] -> True if they are solved, bool[n].
        masks: the masks of a game of one number of 64 bits in which each move flips the bits of a
            mask; else empty.
        reversible: True if every move has one that leads back.
    """

    start: Key
    successors: Callable[[Keys], Keys]
    solved: Callable[[Keys], npt.NDArray[np.bool_]]
    masks: Sequence[int] = ()
    reversible: bool = False

    def keys(self, boards: Boards) -> Keys:
        """The keys that boards hold, uint8[n, bytes] -> unsigned[n, numbers]."""
        return np.ascontiguousarray(boards).view(self.start.dtype)


def boards_of(keys: Keys) -> Boards:
    """The boards that hold keys, the inverse of `PackedRules.keys`."""
    return np.ascontiguousarray(keys).view(np.uint8)


def packed_successors(
    kernel: Callable[..., None], slots: int, *arguments: object
) -> Callable[[Keys], Keys]:
    """The successors that a kernel writes,
    from keys and the arguments into unsigned[n, slots, numbers].
    """

    def successors(keys: Keys) -> Keys:
        after = np.empty((len(keys), slots, keys.shape[1]), keys.dtype)
        kernel(keys, *arguments, after)
        return after

    return successors


def packed_slots(after: Keys) -> npt.NDArray[np.bool_]:
    """The slots that successors of packed states fill,
    unsigned[n, slots, numbers] -> bool[n, slots].
    """
    return np.logical_and.accumulate(after[:, :, 0] != np.iinfo(after.dtype).max, axis=1)


@kernel
def end_packed_successors(after, row, count):  # type: ignore[no-untyped-def]
    """End the successors of a packed state, which fill `count` slots."""
    if count < after.shape[1]:
        after[row, count, 0] = np.iinfo(after.dtype).max


@kernel
def replace_packed_number(key, at, number, low, high, after):  # type: ignore[no-untyped-def]
    """Write a packed state's key with another number at a place,
    and the numbers from `low` to before `high` in order.
    """
    for k in range(len(key)):  # faster than to copy and sort
        after[k] = key[k]
    while at > low and after[at - 1] > number:
        after[at] = after[at - 1]
        at -= 1
    while at + 1 < high and after[at + 1] < number:
        after[at] = after[at + 1]
        at += 1
    after[at] = number
