"""The index side: the numbers of all matrices of a small board, and the moves between them.

A state is the sequence of the numbers of its shares, position by position. An automaton ranks it, since the next
position's shares depend only on the units left. A move changes two positions and no sum of a column. So the path
through the automaton changes only between these two positions, and only that part is added up anew.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Boards, Goal, Indices, Space, kernel
from puzzlebase.puzzles.families.quantum.board import QuantumRules, parse
from puzzlebase.puzzles.machinery.automaton import Flags, States, make_automaton


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
    tables = _tables(rules, _changed(rules, shares, number, codes), shares[:, -1])
    transitions = automaton.transitions.view(f"u{automaton.transitions.itemsize}")
    offsets = transitions[:, :, 1].copy()

    def expand(indices: Indices) -> Indices:
        successors = np.empty((len(indices), len(rules.moves)), np.int64)
        _expand(np.maximum(indices, 0), transitions, offsets, *tables, successors)
        successors[indices < 0] = -1
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
    """Shares after units of a tile left (0) or came (1), -1 if they cannot: int32[2, units - 1, tile, shares]."""
    found = np.full((2, rules.amounts, rules.space, len(shares)), -1, np.int32)
    for given, units, tile in np.ndindex(found.shape[:3]):
        changed = shares.copy()
        changed[:, tile] += (2 * given - 1) * (units + 1)
        changed[:, -1] -= (2 * given - 1) * (units + 1)
        possible = (changed >= 0).all(axis=1)
        found[given, units, tile, possible] = number[changed[possible] @ codes]
    return found


def _tables(
    rules: QuantumRules, changed: npt.NDArray[np.int32], spaces: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[Any], ...]:
    """The tables of `_expand`. A kind of move is a tile and its units; `changed` are the shares after each of them.

    1: the kinds that take from shares, -1 behind the last one, and the shares after: int32[shares, kinds + 1, 2].
    2: the shares after each kind that gives to them, -1 if it cannot: int32[shares, kinds].
    3: the units of space in shares. 4: the edges, uint64[edges, 2].
    5: the number of the move of each kind along each edge: int64[edges, kinds].
    """
    left, come = changed.reshape(2, -1, changed.shape[3]).transpose(0, 2, 1)
    takes = np.full((left.shape[0], left.shape[1] + 1, 2), -1, np.int32)
    for share, after in enumerate(left):
        kinds = np.flatnonzero(after >= 0)
        takes[share, : len(kinds)] = np.stack([kinds, after[kinds]], axis=1)
    edges = np.array(rules.graph.edges, np.uint64)
    units, tiles, edge = np.indices((rules.amounts, rules.space, len(edges)))
    moves = ((tiles * len(edges) + edge) * rules.amounts + units).reshape(-1, len(edges)).T
    return takes, np.ascontiguousarray(come), spaces.copy(), edges, np.ascontiguousarray(moves)


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
def _expand(indices, transitions, offsets, takes, come, spaces, edges, moves, successors):  # type: ignore[no-untyped-def]
    """Expand matrices. If a path begins like the one before, the moves in the common part change the rank by the same.

    Unsigned indices, and lists of the possible moves, take half the time.
    """
    size, none = np.uint64(edges.max()) + np.uint64(1), np.int64(-1) << np.int64(62)
    numbers, nodes = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
    sums, ends = np.zeros(size + np.uint64(1), np.int64), np.zeros(size + np.uint64(1), np.int64)
    steps = np.full(successors.shape[1], none, np.int64)
    for i in range(indices.shape[0]):
        changed = _walk_on(indices[i], transitions, offsets, numbers, nodes, sums, ends)
        for edge in range(np.uint64(edges.shape[0])):  # in a kernel of its own this takes twice as long
            source, target = edges[edge, 0], edges[edge, 1]
            first, second = min(source, target), max(source, target)
            if second < changed:
                continue
            for kind in range(np.uint64(moves.shape[1])):
                steps[moves[edge, kind]] = none
            if spaces[numbers[target]] == 0:
                continue
            before = sums[second + np.uint64(1)] - sums[first]
            for k in range(np.uint64(takes.shape[1])):
                taken = takes[numbers[source], k, 0]
                if taken < 0:
                    break
                left, came = np.uint64(takes[numbers[source], k, 1]), come[numbers[target], np.uint64(taken)]
                if came >= 0:
                    at_first, at_second = (left, np.uint64(came)) if source == first else (np.uint64(came), left)
                    moved = _moved(first, second, at_first, at_second, numbers, nodes, transitions)
                    steps[moves[edge, np.uint64(taken)]] = moved - before
        for m in range(np.uint64(steps.shape[0])):
            successors[i, m] = max(indices[i] + steps[m], np.int64(-1))


@kernel
def _walk_on(index, transitions, offsets, numbers, nodes, sums, ends):  # type: ignore[no-untyped-def]
    """Walk a path from the position where it differs from the one walked before; returns that position.

    Each position has its node and the sum of the offsets before it, and the first rank behind it that no such path has.
    All are 0 before the first walk.
    """
    size = np.uint64(numbers.shape[0])
    at = size
    while at > np.uint64(0) and not sums[at] <= index < ends[at]:
        at -= np.uint64(1)
    changed = at
    if at == np.uint64(0):
        ends[at] = np.iinfo(np.int64).max
    while at < size:
        node = np.uint64(0)
        if at > np.uint64(0):
            node = np.uint64(transitions[nodes[at - np.uint64(1)], numbers[at - np.uint64(1)], 0])
        rest = offsets.dtype.type(index - sums[at])
        upto = np.uint32(0)
        for each in range(np.uint64(offsets.shape[1])):  # a missing symbol has the next one's offset
            upto += np.uint32(offsets[node, each] <= rest)
        symbol = np.uint64(upto) - np.uint64(1)
        numbers[at], nodes[at] = symbol, node
        end = ends[at]
        if np.int64(upto) < offsets.shape[1]:
            end = min(end, sums[at] + np.int64(offsets[node, np.uint64(upto)]))
        sums[at + np.uint64(1)] = sums[at] + np.int64(offsets[node, symbol])
        at += np.uint64(1)
        ends[at] = end
    return changed


@kernel
def _moved(first, second, at_first, at_second, numbers, nodes, transitions):  # type: ignore[no-untyped-def]
    """Add up the offsets from one position to another with other shares; behind them the path is unchanged."""
    node = nodes[first]
    total = np.int64(transitions[node, at_first, 1])
    node = np.uint64(transitions[node, at_first, 0])
    for position in range(first + np.uint64(1), second):
        total += np.int64(transitions[node, numbers[position], 1])
        node = np.uint64(transitions[node, numbers[position], 0])
    return total + np.int64(transitions[node, at_second, 1])
