"""The law of a puzzle's board."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from puzzlebase.puzzles import Puzzle
from puzzlebase.service.answers.boards import board
from puzzlebase.testing.puzzles import walk
from tests.naive import pieces as naive

ENOUGH = 100
"""Moves to check of a puzzle."""
ROUNDING = 0.021
"""Numbers have two decimals each, and a turn adds the errors of two."""


def states(puzzle: Puzzle, count: int = 12) -> Iterator[str]:
    """States on a random walk from a goal's start, moves apart."""
    for goal in puzzle.goals[:2]:
        yield from walk(puzzle, goal, count, 7)


def matched(one: list[naive.Seen], other: list[naive.Seen]) -> bool:
    """True for the same pieces in any order."""
    left = list(other)
    for piece in one:
        found = next(
            (at for at, there in enumerate(left) if naive.same(piece, there, ROUNDING)), None
        )
        if found is None:
            return False
        left.pop(found)
    return not left


def assert_law(puzzle: Puzzle) -> None:
    """Move the pieces of states as motions say:
    they become those of the next states; ids stay, and handles move.
    """
    goal = puzzle.goal()
    laid = cache(partial(board, puzzle, goal))
    checked = 0
    for state in states(puzzle):
        if checked > ENOUGH:
            break
        before: Any = laid(state)
        checked += len(before["moves"])
        legal = puzzle.played(state)
        assert {move["move"]: move["after"] for move in before["moves"]} == legal
        for move in before["moves"]:
            after = laid(move["after"])
            pieces = {piece["id"]: naive.seen(piece) for piece in before["pieces"]}
            moved = [motion["piece"] for motion in move["motions"]]
            assert len({*moved}) == len(moved)
            for motion in move["motions"]:
                assert motion["turn"] is None or motion["slide"] is None
                pieces[motion["piece"]] = naive.moved(pieces[motion["piece"]], motion)
            assert matched([*pieces.values()], [naive.seen(piece) for piece in after["pieces"]]), (
                move["move"]
            )
            assert {*pieces} == {piece["id"] for piece in after["pieces"]}
            assert {*move["handle"]} <= {*pieces}
            assert {*move["handle"]} & {*moved} or move["after"] == state
