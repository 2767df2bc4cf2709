"""The index side: states as integers and the moves between them; and states by number, for any number of disks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import numpy as np

from puzzlebase.puzzles import Boards, Goal, Indices, Space, kernel
from puzzlebase.puzzles.families.hanoi.board import format_board, parse
from puzzlebase.puzzles.families.hanoi.colouring import COLOURS, MAX_DISKS, MOVES, WORDS, HanoiRules
from puzzlebase.puzzles.families.hanoi.distances import CHOICES, Choice, Context, context_of, takes, under
from puzzlebase.puzzles.machinery.automaton import Flags, States, make_automaton, walk

MAX_INDEXED = 13  # disks; more would have tens of millions of states, and the oracle is as fast


def space(rules: HanoiRules, goal: Goal) -> Space:
    """The space of a goal."""
    automaton = make_automaton((0, 0, 0), rules.n, partial(_choose, rules.posts), partial(_has_index, rules, goal))

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


def _choose(posts: str, holdings: States) -> tuple[States, Flags]:
    """The holdings after each choice of the next disk, and flags for its legal choices."""
    after = np.repeat(holdings[:, None], len(CHOICES), axis=1)
    allowed = np.zeros(after.shape[:2], np.bool_)
    for number, holding in enumerate(holdings.tolist()):
        for choice, held in _next(posts, tuple(holding)):
            after[number, choice], allowed[number, choice] = held, True
    return after, allowed


def _has_index(rules: HanoiRules, goal: Goal, holdings: States) -> Flags:
    """True for the holdings of the goal and of states that are not frozen; for all if the goal has no states."""
    solved = [0, 0, 1 + [WORDS[colour] for colour in COLOURS].index(goal.name)]
    indexed = [not goal.states or holding == solved or _can_move(rules.posts, holding) for holding in holdings.tolist()]
    return np.array(indexed, np.bool_)


def _can_move(posts: str, holding: Sequence[int]) -> bool:
    """True if a state has a legal move, by the colours of its posts: 0 (none), 1 (red) or 2 (blue).

    Between posts of different colours the smaller top disk can move. An empty post takes any disk that turns to its
    colour.
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
                        successors[i, move] = _moved(disk, choice, choices, nodes[disk], sums[disk], transitions)
                    move += 1


@kernel
def _moved(disk, choice, choices, node, rank, transitions):  # type: ignore[no-untyped-def]
    """Rank a state in which one disk makes another choice, -1 if it may not; `node` and `rank` are those before it."""
    for smaller in range(disk, len(choices)):
        if smaller > disk:
            choice = choices[smaller]
        follow = np.int64(transitions[node, choice, 0])
        if follow < 0:
            return np.int64(-1)
        rank += transitions[node, choice, 1]
        node = follow
    return rank


# A state's number, an integer of any length, is its index unless the goal is frozen. It is found disk by disk.


def draw(rules: HanoiRules, _goal: Goal, below: Callable[[int], int]) -> str:
    """Draw a state that is not frozen, uniformly if `below` draws integers below its argument uniformly.

    If all states are frozen, return the goal, the only state with a distance.
    """
    total = count(rules)
    return state(rules, below(total)) if total else rules.tower(2, rules.shown_at_goal)


def count(rules: HanoiRules) -> int:
    """The number of states that are not frozen."""
    return _completions(rules.posts, (0, 0, 0), rules.n)


def state(rules: HanoiRules, number: int) -> str:
    """The state of a number, 0 .. count-1, in the order of choices from the largest disk to the smallest."""
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
    """The number of states that are not frozen and complete these holdings with `left` more disks."""
    if left == 0:
        return int(_can_move(posts, holding))
    return sum(_completions(posts, after, left - 1) for _, after in _next(posts, holding))


def _next(posts: str, holding: Context) -> list[tuple[Choice, Context]]:
    """The choices of the next smaller disk, and the holdings after each."""
    context = tuple(shown or asked for shown, asked in zip(holding, context_of(posts), strict=True))
    return [(choice, under(holding, choice)) for choice in CHOICES if takes(context, choice)]
