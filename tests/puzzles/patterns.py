"""The law of patterns, for any puzzle that has some."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np

from puzzlebase.puzzles import PatternDatabases, Patterns, Puzzle, find

_MOVES = 60


def assert_patterns_follow(puzzle: Puzzle, goal_name: str | None = None) -> Patterns:
    """Walk, and see that a pattern's own move leads where the state after a move is;
    one of each group moves.

    The walk makes only moves that may follow one another.
    """
    goal, moves = puzzle.goal(goal_name), [move.name for move in puzzle.moves]
    engine = puzzle.engine(PatternDatabases)
    assert engine
    patterns = engine.patterns(goal)
    assert patterns
    state, last, draw = goal.states[0], -1, random.Random(5)
    for _ in range(_MOVES):
        legal = puzzle.played(state, moves)
        move = draw.choice(
            [each for each in legal if last < 0 or patterns.follows[last, moves.index(each)]]
        )
        number, position, after = moves.index(move), patterns.position(state), legal[move]
        assert patterns.positions[position, number] == patterns.position(after)
        moved = Counter[int]()
        for pattern in patterns.patterns:
            abstraction = find(pattern.puzzle)
            before, there = (
                abstraction.index(pattern.state(text), abstraction.goal())
                for text in (state, after)
            )
            successors = abstraction.space(abstraction.goal()).expand(np.array([before]))[0]
            to = successors[pattern.edges[position, number]]
            assert there == (before if to < 0 else to)
            moved[pattern.group] += int(to >= 0)
        assert {*moved.values()} == {1}, "one pattern of each group"
        state, last = after, number
    return patterns
