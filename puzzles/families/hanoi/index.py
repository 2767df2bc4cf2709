"""The index side: states as integers, and the moves between them."""

from __future__ import annotations

from functools import partial

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.space import Boards, Indices, Space
from puzzlebase.puzzles.families.hanoi.board import parse
from puzzlebase.puzzles.families.hanoi.rules import COLOURS, MOVES, WORDS, HanoiRules, can_move
from puzzlebase.puzzles.machinery.automaton import Flags, States, make_automaton, walk

MAX_INDEXED = 13
"""Puzzles with more disks have no index side: they would have tens of millions of states, and the oracle is as fast."""


class _Index:
    """The indices of the states that one goal has, and the moves between them."""

    def __init__(self, rules: HanoiRules, goal: Goal) -> None:
        self.automaton = make_automaton((0, 0, 0), rules.n, partial(_choose, rules), partial(_has_index, rules, goal))

    def expand(self, indices: Indices) -> Indices:
        successors = np.empty((len(indices), len(MOVES)), np.int64)
        _expand(indices, self.automaton.links, self.automaton.length, successors)
        return successors

    def rank(self, boards: Boards) -> Indices:
        return self.automaton.rank(boards)

    def unrank(self, indices: Indices) -> Boards:
        return self.automaton.unrank(indices)


def _choose(rules: HanoiRules, holdings: States) -> tuple[States, Flags]:
    """The holdings after each choice of the next disk, and whether it may make that choice."""
    choices = np.arange(6)
    posts, shown = choices // 2, choices % 2 + 1
    after = np.repeat(holdings[:, None], len(choices), axis=1)
    after[:, choices, posts] = shown
    empty_takes = [rules.takes(post, colour) for post in range(3) for colour in COLOURS]
    held = holdings[:, posts]
    return after, (held == shown) | ((held == 0) & empty_takes)


def _has_index(rules: HanoiRules, goal: Goal, holdings: States) -> Flags:
    """Whether states of these holdings have an index: the goal has one, and all states that are not frozen."""
    solved = [0, 0, 1 + [WORDS[colour] for colour in COLOURS].index(goal.name)]
    kept = [not goal.states or holding == solved or can_move(rules.posts, holding) for holding in holdings.tolist()]
    return np.array(kept, np.bool_)


def space(rules: HanoiRules, goal: Goal) -> Space:
    """The states of a goal as indices."""
    index = _Index(rules, goal)
    solved = [parse(rules, state) for state in goal.states]
    return Space(
        size=index.automaton.size,
        expand=index.expand,
        goal_states=index.rank(np.array(solved, np.uint8).reshape(-1, rules.n)),
        rank=index.rank,
        unrank=index.unrank,
    )


@kernel
def _expand(indices, links, n, successors):  # type: ignore[no-untyped-def]
    choices, nodes, sums = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n + 1, np.int64)
    top = np.empty(3, np.int64)
    for i in range(indices.shape[0]):
        successors[i] = -1
        if indices[i] < 0:
            continue
        walk(indices[i], links, choices, nodes, sums)
        top[:] = -1
        for disk in range(choices.shape[0]):
            top[choices[disk] // 2] = disk
        move = 0
        for source in range(3):
            for target in range(3):
                if source != target:
                    disk = top[source]
                    if disk > top[target]:
                        choice = 2 * target + 1 - choices[disk] % 2
                        successors[i, move] = _moved(disk, choice, choices, nodes[disk], sums[disk], links)
                    move += 1


@kernel
def _moved(disk, choice, choices, node, rank, links):  # type: ignore[no-untyped-def]
    """The index when one disk makes another choice; -1 where it may not. `node` and `rank` are those before it."""
    for smaller in range(disk, choices.shape[0]):
        if smaller > disk:
            choice = choices[smaller]
        follow = np.int64(links[node, choice, 0])
        if follow < 0:
            return np.int64(-1)
        rank += links[node, choice, 1]
        node = follow
    return rank
