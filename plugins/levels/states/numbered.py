"""Packed states by number: they are found from the start, and arrays in their table's file number them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

import numpy as np

from puzzlebase.builder.breadth_first.directed import BYTES_OF_A_VERTEX
from puzzlebase.machine import spare_memory
from puzzlebase.plugins.levels.states.dense import Codes, DenseRanking, densely_reachable
from puzzlebase.plugins.levels.states.packed import Keys, PackedRules, boards_of, keys_of, legal
from puzzlebase.plugins.levels.states.ranking import Ranking, reachable
from puzzlebase.puzzles import Directed, Indices, Space
from puzzlebase.puzzles.contract.puzzle import FoundStates, Report
from puzzlebase.puzzles.contract.space import Arrays, GrowingSpace
from puzzlebase.puzzles.machinery.listed import BoardList, TooManyStates, most_boards
from puzzlebase.sentinels import NOT_FOLLOWED
from puzzlebase.threads import ranges

_FEW = 1 << 20
"""The most states that are numbered by their keys, since so few are found quickly."""
_PIECE = 1 << 18
"""The number of states that a thread searches for solved ones at a time."""
_BYTES_OF_A_WORD = 56
_BYTES_OF_A_STATE = 24
"""The bytes of a state while it is found: keys in a growing hash table and in a list; then depth and distance."""


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
            return cls(rules, Ranking.of(reachable(rules, threads, min(most, _FEW) if codes else most, report)))
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

    def solved(self, threads: int) -> Indices:
        """The numbers of the solved states, in order."""

        def among(piece: tuple[int, int]) -> Indices:
            return piece[0] + np.flatnonzero(self.rules.solved(self.ranking.keys(np.arange(*piece))))

        with ThreadPoolExecutor(threads) as pool:
            pieces = ranges(self.ranking.size, -(-self.ranking.size // _PIECE))
            return np.concatenate([*pool.map(among, pieces)])

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
        start, goal_states = states.ranking.rank(rules.start[None, :]), states.solved(threads)
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
