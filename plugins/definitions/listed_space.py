"""Spaces made by listing: states are numbered in the order in which moves lead to them,
so the goal has index 0.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from puzzlebase.plugins.hash_tables import BYTES_BESIDES, BoardList
from puzzlebase.puzzles.contract.errors import TooManyStates
from puzzlebase.puzzles.contract.space import Boards, Space

BYTES_AT_ONCE = 1 << 22  # of successors that are looked up together


def bytes_of_a_state(length: int, moves: int) -> int:
    """The most memory of a state in `listed_space`: its letters,
    its successors, and its share of a hash table.
    """
    return length + 4 * moves + BYTES_BESIDES


def listed_space(start: Boards, play: Callable[[Boards], Boards], most: int) -> Space:
    """List all states that moves lead to from a board of letters, uint8[length], the goal.

    `play` maps boards uint8[n, length] to those after each move, uint8[n, moves, length], all 0
    after an illegal move. Moves must be closed under inversion. Raises TooManyStates above `most`
    states.
    """
    states = BoardList(start)
    parts = []
    done = 0
    chunk = max(BYTES_AT_ONCE // play(start[None, :]).size, 1)
    with ThreadPoolExecutor() as pool:
        while done < states.count:
            boards = states.boards(np.arange(done, min(done + chunk, states.count)))
            done += len(boards)
            after = play(boards)
            flat = after.reshape(-1, len(start))
            parts.append(states.enter(flat, flat[:, 0] != 0, pool).reshape(after.shape[:2]))
            if states.count > most:
                raise TooManyStates(most)
    parts.append(np.full_like(parts[0][:1], -1))  # found by index -1
    successors = np.concatenate(parts)
    states.trim()
    return Space(
        size=states.count,
        expand=lambda indices: successors[indices].astype(np.int64),
        goal_states=np.zeros(1, np.int64),
        rank=states.find,
        unrank=states.boards,
        connected=True,
    )
