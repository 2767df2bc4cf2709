"""A space that grows: states get their indices as a search meets them, where there are too many to number them all.

The first state is the goal, with index 0. An index means something in its own space alone, so each answer makes
its own, and each of its searches another one, whose states are forgotten with it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.space import Boards, Indices, Space
from puzzlebase.puzzles.machinery.listed import BoardList, TooManyStates

Rows = npt.NDArray[np.uint8]

_BYTES_BESIDES = 24
"""What a state takes beside its row, padded to whole words: its share of the hash table, while that grows too."""

_BYTES_AT_ONCE = 1 << 22
"""Of successors that are looked up together."""

_MOST = (1 << 31) - 1


def growing_space(
    goal: Rows,
    play: Callable[[Rows], Rows],
    encode: Callable[[Boards], tuple[Rows, npt.NDArray[np.bool_]]],
    decode: Callable[[Rows], Boards],
    memory: int | None,
    *,
    connected: bool,
) -> Space:
    """The space of all states that moves lead to from one, a row uint8[width].

    Every move is legal in every state; moves must be closed under inversion. `play` maps rows uint8[n, width] to the
    rows after each move, uint8[n, moves, width]. `encode` gives the rows of boards, and which boards may be states;
    `decode` is its inverse. `memory` is in bytes; where it is given, TooManyStates is raised when it is full. `size` is
    how many states there may be.
    """
    most = _MOST if memory is None else min(memory // (-(-len(goal) // 8) * 8 + _BYTES_BESIDES), _MOST)
    states = BoardList(goal) if memory is None else BoardList(goal, most)
    moves = play(goal[None, :]).shape[1]
    chunk = max(_BYTES_AT_ONCE // (moves * len(goal)), 1)

    def enter(rows: Rows, may_be: npt.NDArray[np.bool_]) -> Indices:
        if states.count + len(rows) > most:
            raise TooManyStates(most)
        return states.enter(rows, may_be).astype(np.int64)

    def expand(indices: Indices) -> Indices:
        successors = np.empty((len(indices), moves), np.int64)
        for first in range(0, len(indices), chunk):
            some = indices[first : first + chunk]
            rows = play(states.boards(np.maximum(some, 0))).reshape(-1, len(goal))
            successors[first : first + chunk] = enter(rows, np.repeat(some >= 0, moves)).reshape(-1, moves)
        return successors

    return Space(
        size=most,
        expand=expand,
        goal_states=np.zeros(1, np.int64),
        rank=lambda boards: enter(*encode(boards)),
        unrank=lambda indices: decode(states.boards(indices)),
        connected=connected,
        grows=True,
    )
