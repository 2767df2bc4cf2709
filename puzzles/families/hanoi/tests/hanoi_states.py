"""States of the Magnetic Tower of Hanoi for the tests of its oracle, made from the rules alone."""

from __future__ import annotations

from functools import cache
from itertools import product

from puzzlebase.plugins.methods.record import Oracle, Solver
from puzzlebase.puzzles import find
from tests import naive
from tests.naive import hanoi as naive_hanoi

VARIANTS = ["".join(posts) for posts in product("RBN", repeat=3)]


def name(variant: str, n: int) -> str:
    return f"hanoi-{variant.lower()}-{n}"


def solver(variant: str, n: int, goal: str | None = None) -> Solver:
    """The oracle's solver for a goal, by default the first."""
    puzzle = find(name(variant, n))
    oracle = puzzle.engine(Oracle)
    assert oracle
    return oracle.load(puzzle.goal(goal))


@cache
def every_state(variant: str, n: int) -> list[str]:
    return naive_hanoi.every_state(variant, n)


@cache
def distances_to(variant: str, goal: str) -> dict[str, int]:
    """The reference implementation's distances of all states that can reach a state."""
    return naive.distances(goal, naive_hanoi.neighbours(variant))


def first_solution(variant: str, state: str, known: dict[str, int]) -> list[str]:
    """The first optimal move at each state, until the goal."""
    moves = []
    while known[state]:
        move, state = next(
            (move, after)
            for move, after in naive_hanoi.neighbours(variant)(state)
            if known[after] == known[state] - 1
        )
        moves.append(move)
    return moves


def played(variant: str, state: str, moves: list[str]) -> str:
    """The state after some moves, by the reference implementation."""
    for move in moves:
        after = naive_hanoi.move(state, move, variant)
        assert after is not None, (state, move)
        state = after
    return state
