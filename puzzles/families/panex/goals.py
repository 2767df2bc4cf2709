"""The goals of Panex with published distances."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from puzzlebase.puzzles import Goal, Published
from puzzlebase.puzzles.families.panex.board import start_state


def named_panex_goals(n: int) -> tuple[Goal, ...]:
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
