"""The records of oracles and constructions, which families fill in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from puzzlebase.puzzles import Goal
from puzzlebase.puzzles.contract.engines import Engine


class Solver(Protocol):
    """Exact answers about one goal; any thread may ask. Every method raises as `parse` does."""

    def distances(self, texts: Sequence[str]) -> list[int]:
        """The distances of states, UNREACHED where the goal cannot be reached."""

    def line(self, text: str, offset: int = 0) -> Iterator[str]:
        """The moves of one shortest solution, by name,
        from move number `offset` on; always of the same solution.
        """

    def state_at(self, text: str, offset: int) -> str:
        """The state before move number `offset` of that solution, or the last state."""


@dataclass(frozen=True, kw_only=True)
class Oracle(Engine):
    """Exact distances by a method of the puzzle's own,
    for any of its goals. States are texts of any size.
    """

    kind = "oracle"
    # makes the solver, in milliseconds; what takes longer is stored with ranking tables
    load: Callable[[Goal], Solver]
    max_offset: int | None = (
        None  # the largest number of a solution's move to begin at; None if any is as near
    )

    # moves of the hardest games; random turns from the goal must lead so far
    playable: int = 40

    def ladder(self, goal: Goal) -> Sequence[int]:
        """The distances up to that of the goal's start, of those that players can play."""
        return _ladder(self, goal)


@lru_cache(maxsize=256)
def _ladder(oracle: Oracle, goal: Goal) -> Sequence[int]:
    [farthest] = oracle.load(goal).distances([goal.start])
    return range(min(farthest, oracle.playable) + 1) if farthest > 0 else ()


@dataclass(frozen=True, slots=True)
class MethodPath:
    """The moves that a method makes from one state."""

    length: int  # the number of its names of moves
    weight: int  # the number of moves that they stand for
    solves: bool  # False if the method is stuck at the end
    moves: Callable[[int], Iterator[str]]  # the names from a number on
    state_at: Callable[[int], str]  # the state before a move, by its number, or the last state


@dataclass(frozen=True, kw_only=True)
class Construction(Engine):
    """Solutions by a method of the puzzle's own of every state,
    for any of its goals, each with a proven lower bound.

    If the two are equal the distance is known.
    Each call takes milliseconds. All raise as `parse` does.

    A family's `methods` make them for `solve --method`; their paths need not solve.
    """

    kind = "construction"
    uniform: bool = False
    bound: Callable[[Goal, str], int]  # of a state's moves: 0 at the goal alone
    path: Callable[[Goal, str], MethodPath]  # a state's solution, always the same
