"""Patterns: abstractions whose distances are lower bounds, and where the states of the whole puzzle are in them.

A pattern forgets something of a state, so no path of it is longer than the one it was made from. The table of a pattern
is that of any puzzle. Patterns of one group add up: every move of the whole puzzle is a move of at most one of them. Of
several groups the largest sum counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Links = npt.NDArray[np.int16]


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """An abstraction, and the map of the whole puzzle's states and moves onto its own.

    Attributes:
        puzzle: the abstraction's name. The distances are those to its first goal, and its moves are tables of rows
            and columns (`ProductForm`).
        state: the text of a state -> the text of the state of the abstraction that it is in.
        links: int16[positions, moves], for a move of the whole puzzle that of the abstraction, -1 where it has none. A
            state of the abstraction in which that move is not legal stays as it is.
        nodes: int16[moves], where the abstraction has orbits: which of a state's orbits bounds what comes after a
            move.
        group: patterns of equal groups add up.
    """

    puzzle: str
    state: Callable[[str], str]
    links: Links
    nodes: Links | None = None
    group: int = 0


@dataclass(frozen=True, kw_only=True)
class Patterns:
    """What a search with patterns needs to know of a puzzle and a goal.

    A state is the goal exactly where all its patterns are at theirs.

    Attributes:
        patterns: ordered by their groups.
        position: text -> the number of what decides which moves are legal, as the place of a blank.
        positions: int16[positions, moves], the position after a move; -1 where the move is not legal.
        follows: bool[moves, moves], whether a move may follow another on a shortest path: not one that takes it back.
        step: by what the lengths of two paths between the same states differ at least: 2 where moves alternate between
            two halves of the states. The sum of each group must then be odd or even as the distance is.
        apart: so many of the first patterns together tell all states apart.
    """

    patterns: tuple[Pattern, ...]
    position: Callable[[str], int]
    positions: Links
    follows: npt.NDArray[np.bool_]
    apart: int
    step: int = 1

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the abstractions, each once."""
        return tuple(dict.fromkeys(pattern.puzzle for pattern in self.patterns))
