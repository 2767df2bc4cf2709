"""Patterns: abstractions whose distances are lower bounds, and the map from the whole puzzle onto them.

A pattern forgets something of a state, so no path of it is longer than the one it was made from. Patterns of one group
add up: every move of the whole puzzle is a move of at most one of them. Of several groups the largest sum counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Edges = npt.NDArray[np.int16]


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """An abstraction, and the map of the whole puzzle's states and moves onto its own.

    Attributes:
        puzzle: the abstraction's name. Distances are to its first goal, and its moves have product form.
        state: the text of a state -> the text of its state in the abstraction.
        edges: int16[positions, moves], for a move of the whole puzzle that of the abstraction, -1 where it has none. A
            state of the abstraction in which that move is not legal stays as it is.
        vertices: int16[moves], with orbits: the orbit of a state that bounds the distance after a move.
        group: patterns of equal groups add up.
    """

    puzzle: str
    state: Callable[[str], str]
    edges: Edges
    vertices: Edges | None = None
    group: int = 0


@dataclass(frozen=True, kw_only=True)
class Patterns:
    """The patterns of a puzzle and a goal, for a search. A state is the goal if and only if all its patterns are.

    Attributes:
        patterns: ordered by their groups.
        position: text -> the number of what decides which moves are legal, such as the place of a blank.
        positions: int16[positions, moves], the position after a move; -1 where the move is not legal.
        follows: bool[moves, moves], whether a move may follow another on a shortest path: not one that takes it back.
        step: the smallest difference between path lengths: 2 if every move changes parity. The sum of each group must
            then be odd or even as the distance is.
        apart: the number of first patterns that together tell all states apart.
    """

    patterns: tuple[Pattern, ...]
    position: Callable[[str], int]
    positions: Edges
    follows: npt.NDArray[np.bool_]
    apart: int
    step: int = 1

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the abstractions, each once."""
        return tuple(dict.fromkeys(pattern.puzzle for pattern in self.patterns))
