"""The smallest automaton of any set of boards:
it ranks exactly these, in the order of their symbols.

It is found level by level from the last place to the first. Two prefixes lead to one node if the
same symbols may follow, to the same nodes. If states are all arrangements of some pieces, its nodes
are the sets of pieces left: a few thousand nodes for millions of states.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Boards
from puzzlebase.puzzles.machinery.automaton import Automaton, Flags, States, make_automaton

_FACTOR, _STEP = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x9E3779B97F4A7C15)


def smallest_automaton(boards: Boards, symbols: int) -> Automaton:
    """Make the automaton of different sequences of symbols,
    uint8[n, length]; ranks follow their order as bytes.

    Hashes of 64 bits distinguish the nodes,
    and then every sequence is ranked: a collision raises ValueError.
    """
    boards = _sorted(boards)
    count, length = boards.shape
    # the first place where each board differs from the one before
    differs = np.full(count, -1, np.int16)
    differs[1:] = (boards[1:] != boards[:-1]).argmax(axis=1)
    starts = np.arange(count)  # of each prefix that is one symbol longer, the first board
    classes = np.zeros(count, np.int64)  # and its node among those of its level
    sizes = np.ones(1, np.int64)  # of each node of that level, the number of sequences from it
    levels: list[npt.NDArray[np.int64]] = []
    for place in range(length - 1, -1, -1):
        first = differs[starts] < place
        groups = np.cumsum(first) - 1
        symbol = boards[starts, place].astype(np.int64)
        sums = np.add.reduceat(_mixed(classes * symbols + symbol), np.flatnonzero(first))
        nodes, node = np.unique(sums, return_inverse=True)
        follow = np.full((len(nodes), symbols), -1, np.int64)
        follow[node[groups], symbol] = classes
        level, sizes = _level(follow, sizes)
        levels.append(level)
        classes, starts = node, starts[first]
    found = Automaton(count, length, _numbered(levels[::-1]))
    if not np.array_equal(found.rank(boards), np.arange(count)):
        raise ValueError("two nodes of the automaton have one hash")
    return found


def smallest_automaton_of_either(one: Automaton, other: Automaton) -> Automaton:
    """Make the smallest automaton of the sequences of either, which have as many symbols."""
    nexts = [
        np.pad(each.transitions[:, :, 0] + 1, ((1, 0), (0, 0))).astype(np.int64)
        for each in (one, other)
    ]

    def step(pairs: States) -> tuple[States, Flags]:
        after = np.stack([follow[pairs[:, side]] for side, follow in enumerate(nexts)], axis=2)
        return after, np.logical_or(after[:, :, 0] > 0, after[:, :, 1] > 0)

    return _smallest(make_automaton((1, 1), one.length, step))


def _smallest(automaton: Automaton) -> Automaton:
    """Merge the nodes with the same continuations, from the last level to the first one."""
    follow = automaton.transitions[:, :, 0].astype(np.int64)
    bounds = [0, 1]
    while bounds[-1] < len(follow):
        bounds.append(int(follow[bounds[-2] : bounds[-1]].max()) + 1)
    ends = int(follow.max()) + 1 - len(follow)  # a product has several
    classes, sizes = np.zeros(ends, np.int64), np.ones(1, np.int64)
    levels: list[npt.NDArray[np.int64]] = []
    for first, end in zip(bounds[-2::-1], bounds[:0:-1], strict=True):
        there = follow[first:end] >= 0
        here = np.where(there, classes[np.where(there, follow[first:end] - end, 0)], -1)
        sums = np.where(
            there, _mixed(here * automaton.symbols + np.arange(automaton.symbols)), 0
        ).sum(axis=1)
        _, chosen, classes = np.unique(sums, return_index=True, return_inverse=True)
        if not np.array_equal(here[chosen][classes], here):
            raise ValueError("two nodes of the automaton have one hash")
        level, sizes = _level(here[chosen], sizes)
        levels.append(level)
    return Automaton(automaton.size, automaton.length, _numbered(levels[::-1]))


def _level(
    follow: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The transitions of a level's nodes,
    by their next nodes and the sizes of these; and their own sizes.
    """
    through = np.where(follow >= 0, sizes[follow], 0)
    return np.stack([follow, np.cumsum(through, axis=1) - through], axis=2), through.sum(axis=1)


def _numbered(levels: list[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    """Number the nodes through all levels, the first level's node 0."""
    end = 0
    for level in levels:
        end += len(level)
        level[:, :, 0] += np.where(level[:, :, 0] < 0, 0, end)
    return np.concatenate(levels)


def _sorted(boards: Boards) -> Boards:
    """Sort the boards as bytes, without repeats."""
    length = boards.shape[1]
    whole = np.ascontiguousarray(boards).view(f"V{length}")
    return np.unique(whole).view(np.uint8).reshape(-1, length)


def _mixed(values: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """Hash integers, those of one level alone; sums of hashes then tell sets apart."""
    mixed = (values.astype(np.uint64) + np.uint64(1)) * _STEP
    for shift in (30, 27):
        mixed ^= mixed >> np.uint64(shift)
        mixed *= _FACTOR
    return mixed ^ (mixed >> np.uint64(31))
