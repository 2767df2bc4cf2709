"""States of Panex for tests, found by the reference implementation,
and the oracle's answers about them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import permutations

from puzzlebase.plugins.methods.record import Oracle, Solver
from puzzlebase.puzzles import Goal, find
from tests.naive import panex as naive_panex

OUT_OF_REACH = "a|Ab|cCB"
"""A legal state of panex-3 that the start cannot reach."""

BLOCKED = {2: "|Aab|B", 3: "B|bac|AC", 4: "b|acBd|ADC"}
"""States with a tile in the centre's layer 0."""


@cache
def graph_of_text(n: int) -> dict[str, list[tuple[str, str]]]:
    """Every state that the reference implementation reaches from the start, with its moves."""
    start = find(f"panex-{n}").goal().start
    known = {start: list(naive_panex.neighbours(start))}
    ahead = [start]
    while ahead:
        for _, after in known[ahead.pop()]:
            if after not in known:
                known[after] = list(naive_panex.neighbours(after))
                ahead.append(after)
    return known


def wander(n: int, steps: int, seed: int) -> str:
    """A state that random moves from the start lead to."""
    walk = random.Random(seed)
    state = find(f"panex-{n}").goals[0].start
    for _ in range(steps):
        state = walk.choice(list(naive_panex.neighbours(state)))[1]
    return state


def legal(n: int) -> list[str]:
    """Every legal state, sorted."""
    texts = {"".join(each) for each in permutations(find(f"panex-{n}").goal().start)}
    return sorted(filter(naive_panex.legal, texts))


def replayed(state: str, moves: list[str]) -> Iterator[str]:
    """The states of a solution, by the reference implementation."""
    for move in moves:
        state = dict(naive_panex.neighbours(state))[move]
        yield state


def solver(n: int, goal: str | None = None) -> Solver:
    """The solver of a goal, by its name or as a legal state."""
    puzzle = find(f"panex-{n}")
    oracle = puzzle.engine(Oracle)
    assert oracle
    made = Goal(goal, (goal,), puzzle.goals[0].start) if goal and "|" in goal else puzzle.goal(goal)
    return oracle.load(made)


def drawn(n: int, seed: int) -> str:
    """A state that the start can reach, at random, of a tower without a table."""
    puzzle = find(f"panex-{n}")
    oracle = puzzle.engine(Oracle)
    assert oracle
    assert oracle.draw
    state = oracle.draw(puzzle.goal(), lambda _: seed)
    assert state
    return state
