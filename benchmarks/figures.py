"""Figures: what was measured, one value for each run, and how that is printed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Figure:
    """One quantity: a value for each run, and the target it has."""

    name: str
    unit: str
    values: Sequence[float]
    target: str = ""


Measured = dict[str, list[Figure]]
"""Tables of figures by title."""

_HEADS = ("", "unit", "runs", "minimum", "median", "maximum", "target")


def timed(action: Callable[[], T]) -> tuple[T, float]:
    """The result of an action, and the seconds it took."""
    began = time.perf_counter()
    result = action()
    return result, time.perf_counter() - began


def times_of(actions: Iterable[Callable[[], object]]) -> list[float]:
    """The seconds of each action but the first, which is not counted."""
    return [timed(action)[1] for action in actions][1:]


def markdown(measured: Measured) -> str:
    """The tables, each under its title; columns that none of its figures has are left out."""
    return "\n\n".join(f"**{title}**\n\n{_table(figures)}" for title, figures in measured.items())


def _table(figures: list[Figure]) -> str:
    columns = [
        column for column in zip(_HEADS, *map(_row, figures), strict=True) if any(column[1:])
    ]
    aligned = ["--:" if header in _HEADS[2:6] else ":--" for header, *_ in columns]
    header, *rows = zip(*columns, strict=True)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, aligned, *rows))


def _row(figure: Figure) -> tuple[str, ...]:
    values = figure.values
    numbers = map(_number, (min(values), median(values), max(values)))
    return figure.name, figure.unit, str(len(values)), *numbers, figure.target


def _number(value: float) -> str:
    """Three digits that count, and all digits of what was counted."""
    return (
        f"{value:,.0f}" if value >= 100 or isinstance(value, int) else f"{value:#.3g}".rstrip(".")
    )
