"""Packed states by number: they are found from the start, and arrays in their table's file number them.

The number of a state is the place of its key among all of them, sorted; where moves flip bits, dense.py numbers many.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from puzzlebase.builder.breadth_first.directed import BYTES_OF_A_VERTEX
from puzzlebase.kernels import kernel
from puzzlebase.machine import spare_memory
from puzzlebase.plugins.levels.states.dense import Codes, DenseRanking, densely_reachable
from puzzlebase.plugins.levels.states.packed import NO_STATE, Keys, PackedRules, Words, boards_of, keys_of, legal
from puzzlebase.plugins.listed import BoardList, most_boards
from puzzlebase.puzzles import Directed, Indices, Space
from puzzlebase.puzzles.contract.errors import TooManyStates
from puzzlebase.puzzles.contract.puzzle import FoundStates, Report
from puzzlebase.puzzles.contract.space import Arrays, GrowingSpace
from puzzlebase.sentinels import NOT_FOLLOWED

_FEW = 1 << 20
"""The most states that are numbered by their keys, since so few are found quickly."""
_CHUNK = 1 << 12
"""The number of states that are expanded at a time: their successors fit into a core's cache."""
_PIECE = 1 << 18
"""The number of states among which solved ones are looked for at a time."""
_BYTES_OF_A_WORD = 56
_BYTES_OF_A_STATE = 24
"""The bytes of a state while it is found: keys in a growing hash table and in a list; then depth and distance."""


def reachable(rules: PackedRules, most: int | None = None, report: Report = lambda _states, _found: None) -> Keys:
    """The keys of all states that moves lead to from the start, uint64[n, words], nearest first.

    Raises TooManyStates as soon as more than `most` have been found.
    """
    found = BoardList(boards_of(rules.start[None, :])[0])
    layers, first = [1], 0
    while layers[-1]:
        report(layers[-1], found.count)
        last = found.count
        for at in range(first, last, _CHUNK):
            after = rules.successors(keys_of(found.boards(np.arange(at, min(at + _CHUNK, last)))))
            boards = boards_of(after[legal(after)])
            found.enter(boards, np.ones(len(boards), np.bool_))
            if most is not None and found.count > most:
                raise TooManyStates(most, [*layers, found.count - last])
        layers.append(found.count - last)
        first = last
    return keys_of(found.boards(np.arange(found.count)))


@dataclass(frozen=True, slots=True)
class Ranking:
    """A set of keys, sorted and without repeats, uint64[n, words]."""

    sorted_keys: Keys

    @classmethod
    def of(cls, keys: Keys) -> Self:
        """Number keys in any order, without repeats."""
        return cls(keys[np.lexsort(keys.T[::-1])])

    @property
    def size(self) -> int:
        """The number of keys."""
        return len(self.sorted_keys)

    @property
    def arrays(self) -> dict[str, Words]:
        """All of it as arrays."""
        return {"keys": self.sorted_keys}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Words]) -> Self:
        """Rebuild from arrays."""
        return cls(arrays["keys"])

    def rank(self, keys: Keys, slots: int = 1, outside: int = -1) -> Indices:
        """The numbers of keys, several for each state; NO_STATE ends the keys of a state.

        uint64[n * slots, words] -> int64[n * slots]; -1 from there on, `outside` for a key that is not in the set.
        """
        numbers = np.empty(len(keys), np.int64)
        _rank(keys, slots, outside, self.sorted_keys, numbers)
        return numbers

    def keys(self, numbers: Indices) -> Keys:
        """The keys of numbers, int64[n] -> uint64[n, words]."""
        return self.sorted_keys[numbers]


@kernel
def _is_less(keys, row, others, other):  # type: ignore[no-untyped-def]
    for word in range(keys.shape[1]):
        if keys[row, word] != others[other, word]:
            return keys[row, word] < others[other, word]
    return False


@kernel
def _rank(keys, slots, outside, known, numbers):  # type: ignore[no-untyped-def]
    """Find keys among those that are known, by halving."""
    for begin in range(0, keys.shape[0], slots):
        for row in range(begin, begin + slots):
            if keys[row, 0] == NO_STATE:
                numbers[row : begin + slots] = -1
                break
            low, high = 0, known.shape[0]
            while low < high:
                middle = (low + high) >> 1
                if _is_less(known, middle, keys, row):
                    low = middle + 1
                else:
                    high = middle
            is_known = low < known.shape[0] and not _is_less(keys, row, known, low)
            numbers[row] = low if is_known else outside


@dataclass(frozen=True, slots=True)
class PackedStates:
    """The states of a game by number."""

    rules: PackedRules
    ranking: Ranking | DenseRanking

    @classmethod
    def find(cls, rules: PackedRules, most: int, threads: int, report: Report = lambda _states, _found: None) -> Self:
        """Find all states that the start leads to, and number them; raises TooManyStates above `most`.

        If there are many, moves flip bits, and a byte for each code fits, they are stored as bits for codes.
        """
        codes = _codes(rules)
        try:
            return cls(rules, Ranking.of(reachable(rules, min(most, _FEW) if codes else most, report)))
        except TooManyStates:
            if not codes or most <= _FEW:
                raise
        return cls(rules, densely_reachable(rules, codes, threads, most, report))

    def expand(self, indices: Indices) -> Indices:
        """The successors of states, int64[n] -> int64[n, slots]; NOT_FOLLOWED for one that was not found."""
        after = self.rules.successors(self.ranking.keys(np.maximum(indices, 0)))
        numbers = self.ranking.rank(after.reshape(-1, self.rules.words), after.shape[1], NOT_FOLLOWED)
        numbers = numbers.reshape(after.shape[:2])
        numbers[indices < 0] = -1
        return numbers

    def solved(self) -> Indices:
        """The numbers of the solved states, in order."""
        firsts = range(0, self.ranking.size, _PIECE)
        numbers = (np.arange(first, min(first + _PIECE, self.ranking.size)) for first in firsts)
        return np.concatenate([some[self.rules.solved(self.ranking.keys(some))] for some in numbers])

    def space(self, start: int, goal_states: Indices) -> Space:
        """The space of all states, by the number of the first one."""
        expand = self.expand
        return Space(
            size=self.ranking.size,
            expand=expand,
            goal_states=goal_states,
            rank=lambda boards: self.ranking.rank(keys_of(boards)),
            unrank=lambda indices: boards_of(self.ranking.keys(indices)),
            connected=self.rules.reversible and len(goal_states) > 0,
            directed=Directed(
                start,
                expand if self.rules.reversible else None,
                lambda indices: self.rules.solved(self.ranking.keys(indices)),
            ),
        )


def found_states(rules: PackedRules) -> FoundStates:
    """The states of rules, for a build and for the readers of its table."""

    def find(most: int, threads: int, report: Report) -> tuple[Space, Arrays]:
        states = PackedStates.find(rules, most, threads, report)
        start, goal_states = states.ranking.rank(rules.start[None, :]), states.solved()
        arrays = {"start": start, "goal_states": goal_states, **states.ranking.arrays}
        return states.space(int(start[0]), goal_states), arrays

    def space(arrays: Arrays) -> Space:
        kind = Ranking if "keys" in arrays else DenseRanking
        return PackedStates(rules, kind.of_arrays(arrays)).space(int(arrays["start"][0]), arrays["goal_states"])

    hashed = _BYTES_OF_A_WORD * rules.words + _BYTES_OF_A_STATE
    return FoundStates(BYTES_OF_A_VERTEX if _codes(rules) else hashed, find, space)


def growing_space(rules: PackedRules, goal_states: Keys, memory: int | None) -> GrowingSpace:
    """Make a space of the states that a search meets, up to `memory` bytes. The goal is by default the solved states.

    Raises TooManyStates when `memory` is full.
    """
    most = most_boards(8 * rules.words, memory)
    met = BoardList(boards_of(rules.start[None, :])[0], most=most)

    def rank(keys: Keys) -> Indices:
        return met.enter(boards_of(keys), np.ones(len(keys), np.bool_)).astype(np.int64)

    def keys(indices: Indices) -> Keys:
        return keys_of(met.boards(indices))

    def expand(indices: Indices) -> Indices:
        after = rules.successors(keys(np.maximum(indices, 0)))
        fills = legal(after) & (indices >= 0)[:, None]
        numbers = np.full(fills.shape, -1)
        numbers[fills] = rank(after[fills])
        return numbers

    return GrowingSpace(
        size=most,
        expand=expand,
        goal_states=np.unique(rank(goal_states)),
        rank=lambda boards: rank(keys_of(boards)),
        unrank=met.boards,
        directed=Directed(
            predecessors=expand if rules.reversible else None,
            solved=None if len(goal_states) else lambda indices: rules.solved(keys(indices)),
        ),
    )


def _codes(rules: PackedRules) -> Codes | None:
    """The codes of keys; None if moves flip no masks, or a byte for each code does not fit."""
    codes = Codes.of(int(rules.start[0]), rules.masks) if rules.masks else None
    return codes if codes and 1 << codes.bits <= spare_memory() // 2 else None
