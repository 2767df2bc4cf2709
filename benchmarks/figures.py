"""Figures: what was measured, one value for each run, and how numbers are printed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One quantity: a value for each run, and the target it has."""

    name: str
    unit: str
    values: Sequence[float]
    target: str = ""


Measured = dict[str, list[Figure]]
"""Tables of figures by title."""


def seconds_of(action: Callable[[], object]) -> float:
    """The seconds that an action takes."""
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def times_of(actions: Iterable[Callable[[], object]]) -> list[float]:
    """The seconds of each action but the first, which is not counted."""
    return [*map(seconds_of, actions)][1:]


def number(value: float) -> str:
    """Three digits that count, and all digits of what was counted."""
    return (
        f"{value:,.0f}" if value >= 100 or isinstance(value, int) else f"{value:#.3g}".rstrip(".")
    )
