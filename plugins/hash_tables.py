"""Boards numbered in the order in which moves lead to them,
and the hash table that finds the number of a board.
"""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.errors import TooManyStates
from puzzlebase.puzzles.contract.space import Arrays, Boards, Indices

Words = npt.NDArray[np.uint64]

CHUNK = 1 << 14  # boards looked for at a time by a thread
_BYTES = 8  # in a word
BYTES_BESIDES = 24  # of a state: its share of the hash table that finds it, while that grows too
_MOST = (1 << 31) - 1


def most_boards(length: int, memory: int | None) -> int:
    """The most boards of so many bytes that fit into so much memory,
    with the hash table of a BoardList.
    """
    return (
        _MOST
        if memory is None
        else min(memory // (-(-length // _BYTES) * _BYTES + BYTES_BESIDES), _MOST)
    )


class BoardList:
    """Boards in the order of entry, at most so many,
    and a hash table of their numbers, at most half full.

    Memory is asked for `capacity` boards at once; its unused part is never touched.
    """

    def __init__(self, start: Boards, capacity: int = CHUNK, most: int = _MOST) -> None:
        self.count = 0
        self._most = most
        self._length = len(start)
        self._listed = np.empty((capacity, -(-len(start) // _BYTES)), np.uint64)
        self._slots = np.full(2 * CHUNK, -1, np.int32)
        self._add(start[None, :])

    def enter(
        self,
        boards: Boards,
        legal: npt.NDArray[np.bool_] | bool = True,
        pool: Executor | None = None,
    ) -> npt.NDArray[np.int32]:
        """The numbers of boards, uint8[n, length] -> int32[n],
        new ones for new boards; -1 if not `legal`, bool[n] or of all.

        Raises TooManyStates if there would be too many if all were new.
        """
        legal = np.broadcast_to(legal, len(boards))
        if self.count + np.count_nonzero(legal) > self._most:
            raise TooManyStates(self._most)
        # Most boards are listed already. All threads of a pool find these; one adds the others.
        parts = [boards[first : first + CHUNK] for first in range(0, len(boards), CHUNK)]
        found = [*pool.map(self.find, parts)] if pool else [*map(self.find, parts)]
        numbers = np.concatenate([np.empty(0, np.int64), *found]).astype(np.int32)
        numbers[~legal] = -1
        new = (numbers < 0) & legal
        numbers[new] = self._add(boards[new])
        return numbers

    def find(self, boards: Boards) -> Indices:
        """The numbers of boards, uint8[n, length] -> int64[n]; -1 for new ones."""
        numbers = np.empty(len(boards), np.int64)
        _find(self._words(boards), self._listed, self._slots, numbers)
        return numbers

    def _add(self, boards: Boards) -> npt.NDArray[np.int32]:
        """Number boards, few of them listed."""
        self._grow(self.count + len(boards))
        numbers = np.empty(len(boards), np.int32)
        self.count = _add(self._words(boards), self._listed, self._slots, self.count, numbers)
        return numbers

    def boards(self, numbers: Indices) -> Boards:
        """The boards of numbers, int64[n] -> uint8[n, length]."""
        return self._listed[numbers].view(np.uint8)[:, : self._length]

    @property
    def arrays(self) -> Arrays:
        """The boards as words, in order, and the hash table, as `adopt` takes them."""
        return {"listed": self._listed[: self.count], "slots": self._slots}

    def adopt(self, listed: Words, slots: npt.NDArray[np.int32]) -> None:
        """Take the arrays of another list, which may be mapped from a file,
        instead of its own; enter no more.
        """
        self._listed, self._slots, self.count = listed, slots, len(listed)

    def trim(self) -> None:
        """Free the memory for more boards."""
        self._listed = self._listed[: self.count].copy()

    def _words(self, boards: Boards) -> Words:
        """Pack letters in words, which are faster to compare."""
        padded = np.zeros((len(boards), _BYTES * self._listed.shape[1]), np.uint8)
        padded[:, : self._length] = boards
        return padded.view(np.uint64)

    def _grow(self, most: int) -> None:
        """Make the arrays long enough for `most` boards."""
        listed, slots = self._listed[: self.count], len(self._slots)
        if len(self._listed) < most:
            self._listed = np.empty((max(most, 2 * len(self._listed)), listed.shape[1]), np.uint64)
            self._listed[: self.count] = listed
        while slots < 2 * most:
            slots *= 2
        if slots > len(self._slots):
            self._slots = np.full(slots, -1, np.int32)
            fill_hash_slots(listed, self._slots)


# Kernels of a hash table: `listed` are rows whose first words are told apart, integers of 64 bits;
# `slots`, a power of two of them, have the numbers of rows, -1 where there is none. Words are a
# row, or a tuple.


@kernel
def first_hash_slot(words, slots):  # type: ignore[no-untyped-def]
    """The first slot of a hash table where the number of a row may be."""
    code = np.uint64(0)
    for word in words:
        code = (code ^ np.uint64(word)) * np.uint64(0x9E3779B97F4A7C15)
        code ^= code >> np.uint64(32)
    return code & np.uint64(slots.shape[0] - 1)


@kernel
def _equal(words, others):  # type: ignore[no-untyped-def]
    different = np.uint64(0)
    for k in range(len(words)):
        different |= np.uint64(words[k]) ^ np.uint64(others[k])
    return different == 0


@kernel
def hash_slot(words, listed, slots):  # type: ignore[no-untyped-def]
    """The slot of a hash table for the number of the row that begins with these words."""
    slot = first_hash_slot(words, slots)
    while slots[slot] >= 0 and not _equal(words, listed[slots[slot]]):
        slot = (slot + np.uint64(1)) & np.uint64(slots.shape[0] - 1)
    return slot


@kernel
def enter_row(words, listed, slots, count):  # type: ignore[no-untyped-def]
    """The number in a hash table of the row that begins with these words;
    `count`, that of the next row, if they are new and listed.
    """
    slot = hash_slot(words, listed, slots)
    if slots[slot] < 0:
        slots[slot] = count
        for k in range(len(words)):
            listed[count, k] = words[k]
    return slots[slot]


@kernel
def _find(boards, listed, slots, numbers):  # type: ignore[no-untyped-def]
    """Find the numbers of boards, -1 for new ones:
    first in one slot each, since these cache misses overlap.
    """
    for i in range(boards.shape[0]):
        numbers[i] = slots[first_hash_slot(boards[i], slots)]
    for i in range(boards.shape[0]):
        found = _equal(boards[i], listed[max(numbers[i], 0)])
        numbers[i] = numbers[i] if found else -1
    for i in range(boards.shape[0]):
        if numbers[i] < 0:
            numbers[i] = slots[hash_slot(boards[i], listed, slots)]


@kernel
def _add(boards, listed, slots, count, numbers):  # type: ignore[no-untyped-def]
    """Number boards and list the new ones;
    return the length of the list. `listed` must be long enough.
    """
    for i in range(boards.shape[0]):
        # not `enter_row`, which takes a third longer for views of rows
        slot = hash_slot(boards[i], listed, slots)
        if slots[slot] < 0:
            slots[slot] = count
            listed[count] = boards[i]
            count += 1
        numbers[i] = slots[slot]
    return count


@kernel
def fill_hash_slots(listed, slots):  # type: ignore[no-untyped-def]
    """Number rows in a hash table whose slots are all -1."""
    for i in range(listed.shape[0]):
        slots[hash_slot(listed[i], listed, slots)] = i
