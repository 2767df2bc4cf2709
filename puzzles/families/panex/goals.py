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
    start, small, capital = start_state(n), ascii_lowercase[:n], ascii_uppercase[:n]
    tower, last = small[:-1], small[-1]
    sunk = f"{tower}|{last}|{capital}"
    goals = [
        ("exchange", f"{capital}||{small}", start, ""),
        ("centre", f"|{small}|{capital}", start, ""),
        ("centre-corner", f"|{small[1:]}|a{capital}", start, ""),
        ("sink", sunk, f"{last}|{tower}|{capital}", ""),
        ("sink-corner", sunk, f"{last}|{tower[1:]}|a{capital}", "sink"),
    ]
    return tuple(
        Goal(name, (solved,), begin, _published(name, n), key)
        for name, solved, begin, key in goals[: 5 if n > 1 else 3]
    )


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
