"""The index side: the numbers of all matrices of a small board, and the moves between them.

A state is the sequence of the numbers of its shares, position by position. An automaton ranks it, since the next
position's shares depend on the units left alone. A rank is the sum of two, one of each half of the positions; states
with the same first half follow each other. So what a move does to each half is a table, and a successor is a sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Boards, Goal, Indices, Space, Successors, kernel
from puzzlebase.puzzles.families.quantum.board import QuantumRules, parse
from puzzlebase.puzzles.machinery.automaton import Flags, States, Transitions, make_automaton

Change = Mapping[int, npt.NDArray[np.int32]]
"""Shares after others, -1 if there are none, at some positions of a half."""

_STATES = 128


def space(rules: QuantumRules, _goal: Goal) -> Space:
    """All states that can reach the goal, as indices without gaps; with k >= 2 these are all matrices."""
    size, k = rules.positions, rules.k
    shares = np.array([shares for shares in product(range(k + 1), repeat=size) if sum(shares) == k])

    def fill(left: States) -> tuple[States, Flags]:
        """Find the units left after each of the next position's shares, and the shares that are not too many."""
        after = left[:, None] - shares
        return after, np.all(after >= 0, axis=2)

    automaton = make_automaton((k,) * size, size, fill)
    codes = (k + 1) ** np.arange(size)  # the code of shares is one integer whose digits are their units
    number = np.full((k + 1) ** size, -1, np.int32)
    number[shares @ codes] = np.arange(len(shares))

    @cache
    def tables() -> tuple[npt.NDArray[Any], ...]:
        return _tables(rules, _changed(rules, shares, number, codes), automaton.size, automaton.transitions)

    def lists(indices: Indices) -> tuple[Indices, npt.NDArray[np.int16], npt.NDArray[np.int32]]:
        most = len(indices) * len(rules.moves)
        to, moves, counts = np.empty(most, np.int64), np.empty(most, np.int16), np.empty(len(indices), np.int32)
        end = _list(indices, *tables(), to, moves, counts)
        return to[:end], moves[:end], counts

    def expand(indices: Indices) -> Indices:
        to, moves, counts = lists(np.maximum(indices, 0))
        successors = np.full((len(indices), len(rules.moves)), -1)
        successors[np.repeat(np.arange(len(indices)), counts), moves] = to
        successors[indices < 0] = -1
        return successors

    def rank(boards: Boards) -> Indices:
        indices = np.empty(len(boards), np.int64)
        _rank(boards, number, codes, automaton.transitions, indices)
        return indices

    every = Space(
        size=automaton.size,
        expand=expand,
        lists=lambda vertices: Successors(*lists(vertices)[::2]),
        goal_states=rank(parse(rules, rules.solved)[None, :]),
        rank=rank,
        unrank=lambda indices: shares[automaton.unrank(indices)].astype(np.uint8).reshape(len(indices), -1),
        connected=True,
    )
    return every if k > 1 else _reachable(every)


def _changed(
    rules: QuantumRules, shares: npt.NDArray[np.int64], number: npt.NDArray[np.int32], codes: npt.NDArray[np.int64]
) -> npt.NDArray[np.int32]:
    """Shares after units of a tile left (0) or came (1), -1 if they cannot: int32[2, units - 1, tile, shares]."""
    found = np.full((2, rules.amounts, rules.space, len(shares)), -1, np.int32)
    for given, units, tile in np.ndindex(found.shape[:3]):
        changed = shares.copy()
        changed[:, tile] += (2 * given - 1) * (units + 1)
        changed[:, -1] -= (2 * given - 1) * (units + 1)
        possible = (changed >= 0).all(axis=1)
        found[given, units, tile, possible] = number[changed[possible] @ codes]
    return found


class _Half(NamedTuple):
    """All sequences of shares of half of the positions, in the order of their ranks."""

    start: Indices  # of each: the number of the node before it
    node: Indices  # behind it
    sums: Indices  # of its offsets
    symbols: Indices  # its shares, int64[positions, n]

    @classmethod
    def of(cls, transitions: Transitions, nodes: Indices, positions: int) -> _Half:
        """List the sequences from each of some nodes."""
        start, node, sums = np.arange(len(nodes)), nodes, np.zeros(len(nodes), np.int64)
        symbols = np.empty((0, len(nodes)), np.int64)
        for _ in range(positions):
            at, symbol = np.divmod(np.flatnonzero(transitions[node, :, 0] >= 0), transitions.shape[1])
            node, offset = transitions[node[at], symbol].astype(np.int64).T
            start, sums, symbols = start[at], sums[at] + offset, np.stack([*symbols[:, at], symbol])
        return cls(start, node, sums, symbols)

    def after(self, changes: Sequence[Change]) -> npt.NDArray[np.int32]:
        """The number of the sequence after each change, -1 for none: int32[n, changes]."""
        *weights, most = (self.symbols.max() + 1) ** np.arange(len(self.symbols) + 1)
        every, own_codes = np.arange(len(self.sums)), np.array(weights) @ self.symbols
        numbers = np.full(most, -1, np.int32)
        numbers[own_codes] = every
        found = np.full((len(every), len(changes)), -1, np.int32)
        for column, change in zip(found.T, changes, strict=True):
            at, codes = every, own_codes
            for position, to in change.items():
                symbols = self.symbols[position, at]
                after = to[symbols]
                possible = np.flatnonzero(after >= 0)
                codes = codes[possible] + (after[possible] - symbols[possible]) * weights[position]
                at = at[possible]
            column[at] = numbers[codes]
        return found


def _tables(
    rules: QuantumRules, changed: npt.NDArray[np.int32], size: int, transitions: Transitions
) -> tuple[npt.NDArray[Any], ...]:
    """The tables of `_list`, whose rows are first halves and whose columns are second halves.

    1: the row of each 128th state.
    2: of each row, the state behind its last one, its first column less its first state, and its first entry in 3:
    int64[rows + 1, 3].
    3: the moves that change a row: the first state of the row after it, the kind of change to the column, the move.
    4: the place in its row of the column after each kind of change, -1 if there is none: int16[columns, kinds].
    5: of each column, its first entry in 6. 6: the moves that change a column alone: the step, the move.
    """
    middle = rules.positions // 2
    first = _Half.of(transitions, np.zeros(1, np.int64), middle)
    nodes = np.unique(first.node)
    second = _Half.of(transitions, nodes, rules.positions - middle)
    kinds: list[Change] = [{}]
    of_rows, of_columns = [], []
    for move, (tile, source, target, units) in enumerate(rules.moves.values()):
        change = {source: changed[0, units - 1, tile], target: changed[1, units - 1, tile]}
        above = {position: to for position, to in change.items() if position < middle}
        below = {position - middle: to for position, to in change.items() if position >= middle}
        if above:
            of_rows.append((above, len(kinds) if below else 0, move))
            kinds += [below] * bool(below)
        else:
            of_columns.append((below, move))
    ends = np.append(first.sums[1:], size)
    shifts = np.searchsorted(second.start, np.searchsorted(nodes, first.node)) - first.sums
    changes, *of_row = zip(*of_rows, strict=True)
    entries, _, to, which = _entries(first.after(changes))
    rows = np.stack([np.append(ends, size), np.append(shifts, 0), entries], axis=1)
    row_moves = np.stack([first.sums.astype(np.int32)[to], *np.array(of_row, np.int32)[:, which]], axis=1)
    ranks = np.append(second.sums, -1).astype(np.int16)[second.after(kinds)]
    changes, of_column = zip(*of_columns, strict=True)
    columns, column, to, which = _entries(second.after(changes))
    steps = second.sums[to] - second.sums[column]
    column_moves = np.stack([steps, np.array(of_column)[which]], axis=1).astype(np.int16)
    row_at = np.searchsorted(ends, np.arange(0, size, _STATES), side="right")
    return row_at, rows, row_moves, ranks, columns, column_moves


def _entries(table: npt.NDArray[np.int32]) -> tuple[Indices, Indices, Indices, Indices]:
    """List the numbers in a table that are not -1: where each row begins, then row, number and column of each."""
    row, column = np.divmod(np.flatnonzero(table >= 0), table.shape[1])
    begins = np.append(0, np.bincount(row, minlength=len(table))).cumsum()
    return begins, row, table[row, column].astype(np.int64), column


def _reachable(whole: Space) -> Space:
    """The states of whole tiles that can reach the goal: half of all permutations, numbered in the same order."""
    successors = whole.expand(np.arange(whole.size))
    reached = np.zeros(whole.size, np.bool_)
    layer = whole.goal_states
    while len(layer):
        reached[layer] = True
        layer = np.unique(successors[layer][successors[layer] >= 0])
        layer = layer[~reached[layer]]
    every = np.append(np.flatnonzero(reached), -1)  # index -1 finds the last entry, here and in `dense`
    dense = np.full(whole.size + 1, -1)
    dense[every[:-1]] = np.arange(len(every) - 1)
    return Space(
        size=len(every) - 1,
        expand=lambda indices: dense[whole.expand(every[indices])],
        goal_states=dense[whole.goal_states],
        rank=lambda boards: dense[whole.rank(boards)],
        unrank=lambda indices: whole.unrank(every[indices]),
        connected=True,
    )


@kernel
def _rank(boards, number, codes, transitions, indices):  # type: ignore[no-untyped-def]
    """Rank matrices, -1 where a row or a column has a wrong sum.

    The automaton's own `rank`, with all numbers found first, takes 1.1 times as long on small boards, and 3 times as
    long for one matrix.
    """
    size = codes.shape[0]
    for i in range(boards.shape[0]):
        indices[i] = node = 0
        for position in range(size):
            code = np.int64(0)
            for tile in range(size):
                units = np.int64(boards[i, position * size + tile])
                code = code + units * codes[tile] if code >= 0 and units < codes[1] else np.int64(-1)
            symbol = number[code] if code >= 0 else -1
            follow = transitions[node, symbol, 0] if symbol >= 0 else -1
            if follow < 0:
                indices[i] = -1
                break
            indices[i] += transitions[node, symbol, 1]
            node = follow


@kernel
def _list(indices, row_at, rows, row_moves, ranks, columns, column_moves, to, moves, counts):  # type: ignore[no-untyped-def]
    """List successors and their moves. The fewer branches depend on a state, the fewer are guessed wrong."""
    end = np.uint64(0)
    for i in range(indices.shape[0]):
        index, begin = indices[i], end
        row = np.uint64(row_at[np.uint64(index) // np.uint64(_STATES)])
        while rows[row, 0] <= index:
            row += np.uint64(1)
        column = np.uint64(index + rows[row, 1])
        for k in range(np.uint64(rows[row, 2]), np.uint64(rows[row + np.uint64(1), 2])):
            rank = ranks[column, np.uint64(row_moves[k, 1])]
            to[end], moves[end] = row_moves[k, 0] + np.int64(rank), row_moves[k, 2]
            end += np.uint64(rank >= 0)
        for k in range(np.uint64(columns[column]), np.uint64(columns[column + np.uint64(1)])):
            to[end], moves[end] = index + np.int64(column_moves[k, 0]), column_moves[k, 1]
            end += np.uint64(1)
        counts[i] = end - begin
    return end
