"""Any state as a goal, for puzzles that have no `goal_of` of their own."""

from __future__ import annotations

import binascii
from base64 import b32decode, b32encode
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from puzzlebase.puzzles.contract.errors import InvalidState, no_goal
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.puzzle import Puzzle
from puzzlebase.puzzles.contract.space import STATES, Space
from puzzlebase.puzzles.machinery.spaces import SPACES


def with_any_goal(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with any state of its default goal's space as a goal.

    Such a goal's name is the state. If a named goal equals it, its key is that goal's. Otherwise
    the key is "to-" and the state's canonical text in base 32, so the key gives the goal back. Its
    space is the default goal's with other goal states, but stores each state, since these may rest
    on symmetries of the default goal.
    """
    default = puzzle.goals[0]
    # Where the default goal's key is its name and a digest of the rules, as for a definition, these
    # keys have it too.
    marked = default.key.partition(f"{default.name}-")[2]
    prefix = f"to-{marked}-" if marked else "to-"
    named = {goal.key for goal in puzzle.goals}

    def goal_of(text: str) -> Goal | None:
        coded = text.removeprefix(prefix)
        try:
            padded = coded.upper().encode() + b"=" * (-len(coded) % 8)
            state = b32decode(padded).decode() if coded != text else text
            puzzle.parse(state)
        except (InvalidState, binascii.Error, UnicodeError):
            return None
        for goal in puzzle.goals:
            if state in goal.states:
                return goal
        start = default.start if state != default.start or not default.states else default.states[0]
        canonical = puzzle.board.canonical(state)
        for goal in puzzle.goals:
            if canonical in map(puzzle.board.canonical, goal.states):
                return replace(goal, name=state, states=(state,), start=start)
        return Goal(
            state,
            (state,),
            start,
            key=f"{prefix}{b32encode(canonical.encode()).decode().rstrip('=').lower()}",
        )

    def derived(goal: Goal) -> Space:
        whole = puzzle.space(default)
        goal_states = whole.rank(np.array([puzzle.parse(state) for state in goal.states]))
        if (goal_states < 0).any():
            raise no_goal(goal.name, default.start)
        directed = whole.directed and whole.directed._replace(solved=None)
        return replace(whole, goal_states=np.sort(goal_states), storage=STATES, directed=directed)

    other = SPACES.remember(derived)

    def space(goal: Goal) -> Space:
        return puzzle.space(goal) if goal.key in named else other(goal)

    index_side = puzzle.index_side and replace(puzzle.index_side, space=space)
    return replace(puzzle, board=replace(puzzle.board, goal_of=goal_of), index_side=index_side)


def numbered(puzzle: Puzzle, space: Callable[[], Space]) -> Puzzle:
    """Return a puzzle whose states a build has found,
    numbered as by `space`, that of the default goal.
    """
    assert puzzle.index_side
    side = replace(puzzle.index_side, space=SPACES.remember(lambda _default: space()), found=None)
    return with_any_goal(replace(puzzle, index_side=side))
