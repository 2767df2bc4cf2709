"""Patterns: abstractions whose distances are lower bounds, and the map from the whole puzzle onto them.

A pattern forgets something of a state, so its paths are no longer than those of the whole. Patterns of one group add
up: every move of the whole puzzle is a move of at most one of them. Of several groups the largest sum counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Edges = npt.NDArray[np.int16]


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """An abstraction, and the map of the whole puzzle's states and moves onto its own."""

    puzzle: str  # the abstraction's name; distances are to its first goal, and its moves have product form
    state: Callable[[str], str]  # the abstraction's state of a state
    edges: Edges
    """The abstraction's move for each move, [positions, moves], -1 without one; a state where it is illegal stays."""
    vertices: Edges | None = None  # [moves], with orbits: the orbit of a state that bounds the distance after a move
    group: int = 0  # patterns of equal groups add up


@dataclass(frozen=True, kw_only=True)
class Patterns:
    """The patterns of a puzzle and a goal, for a search. A state is the goal if and only if all its patterns are."""

    patterns: tuple[Pattern, ...]  # ordered by their groups
    position: Callable[[str], int]  # decides which moves of a state are legal, as the place of a blank does
    positions: Edges  # the position after each move, [positions, moves]; -1 where the move is illegal
    follows: npt.NDArray[np.bool_]  # [moves, moves], True where the second may follow the first on a shortest path
    apart: int  # so many first patterns together tell all states apart
    step: int = 1
    """The smallest difference between path lengths: 2 where each move changes the parity of each group's sum."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the abstractions, each once."""
        return tuple(dict.fromkeys(pattern.puzzle for pattern in self.patterns))
