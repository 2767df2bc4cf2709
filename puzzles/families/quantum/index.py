"""The index side: the numbers of all matrices of a board small enough, and the moves between them.

A state is the sequence of the numbers of its shares, position by position, and an automaton ranks it: what the next
position may hold depends on the units left alone. A move changes two positions and no sum of a column. So the path
through the automaton is the same before the first and behind the second, and only those between are added up anew.
With k = 1 a state is a permutation of whole tiles, and half of the permutations can be reached; those have indices of
their own, without gaps. With k >= 2 every matrix can be reached.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.space import Boards, Indices, Space
from puzzlebase.puzzles.families.quantum.board import QuantumRules, parse
from puzzlebase.puzzles.machinery.automaton import Flags, States, make_automaton, walk


def _divisions(units: int, parts: int) -> npt.NDArray[np.int64]:
    """All ways to divide units among parts, in lexicographic order: int64[ways, parts]."""
    bars = np.array(list(combinations(range(units + parts - 1), parts - 1)), np.int64).reshape(-1, parts - 1)
    ends = np.full((len(bars), 1), -1), np.full((len(bars), 1), units + parts - 1)
    return np.diff(np.hstack([ends[0], bars, ends[1]])) - 1


def space(rules: QuantumRules, _goal: Goal) -> Space:
    """All states that can reach the goal, as indices without gaps."""
    size, k = rules.positions, rules.k
    shares = _divisions(k, size)

    def fill(left: States) -> tuple[States, Flags]:
        """The units left after each way to fill the next position, and the ways that leave no column too much."""
        after = left[:, None] - shares
        return after, np.all(after >= 0, axis=2)

    automaton = make_automaton((k,) * size, size, fill)
    codes = (k + 1) ** np.arange(size)  # the code of shares is one integer whose digits are their units
    number = np.full((k + 1) ** size, -1, np.int32)
    number[shares @ codes] = np.arange(len(shares))
    after, spaces, edges = _changed(rules, shares, number, codes), shares[:, -1].copy(), np.array(rules.graph.edges)

    def expand(indices: Indices) -> Indices:
        successors = np.empty((len(indices), len(rules.moves)), np.int64)
        _expand(indices, automaton.transitions, after, spaces, edges, successors)
        return successors

    def rank(boards: Boards) -> Indices:
        indices = np.empty(len(boards), np.int64)
        _rank(boards, number, codes, automaton.transitions, indices)
        return indices

    every = Space(
        size=automaton.size,
        expand=expand,
        goal_states=rank(parse(rules, rules.solved)[None, :]),
        rank=rank,
        unrank=lambda indices: shares[automaton.unrank(indices)].astype(np.uint8).reshape(len(indices), -1),
        connected=True,
    )
    return every if k > 1 else _reachable(every)


def _changed(
    rules: QuantumRules, shares: npt.NDArray[np.int64], number: npt.NDArray[np.int32], codes: npt.NDArray[np.int64]
) -> npt.NDArray[np.int32]:
    """Numbers of a position's shares once units of a tile have left (0) or come (1): int32[2, units - 1, tile, number].

    The space has changed as much; -1 where that cannot be.
    """
    found = np.full((2, rules.amounts, rules.space, len(shares)), -1, np.int32)
    for given, units, tile in np.ndindex(found.shape[:3]):
        changed = shares.copy()
        changed[:, tile] += (2 * given - 1) * (units + 1)
        changed[:, -1] -= (2 * given - 1) * (units + 1)
        possible = (changed >= 0).all(axis=1)
        found[given, units, tile, possible] = number[changed[possible] @ codes]
    return found


def _reachable(whole: Space) -> Space:
    """The states of whole tiles that can reach the goal, half of all, numbered in the same order."""
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
    """The indices of matrices; -1 where a row or a column does not have the right sum.

    To find all numbers first and leave them to the automaton's own `rank` takes 1.1 times as long on small boards, and
    3 times as long for one matrix.
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
def _expand(indices, transitions, after, spaces, edges, successors):  # type: ignore[no-untyped-def]
    amounts, tiles = after.shape[1], after.shape[2]
    numbers, nodes, sums = np.empty(tiles + 1, np.int64), np.empty(tiles + 1, np.int64), np.empty(tiles + 2, np.int64)
    for i in range(indices.shape[0]):
        successors[i] = -1
        if indices[i] < 0:
            continue
        walk(indices[i], transitions, numbers, nodes, sums)
        for edge in range(edges.shape[0]):
            source, target = edges[edge, 0], edges[edge, 1]
            if spaces[numbers[target]] == 0:
                continue  # tested first: a quarter less time in all
            for tile in range(tiles):
                for units in range(amounts):
                    left = after[0, units, tile, numbers[source]]
                    come = after[1, units, tile, numbers[target]]
                    if left < 0 or come < 0:
                        break
                    move = (tile * edges.shape[0] + edge) * amounts + units
                    if source < target:
                        successors[i, move] = _moved(source, target, left, come, numbers, nodes, sums, transitions)
                    else:
                        successors[i, move] = _moved(target, source, come, left, numbers, nodes, sums, transitions)


@kernel
def _moved(first, second, first_number, second_number, numbers, nodes, sums, transitions):  # type: ignore[no-untyped-def]
    """The index when two positions have other shares: behind the second the path is as before."""
    node = np.int64(transitions[nodes[first], first_number, 0])
    rank = sums[first] + transitions[nodes[first], first_number, 1]
    for position in range(first + 1, second):
        rank += transitions[node, numbers[position], 1]
        node = np.int64(transitions[node, numbers[position], 0])
    return rank + transitions[node, second_number, 1] + sums[numbers.shape[0]] - sums[second + 1]
