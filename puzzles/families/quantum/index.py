"""The index side: the numbers of all matrices of a small board, and the moves between them.

A state is the sequence of the numbers of its shares, position by position. An automaton ranks it,
since the next position's shares depend on the units left alone.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from puzzlebase.plugins.small_graphs import small_graph_layers
from puzzlebase.puzzles import Boards, Goal, Indices, Space, kernel
from puzzlebase.puzzles.families.quantum.board import QuantumRules, parse
from puzzlebase.puzzles.families.quantum.graph import Ints
from puzzlebase.puzzles.machinery.automaton import Flags, States, make_automaton, walk


def space(rules: QuantumRules, _goal: Goal) -> Space:
    """All states that can reach the goal,
    as indices without gaps; with k >= 2 these are all matrices.
    """
    size, k = rules.positions, rules.k
    shares = np.array([shares for shares in product(range(k + 1), repeat=size) if sum(shares) == k])

    def fill(left: States) -> tuple[States, Flags]:
        """Find the units left after each of the next position's shares,
        and the shares that are not too many.
        """
        after = left[:, None] - shares
        return after, np.all(after >= 0, axis=2)

    automaton = make_automaton((k,) * size, size, fill)
    # the code of shares is one integer whose digits are their units
    codes = (k + 1) ** np.arange(size)
    number = np.full((k + 1) ** size, -1)
    number[shares @ codes] = np.arange(len(shares))
    one = np.eye(size, dtype=np.int64)

    def numbered(units: Ints) -> Indices:
        """The numbers of shares; -1, which the last code has too, if they are none."""
        numbers: Indices = number[
            np.where(((units >= 0) & (units <= k)).all(axis=-1), units @ codes, -1)
        ]
        return numbers

    def changed(tile: int, units: int) -> Indices:
        """The number of each shares after units of a tile came, or left if they are negative."""
        return numbered(shares + units * (one[tile] - one[rules.space]))

    moves = np.array([*rules.moves.values()])
    changes = np.array(
        [[changed(tile, -units), changed(tile, units)] for tile, _, _, units in moves.tolist()]
    )

    def expand(indices: Indices) -> Indices:
        successors = np.empty((len(indices), len(moves)), np.int64)
        _expand(
            indices,
            automaton.transitions,
            moves,
            changes,
            np.empty((3, size + 1), np.int64),
            successors,
        )
        return successors

    def rank(boards: Boards) -> Indices:
        return automaton.rank(
            numbered(boards.reshape(-1, size, size).astype(np.int64)).astype(np.uint8)
        )

    every = Space(
        size=automaton.size,
        expand=expand,
        goal_states=rank(parse(rules, rules.solved)[None, :]),
        rank=rank,
        unrank=lambda indices: (
            shares[automaton.unrank(indices)].astype(np.uint8).reshape(len(indices), -1)
        ),
        connected=True,
    )
    return every if k > 1 else _reachable(every)


def _reachable(whole: Space) -> Space:
    """The states of whole tiles that can reach the goal:
    half of all permutations, numbered in the same order.
    """
    found = small_graph_layers(
        whole.size, whole.goal_states, lambda layer: whole.expand(layer).reshape(-1)
    )
    reached = np.sort(np.concatenate([layer for layer, _ in found]))
    every = np.append(reached, -1)  # index -1 finds the last entry, here and in `dense`
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
def _expand(indices, transitions, moves, changes, path, successors):  # type: ignore[no-untyped-def]
    """Rank anew what lies between the two positions of a move: behind them the same units are left.

    `moves` are tile, from, to and amount; `changes` are the numbers of shares after it, at these
    two positions, -1 if it is illegal. `path` is memory for a state's path.
    """
    symbols, nodes, sums = path[0], path[1], path[2]
    for i in range(len(indices)):
        successors[i] = -1
        if indices[i] < 0:
            continue
        walk(indices[i], transitions, symbols, nodes, sums)
        for m in range(len(moves)):
            source, target = moves[m, 1], moves[m, 2]
            left, come = changes[m, 0, symbols[source]], changes[m, 1, symbols[target]]
            if left < 0 or come < 0:
                continue
            first, end = min(source, target), max(source, target) + 1
            node, rank = nodes[first], indices[i] + sums[first] - sums[end]
            for position in range(first, end):
                symbol = (
                    left
                    if position == source
                    else come
                    if position == target
                    else symbols[position]
                )
                rank += transitions[node, symbol, 1]
                node = np.int64(transitions[node, symbol, 0])
            successors[i, m] = rank
