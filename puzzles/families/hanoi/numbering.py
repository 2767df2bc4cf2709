"""Every state by number, for any number of disks: the states are counted disk by disk, in integers of any length.

The number of a state is its index (index.py) as long as the goal is not a frozen one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.families.hanoi.board import format_board
from puzzlebase.puzzles.families.hanoi.rules import MAX_DISKS, HanoiRules, can_move
from puzzlebase.puzzles.families.hanoi.stacks import CHOICES, Context, takes, under

_Seen = tuple[str, Context]
"""The colours of the posts, and what each post shows: 0 (nothing), 1 (red) or 2 (blue)."""


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
    """In how many ways so many disks can be added to what lies on the posts, so that the state is not frozen."""
    if left == 0:
        return int(can_move(posts, holding))
    return sum(_completions(posts, after, left - 1) for _, after in _next(posts, holding))


def _next(posts: str, holding: Context) -> list[tuple[int, Context]]:
    """The choices of the next smaller disk, and what the posts show then."""
    context = tuple(shown or "NRB".index(post) for shown, post in zip(holding, posts, strict=True))
    return [(choice, under(holding, choice)) for choice in CHOICES if takes(context, choice)]
