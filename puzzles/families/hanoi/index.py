"""The index side: states as integers and the moves between them;
and random states of any number of disks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from puzzlebase.puzzles import Goal, Indices, Space, kernel
from puzzlebase.puzzles.families.hanoi.board import format_board, parse
from puzzlebase.puzzles.families.hanoi.contexts import (
    CHOICES,
    context_of_posts,
    context_takes,
    context_under,
)
from puzzlebase.puzzles.families.hanoi.rules import COLOURS, MOVES, POSTS, WORDS, HanoiRules
from puzzlebase.puzzles.machinery.automaton import Flags, States, make_automaton, walk

_SEEDS = 1 << 256  # of states drawn
MAX_INDEXED = 13  # disks; more would have tens of millions of states, and the oracle is as fast


def space(rules: HanoiRules, goal: Goal) -> Space:
    """The space of a goal."""
    automaton = make_automaton(
        (0, 0, 0), rules.n, partial(_choose, rules.posts), partial(_has_index, rules, goal)
    )

    def expand(indices: Indices) -> Indices:
        successors = np.empty((len(indices), len(MOVES)), np.int64)
        _expand(indices, automaton.transitions, automaton.length, successors)
        return successors

    return Space(
        size=automaton.size,
        expand=expand,
        goal_states=automaton.rank(parse(rules, goal.states[0])[None, :]),
        rank=automaton.rank,
        unrank=automaton.unrank,
    )


def _choose(posts: str, holdings: States) -> tuple[States, Flags]:
    """The holdings after each choice of the next disk, and flags for its legal choices."""
    after = np.repeat(holdings[:, None], len(CHOICES), axis=1)
    allowed = np.zeros(after.shape[:2], np.bool_)
    for number, holding in enumerate(holdings.tolist()):
        context = tuple(
            shown or asked for shown, asked in zip(holding, context_of_posts(posts), strict=True)
        )
        for choice in CHOICES:
            after[number, choice], allowed[number, choice] = (
                context_under(holding, choice),
                context_takes(context, choice),
            )
    return after, allowed


def _has_index(rules: HanoiRules, goal: Goal, holdings: States) -> Flags:
    """True for the holdings of the goal and of states that are not frozen."""
    solved = [0, 0, 1 + [WORDS[colour] for colour in COLOURS].index(goal.name)]
    return np.array(
        [holding == solved or _can_move(rules.posts, holding) for holding in holdings.tolist()],
        np.bool_,
    )


def _can_move(posts: str, holding: Sequence[int]) -> bool:
    """True if a state has a legal move, by the colours of its posts: 0 (none), 1 (red) or 2 (blue).

    Between posts of different colours the smaller top disk can move. An empty post takes any disk
    that turns to its colour.
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
    for i in range(len(indices)):
        successors[i] = -1
        if indices[i] < 0:
            continue
        walk(indices[i], transitions, choices, nodes, sums)
        top[:] = -1
        for disk in range(len(choices)):
            top[choices[disk] // 2] = disk
        move = 0
        for source in range(3):
            for target in range(3):
                if source != target:
                    disk = top[source]
                    if disk > top[target]:
                        choice = 2 * target + 1 - choices[disk] % 2
                        successors[i, move] = _moved(
                            disk, choice, choices, nodes[disk], sums[disk], transitions
                        )
                    move += 1


@kernel
def _moved(disk, choice, choices, node, rank, transitions):  # type: ignore[no-untyped-def]
    """Rank a state in which one disk makes another choice,
    -1 if it may not; `node` and `rank` are those before it.
    """
    for smaller in range(disk, len(choices)):
        if smaller > disk:
            choice = choices[smaller]
        follow = np.int64(transitions[node, choice, 0])
        if follow < 0:
            return np.int64(-1)
        rank += transitions[node, choice, 1]
        node = follow
    return rank


def draw(rules: HanoiRules, _goal: Goal, below: Callable[[int], int]) -> str:
    """Draw a state that is not frozen,
    uniformly if `below` draws integers below its argument uniformly.

    Each disk's post and each neutral post's colour are drawn. An empty post has no colour: blue
    ones are drawn anew. If all states are frozen, return the goal, the only state with a distance.
    """
    if rules.posts in ("RRR", "BBB"):
        return rules.tower(2, rules.shown_at_goal)
    chosen = np.random.default_rng(below(_SEEDS))
    while True:
        posts = chosen.integers(len(POSTS), size=rules.n)
        shown = np.array(
            [COLOURS.index(own) if own in COLOURS else chosen.integers(2) for own in rules.posts]
        )
        holding = np.where(np.isin(range(len(POSTS)), posts), 1 + shown, 0)
        blue = any(
            own == "N"
            for own, held, colour in zip(rules.posts, holding, shown, strict=True)
            if colour > held
        )
        if not blue and _can_move(rules.posts, holding.tolist()):
            return format_board((2 * posts + shown[posts]).astype(np.uint8))
