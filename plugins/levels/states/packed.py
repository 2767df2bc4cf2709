"""Rules on packed states: a state is a key of one to four 64-bit words, and kernels give its successors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Boards

Keys = npt.NDArray[np.uint64]
"""Packed states, uint64[n, words]."""
Key = npt.NDArray[np.uint64]
"""One packed state, uint64[words]."""

Indices = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

IN_A_WORD = 63
"""Bits of a word that keys of packed numbers use."""

NO_STATE = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
"""The first word of no state. No key begins with it."""


@dataclass(frozen=True, slots=True)
class PackedRules:
    """The rules of a game whose states are keys.

    Attributes:
        start: the key of the first state, uint64[words].
        successors: keys uint64[n, words] -> the states after their legal moves, uint64[n, slots, words]. Those of a
            state fill its first slots, in an order of its own; NO_STATE ends them. Several threads may call it.
        solved: keys uint64[n, words] -> True if they are solved, bool[n].
        masks: the masks of a game of one word in which each move flips the bits of a mask; else empty.
        reversible: True if every move has one that leads back.
    """

    start: Keys
    successors: Callable[[Keys], Keys]
    solved: Callable[[Keys], npt.NDArray[np.bool_]]
    masks: Sequence[int] = ()
    reversible: bool = False

    @property
    def words(self) -> int:
        """The number of words of a key."""
        return len(self.start)


def written_by(kernel: Callable[..., None], slots: int, *arguments: object) -> Callable[[Keys], Keys]:
    """The successors that a kernel writes, from keys and the arguments into uint64[n, slots, words]."""

    def successors(keys: Keys) -> Keys:
        after = np.empty((len(keys), slots, keys.shape[1]), np.uint64)
        kernel(keys, *arguments, after)
        return after

    return successors


def legal(after: Keys) -> npt.NDArray[np.bool_]:
    """The slots that successors fill, uint64[n, slots, words] -> bool[n, slots]."""
    return np.logical_and.accumulate(after[:, :, 0] != NO_STATE, axis=1)


def keys_of(boards: Boards) -> Keys:
    """The keys that boards hold, uint8[n, 8 * words] -> uint64[n, words]."""
    return np.ascontiguousarray(boards).view(np.uint64)


def boards_of(keys: Keys) -> Boards:
    """The boards that hold keys, the inverse of `keys_of`."""
    return np.ascontiguousarray(keys).view(np.uint8)


def packed(numbers: Sequence[int], bits: int) -> Key:
    """Pack numbers of some bits each into a key, as many in each word as fit without its last bit."""
    in_a_word = IN_A_WORD // bits
    words = [numbers[at : at + in_a_word] for at in range(0, len(numbers), in_a_word)]
    return np.array([sum(number << bits * at for at, number in enumerate(word)) for word in words], np.uint64)


def number_in(keys: Keys, at: int, bits: int) -> npt.NDArray[np.uint64]:
    """A number of each key by its place there, uint64[n, words] -> uint64[n]."""
    word, inside = divmod(at, IN_A_WORD // bits)
    return keys[:, word] >> np.uint64(bits * inside) & np.uint64((1 << bits) - 1)


def unpacked(key: Key, bits: int, count: int) -> list[int]:
    """Unpack the numbers of a key."""
    return [int(number_in(key[None], at, bits)[0]) for at in range(count)]


@kernel
def unpack(keys, row, bits, in_a_word, numbers):  # type: ignore[no-untyped-def]
    """Unpack the numbers of a key, of so many bits each (uint64), so many in a word."""
    for at in range(numbers.shape[0]):
        word = keys[row, at // in_a_word] >> (bits * np.uint64(at % in_a_word))
        numbers[at] = word & ((np.uint64(1) << bits) - np.uint64(1))


@kernel
def pack(numbers, bits, in_a_word, after, row, slot):  # type: ignore[no-untyped-def]
    """Pack numbers into the key of a state's slot in `after`, uint64[states, slots, words]."""
    for word in range(after.shape[2]):
        after[row, slot, word] = np.uint64(0)
    for at in range(numbers.shape[0]):
        after[row, slot, at // in_a_word] |= np.uint64(numbers[at]) << (bits * np.uint64(at % in_a_word))
