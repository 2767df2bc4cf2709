"""The engines of a puzzle,
each of which finds distances for some goals from some files; and patterns.

A pattern is an abstraction that forgets something of a state. So its paths are no longer than those
of the whole puzzle, and its distances are lower bounds. Patterns of one group add up: every move of
the whole puzzle is a move of at most one of them. Of several groups the largest sum counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.space import Shortest

Draw = Callable[[Goal, Callable[[int], int]], str | None]
"""Draws a state that can reach a goal, or None;
the argument is a function that draws an integer below another one.
"""
Edges = npt.NDArray[np.int16]


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """An abstraction, and the map of the whole puzzle's states and moves onto its own."""

    # the abstraction's name; distances are to its first goal, and its moves have product form
    puzzle: str
    state: Callable[[str], str]  # the abstraction's state of a state
    edges: Edges
    """The abstraction's move for each move, [positions, moves],
    -1 without one; if it is illegal, the state stays.
    """
    vertices: Edges | None = (
        None  # [moves], with orbits: the column of `vertices` that bounds the distance after a move
    )
    group: int = 0  # patterns of equal groups add up


@dataclass(frozen=True, kw_only=True)
class Patterns:
    """The patterns of a puzzle and a goal, for a search.
    A state is the goal if and only if all its patterns are.
    """

    patterns: tuple[Pattern, ...]  # ordered by their groups
    # decides which moves of a state are legal, as the place of a blank does
    position: Callable[[str], int]
    positions: Edges  # the position after each move, [positions, moves]; -1 if the move is illegal
    # [moves, moves], True if the second may follow the first on a shortest path
    follows: npt.NDArray[np.bool_]
    step: int = 1
    """The smallest difference between path lengths:
    2 if each move changes the parity of each group's sum.
    """

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the abstractions, each once."""
        return tuple(dict.fromkeys(pattern.puzzle for pattern in self.patterns))


@dataclass(frozen=True, kw_only=True)
class Engine:
    """A method to answer for the states of a puzzle;
    the service asks a puzzle's engines in their order.
    """

    kind: ClassVar[str]  # opens the engine: a kind of the service, or of a plugin's hook `sources`
    uniform: bool = True  # True if `draw` draws all states with equal probability
    draw: Draw | None = (
        None  # for states that are not numbered; without it random states are walked to
    )

    def ladder(self, _goal: Goal) -> Sequence[int]:
        """The distances from 0 that difficulties share out without a table;
        empty if only a table knows them.
        """
        return ()


@dataclass(frozen=True, kw_only=True)
class WholeTable(Engine):
    """A table of all states."""

    kind = "table"


@dataclass(frozen=True, kw_only=True)
class GraphSearch(Engine):
    """A search of the space without tables."""

    kind = "search"
    shortest: Callable[..., Shortest] | None = None
    """A search of the puzzle's own, of a space,
    an index and a `Spend`; the distance is at least `least`.
    """


@dataclass(frozen=True, kw_only=True)
class PatternDatabases(Engine):
    """A search that is fast by tables of abstractions,
    for a puzzle whose own table would not fit.
    """

    kind = "patterns"
    patterns: Callable[[Goal], Patterns | None]  # None if a goal has none
