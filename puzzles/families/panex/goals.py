"""The goals of Panex: five named ones with published distances, and the goal of being in any state."""

from __future__ import annotations

import re
from string import ascii_lowercase, ascii_uppercase

from puzzlebase.puzzles import Goal, Published
from puzzlebase.puzzles.families.panex.board import parse, start
from puzzlebase.puzzles.families.panex.index import MAX_INDEXED, goal_indices

# Published distances from the goal's start, for n = 1, 2, ...
_X = (3, 13, 42, 128, 343, 881, 2189, 5359, 13023, 31537, 76245, 184191, 444807)
_T = (1, 3, 9, 24, 58, 143, 345, 836, 2018, 4875, 11769, 28416, 68602, 165623, 399849)
_T_BAR = (1, 2, 9, 23, 58, 142, 345, 835, 2018, 4874, 11769, 28415, 68602, 165622, 399849)
_S = (None, 3, 8, 22, 57, 141, 344, 834, 2017, 4873)
_S_BAR = (None, 2, 8, 22, 57, 141, 344, 834, 2017, 4873)
_PAPER = "M. Manasse, D. Sleator, V. K. Wei, N. Baxter, The Panex Puzzle"


def named_goals(n: int) -> tuple[Goal, ...]:
    """The named goals, the default first."""
    small, capital = ascii_lowercase[:n], ascii_uppercase[:n]
    goals = [
        Goal("exchange", (f"{capital}||{small}",), start(n), _published("OEIS A109224", _X, n)),
        Goal("centre", (f"|{small}|{capital}",), start(n), _published("OEIS A109175", _T, n)),
        Goal("centre-corner", (f"|{small[1:]}|a{capital}",), start(n), _published("OEIS A115185", _T_BAR, n)),
    ]
    if n > 1:
        sunk, last = f"{small[:-1]}|{small[-1]}|{capital}", small[-1]
        corner = f"{last}|{small[1:-1]}|a{capital}"
        goals += [
            Goal("sink", (sunk,), f"{last}|{small[:-1]}|{capital}", _published(_PAPER, _S, n)),
            Goal("sink-corner", (sunk,), corner, _published(_PAPER, _S_BAR, n), "sink"),
        ]
    return tuple(goals)


def _published(source: str, distances: tuple[int | None, ...], n: int) -> Published | None:
    return Published(source, start_distance=distances[n - 1]) if n <= len(distances) else None


def goal_of(n: int, text: str) -> Goal | None:
    """The goal of being in a state, from the state's text or the goal's key; None for other texts.

    Raises what `parse` raises, and ImpossibleState for a state that the start cannot reach. If the states are too many
    to be numbered, the oracle raises that later, when it is asked.
    """
    state = text
    if "|" not in text:
        state = re.sub("([a-z])2", lambda tile: tile[1].upper(), text).replace("-", "|")
        if text.count("-") != 2 or _key(state) != text:
            return None
    board = parse(n, state)
    for goal in named_goals(n):
        if goal.states == (state,):
            return goal
    if n <= MAX_INDEXED:
        goal_indices(n, board[None, :])
    begins = start(n) if state != start(n) else named_goals(n)[0].states[0]
    return Goal(state, (state,), begins, key=_key(state))


def _key(state: str) -> str:
    """A state as part of a file's name: abc--a2b2c2 for abc||ABC, since some disks do not tell A from a."""
    return re.sub("[A-Z]", lambda tile: tile[0].lower() + "2", state).replace("|", "-")
