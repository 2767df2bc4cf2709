"""Packed states by number: they are found from the start, and arrays in their table's file number them.

The number of a state is its place in the order of finding; where moves flip bits, dense.py numbers many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.breadth_first.directed import BYTES_OF_A_VERTEX
from puzzlebase.machine import spare_memory
from puzzlebase.plugins.levels.states.dense import Codes, DenseRanking, densely_reachable
from puzzlebase.plugins.levels.states.packed import Keys, PackedRules, boards_of, legal_slots
from puzzlebase.plugins.listed import BoardList, most_boards
from puzzlebase.puzzles import Boards, Directed, Indices, Space
from puzzlebase.puzzles.contract.errors import TooManyStates
from puzzlebase.puzzles.contract.puzzle import FoundStates, Report
from puzzlebase.puzzles.contract.space import Arrays, GrowingSpace
from puzzlebase.sentinels import NOT_FOLLOWED

_FEW = 1 << 20
"""The most states that are numbered in a list, since so few are found quickly."""
_CHUNK = 1 << 12
"""The number of states that are expanded at a time: their successors fit into a core's cache."""
_PIECE = 1 << 18
"""The number of states among which solved ones are looked for at a time."""
_BYTES_OF_A_WORD = 56
_BYTES_OF_A_STATE = 24
"""The bytes of a state while it is found: its key, in words, in a growing hash table and in a list; then depth and
distance."""


class KeyList:
    """Keys in the order of entry, with a hash table of their numbers."""

    def __init__(self, rules: PackedRules, keys: Keys, most: int | None = None) -> None:
        """List keys, of which there may be `most` in the end."""
        self._rules = rules
        boards = boards_of(keys)
        self._boards = BoardList(boards[0], most=most_boards(boards.shape[1], None) if most is None else most)
        self.enter(keys)

    @property
    def size(self) -> int:
        """The number of keys."""
        return self._boards.count

    @property
    def arrays(self) -> Arrays:
        """All of it as arrays."""
        listed, slots = self._boards.arrays
        return {"listed": listed, "slots": slots}

    @classmethod
    def of_arrays(cls, rules: PackedRules, arrays: Arrays) -> Self:
        """Rebuild from arrays."""
        states = cls(rules, rules.start[None])
        states._boards.adopt(arrays["listed"], arrays["slots"])
        return states

    def keys(self, numbers: Indices) -> Keys:
        """The keys of numbers, int64[n] -> unsigned[n, numbers]."""
        return self._rules.keys(self._boards.boards(numbers))

    def enter(self, keys: Keys) -> Indices:
        """The numbers of keys, unsigned[n, numbers] -> int64[n], new ones for new keys; raises TooManyStates."""
        return self._boards.enter(boards_of(keys), np.ones(len(keys), np.bool_)).astype(np.int64)

    def find(self, keys: Keys) -> Indices:
        """The numbers of keys, unsigned[n, numbers] -> int64[n]; -1 for a key that is not listed."""
        return self._boards.find(boards_of(keys))

    def rank(self, after: Keys) -> Indices:
        """The numbers of successors, unsigned[n, slots, numbers] -> int64[n, slots], as `DenseRanking.rank`."""
        fills = legal_slots(after)
        numbers = np.full(fills.shape, -1)
        found = self.find(after[fills])
        numbers[fills] = np.where(found < 0, NOT_FOLLOWED, found)
        return numbers


class GrowingList(KeyList):
    """A list that enters every key that it is asked for."""

    find = KeyList.enter


def reachable(rules: PackedRules, most: int | None = None, report: Report = lambda _states, _found: None) -> KeyList:
    """The keys of all states that moves lead to from the start, nearest first.

    Raises TooManyStates as soon as more than `most` have been found.
    """
    found = KeyList(rules, rules.start[None])
    layers, first = [1], 0
    while layers[-1]:
        report(layers[-1], found.size)
        last = found.size
        for at in range(first, last, _CHUNK):
            after = rules.successors(found.keys(np.arange(at, min(at + _CHUNK, last))))
            found.enter(after[legal_slots(after)])
            if most is not None and found.size > most:
                raise TooManyStates(most, [*layers, found.size - last])
        layers.append(found.size - last)
        first = last
    return found


@dataclass(frozen=True, slots=True)
class PackedStates:
    """The states of a game by number."""

    rules: PackedRules
    numbers: KeyList | DenseRanking

    @classmethod
    def find(cls, rules: PackedRules, most: int, threads: int, report: Report = lambda _states, _found: None) -> Self:
        """Find all states that the start leads to, and number them; raises TooManyStates above `most`.

        If there are many, moves flip bits, and a byte for each code fits, they are stored as bits for codes.
        """
        codes = _codes(rules)
        try:
            return cls(rules, reachable(rules, min(most, _FEW) if codes else most, report))
        except TooManyStates:
            if not codes or most <= _FEW:
                raise
        return cls(rules, densely_reachable(rules, codes, threads, most, report))

    def expand(self, indices: Indices) -> Indices:
        """The successors of states, int64[n] -> int64[n, slots]; NOT_FOLLOWED for one that was not found."""
        numbers = self.numbers.rank(self.rules.successors(self.numbers.keys(np.maximum(indices, 0))))
        numbers[indices < 0] = -1
        return numbers

    def rank(self, boards: Boards) -> Indices:
        """The numbers of boards, uint8[n, bytes] -> int64[n]; -1 for one that was not found."""
        return self.numbers.find(self.rules.keys(boards))

    def unrank(self, indices: Indices) -> Boards:
        """The boards of numbers, int64[n] -> uint8[n, bytes]."""
        return boards_of(self.numbers.keys(indices))

    def solved(self, indices: Indices) -> npt.NDArray[np.bool_]:
        """True for solved states, int64[n] -> bool[n]."""
        return self.rules.solved(self.numbers.keys(indices))

    def all_solved(self) -> Indices:
        """The numbers of the solved states, in order."""
        firsts = range(0, self.numbers.size, _PIECE)
        pieces = (np.arange(first, min(first + _PIECE, self.numbers.size)) for first in firsts)
        return np.concatenate([piece[self.solved(piece)] for piece in pieces])

    def space(self, start: int, goal_states: Indices) -> Space:
        """The space of all states, by the number of the first one."""
        back = self.expand if self.rules.reversible else None
        return Space(
            size=self.numbers.size,
            expand=self.expand,
            goal_states=goal_states,
            rank=self.rank,
            unrank=self.unrank,
            connected=self.rules.reversible and len(goal_states) > 0,
            directed=Directed(start, back, self.solved),
        )


def found_states(rules: PackedRules) -> FoundStates:
    """The states of rules, for a build and for the readers of its table."""

    def find(most: int, threads: int, report: Report) -> tuple[Space, Arrays]:
        states = PackedStates.find(rules, most, threads, report)
        start, goal_states = states.numbers.find(rules.start[None]), states.all_solved()
        arrays = {"start": start, "goal_states": goal_states, **states.numbers.arrays}
        return states.space(int(start[0]), goal_states), arrays

    def space(arrays: Arrays) -> Space:
        numbers = KeyList.of_arrays(rules, arrays) if "listed" in arrays else DenseRanking.of_arrays(arrays)
        return PackedStates(rules, numbers).space(int(arrays["start"][0]), arrays["goal_states"])

    hashed = _BYTES_OF_A_WORD * -(-rules.start.nbytes // 8) + _BYTES_OF_A_STATE
    return FoundStates(BYTES_OF_A_VERTEX if _codes(rules) else hashed, find, space)


def growing_space(rules: PackedRules, goal_states: Keys, memory: int | None) -> GrowingSpace:
    """Make a space of the states that a search meets, up to `memory` bytes. The goal is by default the solved states.

    Raises TooManyStates when `memory` is full.
    """
    most = most_boards(rules.start.nbytes, memory)
    met = PackedStates(rules, GrowingList(rules, rules.start[None], most))
    return GrowingSpace(
        size=most,
        expand=met.expand,
        goal_states=np.unique(met.numbers.find(goal_states)),
        rank=met.rank,
        unrank=met.unrank,
        directed=Directed(
            predecessors=met.expand if rules.reversible else None,
            solved=None if len(goal_states) else met.solved,
        ),
    )


def _codes(rules: PackedRules) -> Codes | None:
    """The codes of keys; None if moves flip no masks, or a byte for each code does not fit."""
    codes = Codes.of(int(rules.start[0]), rules.masks) if rules.masks else None
    return codes if codes and 1 << codes.bits <= spare_memory() // 2 else None
