"""The index side: states as integers, and the moves between them; and states by number, for any number of disks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.space import Boards, Indices, Space
from puzzlebase.puzzles.families.hanoi.board import format_board, parse
from puzzlebase.puzzles.families.hanoi.rules import COLOURS, MAX_DISKS, MOVES, WORDS, HanoiRules
from puzzlebase.puzzles.families.hanoi.stacks import CHOICES, Choice, Context, context_of, takes, under
from puzzlebase.puzzles.machinery.automaton import Flags, States, make_automaton, walk

MAX_INDEXED = 13
"""Puzzles with more disks have no index side: they would have tens of millions of states, and the oracle is as fast."""


def space(rules: HanoiRules, goal: Goal) -> Space:
    """The states of a goal as indices."""
    automaton = make_automaton((0, 0, 0), rules.n, partial(_choose, rules), partial(_has_index, rules, goal))

    def expand(indices: Indices) -> Indices:
        successors = np.empty((len(indices), len(MOVES)), np.int64)
        _expand(indices, automaton.transitions, automaton.length, successors)
        return successors

    solved: Boards = np.array([parse(rules, state) for state in goal.states], np.uint8).reshape(-1, rules.n)
    return Space(
        size=automaton.size,
        expand=expand,
        goal_states=automaton.rank(solved),
        rank=automaton.rank,
        unrank=automaton.unrank,
    )


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
    indexed = [not goal.states or holding == solved or _can_move(rules.posts, holding) for holding in holdings.tolist()]
    return np.array(indexed, np.bool_)


def _can_move(posts: str, holding: Sequence[int]) -> bool:
    """Whether a state has a legal move, by what its posts show: 0 (nothing), 1 (red) or 2 (blue).

    Between two posts of different colours the smaller of the top disks goes to the other; to an
    empty post that takes the other colour any top disk goes.
    """
    for source, target in MOVES.values():
        shown, there = holding[source], holding[target]
        if shown and there and shown != there:
            return True
        if shown and not there and posts[target] in ("N", COLOURS[2 - shown]):
            return True
    return False


@kernel
def _expand(indices, transitions, n, successors):  # type: ignore[no-untyped-def]
    choices, nodes, sums = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n + 1, np.int64)
    top = np.empty(3, np.int64)
    for i in range(indices.shape[0]):
        successors[i] = -1
        if indices[i] < 0:
            continue
        walk(indices[i], transitions, choices, nodes, sums)
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
                        successors[i, move] = _moved(disk, choice, choices, nodes[disk], sums[disk], transitions)
                    move += 1


@kernel
def _moved(disk, choice, choices, node, rank, transitions):  # type: ignore[no-untyped-def]
    """The index when one disk makes another choice; -1 where it may not. `node` and `rank` are those before it."""
    for smaller in range(disk, choices.shape[0]):
        if smaller > disk:
            choice = choices[smaller]
        follow = np.int64(transitions[node, choice, 0])
        if follow < 0:
            return np.int64(-1)
        rank += transitions[node, choice, 1]
        node = follow
    return rank


# Every state by number, an integer of any length: its index (as long as the goal is not frozen), found disk by disk.


def draw(rules: HanoiRules, _goal: Goal, below: Callable[[int], int]) -> str:
    """A state that is not frozen, each equally likely where `below` draws each integer below its argument so.

    Where all states are frozen it is the goal, the only state with a distance.
    """
    total = count(rules)
    return state(rules, below(total)) if total else rules.tower(2, rules.shown_at_goal)


def count(rules: HanoiRules) -> int:
    """How many states there are, the frozen ones left out."""
    return _completions(rules.posts, (0, 0, 0), rules.n)


def state(rules: HanoiRules, number: int) -> str:
    """The state of a number from 0 on, in the order of the choices from the largest disk to the smallest."""
    holding: Context = (0, 0, 0)
    choices = []
    for left in range(rules.n - 1, -1, -1):
        for choice, after in _next(rules.posts, holding):
            completions = _completions(rules.posts, after, left)
            if number < completions:
                choices.append(choice)
                holding = after
                break
            number -= completions
    return format_board(np.array(choices, np.uint8))


@lru_cache(27 * 27 * (MAX_DISKS + 1))
def _completions(posts: str, holding: Context, left: int) -> int:
    """How many states that are not frozen have so many disks more than lie on the posts."""
    if left == 0:
        return int(_can_move(posts, holding))
    return sum(_completions(posts, after, left - 1) for _, after in _next(posts, holding))


def _next(posts: str, holding: Context) -> list[tuple[Choice, Context]]:
    """The choices of the next smaller disk, and what the posts show then."""
    context = tuple(shown or asked for shown, asked in zip(holding, context_of(posts), strict=True))
    return [(choice, under(holding, choice)) for choice in CHOICES if takes(context, choice)]
