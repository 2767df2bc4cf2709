"""Packed states by number: they are found from the start,
and arrays in their table's file number them.

The number of a state is its place in the order of finding;
where moves flip bits, dense.py numbers many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from puzzlebase.builder.breadth_first.directed import BYTES_OF_A_VERTEX
from puzzlebase.machine import spare_memory
from puzzlebase.plugins.hash_tables import BoardList, most_boards
from puzzlebase.plugins.levels.states.dense import Codes, DenseRanking, densely_reachable
from puzzlebase.plugins.levels.states.packed import Keys, PackedRules, boards_of, packed_slots
from puzzlebase.puzzles import Boards, Directed, Indices, Space
from puzzlebase.puzzles.contract.errors import TooManyStates
from puzzlebase.puzzles.contract.puzzle import FoundStates, Report
from puzzlebase.puzzles.contract.space import Arrays
from puzzlebase.sentinels import NOT_FOLLOWED

_FEW = 1 << 20
"""The most states that are numbered in a list, since so few are found quickly."""
_CHUNK = 1 << 12
"""The number of states that are expanded at a time: their successors fit into a core's cache."""
_PIECE = 1 << 18
"""The number of states among which solved ones are looked for at a time."""
_BYTES_OF_A_WORD = 56
_BYTES_OF_A_STATE = 24
"""The bytes of a state while it is found: its key, in words, in a growing hash table and in a list;
then depth and distance.
"""


class ListedStates(BoardList):
    """Boards in the order of finding."""

    number = BoardList.find

    def rank(self, after: Keys) -> Indices:
        """The numbers of successors,
        unsigned[n, slots, numbers] -> int64[n, slots], as `DenseRanking.rank`.
        """
        fills = packed_slots(after)
        numbers = np.full(fills.shape, -1)
        listed = self.number(boards_of(after[fills]))
        numbers[fills] = np.where(listed < 0, NOT_FOLLOWED, listed)
        return numbers


class GrowingList(ListedStates):
    """Boards in the order in which they are first asked for."""

    def number(self, boards: Boards) -> Indices:
        """The numbers of boards, uint8[n, bytes] -> int64[n],
        new ones for new boards; raises TooManyStates.
        """
        return self.enter(boards).astype(np.int64)


def reachable_boards(rules: PackedRules, most: int, report: Report) -> ListedStates:
    """The boards of all states that moves lead to from the start, nearest first.

    Raises TooManyStates as soon as more than `most` have been found.
    """
    states = ListedStates(boards_of(rules.start))
    layers, first = [1], 0
    while layers[-1]:
        report(layers[-1], states.count)
        last = states.count
        for at in range(first, last, _CHUNK):
            after = rules.successors(
                rules.keys(states.boards(np.arange(at, min(at + _CHUNK, last))))
            )
            boards = boards_of(after[packed_slots(after)])
            states.enter(boards)
            if states.count > most:
                raise TooManyStates(most, [*layers, states.count - last])
        layers.append(states.count - last)
        first = last
    return states


@dataclass(frozen=True, slots=True)
class PackedStates:
    """The states of a game by number."""

    rules: PackedRules
    numbers: ListedStates | DenseRanking

    @classmethod
    def find(
        cls,
        rules: PackedRules,
        most: int,
        threads: int,
        report: Report,
    ) -> Self:
        """Find all states that the start leads to,
        and number them; raises TooManyStates above `most`.

        If there are many, moves flip bits,
        and a byte for each code fits, they are stored as bits for codes.
        """
        codes = _codes(rules)
        try:
            return cls(rules, reachable_boards(rules, min(most, _FEW) if codes else most, report))
        except TooManyStates:
            if not codes or most <= _FEW:
                raise
        return cls(rules, densely_reachable(rules, codes, threads, most, report))

    def expand(self, indices: Indices) -> Indices:
        """The successors of states, int64[n] -> int64[n, slots];
        NOT_FOLLOWED for one that was not found.
        """
        boards = self.numbers.boards(np.maximum(indices, 0))
        numbers = self.numbers.rank(self.rules.successors(self.rules.keys(boards)))
        numbers[indices < 0] = -1
        return numbers

    def solved(self, indices: Indices) -> npt.NDArray[np.bool_]:
        """True for solved states, int64[n] -> bool[n]."""
        return self.rules.solved(self.rules.keys(self.numbers.boards(indices)))

    def all_solved(self) -> Indices:
        """The numbers of the solved states, in order."""
        size = self.numbers.count
        pieces = (np.arange(first, min(first + _PIECE, size)) for first in range(0, size, _PIECE))
        return np.concatenate([piece[self.solved(piece)] for piece in pieces])

    def space(self, goal_states: Indices, start: int = -1, most: int = 0) -> Space:
        """The space of all states, by the number of the first one;
        or, with `most`, of those that a search meets, at most so many.
        """
        reversible, given = self.rules.reversible, len(goal_states) > 0
        return Space(
            grows=most > 0,
            size=most or self.numbers.count,
            expand=self.expand,
            goal_states=goal_states,
            rank=self.numbers.number,
            unrank=self.numbers.boards,
            connected=reversible and given and not most,
            directed=Directed(
                start,
                self.expand if reversible else None,
                None if most and given else self.solved,
            ),
        )


def reachable_states(rules: PackedRules) -> FoundStates:
    """The states that the rules' start leads to, for a build and for the readers of its table."""

    def find(most: int, threads: int, report: Report) -> tuple[Space, Arrays]:
        states = PackedStates.find(rules, most, threads, report)
        arrays = {
            "start": states.numbers.number(boards_of(rules.start[None])),
            "goal_states": states.all_solved(),
            **states.numbers.arrays,
        }
        return space(arrays), arrays

    def space(arrays: Arrays) -> Space:
        numbers: ListedStates | DenseRanking
        if "listed" in arrays:
            numbers = ListedStates(boards_of(rules.start))
            numbers.adopt(arrays["listed"], arrays["slots"])
        else:
            numbers = DenseRanking.of_arrays(arrays)
        return PackedStates(rules, numbers).space(arrays["goal_states"], int(arrays["start"][0]))

    hashed = _BYTES_OF_A_WORD * -(-rules.start.nbytes // 8) + _BYTES_OF_A_STATE
    return FoundStates(BYTES_OF_A_VERTEX if _codes(rules) else hashed, find, space)


def reachable_space(rules: PackedRules, goal_states: Keys, memory: int | None) -> Space:
    """Make a space that grows by the reachable states that a search meets,
    up to `memory` bytes. The goal is by default the solved states.

    Raises TooManyStates when `memory` is full.
    """
    most = most_boards(rules.start.nbytes, memory)
    met = GrowingList(boards_of(rules.start), most=most)
    return PackedStates(rules, met).space(np.unique(met.number(boards_of(goal_states))), most=most)


def _codes(rules: PackedRules) -> Codes | None:
    """The codes of keys; None if moves flip no masks, or a byte for each code does not fit."""
    codes = Codes.of(int(rules.start[0]), rules.masks) if rules.masks else None
    return codes if codes and 1 << codes.bits <= spare_memory() // 2 else None
