"""A chart: lines over one axis, from rows of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import nan
from typing import Any, NamedTuple

from puzzlebase.service.error_status import InvalidRequest

MAX_LINES = 18  # the colours and dashes of more cannot be told apart
_MAX, _MIN = 1e300, 1e-300  # sums of larger numbers overflow; smaller ones are drawn as 0

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Style:
    """The look of a chart."""

    title: str = ""
    unit: str = ""  # beside the vertical axis; by default the name of the only line
    log: bool = False  # the vertical axis is logarithmic, and points at 0 and below are left out
    dark: bool = False  # an SVG that is not dark follows the reader's setting


class Line(NamedTuple):
    """The points of a line, in the order in which they are joined."""

    name: str
    points: Sequence[Point]


class Chart(NamedTuple):
    """Lines over one axis, at least one of them, each with at least one point; all numbers are finite."""

    axis: str
    lines: Sequence[Line]
    style: Style


def chart_of(columns: Sequence[str], rows: Sequence[Sequence[Any]], style: Style) -> Chart:
    """Make a chart: the first column is the horizontal axis, every other column of numbers a line.

    Points that are not finite are left out. Raises InvalidRequest if the rows make no chart.
    """
    first, *others = zip(*rows, strict=True) if rows else [()] * len(columns)
    lines = [
        Line(_printable(name), points)
        for name, values in zip(columns[1:], others, strict=True)
        if (points := _points(first, values, style.log))
    ]
    if not lines:
        above = ", and the other above 0 for a logarithmic axis" if style.log else ""
        hint = f"the first column and at least one other must be numbers, and both finite in at least one row{above}"
        raise InvalidRequest("these rows make no chart", hint)
    if len(lines) > MAX_LINES:
        hint = f"at most {MAX_LINES} can be told apart: ask for fewer columns"
        raise InvalidRequest(f"these rows make a chart of {len(lines)} lines", hint)
    return Chart(_printable(columns[0]), lines, style)


def _printable(name: str) -> str:
    """The name as XML can hold it: control characters are replaced."""
    return "".join(letter if letter.isprintable() else "�" for letter in name)


def _points(xs: Sequence[Any], ys: Sequence[Any], log: bool) -> list[Point]:
    """The points whose two numbers can be drawn; none if some value is no number."""
    if not all(isinstance(value, int | float | Decimal | None) for value in (*xs, *ys)):
        return []
    points = ((_drawable(x), _drawable(y)) for x, y in zip(xs, ys, strict=True))
    return [(x, y) for x, y in points if x is not None and y is not None and (y > 0 or not log)]


def _drawable(value: float | Decimal | None) -> float | None:
    """A number as a float; None if it is null, not finite or larger than _MAX."""
    try:
        number = nan if value is None else float(value)
    except OverflowError:
        return None
    if not abs(number) <= _MAX:
        return None
    return number if abs(number) >= _MIN else 0.0
