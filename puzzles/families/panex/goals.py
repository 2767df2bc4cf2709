"""The goals of Panex: five named ones with published distances,
and the goal of being in any state.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from puzzlebase.puzzles import Goal, Published
from puzzlebase.puzzles.families.panex.board import parse, start_state
from puzzlebase.puzzles.families.panex.index import MAX_INDEXED, panex_goal_indices


def named_goals(n: int) -> tuple[Goal, ...]:
    """The named goals of Panex, the default first."""
    small, capital = ascii_lowercase[:n], ascii_uppercase[:n]
    goals = [
        Goal("exchange", (f"{capital}||{small}",), start_state(n), _published("exchange", n)),
        Goal("centre", (f"|{small}|{capital}",), start_state(n), _published("centre", n)),
        Goal(
            "centre-corner",
            (f"|{small[1:]}|a{capital}",),
            start_state(n),
            _published("centre-corner", n),
        ),
    ]
    if n > 1:
        sunk, last = f"{small[:-1]}|{small[-1]}|{capital}", small[-1]
        corner = f"{last}|{small[1:-1]}|a{capital}"
        goals += [
            Goal("sink", (sunk,), f"{last}|{small[:-1]}|{capital}", _published("sink", n)),
            Goal("sink-corner", (sunk,), corner, _published("sink-corner", n), "sink"),
        ]
    return tuple(goals)


@cache
def _numbers() -> dict[str, dict[str, Any]]:
    """By goal the published moves from its start, for n = 1, 2, ..., and their source."""
    numbers: dict[str, dict[str, Any]] = json.loads(
        Path(__file__).with_name("published.json").read_text("utf-8")
    )
    return numbers


def _published(goal: str, n: int) -> Published | None:
    moves = _numbers()[goal]["moves"]
    return (
        Published(_numbers()[goal]["source"], start_distance=moves[n - 1])
        if n <= len(moves)
        else None
    )


def goal_of(n: int, text: str) -> Goal | None:
    """The goal of being in a state, from the state's text or the goal's key; None for other texts.

    Raises what `parse` raises, and ImpossibleState for a state that the start cannot reach. If the
    states are too many to be numbered, the oracle raises that later, when it is asked.
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
        panex_goal_indices(n, board[None, :])
    begins = start_state(n) if state != start_state(n) else named_goals(n)[0].states[0]
    return Goal(state, (state,), begins, key=_key(state))


def _key(state: str) -> str:
    """A state as part of a file's name: abc--a2b2c2 for abc||ABC,
    since some disks do not tell A from a.
    """
    return re.sub("[A-Z]", lambda tile: tile[0].lower() + "2", state).replace("|", "-")
